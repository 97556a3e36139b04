"""Derivatives of whole runs: closed loops, hydraulics, stiff models, a vehicle; in all formulations,
coordinates and integrators the same.
"""

import math

import numpy as np
import pytest

import kinetree as kt
from kinetree.engine.formulations.catalogue import FORMULATIONS
from kinetree.engine.integrators.catalogue import INTEGRATORS
from kinetree.engine.integrators.contract import Problem
from kinetree.models import excavator as digger
from kinetree.models import tracked_vehicle as tracked
from kinetree.models.quarter_car import quarter_car
from studies import machines

EXACT = [f.name for f in FORMULATIONS if f.loops and f.exact]


def four_bar(mass=1.0, crank=0.5, coupler=1.2, rocker=0.75, ground=1.1, g=9.81):
    m = kt.Model("four-bar", gravity=(0, 0, -g))
    a = m.body("crank", kt.rod(0.5, crank, along="x"))
    b = m.body("coupler", kt.rod(mass, coupler, along="x"))
    c = m.body("rocker", kt.rod(0.75, rocker, along="x"))
    m.joint("A", kt.Revolute(axis="y"), m.ground, a.end("-"), start={"angle": -0.3})
    m.joint("B", kt.Revolute(axis="y"), a.end("+"), b.end("-"))
    m.joint("C", kt.Revolute(axis="y"), b.end("+"), c.end("+"))
    m.joint("D", kt.Revolute(axis="y"), m.ground.at(ground, 0, 0), c.end("-"))
    return m


def rssr(link=0.5, across=0.3, spin=1e-4, g=9.81):
    m = kt.Model("rssr", gravity=(0, 0, -g))
    tip, pivot = link * np.array([0.0, 1.0, 0.0]), np.array([0.6, across, 0.0])
    arm = link * math.sqrt(0.5) * np.array([1.0, 0.0, 1.0])
    line = pivot + arm - tip
    a = m.body("crank", kt.rod(1.0, link, along=tip), position=tip / 2)
    length = float(np.linalg.norm(line))
    b = m.body("coupler", kt.rod(1.0, length, along=line, axial=spin), position=tip + line / 2)
    c = m.body("rocker", kt.rod(1.0, link, along=arm), position=pivot + arm / 2)
    m.joint("A", kt.Revolute(), m.ground, a, at=(0, 0, 0), axis="x")
    m.joint("B", kt.Spherical(), a, b, at=tip)
    m.joint("C", kt.Spherical(), b, c, at=pivot + arm)
    m.joint("D", kt.Revolute(), m.ground, c, at=pivot, axis="y")
    return m


def matrix(make, outputs, until, **options):
    return kt.sensitivities(make, outputs, until=until, **options).matrix


def off(found, expected):
    """Error relative to the largest derivative of each output, in units of its parameter."""
    size = np.abs(expected).max(axis=0)
    return float((np.abs(found - expected).max(axis=0) / size)[size > 0].max())


@pytest.mark.parametrize(
    "formulation, coordinates",
    [*((name, "relative") for name in EXACT), ("augmented", "cartesian"), ("qr", "cartesian")],
)
def test_every_formulation_gives_the_same_derivatives(formulation, coordinates):
    outputs = ["final A.angle", "final D.rate"]
    found = matrix(
        four_bar, outputs, 0.3, formulation=formulation, coordinates=coordinates, rtol=1e-8
    )
    expected = matrix(four_bar, outputs, 0.3, rtol=1e-10, integrator="dop853")
    assert off(found, expected) < 1e-7


PLAIN = [i for i in INTEGRATORS if Problem.ODE in i.handles and i.name not in ("euler", "heun")]


@pytest.mark.parametrize("entry", PLAIN, ids=lambda i: i.name)
def test_every_integrator_gives_the_same_derivatives(entry):
    how = {"rtol": 1e-8} if entry.adaptive else {"step": 5e-4}
    found = matrix(rssr, ["final A.angle", "final D.angle"], 0.4, integrator=entry.name, **how)
    expected = matrix(
        rssr, ["final A.angle", "final D.angle"], 0.4, integrator="dop853", rtol=1e-11
    )
    # BDF adds up the errors of its steps
    assert off(found[:, [0, 1, 3]], expected[:, [0, 1, 3]]) < (
        1e-6 if entry.name == "bdf" else 1e-7
    )


