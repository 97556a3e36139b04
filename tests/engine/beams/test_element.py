"""Beam element: its exact discrete derivative, its tangent, and invariance to rigid motion."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.analysis.assemble import assemble
from kinetree.assembly.nodal import in_nodes
from kinetree.engine.beams.element import F, K, begin_elements, element_energy, element_force
from kinetree.engine.beams.rotations import turn
from kinetree.kernel.tables.poses import AVERAGE, END, START
from kinetree.kernel.tables.workspace import NODES

RNG = np.random.default_rng(7)


def random_section():
    A = RNG.normal(size=(6, 6))
    return kt.Section(A @ A.T + np.eye(6), 1.0, (2.0, 1.0, 1.0))


def one_element(section=None, damping=0.0):
    """Tables and workspace of a beam of one element, curved and twisted when free of stress."""
    m = kt.Model("one", gravity=(0, 0, 0))
    beam = m.beam(
        "b",
        lambda s: (0.8 * s, 0.1 * s * s, 0.05 * s**3),
        section or random_section(),
        elements=1,
        twist=0.2,
        damping=damping,
    )
    m.float(beam)
    compiled = in_nodes(assemble(m)).compiled
    return compiled.tables, compiled.workspace(NODES)


class Step:
    """Two nodes at START and END with random increments."""

    def __init__(self, work, size=0.4):
        self.work, self.d, self.r = (
            work,
            size * RNG.normal(size=(2, 3)),
            size * RNG.normal(size=(2, 3)),
        )
        base = turn(RNG.normal(size=3))
        self.x = np.array([[0.0, 0, 0], 0.8 * base[:, 0]]) + 0.1 * RNG.normal(size=(2, 3))
        self.R = [base @ turn(0.3 * RNG.normal(size=3)) for _ in range(2)]
        self.put()

    def put(self, nudge=None, e=0.0):
        for k in range(2):
            x, R = self.x[k] + self.d[k], turn(self.r[k]) @ self.R[k]
            if nudge is not None and nudge // 6 == k:
                unit = np.eye(6)[nudge % 6] * e
                x, R = x + unit[:3], turn(unit[3:]) @ R
            self.work.poses[START, 1 + k] = [*self.x[k], *self.R[k].ravel()]
            self.work.poses[END, 1 + k] = [*x, *R.ravel()]
            self.work.poses[AVERAGE, 1 + k] = 0.5 * (
                self.work.poses[START, 1 + k] + self.work.poses[END, 1 + k]
            )


def energy(tables, work, place):
    begin_elements(tables, work, place)
    return element_energy(tables, work, 0)


def force(tables, work, end=END, average=AVERAGE, h=0.1, tangent=False):
    element_force(tables, work, 0, end, average, h, 0.0, tangent)
    return work.element[F].copy()


def test_the_work_of_the_force_over_a_step_equals_the_change_of_energy():
    tables, work = one_element()
    for size in (1e-6, 0.1, 0.5):
        step = Step(work, size)
        E_f, E_i = energy(tables, work, END), energy(tables, work, START)
        f = force(tables, work)
        done = f[:3] @ (step.d[1] - step.d[0]) + f[3:6] @ step.r[0] + f[6:] @ step.r[1]
        # rounding of some ten terms
        assert done == pytest.approx(E_f - E_i, abs=1e-14 * (E_f + E_i) * 10)


def test_damping_dissipates_the_work_of_the_strain_rate():
    section, beta, h = random_section(), 0.03, 0.1
    tables, work = one_element(section, beta)
    step = Step(work)
    E_f = energy(tables, work, END)
    e_f = work.strains[0, 7:13].copy()
    E_i = energy(tables, work, START)
    f, change = force(tables, work, h=h), e_f - work.strains[0, 7:13]
    done = f[:3] @ (step.d[1] - step.d[0]) + f[3:6] @ step.r[0] + f[6:] @ step.r[1]
    C = tables.elements[0]["C"].reshape(6, 6)
    assert done - (E_f - E_i) == pytest.approx(beta / h * change @ C @ change, rel=1e-11)


def test_forces_and_moments_balance_at_the_averages():
    tables, work = one_element()
    Step(work)
    begin_elements(tables, work, START)
    f = force(tables, work)
    D = work.poses[AVERAGE, 2, :3] - work.poses[AVERAGE, 1, :3]
    assert np.abs(f[3:6] + f[6:] + np.cross(D, f[:3])).max() < 1e-13 * np.abs(f).max() * 10


@pytest.mark.parametrize("average, factor", [(AVERAGE, 1.0), (END, 2.0)])
def test_the_tangent_is_the_derivative_by_the_end(average, factor):
    tables, work = one_element()
    step = Step(work)
    begin_elements(tables, work, START)
    force(tables, work, END, average, tangent=True)
    tangent, e = factor * work.element[K : K + 9].copy(), 1e-6
    full = np.hstack([-tangent[:, :3], tangent[:, 3:6], tangent[:, :3], tangent[:, 6:]])
    for j in range(12):
        sides = []
        for s in (e, -e):
            step.put(j, s)
            sides.append(force(tables, work, END, average))
        column = (sides[0] - sides[1]) / (2.0 * e)
        # e^2, and rounding / e
        np.testing.assert_allclose(full[:, j], column, atol=1e-8 * np.abs(full).max())


def test_the_plain_force_is_the_gradient_of_the_energy():
    tables, work = one_element()
    step = Step(work)
    f, e = force(tables, work, END, END), 1e-6
    whole = np.concatenate([-f[:3], f[3:6], f[:3], f[6:]])
    for j in range(12):
        sides = []
        for s in (e, -e):
            step.put(j, s)
            sides.append(energy(tables, work, END))
        assert (sides[0] - sides[1]) / (2.0 * e) == pytest.approx(
            whole[j], abs=1e-8 * np.abs(whole).max()
        )


def test_a_rigid_motion_of_both_nodes_causes_no_strain():
    tables, work = one_element()
    step = Step(work)
    energy(tables, work, START)
    before, Q, u = work.strains[0, 7:13].copy(), turn(RNG.normal(size=3)), RNG.normal(size=3)
    for k in range(2):
        work.poses[END, 1 + k] = [*(Q @ step.x[k] + u), *(Q @ step.R[k]).ravel()]
    begin_elements(tables, work, END)
    np.testing.assert_allclose(work.strains[0, 7:13], before, atol=1e-14)


def test_the_drawn_shape_is_free_of_stress_and_not_stretched():
    m = kt.Model("arc")
    beam = m.beam(
        "b",
        lambda s: (100.0 * np.sin(s * np.pi / 4), 100.0 * (np.cos(s * np.pi / 4) - 1.0), 0.0),
        random_section(),
        elements=8,
    )
    # an arc; the series for phi / sin(phi) ends at y^3
    assert beam.length == pytest.approx(25.0 * np.pi, rel=1e-7)
    m.float(beam)
    compiled = in_nodes(assemble(m)).compiled
    sol = kt.simulate(m, 0.01, integrator="energy-conserving", step=0.01)
    rounding = 1e-15**2 * np.abs(compiled.tables.elements["C"]).max()
    assert np.abs(sol["b.energy"]).max() < 1e4 * rounding
