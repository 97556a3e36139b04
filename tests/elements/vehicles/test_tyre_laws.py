"""Tyre laws: tables computed by hand, limits, symmetry, the circle of friction; property files."""

import math

import numpy as np
import pytest

import kinetree as kt

FIALA = kt.tyres.Fiala(cornering=50e3, longitudinal=80e3, friction=0.9)
HAND = [  # load, kappa, alpha, F_x, F_y: the cubic by hand, nine decimals
    (4000.0, 0.0, 0.01, 0.0, -477.224236),
    (4000.0, 0.02, 0.04, 1250.447067, -1563.892999),
    (4000.0, -0.5, 0.1, -3572.016137, -447.996335),
]
SEDAN = {  # a made-up tyre of 205/60 R15 with every coefficient in use
    "FNOMIN": 4000.0,
    "UNLOADED_RADIUS": 0.3135,
    "LONGVL": 16.6,
    "PCX1": 1.65,
    "PDX1": 1.21,
    "PDX2": -0.037,
    "PDX3": 0.2,
    "PEX1": 0.344,
    "PEX2": 0.095,
    "PEX3": -0.02,
    "PEX4": 0.1,
    "PKX1": 21.5,
    "PKX2": -0.16,
    "PKX3": 0.25,
    "PHX1": -0.0016,
    "PHX2": 0.0004,
    "PVX1": 2e-5,
    "PVX2": 1e-4,
    "RBX1": 12.35,
    "RBX2": -10.77,
    "RCX1": 1.092,
    "REX1": 0.3,
    "REX2": -0.1,
    "RHX1": 0.007,
    "PCY1": 1.19,
    "PDY1": -0.99,
    "PDY2": 0.145,
    "PDY3": -11.23,
    "PEY1": -1.0,
    "PEY2": -0.5,
    "PEY3": -0.05,
    "PEY4": -6.2,
    "PKY1": -14.95,
    "PKY2": 2.13,
    "PKY3": -0.028,
    "PHY1": 0.0034,
    "PHY2": -0.0008,
    "PHY3": 0.03,
    "PVY1": 0.045,
    "PVY2": -0.024,
    "PVY3": -0.53,
    "PVY4": -0.04,
    "RBY1": 6.46,
    "RBY2": 4.2,
    "RBY3": -0.015,
    "RCY1": 1.08,
    "REY1": 0.2,
    "REY2": 0.1,
    "RHY1": 0.009,
    "RHY2": 0.01,
    "RVY1": 0.053,
    "RVY2": -0.073,
    "RVY3": 0.52,
    "RVY4": 35.4,
    "RVY5": 1.9,
    "RVY6": -10.7,
    "QSX1": 0.002,
    "QSX2": 0.5,
    "QSX3": 0.06,
    "QSY1": 0.01,
    "QSY2": 0.001,
    "QSY3": 0.002,
    "QSY4": 0.0003,
    "QBZ1": 8.96,
    "QBZ2": -1.1,
    "QBZ3": -0.84,
    "QBZ4": -0.23,
    "QBZ5": -0.35,
    "QBZ9": 18.5,
    "QBZ10": 0.1,
    "QCZ1": 1.18,
    "QDZ1": 0.1,
    "QDZ2": -0.0018,
    "QDZ3": 0.006,
    "QDZ4": -2.0,
    "QDZ6": 0.001,
    "QDZ7": 0.0007,
    "QDZ8": -0.13,
    "QDZ9": -0.04,
    "QEZ1": -1.6,
    "QEZ2": -0.36,
    "QEZ3": 0.1,
    "QEZ4": 0.17,
    "QEZ5": -0.9,
    "QHZ1": 0.003,
    "QHZ2": -0.003,
    "QHZ3": 0.14,
    "QHZ4": 0.05,
    "SSZ1": 0.03,
    "SSZ2": 0.006,
    "SSZ3": 0.5,
    "SSZ4": -0.27,
    "LFZO": 1.1,
    "LCX": 1.02,
    "LMUX": 0.95,
    "LEX": 1.1,
    "LKX": 0.9,
    "LHX": 1.2,
    "LVX": 0.8,
    "LGAX": 1.1,
    "LCY": 0.98,
    "LMUY": 0.93,
    "LEY": 1.05,
    "LKY": 1.07,
    "LHY": 0.9,
    "LVY": 1.1,
    "LGAY": 0.9,
    "LTR": 1.2,
    "LRES": 0.8,
    "LGAZ": 1.1,
    "LXAL": 1.1,
    "LYKA": 0.9,
    "LVYKA": 1.2,
    "LS": 0.7,
    "LMX": 1.1,
    "LVMX": 0.6,
    "LMY": 0.9,
}
PLAIN = {
    name: SEDAN[name]
    for name in ("FNOMIN", "PCX1", "PDX1", "PEX1", "PKX1", "PCY1", "PDY1", "PEY1", "PKY1", "PKY2")
}
SLIPS = [
    (3000.0, 0.0, 0.05, 0.0),
    (4000.0, 0.08, 0.0, 0.0),
    (5500.0, -0.12, 0.07, 0.03),
    (2500.0, 0.3, -0.15, -0.05),
    (4000.0, -0.9, 0.4, 0.1),
]


