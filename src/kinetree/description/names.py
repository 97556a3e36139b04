"""Names in models: non-empty text without dots or spaces at the ends (dots separate channels)."""

from __future__ import annotations

from ..errors import ModelError, short


def how_many(count: tuple[int, int | None]) -> str:
    """The least and the largest number, as text."""
    fewest, most = count
    return (
        f"{fewest} or more"
        if most is None
        else str(fewest)
        if fewest == most
        else f"{fewest} to {most}"
    )


def check_name(name: object, what: str) -> str:
    """Return the name, or raise a ModelError."""
    if not isinstance(name, str) or not name.strip():
        raise ModelError(f"{what}: a name must be non-empty text, got {short(name)}.")
    if name != name.strip() or any(not c.isprintable() for c in name):
        raise ModelError(
            f"{what} {name!r}: a name has no spaces at its ends and only printable characters."
        )
    if "." in name and not name.endswith(".free"):
        raise ModelError(
            f"{what} {name!r}: a name has no dot; dots separate the parts of a channel like "
            "'crank.position.z'."
        )
    return name
