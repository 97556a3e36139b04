"""Every joint, force, constraint, time function and formulation: dual numbers against differences.

The state, the time and all floats of the tables move along a random direction. Values with
derivatives must have the bits of those without.
"""

from dataclasses import replace

import numpy as np
import pytest
from contracts import test_constraints as constraints
from contracts import test_forces as forces
from contracts import test_joints as joints
from contracts import test_signals as signals
from support.tangents import Compared

import kinetree as kt
from kinetree.engine.formulations.catalogue import FORMULATIONS, formulation
from kinetree.kernel.tables.state import Start
from kinetree.models.four_bar import four_bar

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


def of_machine(machine, name="tree") -> Compared:
    method = formulation(name)
    tables = method.configure(machine.compiled.tables, {}, -1, None)
    y = np.concatenate([machine.q, machine.v, machine.x])
    return Compared(replace(machine.compiled, tables=tables), method, machine.t, y)


@pytest.mark.parametrize("kind", joints.KINDS)
def test_derivatives_of_every_joint_agree_with_differences(kind):
    agrees(of_machine(joints.carried(kind, 0)))


@pytest.mark.parametrize("name", [name for name in forces.ALL if name not in USER])
def test_derivatives_of_every_force_agree_with_differences(name):
    agrees(of_machine(forces.loaded(forces.ALL[name]())))


@pytest.mark.parametrize("name", [name for name in constraints.ELEMENTS if "function" not in name])
def test_derivatives_of_every_constraint_agree_with_differences(name):
    state = constraints.mechanism(constraints.CLOSING[0], constraints.ELEMENTS[name])
    agrees(of_machine(state, "augmented"))


@pytest.mark.parametrize("kind", constraints.CLOSING)
def test_derivatives_of_every_cut_joint_agree_with_differences(kind):
    agrees(of_machine(constraints.mechanism(kind), "augmented"))


@pytest.mark.parametrize(
    "kind", [kind for kind in signals.SAMPLES if kind != "function"]
)
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
