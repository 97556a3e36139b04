"""Every unit of the list against its value in the literature.

SI Brochure (BIPM, 9th edition, 2019), tables 3, 5 and 8; NIST Special Publication 811 (2008),
appendix B.8, whose digits stand here as printed: values in bold there are exact, the others have
seven digits. No unit is computed from another one here.
"""

import math
import re

import pytest

import kinetree as kt
from kinetree.description.files.unit_list import (
    ALONE,
    AMBIGUOUS,
    INERTIAS,
    PREFIXES,
    TEMPERATURES,
    TOGETHER,
    WITH_PREFIX,
    together,
    units,
)
from kinetree.description.files.units import quantity

DEGREE = 0.017453292519943295
VALUES = {
    "m": 1,
    "g": 1e-3,
    "s": 1,
    "N": 1,
    "Pa": 1,
    "J": 1,
    "W": 1,
    "Hz": 1,
    "rad": 1,
    "l": 1e-3,
    "L": 1e-3,
    "A": 1,
    "V": 1,
    "ohm": 1,
    "H": 1,
    "in": 0.0254,
    "inch": 0.0254,
    "inches": 0.0254,
    "ft": 0.3048,
    "foot": 0.3048,
    "feet": 0.3048,
    "yd": 0.9144,
    "yard": 0.9144,
    "mi": 1609.344,
    "mile": 1609.344,
    "miles": 1609.344,
    "nmi": 1852,
    "thou": 2.54e-5,
    "micron": 1e-6,
    "meter": 1,
    "metre": 1,
    "meters": 1,
    "metres": 1,
    "t": 1000,
    "tonne": 1000,
    "tonnes": 1000,
    "lb": 0.45359237,
    "lbs": 0.45359237,
    "lbm": 0.45359237,
    "oz": 0.028349523125,
    "slug": 14.593902937,
    "short_ton": 907.18474,
    "long_ton": 1016.0469088,
    "gram": 1e-3,
    "kilogram": 1,
    "min": 60,
    "minute": 60,
    "minutes": 60,
    "h": 3600,
    "hr": 3600,
    "hour": 3600,
    "hours": 3600,
    "sec": 1,
    "second": 1,
    "seconds": 1,
    "day": 86400,
    "days": 86400,
    "deg": DEGREE,
    "degree": DEGREE,
    "degrees": DEGREE,
    "radian": 1,
    "radians": 1,
    "arcmin": 2.908882086657216e-4,
    "arcsec": 4.84813681109536e-6,
    "gon": 0.015707963267948967,
    "grad": 0.015707963267948967,
    **dict.fromkeys(
        ("rev", "revs", "revolution", "turn", "turns", "cycle", "cycles"), 6.283185307179586
    ),
    "rpm": 0.10471975511965977,
    "rps": 6.283185307179586,
    "hertz": 1,
    "kph": 0.2777777777777778,
    "kmh": 0.2777777777777778,
    "mph": 0.44704,
    "fps": 0.3048,
    "knot": 0.5144444444444445,
    "knots": 0.5144444444444445,
    "gn": 9.80665,
    "gf": 9.80665e-3,
    "kgf": 9.80665,
    "kp": 9.80665,
    "tf": 9806.65,
    "lbf": 4.4482216152605,
    "ozf": 0.27801385095,
    "kip": 4448.2216152605,
    "pdl": 0.138254954376,
    "dyn": 1e-5,
    "newton": 1,
    "newtons": 1,
    "erg": 1e-7,
    "joule": 1,
    "bar": 1e5,
    "mbar": 100,
    "kbar": 1e8,
    "psi": 6894.7572932,
    "ksi": 6894757.2932,
    "psf": 47.880258980,
    "atm": 101325,
    "Torr": 133.3223684,
    "mmHg": 133.322387415,
    "inHg": 3386.388640,
    "pascal": 1,
    "hp": 745.69987158,
    "PS": 735.49875,
    "watt": 1,
    "cc": 1e-6,
    "ccm": 1e-6,
    "liter": 1e-3,
    "litre": 1e-3,
    "liters": 1e-3,
    "litres": 1e-3,
    "US_gal": 3.785411784e-3,
    "UK_gal": 4.54609e-3,
    "lpm": 1.6666666667e-5,
    "cfm": 4.719474432e-4,
    "%": 0.01,
    "permille": 1e-3,
    "ppm": 1e-6,
}
COMPOUNDS = {
    "Nm": 1,
    "N m": 1,
    "N*m": 1,
    "N·m": 1,
    "N-m": 1,
    "N.m": 1,
    "kNm": 1e3,
    "mNm": 1e-3,
    "MNm": 1e6,
    "N mm": 1e-3,
    "Nmm": 1e-3,
    "kN mm": 1,
    "Ncm": 1e-2,
    "cNm": 1e-2,
    "Nm/rad": 1,
    "kNm/rad": 1e3,
    "Nm/deg": 57.29577951308232,
    "N m/deg": 57.29577951308232,
    "Nms": 1,
    "Nm s": 1,
    "Nms/rad": 1,
    "Nm s/rad": 1,
    "Nm^2": 1,
    "N mm^2": 1e-6,
    "Ns/m": 1,
    "N s/m": 1,
    "kNs/m": 1e3,
    "N s/mm": 1e3,
    "N/mm": 1e3,
    "kN/mm": 1e6,
    "N/m": 1,
    "kN/m": 1e3,
    "N/mm2": 1e6,
    "N/mm²": 1e6,
    "MPa": 1e6,
    "GPa": 1e9,
    "kg m^2": 1,
    "kg mm2": 1e-6,
    "kgm^2": 1,
    "kgm2": 1,
    "kgmm2": 1e-6,
    "gcm2": 1e-7,
    "g mm^2": 1e-9,
    "kg-m^2": 1,
    "kg/m^3": 1,
    "g/cm3": 1e3,
    "kg m-3": 1,
    "rev/min": 0.10471975511965977,
    "1/min": 1 / 60,
    "1/s": 1,
    "s^-1": 1,
    "s-1": 1,
    "l/min": 1e-3 / 60,
    "L/min": 1e-3 / 60,
    "cm3/s": 1e-6,
    "cc/rev": 1.5915494309189535e-7,
    "km/h": 0.2777777777777778,
    "m/s^2": 1,
    "m/s**2": 1,
    "m/s/s": 1,
    "mm/s²": 1e-3,
    "ft lbf": 1.3558179483,
    "in lbf": 0.1129848290,
    "ftlbf": 1.3558179483,
    "lbf/in": 175.12683525,
    "lbf s/in": 175.12683525,
    "lbf/ft": 14.593902937,
    "lbf s^2/in": 175.12683525,
    "lbm in^2": 2.9263965343e-4,
    "lbm/ft^3": 16.018463374,
    "lbf/in^2": 6894.7572932,
    "kgf/cm^2": 98066.5,
    "kgf m": 9.80665,
    "kgf/mm": 9806.65,
    "deg/s": DEGREE,
    "deg/s^2": DEGREE,
    "mrad": 1e-3,
    "kWh": 3.6e6,
    "Wh": 3600,
    "Ws": 1,
    "mPas": 1e-3,
    "N/(m s)": 1,
    "1/(m s)": 1,
    "m^3/(s Pa)": 1,
    "um": 1e-6,
    "µm": 1e-6,
    "μm": 1e-6,
    "daN": 10,
    "hPa": 100,
    "US_gal/min": 6.309019640e-5,
    "ozf in": 7.061551814e-3,
    "N m/A": 1,
    "mH": 1e-3,
    "kΩ": 1e3,
    "°/s": DEGREE,
    "gn/s": 9.80665,
}
TEXTS = {"mPas": "mPa s"}  # not written without a gap


