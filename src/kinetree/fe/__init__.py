"""Flexible bodies from finite elements: matrices of a part, its reduction, and the report of both.

A part comes from a mesh (`kt.fe.read`), from a drawing (`kt.fe.mesh`), from the matrices of another
program (`kt.fe.matrices`) or from three lengths (`kt.fe.block`). `kt.fe.reduce` makes a reduced part
of it, which is saved, and opened again with `kt.fe.open`. The page
[parts from finite elements](../../finite-elements.md) shows their use.
"""

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .public import *  # noqa: F403

fe = sys.modules[__name__]  # for api.py


def __getattr__(name: str) -> Any:
    """Load all public names at the first use of one of them (see `public.py`)."""
    if name.startswith("__") and name != "__all__":
        raise AttributeError(name)
    from .public import __all__ as names

    loaded = vars(sys.modules[f"{__name__}.public"])
    globals().update({"__all__": names, **{one: loaded[one] for one in names}})
    if name not in globals():
        from ..errors import suggestion

        hint = suggestion(name, names)
        raise AttributeError(f"kinetree.fe has no {name!r}.{hint} Its names are in kt.fe.__all__.")
    return globals()[name]


def __dir__() -> list[str]:
    from .public import __all__ as names

    return sorted(names)
