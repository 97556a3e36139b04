"""Names of platforms that users give."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.checks import words
from ...errors import ModelError, no_such
from ...kernel.runtime.targets import PLATFORMS, this_platform

# names in FMI 2 and in FMI 3, which are also names of folders there
OF_FMI = {
    "linux-x86_64": ("linux64", "x86_64-linux"),
    "linux-aarch64": ("aarch64-linux", "aarch64-linux"),
    "windows-x86_64": ("win64", "x86_64-windows"),
    "macos-x86_64": ("darwin64", "x86_64-darwin"),
    "macos-arm64": ("aarch64-darwin", "aarch64-darwin"),
}
_ALIASES = {name: platform for platform, names in OF_FMI.items() for name in names}


def platforms_of(names: Sequence[str] | None, what: str) -> list[str]:
    """The platforms of these names; by default that of this computer."""
    if names is None:
        here = this_platform()
        if here is None:
            raise ModelError(
                f"{what}: this computer is none of {', '.join(_ALIASES)}; give platforms=."
            )
        return [here]
    found = []
    for name in words(names, f"{what}: platforms", "linux64"):
        if name not in _ALIASES and name not in PLATFORMS:
            raise no_such("platform", name, _ALIASES)
        found.append(_ALIASES.get(name, name))
    return list(dict.fromkeys(found))