def test_every_unit_of_the_list_has_a_value_here():
    assert set(VALUES) == {
        name for names in (ALONE, WITH_PREFIX) for members in names.values() for name in members
    }


@pytest.mark.parametrize("unit", [*VALUES, *COMPOUNDS])
def test_a_unit_has_its_value_in_the_literature(unit):
    digits = 1e-9  # the shortest of the digits above; most are exact
    assert quantity(f"3 {TEXTS.get(unit, unit)}") == pytest.approx(
        3 * {**VALUES, **COMPOUNDS}[unit], rel=digits
    )


def test_prefixes_are_those_of_si():
    powers = {
        "p": -12,
        "n": -9,
        "u": -6,
        "m": -3,
        "c": -2,
        "d": -1,
        "da": 1,
        "h": 2,
        "k": 3,
        "M": 6,
        "G": 9,
        "T": 12,
    }
    assert {name: round(math.log10(scale), 12) for name, scale in PREFIXES.items()} == powers
    for prefix, power in powers.items():
        for name in ("m", "g", "s", "N", "Pa", "W", "Hz"):
            # one product
            assert quantity(f"1 {prefix}{name}") == pytest.approx(
                VALUES[name] * 10.0**power, rel=1e-15 * 8
            )


def test_no_name_has_two_readings():
    """A name is either a prefix with a unit, a unit alone, or several units without a space."""
    alone = [name for members in ALONE.values() for name in members]
    prefixed = [
        f"{prefix}{name}"
        for members in WITH_PREFIX.values()
        for name in members
        for prefix in ("", *PREFIXES)
    ]
    every = [*alone, *prefixed, *together(), *INERTIAS, *TEMPERATURES]
    assert [name for name in every if every.count(name) > 1] == []
    assert [name for name in AMBIGUOUS if name in units() or name in together()] == []
    assert set(units()) == {*alone, *prefixed} and set(TOGETHER) <= set(together())


