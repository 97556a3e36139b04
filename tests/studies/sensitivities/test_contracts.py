"""Every joint, force, constraint, time function and formulation: dual numbers against differences.

The state, the time and all floats of the tables move along a random direction. Values with
derivatives must have the bits of those without.
"""

from dataclasses import replace

import numpy as np
import pytest

import kinetree as kt
from contracts import test_constraints as constraints
from contracts import test_forces as forces
from contracts import test_joints as joints
from contracts import test_signals as signals
from kinetree.elements.forces.catalogue import FORCES
from kinetree.engine.formulations.catalogue import FORMULATIONS, formulation
from kinetree.kernel.tables.state import Start
from kinetree.models.four_bar import four_bar
from support.machine import machine
from support.random_models import random_coordinates, random_mass
from support.tangents import VARIED, Compared

USER = ("user law", "user law on an angle", "user force", "tyre of the user")
# differences with h = 1e-6: error h^2 times third derivatives, rounding 1e-16 / h
CLOSE = 1e-6


def agrees(compared: Compared, names=("rhs",)) -> None:
    found, values, rates = (
        compared.duals(names),
        compared.plain(0.0, names),
        compared.differences(names),
    )
    n = compared.n
    for name in names:
        np.testing.assert_array_equal(found[name][:n], values[name])
        largest = max(1.0, np.abs(rates[name]).max())
        np.testing.assert_allclose(found[name][n:], rates[name], rtol=0, atol=CLOSE * largest)


def of_machine(machine, name="tree", **options) -> Compared:
    method = formulation(name)
    tables = method.configure(machine.compiled.tables, {}, -1, None)
    y = np.concatenate([machine.q, machine.v, machine.x])
    return Compared(replace(machine.compiled, tables=tables), method, machine.t, y, **options)


@pytest.mark.parametrize("kind", joints.KINDS)
def test_derivatives_of_every_joint_agree_with_differences(kind):
    agrees(of_machine(joints.carried(kind, 0)))


@pytest.mark.parametrize("name", [name for name in forces.ALL if name not in USER])
def test_derivatives_of_every_force_agree_with_differences(name):
    agrees(of_machine(forces.loaded(forces.ALL[name]())))


BESIDE = {  # forces without a run of their own here, and why
    "Pump": "tested in test_runs.py, with a cylinder",
    "BeamForce": "structural integrators, which are refused",
    "ContactGroup": "time stepping, which is refused",
}


def test_every_force_has_its_derivatives_tested_or_is_refused():
    tested = {type(make()).__name__ for make in forces.ALL.values()}
    refused = {entry.force.__name__ for entry in FORCES if entry.meet is not None}
    known = tested | refused | BESIDE.keys()
    assert {entry.force.__name__ for entry in FORCES} <= known


def posed(name: str):
    """Two free bodies, one of them moved along a prescribed pose."""
    rng = np.random.default_rng(3)
    model = kt.Model("posed")
    a, b = (model.body(n, random_mass(rng, 1.0)) for n in "ab")
    model.float(a)
    model.float(b)
    constraints.ELEMENTS[name](model, a.at(0.1, 0.2, 0.3), b.at(0.0, 0.1, -0.2))
    q = [*random_coordinates(kt.Free, rng), *random_coordinates(kt.Free, rng)]
    return machine(model, q=q, v=rng.normal(size=12), t=0.43)


@pytest.mark.parametrize("name", constraints.ELEMENTS)
def test_derivatives_of_every_constraint_agree_with_differences(name):
    # free bodies: the six rows of a pose would depend on those of a loop
    pose = name in ("pose by turned axes", "pose by fixed axes", "poses at times")
    state = (
        posed(name)
        if pose
        else constraints.mechanism(constraints.CLOSING[0], constraints.ELEMENTS[name])
    )
    if state.compiled.code:
        pytest.skip("user code has no dual numbers (test_user_code.py)")
    # quaternions of given poses cannot vary one number at a time
    varied = () if name == "poses at times" else VARIED
    agrees(of_machine(state, "augmented", varied=varied))


@pytest.mark.parametrize("kind", constraints.CLOSING)
def test_derivatives_of_every_cut_joint_agree_with_differences(kind):
    agrees(of_machine(constraints.mechanism(kind), "augmented"))


@pytest.mark.parametrize("kind", [kind for kind in signals.SAMPLES if kind != "function"])
def test_derivatives_of_every_time_function_agree_with_differences(kind):
    signal = signals.SAMPLES[kind][0][0]
    agrees(of_machine(forces.loaded(kt.PointForce((signal, 1.3, -0.2)), t=0.731)))


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
@pytest.mark.parametrize("name", [f.name for f in FORMULATIONS if f.loops])
def test_derivatives_of_every_formulation_agree_with_differences(name, coordinates):
    method = formulation(name)
    sol = kt.simulate(four_bar(), 0.05, coordinates=coordinates)
    plain, y = sol.assembly.compiled, sol.at(0.05).assembly.y
    tables = method.configure(plain.tables, {}, sol.assembly.rank, Start(0.05, y))
    agrees(Compared(replace(plain, tables=tables), method, 0.05, y.copy()))
