"""The units of model files: each name with its value in SI units and its dimension. Other units are
refused.

Values are exact by definition, or derived from exact ones: SI Brochure (BIPM, 9th edition, 2019);
inch, pound and the units derived from them by NIST Special Publication 811 (2008), appendix B.
Prefixes are allowed only for names that are commonly written with them.
"""

from __future__ import annotations

import difflib
import math
from functools import cache
from typing import NamedTuple

from .dimensions import Dimension, dimension_of


class Unit(NamedTuple):
    """Value of a unit in SI units and radians, and its dimension."""

    factor: float
    dimension: Dimension


PREFIXES = {
    "p": 1e-12,
    "n": 1e-9,
    "u": 1e-6,
    "m": 1e-3,
    "c": 1e-2,
    "d": 1e-1,
    "da": 1e1,
    "h": 1e2,
    "k": 1e3,
    "M": 1e6,
    "G": 1e9,
    "T": 1e12,
}
_INCH, _FOOT, _POUND, _G = 0.0254, 0.3048, 0.45359237, 9.80665
_LBF, _TURN = _POUND * _G, 2.0 * math.pi
_PSI, _LITRE = _LBF / _INCH**2, 1e-3

# By dimension (m, kg, s, rad, A), names with a prefix or without
WITH_PREFIX: dict[str, dict[str, float]] = {
    "m": {"m": 1.0},
    "kg": {"g": 1e-3},
    "s": {"s": 1.0},
    "N": {"N": 1.0},
    "Pa": {"Pa": 1.0},
    "N m": {"J": 1.0},
    "W": {"W": 1.0},
    "Hz": {"Hz": 1.0},
    "rad": {"rad": 1.0},
    "m^3": {"l": _LITRE, "L": _LITRE},
    "A": {"A": 1.0},
    "V": {"V": 1.0},
    "ohm": {"ohm": 1.0},
    "H": {"H": 1.0},
}
ALONE: dict[str, dict[str, float]] = {
    "m": {
        "in": _INCH,
        "ft": _FOOT,
        "yd": 3.0 * _FOOT,
        "mi": 5280.0 * _FOOT,
        "nmi": 1852.0,
        "thou": 1e-3 * _INCH,
        "micron": 1e-6,
        "meter": 1.0,
        "metre": 1.0,
        "meters": 1.0,
        "metres": 1.0,
        "inch": _INCH,
        "inches": _INCH,
        "foot": _FOOT,
        "feet": _FOOT,
        "yard": 3.0 * _FOOT,
        "mile": 5280.0 * _FOOT,
        "miles": 5280.0 * _FOOT,
    },
    "kg": {
        "t": 1e3,
        "tonne": 1e3,
        "tonnes": 1e3,
        "lb": _POUND,
        "lbs": _POUND,
        "lbm": _POUND,
        "oz": _POUND / 16.0,
        "slug": _LBF / _FOOT,
        "short_ton": 2000.0 * _POUND,
        "long_ton": 2240.0 * _POUND,
        "gram": 1e-3,
        "kilogram": 1.0,
    },
    "s": {
        "min": 60.0,
        "h": 3600.0,
        "hr": 3600.0,
        "sec": 1.0,
        "second": 1.0,
        "seconds": 1.0,
        "minute": 60.0,
        "minutes": 60.0,
        "hour": 3600.0,
        "hours": 3600.0,
        "day": 86400.0,
        "days": 86400.0,
    },
    "rad": {
        "deg": math.pi / 180.0,
        "degree": math.pi / 180.0,
        "degrees": math.pi / 180.0,
        "radian": 1.0,
        "radians": 1.0,
        "arcmin": math.pi / 10800.0,
        "arcsec": math.pi / 648000.0,
        "gon": math.pi / 200.0,
        "grad": math.pi / 200.0,
        "rev": _TURN,
        "revs": _TURN,
        "revolution": _TURN,
        "turn": _TURN,
        "turns": _TURN,
        "cycle": _TURN,
        "cycles": _TURN,
    },
    "rad/s": {"rpm": _TURN / 60.0, "rps": _TURN},
    "Hz": {"hertz": 1.0},
    "m/s": {
        "kph": 1.0 / 3.6,
        "kmh": 1.0 / 3.6,
        "mph": 0.44704,
        "fps": _FOOT,
        "knot": 1852.0 / 3600.0,
        "knots": 1852.0 / 3600.0,
    },
    "m/s^2": {"gn": _G},
    "N": {
        "gf": 1e-3 * _G,
        "kgf": _G,
        "kp": _G,
        "tf": 1e3 * _G,
        "lbf": _LBF,
        "ozf": _LBF / 16.0,
        "kip": 1e3 * _LBF,
        "pdl": _POUND * _FOOT,
        "dyn": 1e-5,
        "newton": 1.0,
        "newtons": 1.0,
    },
    "N m": {"erg": 1e-7, "joule": 1.0},
    "Pa": {
        "bar": 1e5,
        "mbar": 1e2,
        "kbar": 1e8,
        "psi": _PSI,
        "ksi": 1e3 * _PSI,
        "psf": _LBF / _FOOT**2,
        "atm": 101325.0,
        "Torr": 101325.0 / 760.0,
        "mmHg": 133.322387415,
        "inHg": 25.4 * 133.322387415,
        "pascal": 1.0,
    },
    "W": {"hp": 550.0 * _FOOT * _LBF, "PS": 75.0 * _G, "watt": 1.0},
    "m^3": {
        "cc": 1e-6,
        "ccm": 1e-6,
        "liter": _LITRE,
        "litre": _LITRE,
        "liters": _LITRE,
        "litres": _LITRE,
        "US_gal": 231.0 * _INCH**3,
        "UK_gal": 4.54609e-3,
    },
    "m^3/s": {"lpm": _LITRE / 60.0, "cfm": _FOOT**3 / 60.0},
    "%": {"%": 0.01, "permille": 1e-3, "ppm": 1e-6},
}
# Written without a gap; a prefix belongs to the first, a power to the last: kNm is kN m, Nm^2 is N
# m^2
TOGETHER: dict[str, tuple[str, ...]] = {
    "Nm": ("N", "m"),
    "Nmm": ("N", "mm"),
    "Ncm": ("N", "cm"),
    "Ns": ("N", "s"),
    "Nms": ("N", "m", "s"),
    "Ws": ("W", "s"),
    "Wh": ("W", "h"),
    "Js": ("J", "s"),
    "Pas": ("Pa", "s"),
    "kgfm": ("kgf", "m"),
    "kgfcm": ("kgf", "cm"),
    "lbfft": ("lbf", "ft"),
    "lbfin": ("lbf", "in"),
    "ftlbf": ("ft", "lbf"),
    "inlbf": ("in", "lbf"),
    "ozfin": ("ozf", "in"),
}
INERTIAS: dict[
    str, tuple[str, ...]
] = {  # the same, but only with a power of two: kgm was once kgf m
    "kgm": ("kg", "m"),
    "kgcm": ("kg", "cm"),
    "kgmm": ("kg", "mm"),
    "gcm": ("g", "cm"),
    "gmm": ("g", "mm"),
}
_PREFIXED_TOGETHER = ("Nm", "Nmm", "Ncm", "Ns", "Nms", "Ws", "Wh")
# Names that two engineers read differently, with what to write instead
AMBIGUOUS = {
    "ton": "'t' (1000 kg), 'short_ton' or 'long_ton'",
    "tons": "'t' (1000 kg), 'short_ton' or 'long_ton'",
    "gal": "'US_gal' or 'UK_gal'",
    "gallon": "'US_gal' or 'UK_gal'",
    "gpm": "'US_gal/min' or 'UK_gal/min'",
    "mil": "'thou' (a thousandth of an inch) or 'mrad'",
    "cal": "'J' (a calorie is 4.184 or 4.1868 J)",
    "pound": "'lbm' (a mass) or 'lbf' (a force)",
    "pounds": "'lbm' (a mass) or 'lbf' (a force)",
    "kgm": "'kg m' (a mass times a length) or 'kgf m' (a torque)",
    "gcm": "'g cm' or 'gf cm'",
    "gmm": "'g mm' or 'gf mm'",
    "kgcm": "'kg cm' or 'kgf cm'",
    "kgmm": "'kg mm' or 'kgf mm'",
    "kn": "'kN' (a force) or 'knot' (a speed)",
    "kt": "'knot' (a speed) or '1000 t'",
    "kts": "'knot'",
    "nM": "'nm' (a length) or 'N m' (a torque)",
    "NM": "'nmi' (a length) or 'N m' (a torque)",
    "year": "'365 day' or '365.25 day'",
}
TEMPERATURES = ("K", "degC", "degF", "degK", "C", "F", "R", "kelvin", "celsius", "fahrenheit")
# a mass alone; beside other units a force is often meant: lb/in, oz in
WEIGHTS = {
    "lb": "'lbm' (a mass) or 'lbf' (a force)",
    "lbs": "'lbm' (a mass) or 'lbf' (a force)",
    "oz": "'ozf' (a force), or a mass in 'lbm'",
}


