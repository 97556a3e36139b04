"""Tyre property files in the text form of the industry (.tir): sections [NAME], lines KEY = value,
comments after $ and !.

The Fiala form and the magic formula 5.2 (FITTYP 5, 51, 52 or 6) are supported. Other versions, and
nonzero coefficients that this formula does not have (scaling factors: not one), raise an error that
names them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.checks import a_path
from ...core.regular_files import read_regular
from ...errors import ModelError, explains_arguments, short
from ...kernel.mathematics import atan, sin
from . import mf_names
from .contract import TyreLaw
from .fiala import Fiala
from .magic_formula import MagicFormula

MOST_BYTES = 4 * 1024 * 1024
LENGTHS = {
    "meter": 1.0,
    "m": 1.0,
    "mm": 1e-3,
    "cm": 1e-2,
    "km": 1e3,
    "inch": 0.0254,
    "foot": 0.3048,
}
FORCES = {
    "newton": 1.0,
    "n": 1.0,
    "kn": 1e3,
    "knewton": 1e3,
    "kg_force": 9.80665,
    "pound_force": 4.4482216152605,
}
ANGLES = {
    "radians": 1.0,
    "radian": 1.0,
    "rad": 1.0,
    "degrees": math.pi / 180.0,
    "degree": math.pi / 180.0,
}
TIMES = {"second": 1.0, "sec": 1.0, "s": 1.0, "millisecond": 1e-3}
UNITS = {"LENGTH": LENGTHS, "FORCE": FORCES, "ANGLE": ANGLES, "TIME": TIMES}
FITTED = (5, 51, 52, 6)
ASIDE = {
    "PTX1",
    "PTX2",
    "PTX3",
    "PTY1",
    "PTY2",
    "PTY3",
    "LSGKP",
    "LSGAL",
    "LGYR",
    "QTZ1",
    "MBELT",
}  # of relaxation and belt


@dataclass(frozen=True)
class TyreFile:
    """Contents of a tire property file, as `kt.tyres.read_tir` returns them.

    Parameters
    ----------
    name : str
        Name of the file.
    law : TyreLaw
        Law of the slip forces.
    radius : float
        Unloaded radius (m).
    stiffness : float
        Radial stiffness (N/m).
    damping : float
        Radial damping coefficient (N s/m).
    rolling_radius : float or None
        Effective rolling radius (m).
    relaxation : tuple of float or None
        Longitudinal and lateral relaxation lengths (m).
    side : str
        Side of the vehicle for which the tire was measured.

    Attributes
    ----------
    arguments : dict
        Arguments of `kt.Tyre` by name.

    See Also
    --------
    kt.Tyre : The element; `kt.Tyre(**file.arguments, road=road)` has the data of a file.
    """

    name: str
    law: TyreLaw
    radius: float
    stiffness: float
    damping: float
    rolling_radius: float | None
    relaxation: tuple[float, float] | None
    side: str

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments of `kt.Tyre` by name."""
        return {
            name: getattr(self, name)
            for name in ("radius", "stiffness", "law", "damping", "rolling_radius", "relaxation")
        }


