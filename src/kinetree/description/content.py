"""Digest of everything that a model describes, by which an unchanged model is recognized.

The whole description is read, so that every change counts, however it was made: a new element, another
start value, or a number written into an array. Functions of the user have no digest: their results
may depend on data that no one can list.
"""

from __future__ import annotations

import io
import pickle
import types
from hashlib import blake2b
from operator import attrgetter
from typing import Any

import numpy as np

from .body import Body, Marker
from .element import JointSpec
from .model import Model

_OWN = ("kinetree", "builtins", "numpy")  # packages whose classes do not change


_FUNCTIONS = types.FunctionType, types.BuiltinFunctionType, types.MethodType
_FIELDS = {kind: (kind.__name__, attrgetter(*kind.__slots__)) for kind in (Body, Marker, JointSpec)}


class _NoDigest(Exception):
    """Part of a model whose content cannot be compared."""


class _Content(pickle.Pickler):
    """Writes the description of a model; nothing reads it back."""

    def reducer_override(self, part: Any) -> Any:
        fields = _FIELDS.get(type(part))
        if fields is not None:
            # faster than the general way; the state comes last, so that cycles end
            return list, (), [fields[0], *fields[1](part)]
        if isinstance(part, (np.ndarray, np.generic)):
            if part.dtype.hasobject:
                raise _NoDigest
            return tuple, ((part.dtype.str, part.shape, part.tobytes()),)
        if isinstance(part, type):
            if part.__module__.partition(".")[0] not in _OWN:
                raise _NoDigest
        elif isinstance(part, _FUNCTIONS):
            raise _NoDigest
        return NotImplemented


def digest_of(model: Model) -> bytes | None:
    """Digest of a model: another one after any change; None if the model has user code or generated
    equations.
    """
    if model.generated is not None:
        return None
    content = io.BytesIO()
    try:
        _Content(content, 5).dump(vars(model))
    except Exception:  # whatever a part raises that cannot be written, the model has no digest
        return None
    return blake2b(content.getbuffer(), digest_size=16).digest()