OUTSIDE = [
    "parsnips",
    "KN",
    "Kg",
    "RPM",
    "hz",
    "Mpa",
    "mpa",
    "KM/H",
    "Nmn",
    "newtonmeter",
    "furlong",
    "stone",
    "BTU",
    "eV",
    "mol",
    "cd",
    "lx",
    "Gal",
    "dB",
    "pt",
    "B",
    "D",
    "G",
    "M",
    "k",
    "u",
    "a",
    "ly",
    "AU",
    "Å",
    "fortnight",
    "lbft",
    "ftlb",
    "psig",
    "cSt",
    "rods",
    "Bq",
    "Wb",
    "T",
    "S",
    "kat",
    "smoot",
    "barn",
    "KPH",
]


@pytest.mark.parametrize("unit", OUTSIDE)
def test_a_unit_outside_the_list_is_refused_and_the_nearest_one_named(unit):
    with pytest.raises(kt.ModelError, match=r"is not known\. Did you mean '") as refused:
        quantity(f"5 {unit}")
    for name in re.findall(r"mean (.*)\?", str(refused.value))[0].replace("'", "").split(" or "):
        quantity(f"1 {name}")  # what is proposed is taken


@pytest.mark.parametrize(
    "unit, nearest",
    [
        ("KN", "'kN'"),
        ("Kg", "'kg'"),
        ("RPM", "'rpm'"),
        ("hz", "'Hz'"),
        ("Mpa", "'MPa'"),
        ("newtonn", "'newton'"),
        ("lbft", "'lbfft'"),
        ("degre", "'degree'"),
    ],
)
def test_the_suggested_unit_is_the_intended_one(unit, nearest):
    with pytest.raises(kt.ModelError, match=f"Did you mean {nearest}"):
        quantity(f"5 {unit}")


@pytest.mark.parametrize(
    "unit, words",
    [
        ("ton", "short_ton"),
        ("gal", "US_gal"),
        ("gpm", "US_gal/min"),
        ("mil", "thou"),
        ("cal", "J"),
        ("ft-lb", "lbf"),
        ("lb/in", "lbf"),
        ("lb/in^2", "lbf"),
        ("oz in", "ozf"),
        ("kgm", "kgf m"),
        ("kn", "kN"),
        ("N/m s", "parentheses"),
        ("kg/m s^2", "parentheses"),
        ("degC", "temperature"),
        ("°C", "temperature"),
        ("K", "temperature"),
        ("m^0", "cannot be read"),
        ("m//s", "cannot be read"),
        ("N (m", "cannot be read"),
        ("m)", "cannot be read"),
        ("m/", "cannot be read"),
        ("mm^12", "cannot be read"),
        ("m$", "cannot be read"),
    ],
)
def test_ambiguous_units_are_refused(unit, words):
    with pytest.raises(kt.ModelError, match=re.escape(words)):
        quantity(f"5 {unit}")