@explains_arguments
def read_tir(path: str | os.PathLike) -> TyreFile:
    """Read a tire property file.

    Parameters
    ----------
    path : str or path-like
        Path of the file, with the extension .tir as a rule.

    Returns
    -------
    TyreFile
        Law and dimensions of the tire, in SI units.

    Raises
    ------
    ModelError
        If the form of the file or a coefficient is not supported.

    See Also
    --------
    kt.Tyre : The element.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import kinetree as kt
    >>> text = '''[UNITS]
    ... LENGTH = 'meter'
    ... FORCE = 'newton'
    ... ANGLE = 'radians'
    ... MASS = 'kg'
    ... TIME = 'second'
    ... [MODEL]
    ... PROPERTY_FILE_FORMAT = 'FIALA'
    ... [DIMENSION]
    ... UNLOADED_RADIUS = 0.3
    ... WIDTH = 0.2
    ... [PARAMETER]
    ... VERTICAL_STIFFNESS = 2e5
    ... VERTICAL_DAMPING = 50.0
    ... ROLLING_RESISTANCE = 0.0
    ... CSLIP = 8e4
    ... CALPHA = 6e4
    ... CGAMMA = 0.0
    ... UMIN = 0.8
    ... UMAX = 0.9
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "tyre.tir"
    ...     written = path.write_text(text)
    ...     tyre = kt.tyres.read_tir(path)
    >>> print(tyre.radius, tyre.law.friction)
    0.3 0.9
    """
    path = a_path(path, "read_tir: path")
    name = path.name
    text = read_regular(path, MOST_BYTES, f"tyre file {str(path)!r}").decode("utf-8", "replace")
    sections = _sections(text, name)
    values = {key: value for section in sections.values() for key, value in section.items()}
    form = str(values.get("PROPERTY_FILE_FORMAT", "")).upper()
    if form == "FIALA":
        return _fiala(values, name)
    if form in ("", "USER", "MF_05", "MF-TYRE", "MF_TYRE") and values.get("FITTYP", 52) in FITTED:
        return _magic_formula(sections, values, name)
    asked = (
        f"PROPERTY_FILE_FORMAT {form!r}"
        if form not in ("", "USER")
        else f"FITTYP {values.get('FITTYP'):g}"
    )
    raise ModelError(
        f"tyre file {name!r}: {asked} is not supported; supported are 'FIALA' and the magic "
        "formula 5.2 (FITTYP "
        f"{', '.join(map(str, FITTED))})."
    )


def _sections(text: str, name: str) -> dict[str, dict[str, float | str]]:
    found: dict[str, dict[str, float | str]] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("$")[0].split("!")[0].strip()
        if line.startswith("["):
            section = line.strip("[] ").upper()
            found.setdefault(section, {})
        elif "=" in line:
            key, _, value = line.partition("=")
            what = f"tyre file {name!r}, line {number}: {key.strip()}"
            found.setdefault(section, {})[key.strip().upper()] = _value(value.strip(), what)
    if not any(found.values()):
        raise ModelError(f"tyre file {name!r} has no line KEY = value; is it a tyre property file?")
    return found


def _value(text: str, what: str) -> float | str:
    if text[:1] in "'\"":
        return text.strip("'\" ")
    try:
        return float(text.replace("D", "E").replace("d", "e"))
    except ValueError:
        raise ModelError(f"{what} must be a number or text in quotes, got {short(text)}.") from None


def _scale(values: Mapping[str, float | str], quantity: str, name: str) -> float:
    given = str(values.get(quantity, next(iter(UNITS[quantity])))).lower()
    if given not in UNITS[quantity]:
        raise ModelError(
            f"tyre file {name!r}: {quantity} {given!r} is not known; known are "
            f"{', '.join(UNITS[quantity])}."
        )
    return UNITS[quantity][given]


def _numbers(
    values: Mapping[str, float | str], keys: Mapping[str, float], needed: Sequence[str], name: str
) -> dict[str, float]:
    """Values by key, each times its scale; missing ones are zero unless they are required."""
    missing = [key for key in needed if not isinstance(values.get(key), float)]
    if missing:
        raise ModelError(
            f"tyre file {name!r}: {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} "
            "missing."
        )
    return {key: scale * float(values.get(key, 0.0)) for key, scale in keys.items()}