@cache
def units() -> dict[str, Unit]:
    """All names of single units."""
    found = {
        name: Unit(factor, dimension_of(of))
        for of, names in ALONE.items()
        for name, factor in names.items()
    }
    for of, names in WITH_PREFIX.items():
        for name, factor in names.items():
            scales = {"": 1.0, **PREFIXES}
            found |= {
                f"{prefix}{name}": Unit(scale * factor, dimension_of(of))
                for prefix, scale in scales.items()
            }
    return found


@cache
def together() -> dict[str, tuple[str, ...]]:
    """All names that are several units written without a space, with these units."""
    prefixed = {
        f"{prefix}{name}": (f"{prefix}{first}", *rest)
        for prefix in PREFIXES
        for name, (first, *rest) in TOGETHER.items()
        if name in _PREFIXED_TOGETHER
    }
    return {**TOGETHER, **prefixed}


def nearest(name: str) -> str:
    """The known names nearest to another one: those that differ in case only, otherwise the most
    similar one.
    """
    known = [*units(), *together()]
    same = [one for one in known if one.lower() == name.lower()]
    if same:
        return " or ".join(
            repr(one)
            for one in sorted(same, key=lambda one: -sum(a == b for a, b in zip(one, name)))
        )
    likeness = difflib.SequenceMatcher(b=name.lower())

    def alike(one: str) -> tuple[float, float]:
        likeness.set_seq1(one.lower())
        return likeness.ratio(), -abs(len(one) - len(name))

    return repr(max(known, key=alike))
