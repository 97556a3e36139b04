"""Pumps: a constant pressure, or a flow that several cylinders share."""

import numpy as np
import pytest

import kinetree as kt

from .machines import A1, A2, SUPPLY, TANK, cylinder, slider

FLOW = 4e-4  # m^3/s
LIMITED = kt.Pump(flow=FLOW, relief=1.8e7, volume=2e-3)


def pair(loads, pump: kt.Pump, area: float = 5e-5) -> kt.Model:
    """Two masses, two cylinders, one pump."""
    m = kt.Model("pair", gravity=(0, 0, 0))
    m.force("pump", pump)
    for k, load in enumerate(loads):
        body = m.body(f"mass{k}", kt.sphere(300.0, 0.1))
        m.joint(
            f"slide{k}",
            kt.Translational(axis="x"),
            m.ground.at(0, k, 0),
            body,
            start={"displacement": 1.1},
        )
        start = ((load + 1e6 * A2) / A1, 1e6)
        m.force(
            f"cylinder{k}",
            cylinder(
                supply="pump",
                pressure=start,
                damping=2e4,
                valve=kt.Valve(spool=kt.Ramp(5.0, end=0.2), area=area),
            ),
            m.ground.at(0, k, 0),
            body,
        )
        m.force(f"load{k}", kt.PointForce((-load, 0.0, 0.0)), body)
    return m


def test_a_constant_pressure_pump_is_the_same_as_a_pressure():
    valve = kt.Valve(spool=kt.Ramp(5.0, end=0.2), area=1e-5)
    one, other = (
        kt.simulate(slider(300.0, pressure=(5e6, 5e6), valve=valve, pump=pump), until=0.3)
        for pump in (None, kt.Pump(pressure=SUPPLY))
    )
    # a pump has its own place in the energy ledger, so that steps may differ by rounding
    np.testing.assert_allclose(one["cylinder.pressure1"], other["cylinder.pressure1"], rtol=1e-9)
    np.testing.assert_array_equal(other["pump.pressure"], SUPPLY)
    np.testing.assert_array_equal(other["pump.flow"], other["cylinder.supply_flow"])


def test_an_idle_pump_runs_over_its_relief_valve():
    sol = kt.simulate(slider(300.0, pressure=(5e6, 5e6 * A1 / A2), pump=LIMITED), until=0.2)
    np.testing.assert_allclose(sol["pump.pressure"], 1.8e7 * 1.05, rtol=1e-9)
    np.testing.assert_allclose(sol["pump.relief_flow"], FLOW, rtol=1e-9)


def test_two_equal_cylinders_share_a_limited_flow_in_halves():
    """Both together are as fast as the whole flow lets them: v A1 = FLOW / 2; without the limit
    they would be faster.
    """
    sol = kt.simulate(pair((1e4, 1e4), LIMITED), until=1.0)
    speeds = np.array([sol[f"cylinder{k}.rate"][-1] for k in (0, 1)])
    assert sol["pump.pressure"][-1] < 1.7e7 and sol["pump.relief_flow"][-1] == 0.0
    np.testing.assert_allclose(
        speeds, FLOW / (2.0 * A1), rtol=2e-3
    )  # the oil in the line still expands a little
    assert sol["pump.flow"][-1] == pytest.approx(FLOW, rel=2e-3)
    free = kt.simulate(pair((1e4, 1e4), kt.Pump(pressure=1.8e7)), until=1.0)
    assert free["cylinder0.rate"].max() > 1.5 * speeds[0]


def test_the_lighter_load_takes_the_larger_share():
    sol = kt.simulate(pair((2e4, 0.5e4), LIMITED), until=1.0)
    heavy, light = (sol[f"cylinder{k}.rate"][-1] for k in (0, 1))
    assert light > 1.1 * heavy > 0.0
    assert (heavy + light) * A1 == pytest.approx(FLOW, rel=5e-3)


def test_the_line_pressure_obeys_the_balance_of_flows():
    """V/beta p' = flow - relief - drawn, with p' from a spline through the samples."""
    from scipy.interpolate import CubicSpline

    sol = kt.simulate(pair((1e4, 2e4), LIMITED), until=0.5, output_interval=2e-4, rtol=1e-10)
    rate = CubicSpline(sol.t, sol["pump.pressure"])(sol.t, 1)
    left = FLOW - sol["pump.relief_flow"] - sol["pump.flow"]
    missed = np.abs(rate - 1.4e9 / 2e-3 * left) / np.abs(rate).max()
    assert (
        np.quantile(missed, 0.99) < 1e-5
    )  # at the ends, and where the relief valve shuts, a spline is not that good


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_pump_and_its_cylinders_do_the_same_in_all_coordinates(coordinates):
    sol = kt.simulate(pair((2e4, 0.5e4), LIMITED), until=0.3, coordinates=coordinates, rtol=1e-10)
    other = kt.simulate(pair((2e4, 0.5e4), LIMITED), until=0.3, integrator="dopri5", rtol=1e-10)
    for name in ("pump.pressure", "cylinder0.pressure1", "cylinder1.pressure2"):
        assert sol[name][-1] == pytest.approx(other[name][-1], rel=1e-7)
    assert sol["cylinder1.extension"][-1] == pytest.approx(
        other["cylinder1.extension"][-1], abs=1e-9
    )


def test_a_shut_machine_keeps_its_tank_and_supply_out_of_the_balance():
    sol = kt.simulate(slider(300.0, pressure=(5e6, 5e6 * A1 / A2), speed=0.02), until=0.1)
    for name in ("supply_flow", "tank_flow", "supply_power", "throttling_power", "leakage_power"):
        assert not sol[f"cylinder.{name}"].any()
    assert TANK < sol["cylinder.pressure1"].min()
