"""Units as products of powers of the SI base units, as FMI describes them."""

from __future__ import annotations

import re

_BASE = ("kg", "m", "s", "A", "K", "mol", "cd", "rad")
_DERIVED = {
    "N": {"kg": 1, "m": 1, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2},
    "W": {"kg": 1, "m": 2, "s": -3},
    "Pa": {"kg": 1, "m": -1, "s": -2},
    "Hz": {"s": -1},
    "V": {"kg": 1, "m": 2, "s": -3, "A": -1},
    "1": {},
    **{name: {name: 1} for name in _BASE},
}
_FACTOR = re.compile(r"^([A-Za-z]+|1)(?:\^(-?\d+))?$")


def base_units(name: str) -> dict[str, int] | None:
    """Powers of the base units of a unit such as "kg m^2/s"; None if it has another form."""
    found: dict[str, int] = {}
    for k, part in enumerate(name.split("/")):
        for factor in part.split():
            match = _FACTOR.match(factor)
            if match is None or match[1] not in _DERIVED:
                return None
            power = int(match[2] or 1) * (1 if k == 0 else -1)
            for base, own in _DERIVED[match[1]].items():
                found[base] = found.get(base, 0) + own * power
    return {base: power for base, power in found.items() if power}
