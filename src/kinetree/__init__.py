"""Kinetree: multibody dynamics of machines with rigid and flexible bodies.

Describe a model, choose coordinates, formulation and integrator, and simulate it::

    import kinetree as kt

    m = kt.Model("pendulum")
    rod = m.body("rod", kt.rod(mass=1.0, length=0.5))
    m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"), start={"angle": 1.0})
    sol = kt.simulate(m, 2.0)
    sol["A.angle"]

`kt.__all__` lists the public names, and ``help(kt.simulate)`` describes one of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .release import VERSION

if TYPE_CHECKING:
    from .api import *  # noqa: F403

__version__ = VERSION


def __getattr__(name: str):
    """Load all public names at the first use of one of them (see `api.py`)."""
    if name.startswith("__") and name != "__all__":
        raise AttributeError(name)
    api = import_module(".api", __name__)
    globals().update(
        {"__all__": api.__all__, **{public: getattr(api, public) for public in api.__all__}}
    )
    if name not in globals():
        hint = _hint(name, [*api.__all__, "beam"]).replace("'beam'", "'Model.beam'")
        raise AttributeError(
            f"kinetree has no {name!r}.{hint} Its public names are in kinetree.__all__."
        )
    return globals()[name]


def _hint(name: str, names: list[str]) -> str:
    """What an unknown name is called here, or what to use instead."""
    from .alternatives import alternative
    from .errors import suggestion
    from .synonyms import called_here

    more = alternative(name)
    if more and not called_here(name, names):
        return f" {more}"
    return suggestion(name, names) + (f" {more}" if more else "")


def __dir__() -> list[str]:
    return sorted([*import_module(".api", __name__).__all__, "__version__"])
