"""Kinetree: the dynamics of machines. Describe a machine, choose coordinates, formulation and
integrator, simulate.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .release import VERSION

if TYPE_CHECKING:
    from .api import *  # noqa: F403

__version__ = VERSION


def __getattr__(name: str):
    """Public names are loaded together at the first use of one of them (see `api.py`)."""
    if name.startswith("__") and name != "__all__":
        raise AttributeError(name)
    api = import_module(".api", __name__)
    globals().update(
        {"__all__": api.__all__, **{public: getattr(api, public) for public in api.__all__}}
    )
    if name not in globals():
        from .errors import suggestion

        hint = suggestion(name, [*api.__all__, "beam"]).replace("'beam'", "'Model.beam'")
        raise AttributeError(
            f"kinetree has no {name!r}.{hint} Its public names are in kinetree.__all__."
        )
    return globals()[name]


def __dir__() -> list[str]:
    return sorted([*import_module(".api", __name__).__all__, "__version__"])