def mf(c, fz, kappa, alpha, camber, v):
    """The published equations term by term, in their own letters; c has every coefficient."""
    fz0, r0 = c["FNOMIN"] * c["LFZO"], c["UNLOADED_RADIUS"]
    df = (fz - fz0) / fz0

    def sign(x):
        return 1.0 if x >= 0 else -1.0

    def bend(b, x, e):
        return b * x - e * (b * x - math.atan(b * x))

    kx = kappa + (c["PHX1"] + c["PHX2"] * df) * c["LHX"]
    cx, gx = c["PCX1"] * c["LCX"], camber * c["LGAX"]
    dx = (c["PDX1"] + c["PDX2"] * df) * (1 - c["PDX3"] * gx**2) * c["LMUX"] * fz
    ex = min(
        (c["PEX1"] + c["PEX2"] * df + c["PEX3"] * df**2) * (1 - c["PEX4"] * sign(kx)) * c["LEX"],
        1.0,
    )
    Kx = fz * (c["PKX1"] + c["PKX2"] * df) * math.exp(c["PKX3"] * df) * c["LKX"]
    svx = fz * (c["PVX1"] + c["PVX2"] * df) * c["LVX"] * c["LMUX"]
    fx0 = dx * math.sin(cx * math.atan(bend(Kx / (cx * dx), kx, ex))) + svx

    gy = camber * c["LGAY"]
    shy = (c["PHY1"] + c["PHY2"] * df) * c["LHY"] + c["PHY3"] * gy
    ay, cy = alpha + shy, c["PCY1"] * c["LCY"]
    muy = (c["PDY1"] + c["PDY2"] * df) * (1 - c["PDY3"] * gy**2) * c["LMUY"]
    dy = muy * fz
    ey = min(
        (c["PEY1"] + c["PEY2"] * df) * (1 - (c["PEY3"] + c["PEY4"] * gy) * sign(ay)) * c["LEY"], 1.0
    )
    Ky = (
        c["PKY1"]
        * fz0
        * math.sin(2 * math.atan(fz / (c["PKY2"] * fz0)))
        * c["LKY"]
        * (1 - c["PKY3"] * abs(gy))
    )
    svy = (
        fz
        * ((c["PVY1"] + c["PVY2"] * df) * c["LVY"] + (c["PVY3"] + c["PVY4"] * df) * gy)
        * c["LMUY"]
    )
    by = Ky / (cy * dy)
    fy0 = dy * math.sin(cy * math.atan(bend(by, ay, ey))) + svy

    bxa = c["RBX1"] * math.cos(math.atan(c["RBX2"] * kappa)) * c["LXAL"]
    exa = min(c["REX1"] + c["REX2"] * df, 1.0)
    gxa = math.cos(c["RCX1"] * math.atan(bend(bxa, alpha + c["RHX1"], exa))) / math.cos(
        c["RCX1"] * math.atan(bend(bxa, c["RHX1"], exa))
    )
    byk = c["RBY1"] * math.cos(math.atan(c["RBY2"] * (alpha - c["RBY3"]))) * c["LYKA"]
    eyk, shyk = min(c["REY1"] + c["REY2"] * df, 1.0), c["RHY1"] + c["RHY2"] * df
    gyk = math.cos(c["RCY1"] * math.atan(bend(byk, kappa + shyk, eyk))) / math.cos(
        c["RCY1"] * math.atan(bend(byk, shyk, eyk))
    )
    svyk = (
        muy
        * fz
        * (c["RVY1"] + c["RVY2"] * df + c["RVY3"] * camber)
        * math.cos(math.atan(c["RVY4"] * alpha))
        * math.sin(c["RVY5"] * math.atan(c["RVY6"] * kappa))
        * c["LVYKA"]
    )
    fx, fy = fx0 * gxa, fy0 * gyk + svyk

    gz = camber * c["LGAZ"]
    at = alpha + c["QHZ1"] + c["QHZ2"] * df + (c["QHZ3"] + c["QHZ4"] * df) * gz
    ar = alpha + shy + svy / Ky
    at, ar = (
        math.atan(math.sqrt(math.tan(a) ** 2 + (Kx / Ky * kappa) ** 2)) * sign(a) for a in (at, ar)
    )
    bt = (
        (c["QBZ1"] + c["QBZ2"] * df + c["QBZ3"] * df**2)
        * (1 + c["QBZ4"] * gz + c["QBZ5"] * abs(gz))
        * c["LKY"]
        / c["LMUY"]
    )
    dt = (
        fz
        * (c["QDZ1"] + c["QDZ2"] * df)
        * (1 + c["QDZ3"] * gz + c["QDZ4"] * gz**2)
        * r0
        / fz0
        * c["LTR"]
    )
    et = min(
        (c["QEZ1"] + c["QEZ2"] * df + c["QEZ3"] * df**2)
        * (1 + (c["QEZ4"] + c["QEZ5"] * gz) * 2 / math.pi * math.atan(bt * c["QCZ1"] * at)),
        1.0,
    )
    ahead = math.cos(alpha) * sign(v)  # V_x / V
    trail = dt * math.cos(c["QCZ1"] * math.atan(bend(bt, at, et))) * ahead
    br = c["QBZ9"] * c["LKY"] / c["LMUY"] + c["QBZ10"] * by * cy
    dr = (
        fz
        * ((c["QDZ6"] + c["QDZ7"] * df) * c["LRES"] + (c["QDZ8"] + c["QDZ9"] * df) * gz)
        * r0
        * c["LMUY"]
    )
    arm = (c["SSZ1"] + c["SSZ2"] * fy / fz0 + (c["SSZ3"] + c["SSZ4"] * df) * camber) * r0 * c["LS"]
    mz = -trail * (fy - svyk) + dr * math.cos(math.atan(br * ar)) * ahead + arm * fx
    mx = r0 * fz * (c["QSX1"] * c["LVMX"] - c["QSX2"] * camber + c["QSX3"] * fy / fz0) * c["LMX"]
    ratio = abs(v) / c["LONGVL"]
    my = (
        -r0
        * fz
        * (sign(v) * (c["QSY1"] + c["QSY3"] * ratio + c["QSY4"] * ratio**4) + c["QSY2"] * fx / fz0)
        * c["LMY"]
    )
    return fx, fy, mx, my, mz