def _fiala(values: Mapping[str, float | str], name: str) -> TyreFile:
    length, force, angle, time = (
        _scale(values, quantity, name) for quantity in ("LENGTH", "FORCE", "ANGLE", "TIME")
    )
    n = _numbers(
        values,
        {
            "UNLOADED_RADIUS": length,
            "WIDTH": length,
            "VERTICAL_STIFFNESS": force / length,
            "VERTICAL_DAMPING": force * time / length,
            "ROLLING_RESISTANCE": length,
            "CSLIP": force,
            "CALPHA": force / angle,
            "CGAMMA": force / angle,
            "UMIN": 1.0,
            "UMAX": 1.0,
            "RELAX_LENGTH_X": length,
            "RELAX_LENGTH_Y": length,
        },
        ("UNLOADED_RADIUS", "VERTICAL_STIFFNESS", "CSLIP", "CALPHA", "UMAX"),
        name,
    )
    law = Fiala(
        n["CALPHA"],
        n["CSLIP"],
        n["UMAX"],
        n["UMIN"] or None,
        n["CGAMMA"],
        n["WIDTH"] / 3.0,
        n["ROLLING_RESISTANCE"],
    )
    relaxation = (n["RELAX_LENGTH_X"], n["RELAX_LENGTH_Y"])
    return TyreFile(
        name,
        law,
        n["UNLOADED_RADIUS"],
        n["VERTICAL_STIFFNESS"],
        n["VERTICAL_DAMPING"],
        None,
        relaxation if min(relaxation) > 0.0 else None,
        str(values.get("TYRESIDE", "SYMMETRIC")),
    )


def _magic_formula(
    sections: Mapping[str, dict[str, float | str]], values: Mapping[str, float | str], name: str
) -> TyreFile:
    length, force, angle, time = (
        _scale(values, quantity, name) for quantity in ("LENGTH", "FORCE", "ANGLE", "TIME")
    )
    if angle != 1.0:
        raise ModelError(
            f"tyre file {name!r}: coefficients of the magic formula are for ANGLE 'radians'."
        )
    given = {
        key for title, section in sections.items() if "COEFFICIENTS" in title for key in section
    }
    other = [
        key
        for key in sorted(given - set(mf_names.NAMES) - ASIDE)
        if values[key] not in ((1.0, 0.0) if key.startswith("L") else (0.0,))
    ]
    if other:
        raise ModelError(
            f"tyre file {name!r}: {', '.join(other)} {'is' if len(other) == 1 else 'are'} not "
            "supported: the magic "
            "formula here is version 5.2."
        )
    keys = {
        **dict.fromkeys(given & set(mf_names.NAMES), 1.0),
        "FNOMIN": force,
        "UNLOADED_RADIUS": length,
        "VERTICAL_STIFFNESS": force / length,
        "VERTICAL_DAMPING": force * time / length,
        **dict.fromkeys(("BREFF", "DREFF", "FREFF", "PTX1", "PTY1", "PTY2"), 1.0),
    }
    n = _numbers(values, keys, (*mf_names.NEEDED, "UNLOADED_RADIUS", "VERTICAL_STIFFNESS"), name)
    coefficients = {key: value for key, value in n.items() if key in mf_names.NAMES}
    if isinstance(values.get("LONGVL"), float):
        coefficients["LONGVL"] = float(values["LONGVL"]) * length / time
    radius, stiffness = n["UNLOADED_RADIUS"], n["VERTICAL_STIFFNESS"]
    sunk = n["FNOMIN"] / stiffness
    rolling = radius - sunk * (n["DREFF"] * atan(n["BREFF"]) + n["FREFF"]) if n["BREFF"] else None
    relaxation = None
    if n["PTX1"] > 0.0 and n["PTY1"] > 0.0 and n["PTY2"] > 0.0:  # at the nominal load
        relaxation = (n["PTX1"] * radius, n["PTY1"] * sin(2.0 * atan(1.0 / n["PTY2"])) * radius)
    return TyreFile(
        name,
        MagicFormula(coefficients),
        radius,
        stiffness,
        n["VERTICAL_DAMPING"],
        rolling,
        relaxation,
        str(values.get("TYRESIDE", "SYMMETRIC")),
    )
