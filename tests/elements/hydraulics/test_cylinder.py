"""The hydraulic cylinder against closed forms, the published erratum, another program, and its own
account of power.
"""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq
from workshop.problems.hydraulic_arm import PRESSURES, lifted_arm

import kinetree as kt

from .machines import A1, A2, BETA, SUPPLY, TANK, K, slider, volumes

EQUAL_PUSH = (5e6, 5e6 * A1 / A2)


def stiffness(m: kt.Model, mass: float) -> float:
    """Of a mass that swings on shut oil without damping: m w^2."""
    return mass * np.abs(kt.linearize(m).eigenvalues).max() ** 2


# --- stiffness and the erratum
# ------------------------------------------------------------------------------------


def test_a_shut_cylinder_is_as_stiff_as_both_columns_of_oil_together():
    """beta (A1^2/V1 + A2^2/V2) = 2.493e7 N/m; 1e-6: central differences."""
    V1, V2 = volumes(0.3)
    expected = BETA * (A1**2 / V1 + A2**2 / V2)
    assert expected == pytest.approx(2.493e7, rel=1e-3)
    assert stiffness(slider(pressure=EQUAL_PUSH, air=0.0), 3000.0) == pytest.approx(
        expected, rel=1e-6
    )


def test_entrained_air_changes_the_stiffness_at_working_pressure_only_a_little():
    """At 5 MPa 1/B grows by alpha p_atm beta / P^2 = 5.6e-4, less at the higher pressure of the rod
    side.
    """
    pure, aired = (stiffness(slider(pressure=EQUAL_PUSH, air=air), 3000.0) for air in (0.0, 1e-4))
    assert 1e-4 < 1.0 - aired / pure < 5.6e-4


def test_with_the_printed_sign_the_rod_side_softens_the_cylinder():
    V1, V2 = volumes(0.3)
    expected = BETA * (A1**2 / V1 - A2**2 / V2)
    assert expected == pytest.approx(5.687e6, rel=1e-3)
    assert stiffness(
        slider(pressure=EQUAL_PUSH, air=0.0, printed_sign=True), 3000.0
    ) == pytest.approx(expected, rel=1e-6)


def test_a_shut_cylinder_keeps_energy_only_with_the_corrected_sign():
    """Compression takes what the piston gives; with the printed sign the oil and the mass gain or
    lose together.
    """
    for printed in (False, True):
        sol = kt.simulate(
            slider(pressure=EQUAL_PUSH, speed=0.05, air=0.0, printed_sign=printed),
            until=0.2,
            rtol=1e-10,
        )
        V1, V2 = volumes(sol["cylinder.extension"])
        oil = (V1 * sol["cylinder.pressure1"] ** 2 + V2 * sol["cylinder.pressure2"] ** 2) / (
            2.0 * BETA
        )
        swing = np.ptp(oil + sol["energy.kinetic"]) / sol["energy.kinetic"].max()
        assert (
            (swing > 1.0) if printed else (swing < 0.05)
        )  # P^2/2 beta leaves out the change of V: of order P/beta = 1 %


# --- motion
# -------------------------------------------------------------------------------------------------------


def steady_speed(area: float, load: float, damping: float) -> float:
    """v A1 = K a sqrt(Ps - P1), v A2 = K a sqrt(P2 - P0), P1 A1 - P2 A2 = load + c v."""

    def excess(v):
        return (
            (SUPPLY - (v * A1 / (K * area)) ** 2) * A1
            - (TANK + (v * A2 / (K * area)) ** 2) * A2
            - load
            - damping * v
        )

    return brentq(excess, 0.0, 10.0)


@pytest.mark.parametrize("load", [0.0, 2e4, 4e4])
def test_a_loaded_cylinder_settles_at_the_speed_of_the_orifice_formula(load):
    sol = kt.simulate(
        slider(
            300.0,
            0.1,
            load=-load,
            pressure=((load + TANK * A2) / A1, TANK),
            damping=2000.0,
            valve=kt.Valve(spool=kt.Ramp(10.0, end=0.1), area=2e-5),
        ),
        until=0.8,
    )
    # laminar transition: (1e5 / dp)^2 / 4 of the flow with dp above 3 MPa, 3e-4 at most
    assert sol["cylinder.rate"][-1] == pytest.approx(steady_speed(2e-5, load, 2000.0), rel=3e-4)