def against_runs(make, output, name, value, until, h, rel, **options):
    """The derivative against a central difference of precise runs, extrapolated once."""
    channel = output.removeprefix("final ")

    def end(v):
        return kt.simulate(make(**{name: v}), until, **options)[channel][-1]

    rates = [(end(value + d) - end(value - d)) / (2 * d) for d in (h, h / 2)]
    expected = (4 * rates[1] - rates[0]) / 3
    found = kt.sensitivities(make, output, {name: value}, until, rtol=1e-8)
    assert found[output][name] == pytest.approx(expected, rel=rel)


@pytest.mark.parametrize("name, value", [("crank", 0.5), ("ground", 1.1), ("mass", 1.0)])
def test_derivatives_agree_with_differences_of_precise_runs(name, value):
    # truncation (h^4) and errors of the runs (1e-12 / h) are below 1e-7
    against_runs(
        four_bar, "final A.angle", name, value, 0.8, 1e-4, 1e-6, rtol=1e-13, integrator="dop853"
    )


def dig(bulk=digger.BULK_MODULUS, supply=digger.SUPPLY, opened=1.0):
    m, ends = digger._linkage()
    forces = {"boom": 2.1e5, "arm": -4.5e4, "bucket": -1.4e4}
    for name, (a, b) in ends.items():
        bore, rod = digger.BORE_AND_ROD[name]
        cylinder = kt.HydraulicCylinder(
            bore,
            rod,
            digger.STROKE,
            digger.DEAD_VOLUME,
            supply=supply,
            tank=digger.TANK,
            extension=digger.EXTENSION[name],
            bulk_modulus=bulk,
            damping=digger.SEAL_FRICTION,
            pressure=digger._pressures(bore, rod, forces[name]),
            valve=digger._valve(opened * digger.COMMAND[name]),
        )
        m.force(f"{name} cylinder", cylinder, a, b)
    return m


def test_hydraulics_are_differentiated():
    for name, value in (("bulk", digger.BULK_MODULUS), ("opened", 1.0)):
        against_runs(dig, "final arm.position.z", name, value, 0.1, 1e-3 * value, 1e-5, rtol=1e-12)


def quarter(damper=1000.0, rate=2.3, body=400.0):
    return quarter_car(kt.Exponential(damper, rate=rate), body=body)


def test_a_run_that_switches_to_bdf_has_the_derivatives_of_precise_runs():
    outputs = ["final heave.displacement", "final travel.displacement"]
    found = kt.sensitivities(
        quarter, outputs, until=2.5, integrator="switching", threshold=150.0, rtol=1e-7
    )
    expected = matrix(quarter, outputs, 2.5, integrator="dop853", rtol=1e-11)
    # errors by the tolerance of the lengths, for a change of a parameter by its own size
    error = np.abs(found.matrix - expected) * list(found.parameters.values())
    assert error.max() < 10 * 1e-7


def vehicle(bar=tracked.BAR):
    before, tracked.BAR = tracked.BAR, bar
    try:
        return tracked.tracked_vehicle()
    finally:
        tracked.BAR = before


def test_a_vehicle_is_differentiated():
    # relative h = 1e-2: truncation of a nearly linear dependence, errors of the runs 1e-9 / 1e-2
    value = tracked.BAR
    against_runs(vehicle, "final hull.velocity.z", "bar", value, 0.3, 1e-2 * value, 1e-5, rtol=1e-9)


def test_a_tolerance_below_the_kinks_of_the_derivatives_is_relaxed_step_by_step():
    # wheels leave and touch an obstacle; without any error test derivatives were wrong by 1e-3
    outputs = ["final hull.position.z", "final hull.velocity.z"]
    speed = {"speed": tracked.SPEED}
    loose, tight = (
        kt.sensitivities(tracked.tracked_vehicle, outputs, speed, 1.8, rtol=rtol)
        for rtol in (1e-7, 1e-10)
    )
    np.testing.assert_allclose(tight.matrix, loose.matrix, rtol=1e-5)
    assert loose.relaxed == 1.0 and "times rtol" in str(tight)


@pytest.mark.parametrize("name, value", [("flow", 3e-4), ("bore", 0.05)])
def test_a_pump_that_feeds_a_cylinder_is_differentiated(name, value):
    # truncation (h^4) and errors of the runs (1e-12 / 1e-3) are below 1e-7
    against_runs(
        machines.lift, "final mast.displacement", name, value, 0.4, 1e-3 * value, 1e-5, rtol=1e-12
    )
