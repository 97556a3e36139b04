"""Flexible bodies from finite elements: matrices of a part, its reduction, and the report of both.

A part comes from a mesh (`read`), from a drawing (`mesh`), from the matrices of another program
(`matrices`) or from three lengths (`block`). `reduce` makes a reduced part of it, which is saved,
and opened again with `open`::

    part = kt.fe.read("rod.msh", E=2.1e11, poisson=0.3, density=7850.0, unit="mm")
    holes = {"big": kt.fe.cylinder((0, 0, 0), "z", 25.0), "small": kt.fe.cylinder((150, 0, 0), "z", 12.0)}
    rod = part.reduce(holes, upto=2000.0)
    print(rod)
    rod.save("rod.h5")
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