def test_a_negative_command_pulls_the_rod_in_as_fast_as_the_formula_says():
    """v A2 = K a sqrt(Ps - P2), v A1 = K a sqrt(P1 - P0), P2 A2 = P1 A1 at constant speed without
    load.
    """
    sol = kt.simulate(
        slider(
            300.0,
            0.5,
            pressure=(TANK, TANK * A1 / A2),
            damping=1.0,
            valve=kt.Valve(spool=kt.Ramp(-10.0, end=0.1), area=2e-5),
        ),
        until=0.5,
    )
    v = brentq(
        lambda v: (
            (SUPPLY - (v * A2 / (K * 2e-5)) ** 2) * A2 - (TANK + (v * A1 / (K * 2e-5)) ** 2) * A1
        ),
        0.0,
        10.0,
    )
    assert sol["cylinder.rate"][-1] == pytest.approx(-v, rel=3e-4)


def test_the_dead_band_of_a_spool_delays_the_opening():
    m = slider(
        300.0,
        0.1,
        pressure=(TANK, TANK),
        valve=kt.Valve(spool=kt.Ramp(1.0), area=1e-5, dead_band=0.25),
    )
    sol = kt.simulate(m, until=1.0, output_interval=0.05)
    np.testing.assert_allclose(
        sol["cylinder.opening1"], 1e-5 * np.clip((sol.t - 0.25) / 0.75, 0.0, 1.0), atol=1e-18
    )
    np.testing.assert_array_equal(sol["cylinder.opening1"], sol["cylinder.opening4"])
    assert not sol["cylinder.opening2"].any() and not sol["cylinder.opening3"].any()


def test_four_openings_are_taken_one_by_one_and_below_zero_they_are_shut():
    m = slider(
        300.0,
        0.1,
        pressure=(5e6, 5e6),
        valve=kt.Valve(openings=(-1e-5, kt.Ramp(1e-5), 0.0, lambda t: 1e-6)),
    )
    sol = kt.simulate(m, until=0.2, output_interval=0.05)
    found = np.array([sol[f"cylinder.opening{k}"] for k in (1, 2, 3, 4)])
    np.testing.assert_allclose(
        found, [0 * sol.t, 1e-5 * sol.t, 0 * sol.t, 0 * sol.t + 1e-6], atol=1e-18
    )


def test_leakage_past_the_piston_equalises_the_pressures():
    """Held fast: P1' = -(beta/V1) c (P1 - P2), P2' = (beta/V2) c (P1 - P2)."""
    m = slider(1e13, 0.3, pressure=(8e6, 2e6), leakage=1e-12, air=0.0)
    sol = kt.simulate(m, until=0.5)
    V1, V2 = volumes(0.3)
    fall = 6e6 * np.exp(-BETA * 1e-12 * (1.0 / V1 + 1.0 / V2) * sol.t)
    np.testing.assert_allclose(
        sol["cylinder.pressure1"] - sol["cylinder.pressure2"], fall, rtol=1e-4
    )


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_closed_length_left_open_starts_at_the_extension_given(coordinates):
    named, measured = (
        kt.simulate(
            slider(300.0, 0.3, pressure=EQUAL_PUSH, speed=0.05, **place),
            until=0.1,
            coordinates=coordinates,
            rtol=1e-10,
        )
        for place in ({"closed_length": 1.0}, {"closed_length": None, "extension": 0.3})
    )
    np.testing.assert_allclose(
        named["cylinder.pressure1"], measured["cylinder.pressure1"], rtol=1e-9
    )
    assert measured["cylinder.extension"][0] == pytest.approx(0.3, abs=1e-14)


def test_a_controller_positions_the_cylinder():
    def servo(t, u, x, parameters, xdot, out):
        out[0] = parameters[0] * (1.4 - u[0])

    m = slider(
        300.0,
        0.3,
        pressure=EQUAL_PUSH,
        damping=5000.0,
        valve=kt.Valve(spool="servo.spool", area=1e-5),
    )
    m.controller("servo", kt.Controller(servo, ("slide.displacement",), {}, ("spool",), (20.0,)))
    sol = kt.simulate(m, until=3.0)
    assert sol["cylinder.extension"][-1] == pytest.approx(0.4, abs=1e-5)


def test_equilibrium_finds_the_pressures_with_the_position():
    """All edges equally open: both chambers halfway between supply and tank, and a spring carries
    the rest.
    """
    m = slider(300.0, 0.3, pressure=(5e6, 5e6), valve=kt.Valve(openings=(1e-6,) * 4))
    m.force("spring", kt.SpringDamper(1e6, length=1.3), m.ground, m.bodies["mass"])
    found = kt.equilibrium(m)
    half = 0.5 * (SUPPLY + TANK)
    assert found["cylinder.pressure1"] == pytest.approx(half, rel=1e-9)
    assert found["cylinder.pressure2"] == pytest.approx(half, rel=1e-9)
    assert found["cylinder.extension"] == pytest.approx(0.3 + half * (A1 - A2) / 1e6, rel=1e-9)
    assert found.stable


SHUT = kt.Valve(openings=(0.0,) * 4)