# --- tables
# -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("load, kappa, alpha, fx, fy", HAND)
def test_the_brush_gives_the_values_computed_by_hand(load, kappa, alpha, fx, fy):
    got = kt.tyres.evaluate(FIALA, load, kappa, alpha)
    np.testing.assert_allclose(got[:2], (fx, fy), rtol=0, atol=5e-7)  # the table has nine digits


@pytest.mark.parametrize("load, kappa, alpha, camber", SLIPS)
def test_the_brush_is_its_cubic_to_twelve_digits(load, kappa, alpha, camber):
    u = np.array([80e3 * kappa, -50e3 * math.tan(alpha)])
    size, most = math.hypot(*u), 0.9 * load
    force = most * (1.0 - max(1.0 - size / (3.0 * most), 0.0) ** 3)
    np.testing.assert_allclose(
        kt.tyres.evaluate(FIALA, load, kappa, alpha)[:2], force * u / size, rtol=1e-12
    )


@pytest.mark.parametrize("load, kappa, alpha, camber", SLIPS)
@pytest.mark.parametrize("speed", [12.0, -3.0])
def test_the_magic_formula_is_the_published_one_to_twelve_digits(load, kappa, alpha, camber, speed):
    expected = mf(SEDAN, load, kappa, alpha, camber, speed)
    got = kt.tyres.evaluate(kt.tyres.MagicFormula(SEDAN), load, kappa, alpha, camber, speed)
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-10)


def test_the_magic_formula_by_hand_at_the_peak_of_a_simple_tyre():
    """D sin(C atan(B x)) with E = 0 and C = 2 has its peak D where B x = 1: by hand 1.0 * 4000 N."""
    law = kt.tyres.MagicFormula(
        {
            "FNOMIN": 4000.0,
            "PCX1": 2.0,
            "PDX1": 1.0,
            "PKX1": 20.0,
            "PCY1": 2.0,
            "PDY1": 0.8,
            "PKY1": -16.0,
            "PKY2": 1.0,
        }
    )
    assert kt.tyres.evaluate(law, 4000.0, 0.1, 0.0)[0] == pytest.approx(
        4000.0, rel=1e-13
    )  # B = 20 / (2 * 1) = 10
    assert kt.tyres.evaluate(law, 4000.0, 0.0, 0.1)[1] == pytest.approx(
        -3200.0, rel=1e-13
    )  # B = -16 / (2 * 0.8) = -10


