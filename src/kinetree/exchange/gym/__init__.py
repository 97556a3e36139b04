"""Models as environments of reinforcement learning, for programs that use `gymnasium`.

`Env` is loaded at its first use, because it imports gymnasium.
"""

from typing import TYPE_CHECKING, Any

from ...errors import ModelError

if TYPE_CHECKING:
    from .env import Env

__all__ = ["Env"]


def __getattr__(name: str) -> Any:
    if name != "Env":
        raise AttributeError(f"kinetree.gym has no {name!r}; it has Env.")
    try:
        from .env import Env
    except ImportError as error:
        if error.name != "gymnasium":
            raise
        raise ModelError(
            "kt.gym.Env needs the package gymnasium, which is not installed. Install it with: "
            "pip install 'kinetree[gym]'."
        ) from None
    return Env