@pytest.mark.parametrize(
    "load, options",
    [
        (-2e4, {"pressure": (5e6, 3e6), "valve": SHUT}),  # the trapped oil is compressed
        (2e4, {"valve": SHUT}),  # chamber 1 is torn open from tank pressure
        (
            -1e4,
            {"pressure": (5e6, 3e6), "valve": SHUT, "leakage": 1e-10},
        ),  # oil passes the piston but does not get out
        (
            -2e4,
            {"pressure": (5e6, 3e6), "valve": kt.Valve(openings=(0.0, 0.0, 0.0, 1e-6))},
        ),  # one chamber shut, the other open
    ],
    ids=["compressed", "torn", "leaking", "half-open"],
)
def test_oil_that_is_shut_in_carries_the_load_where_the_motion_ends(load, options):
    """Equilibrium against where a heavily damped run comes to rest."""
    m = slider(300.0, 0.3, load=load, damping=2e4, **options)
    found, sol = (
        kt.equilibrium(m),
        kt.simulate(m, until=20.0 if "leakage" in options else 5.0, integrator="bdf", rtol=1e-8),
    )
    assert abs(sol["cylinder.rate"][-1]) < 1e-8  # at rest, as nearly as rtol 1e-8 of some m/s tells
    assert found["cylinder.extension"] == pytest.approx(
        sol["cylinder.extension"][-1], abs=2e-6
    )  # of 0.6 m; rtol 1e-8
    for name in ("cylinder.pressure1", "cylinder.pressure2"):
        assert found[name] == pytest.approx(
            sol[name][-1], abs=2e3
        )  # of 5e6 Pa: a drift of 1e-8 m is 250 Pa of the oil spring
    assert found.stable
    assert "Only motion changes" in str(found)


def test_a_load_on_shut_cylinders_meets_the_spring_of_the_oil():
    """k = A1^2 beta / V1 + A2^2 beta / V2 without air; and the extension falls by F / k."""
    m = slider(300.0, 0.3, pressure=(8e6, 8e6 * A1 / A2), load=-100.0, valve=SHUT, air=0.0)
    found = kt.equilibrium(m)
    V1, V2 = volumes(0.3)
    stiffness = BETA * (A1**2 / V1 + A2**2 / V2)
    assert found["cylinder.extension"] == pytest.approx(
        0.3 - 100.0 / stiffness, abs=1e-10
    )  # k changes by 1e-5 on the way
    assert found.matrix[0, 0] == pytest.approx(stiffness, rel=1e-4)


# --- power
# --------------------------------------------------------------------------------------------------------


def test_pump_work_is_stored_dissipated_or_mechanical():
    """Stored: integral of P V/B dP along the pressures as integrated, by a spline through samples,
    not by the element.

    Mechanical: kinetic energy, work against the load and friction of the seals. 1e-6: the spline
    between samples.
    """
    m = slider(
        300.0,
        0.2,
        load=-1e4,
        pressure=(5e6, 3e6),
        damping=3000.0,
        leakage=1e-12,
        valve=kt.Valve(spool=kt.Sine(1.0, 1.5), area=2e-5),
    )
    sol = kt.simulate(m, until=1.0, output_interval=2e-4, rtol=1e-10)

    def work(power):
        return CubicSpline(sol.t, power).integrate(0.0, 1.0)

    stored = 0.0
    for volume, name in zip(volumes(sol["cylinder.extension"]), ("pressure1", "pressure2")):
        P = sol[f"cylinder.{name}"]
        compliance = 1.0 / BETA + 1e-4 * 1e5 / (P - 1e4) ** 2
        stored += work(P * volume * compliance * CubicSpline(sol.t, P)(sol.t, 1))
    rate = sol["cylinder.rate"]
    mechanical = (
        np.diff(sol["energy.kinetic"][[0, -1]])[0] + work(1e4 * rate) + work(3000.0 * rate**2)
    )
    pumped, throttled, leaked = (
        work(sol[f"cylinder.{k}_power"]) for k in ("supply", "throttling", "leakage")
    )
    assert min(throttled, leaked) > 0.0 and sol["cylinder.throttling_power"].min() >= 0.0
    assert pumped == pytest.approx(stored + throttled + leaked + mechanical, rel=1e-6)
    assert work(sol["cylinder.compression_power"]) == pytest.approx(stored, abs=1e-6 * pumped)


# --- another program
# ----------------------------------------------------------------------------------------------


def test_an_arm_lifted_by_a_cylinder_moves_as_in_exudyn():
    """Published figures of EXUDYN at 0.4 s, stated there to about 1e-5."""
    sol = kt.simulate(lifted_arm(), until=0.4, rtol=1e-9)
    assert sol["actuator.pressure1"][-1] == pytest.approx(PRESSURES[0], rel=3e-5)
    assert sol["actuator.pressure2"][-1] == pytest.approx(PRESSURES[1], rel=3e-5)