# --- limits, symmetry, friction
# -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "law, cornering, longitudinal",
    [
        (FIALA, 50e3, 80e3),
        (kt.tyres.Linear(50e3, 80e3), 50e3, 80e3),
        (
            kt.tyres.MagicFormula(PLAIN),
            14.95 * 4000.0 * np.sin(2.0 * np.arctan(1.0 / 2.13)),
            21.5 * 4000.0,
        ),
    ],
)
def test_small_slip_is_linear(law, cornering, longitudinal):
    e = 1e-7  # what is left is of the order of e
    fx, fy = kt.tyres.evaluate(law, 4000.0, e, 0.0)[0], kt.tyres.evaluate(law, 4000.0, 0.0, e)[1]
    np.testing.assert_allclose((fx, fy), (longitudinal * e, -cornering * e), rtol=1e-4)


def test_large_slip_slides_with_the_friction():
    rng = np.random.default_rng(1)
    load, alpha = rng.uniform(500, 8000, 200), rng.uniform(-1.5, 1.5, 200)
    got = kt.tyres.evaluate(
        FIALA, load, rng.choice([-1, 1], 200) * rng.uniform(0.8, 2.0, 200), alpha
    )
    np.testing.assert_allclose(np.hypot(got[:, 0], got[:, 1]), 0.9 * load, rtol=1e-12)


def test_combined_slip_stays_inside_the_friction_ellipse():
    rng = np.random.default_rng(2)
    load, kappa, alpha = (
        rng.uniform(500, 8000, 4000),
        rng.uniform(-1, 1, 4000),
        rng.uniform(-1.4, 1.4, 4000),
    )
    brush = kt.tyres.evaluate(FIALA, load, kappa, alpha)
    assert np.all(np.hypot(brush[:, 0], brush[:, 1]) <= 0.9 * load * (1.0 + 1e-12))
    weights = {"RBX1": 16.0, "RBX2": 9.0, "RCX1": 1.09, "RBY1": 10.0, "RBY2": 7.0, "RCY1": 1.08}
    magic = kt.tyres.evaluate(kt.tyres.MagicFormula({**PLAIN, **weights}), 4000.0, kappa, alpha)
    share = (magic[:, 0] / (1.21 * 4000.0)) ** 2 + (magic[:, 1] / (0.99 * 4000.0)) ** 2
    assert share.max() <= 1.0 + 1e-12


@pytest.mark.parametrize(
    "law",
    [FIALA, kt.tyres.Linear(50e3, 80e3, 2e3, 0.02), kt.tyres.MagicFormula(SEDAN).symmetric()],
    ids=["fiala", "linear", "magic formula"],
)
def test_left_and_right_are_mirror_images(law):
    rng = np.random.default_rng(3)
    load, kappa, alpha, camber = (
        rng.uniform(*r, 300) for r in ((500, 8000), (-1, 1), (-1, 1), (-0.1, 0.1))
    )
    there, back = (kt.tyres.evaluate(law, load, kappa, s * alpha, s * camber) for s in (1.0, -1.0))
    np.testing.assert_allclose(back, there * (1, -1, -1, 1, -1), rtol=1e-9, atol=1e-9 * load.max())


def test_a_tyre_of_the_other_side_is_mirrored():
    law = kt.tyres.MagicFormula(SEDAN)
    there = kt.tyres.evaluate(law, 4000.0, 0.03, 0.05, 0.02)
    back = kt.tyres.evaluate(law.mirrored(), 4000.0, 0.03, -0.05, -0.02)
    np.testing.assert_allclose(back, there * (1, -1, -1, 1, -1), rtol=1e-12)


def test_slip_is_never_driven_by_its_force():
    rng = np.random.default_rng(4)
    load, kappa, alpha = (
        rng.uniform(500, 8000, 1000),
        rng.uniform(-1, 1, 1000),
        rng.uniform(-1.4, 1.4, 1000),
    )
    for law in (FIALA, kt.tyres.Linear(50e3, 80e3), kt.tyres.MagicFormula(PLAIN)):
        got = kt.tyres.evaluate(law, load, kappa, alpha)
        assert np.all(got[:, 0] * kappa >= 0.0) and np.all(got[:, 1] * np.tan(alpha) <= 0.0)


