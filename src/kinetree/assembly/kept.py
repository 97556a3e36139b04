"""The assembled start of an unchanged model, kept from one run to the next.

Assembly takes ten times as long as a short run of a small model. A model keeps its latest assemblies,
with the digest of its description and the arguments as the key. Models with user code are assembled
anew for every run: their digest cannot be known (description/content.py).
"""

from __future__ import annotations

from dataclasses import replace
from operator import is_
from typing import Any

import numpy as np

from ..description.content import digest_of
from ..description.model import Model
from ..kernel.frames import word
from .prepare import prepare
from .result import Assembly

MANY = (
    10  # bodies of a model whose digest takes a while: it keeps assemblies from its second run on
)


def kept_start(
    model: Model, coordinates: str, topology: str, t: float, regular: bool, slack: float
) -> Assembly:
    """The assembly of `prepare` with these arguments; arrays and dicts of the result are its own."""
    if len(model.bodies) > MANY and not model.kept.asked:
        model.kept.asked = True
        return prepare(model, coordinates, topology, t=t, regular=regular, slack=slack)
    digest = digest_of(model)
    choices = word(coordinates, "coordinates"), word(topology, "topology")
    key = digest, *choices, t, regular, slack
    found = None if digest is None else model.kept.get(key)
    if found is None or not _same_parts(model, found.compiled.model):
        found = prepare(model, coordinates, topology, t=t, regular=regular, slack=slack)
        if digest is None:
            return found
        model.kept.keep(key, found)
    return _own(found)


def _own(found: Assembly) -> Assembly:
    """The assembly with copies of everything that its owner may change."""
    parts: dict[str, Any] = {
        name: value.copy()
        for name, value in vars(found).items()
        if isinstance(value, (np.ndarray, dict))
    }
    return replace(found, **parts)


def _same_parts(model: Model, snapshot: Model) -> bool:
    """Whether a snapshot, which solutions share, still has the parts of the model."""
    return all(_same(value, getattr(snapshot, name)) for name, value in vars(model).items())


def _same(one: object, other: object) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return (
            len(one) == len(other)
            and all(map(is_, one, other))
            and all(map(is_, one.values(), other.values()))
        )
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_, one, other))
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.tobytes() == other.tobytes()
    return True
