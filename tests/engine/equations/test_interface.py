"""The interface of the equations of motion, with equations written by hand without bodies.

Every formulation and integrator gives the same motion as for the described model.
"""

import numpy as np
import pytest

import kinetree as kt
from kinetree.engine.equations.interface import EquationsOfMotion
from kinetree.engine.formulations.catalogue import FORMULATIONS
from kinetree.engine.integrators.catalogue import find
from kinetree.engine.integrators.integrate import integrate
from kinetree.kernel.decorators import kernel
from kinetree.kernel.tables.records import empty_tables, frozen
from kinetree.kernel.tables.workspace import workspace
from support.methods import EQUATIONS

MASS, G, L, UNTIL = (1.5, 0.7), 9.81, 1.0, 0.5
START = np.array([0.9, 1.4])  # angles from the vertical
LOOPS = [f.name for f in FORMULATIONS if f.loops and f.exact]


@kernel
def positions(tables, work, q):
    """Two points in a plane, (x, z) each: positions need no preparation."""


@kernel
def values(tables, work, t, q, x):
    """The points keep the distance L from the origin and from each other."""
    a, b = q[2] - q[0], q[3] - q[1]
    work.g[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0)
    work.g[1] = 0.5 * (a * a + b * b - 1.0)


@kernel
def jacobian(tables, work, q):
    a, b = q[2] - q[0], q[3] - q[1]
    work.G[0, 0], work.G[0, 1], work.G[0, 2], work.G[0, 3] = q[0], q[1], 0.0, 0.0
    work.G[1, 0], work.G[1, 1], work.G[1, 2], work.G[1, 3] = -a, -b, a, b


@kernel
def velocities(tables, work, t, q):
    work.nu[0] = work.nu[1] = 0.0


@kernel
def equations(tables, work, t, q, v, x):
    for k in range(4):
        for j in range(k):
            work.M[k, j] = 0.0
        work.M[k, k] = 1.5 if k < 2 else 0.7
        work.f[k] = -9.81 * work.M[k, k] * (k % 2)
    jacobian(tables, work, q)
    a, b = v[2] - v[0], v[3] - v[1]
    work.gamma[0], work.gamma[1] = -(v[0] * v[0] + v[1] * v[1]), -(a * a + b * b)


@kernel
def shift(tables, work, q, delta):
    for k in range(4):
        q[k] += delta[k]


@kernel
def rates(tables, work, q, v, y, ydot):
    for k in range(4):
        ydot[k] = v[k]


@kernel
def driver_is_continuous(tables, work, a, b):
    return 0


BY_HAND = EquationsOfMotion(
    equations, positions, values, jacobian, velocities, shift, rates, driver_is_continuous
)


def tables_of(method, rows: int = 2):
    """Tables of the equations: sizes, pattern of M, addresses of the kernels."""
    bare = empty_tables()
    settings = bare.settings.copy()
    settings["nq"] = settings["nv"] = 4
    settings["ng"], settings["rows"], settings["length"], settings["accepted"] = 2, rows, L, 1e-12
    return method.configure(
        frozen(
            bare._replace(
                settings=settings,
                equations=BY_HAND.addresses(),
                dof_parent=np.arange(-1, 3),
                floor=np.zeros(4),
                turns=np.zeros(4),
                row_scale=np.ones(2),
            )
        ),
        rows=rows,
    )


def toy(name: str, integrator: str = "adams", **options) -> np.ndarray:
    """State (x1, z1, x2, z2, and rates) at the end."""
    method = next(f for f in FORMULATIONS if f.name == name)
    tables = tables_of(method)
    p1 = L * np.array([np.sin(START[0]), -np.cos(START[0])])
    p2 = p1 + L * np.array([np.sin(START[1]), -np.cos(START[1])])
    result = integrate(
        method.rhs,
        np.concatenate([p1, p2, np.zeros(4)]),
        UNTIL,
        project=method.project,
        tables=tables,
        work=workspace(tables, (*method.storage, *find(integrator).storage)),
        method=integrator,
        **options,
    )
    assert result.done
    return result.y


@pytest.fixture(scope="module")
def machine() -> np.ndarray:
    """The same state of the model described by bodies and joints, in relative coordinates."""
    m = kt.Model("double pendulum", gravity=(0, 0, -G))
    upper, lower = (m.body(name, kt.mass(mass)) for name, mass in zip(("upper", "lower"), MASS))
    m.joint("A", kt.Revolute(axis="-y"), m.ground, upper.at(0, 0, L), start={"angle": START[0]})
    m.joint(
        "B",
        kt.Revolute(axis="-y"),
        upper.at(0, 0, 0),
        lower.at(0, 0, L),
        start={"angle": START[1] - START[0]},
    )
    sol = kt.simulate(m, UNTIL, rtol=1e-13, output_interval=UNTIL)
    names = [
        f"{body}.{what}.{axis}"
        for what in ("position", "velocity")
        for body in ("upper", "lower")
        for axis in "xz"
    ]
    return np.array([sol[name][-1] for name in names])


@pytest.mark.parametrize("name", LOOPS)
def test_every_formulation_gives_the_motion_of_the_described_model(name, machine):
    found = toy(name, rtol=1e-13)
    # both at rtol 1e-13, some 100 steps
    np.testing.assert_allclose(found, machine, rtol=0, atol=1e-10)


@pytest.mark.parametrize("entry", EQUATIONS, ids=lambda entry: entry.name)
def test_every_integrator_gives_the_motion_of_the_described_model(entry):
    options = {"rtol": 1e-11} if entry.adaptive else {"step": UNTIL / 4000}
    # C h^p
    tolerance = 1e-8 if entry.adaptive or entry.order > 2 else 20.0 * (UNTIL / 4000) ** entry.order
    np.testing.assert_allclose(
        toy("augmented", entry.name, **options),
        toy("augmented", rtol=1e-13),
        rtol=0,
        atol=tolerance,
    )