def test_axes_of_sae_turn_side_and_down():
    np.testing.assert_array_equal(kt.tyres.sae((1, 2, 3, 4, 5, 6)), (1, -2, -3, 4, -5, -6))


# --- property files
# ------------------------------------------------------------------------------------------------------

FIALA_FILE = """$ a tyre
[UNITS]
LENGTH = 'mm'
FORCE = 'newton'
ANGLE = 'degrees'
TIME = 'second'
[MODEL]
PROPERTY_FILE_FORMAT = 'FIALA'
[DIMENSION]
UNLOADED_RADIUS = 310.0  $ free
WIDTH = 60
[PARAMETER]
VERTICAL_STIFFNESS = 200.0
VERTICAL_DAMPING = 0.5
ROLLING_RESISTANCE = 2.0
CSLIP = 80000
CALPHA = 800.0
CGAMMA = 0
UMIN = 0.8
UMAX = 0.9
RELAX_LENGTH_X = 50
RELAX_LENGTH_Y = 150
"""


def magic_file(**more) -> str:
    model = f"[MODEL]\nFITTYP = {more.pop('FITTYP', 52)}\nLONGVL = 16.6\nTYRESIDE = 'LEFT'\n"
    sizes = "[DIMENSION]\nUNLOADED_RADIUS = 0.3135\n[VERTICAL]\nVERTICAL_STIFFNESS = 2e5\n"
    sizes += "".join(f"{k} = {more.pop(k)}\n" for k in ("BREFF", "DREFF", "FREFF") if k in more)
    rest = "".join(f"{k} = {v}\n" for k, v in {**PLAIN, **more}.items())
    return f"{model}{sizes}[X_COEFFICIENTS]\n{rest}[SCALING_COEFFICIENTS]\nLMUX = 1.0\n"


def read(tmp_path, text: str):
    path = tmp_path / "some.tir"
    path.write_text(text)
    return kt.tyres.read_tir(path)


def test_a_fiala_file_is_read_in_si_units(tmp_path):
    found = read(tmp_path, FIALA_FILE)
    np.testing.assert_allclose(
        found.law.numbers(), (800.0 * 180.0 / np.pi, 80e3, 0.9, 0.8, 0.0, 0.02, 0.002), rtol=1e-14
    )
    assert found.arguments == {
        "radius": pytest.approx(0.31),
        "stiffness": pytest.approx(2e5),
        "damping": pytest.approx(500.0),
        "law": found.law,
        "rolling_radius": None,
        "relaxation": (0.05, 0.15),
    }
    kt.Tyre(**found.arguments)


def test_a_magic_formula_file_is_read(tmp_path):
    found = read(
        tmp_path, magic_file(PTX1=2.0, PTY1=2.0, PTY2=1.0, BREFF=8.0, DREFF=0.25, FREFF=0.01)
    )
    expected = kt.tyres.MagicFormula({**PLAIN, "UNLOADED_RADIUS": 0.3135, "LONGVL": 16.6})
    np.testing.assert_array_equal(found.law.numbers(), expected.numbers())
    assert found.side == "LEFT" and found.relaxation == pytest.approx((0.627, 0.627))
    assert found.rolling_radius == pytest.approx(0.3135 - 0.02 * (0.25 * np.arctan(8.0) + 0.01))


@pytest.mark.parametrize(
    "text, sentence",
    [
        (
            FIALA_FILE.replace("CALPHA = 800.0\n", "").replace("UMAX = 0.9\n", ""),
            "some.tir': CALPHA, UMAX are missing",
        ),
        (
            FIALA_FILE.replace("'FIALA'", "'PAC2002'"),
            "PROPERTY_FILE_FORMAT 'PAC2002' is not supported",
        ),
        (FIALA_FILE.replace("'mm'", "'cubit'"), "LENGTH 'cubit' is not known; known are meter"),
        (FIALA_FILE.replace("80000", "80,000"), "line 16: CSLIP must be a number"),
        (magic_file(FITTYP=61), "FITTYP 61 is not supported"),
        (magic_file(PPX1=0.3), "PPX1 is not supported"),
        ("hello", "has no line KEY = value"),
        (magic_file().replace("PKY1", "PXX1"), "PXX1 is not supported"),
    ],
)
def test_files_that_cannot_be_used_are_refused_by_name(tmp_path, text, sentence):
    with pytest.raises(kt.ModelError) as error:
        read(tmp_path, text)
    assert sentence in str(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(kt.ModelError, match=r"nowhere\.tir' cannot be read"):
        kt.tyres.read_tir(tmp_path / "nowhere.tir")
