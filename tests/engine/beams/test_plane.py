"""Planar models: detected, three degrees of freedom per node, the same motion as in space."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.errors import ModelError
from kinetree.models.flexible_four_bar import flexible_four_bar
from kinetree.models.flexible_slider_crank import flexible_slider_crank

RULES = ("energy-conserving", "midpoint", "trapezoidal", "generalized-alpha")
ORDER = {"x": [1, 2, 0], "y": [2, 0, 1], "z": [0, 1, 2]}  # axes of the plane, and the one across it


def flying(axis="z", tilt=0.0, section=None):
    """A beam pushed and turned at its end; curved, damped, with a section of different widths."""

    def placed(u, v, w=0.0):
        p = np.empty(3)
        p[ORDER[axis]] = u, v, w
        return p

    m = kt.Model("flying", gravity=(0, 0, 0))
    given = section or kt.Section([1e4, 8e3, 9e3, 100.0, 300.0, 500.0], 1.0, (20.0, 8.0, 12.0))
    beam = m.beam(
        "b", lambda s: placed(6 * s, 2 * s * (1 - s), tilt * s), given, elements=4, damping=1e-3
    )
    m.float(beam)
    m.force("push", kt.PointForce(tuple(placed(20.0, 30.0))), beam.end("+"))
    m.force("turn", kt.Torque(tuple(placed(0.0, 0.0, -80.0))), beam.node(1))
    return m


def dofs_per_node(sol):
    return len(sol.compiled.tables.freedoms)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("axis", "xyz")
def test_a_planar_beam_moves_as_in_space_with_half_the_degrees_of_freedom(axis, rule):
    flat, full = (
        kt.simulate(flying(axis), 0.3, integrator=rule, step=0.02, planar=planar)
        for planar in (None, False)
    )
    assert (dofs_per_node(flat), dofs_per_node(full)) == (3, 6)
    for name, size in (
        ("b.4.position", 6.0),
        ("b.2.velocity", 1.0),
        ("b.1.angular_velocity", 1.0),
        ("b.element2.moment", 100.0),
    ):
        # what Newton leaves, in as many steps
        np.testing.assert_allclose(flat[name], full[name], atol=1e-11 * size)
    # rounding, times stiffness
    np.testing.assert_allclose(flat["b.2.acceleration"], full["b.2.acceleration"], atol=1e-8)
    np.testing.assert_allclose(flat.ledger, full.ledger, atol=1e-10)


@pytest.mark.parametrize(
    "build, node", [(flexible_four_bar, "coupler.4"), (flexible_slider_crank, "rod.4")]
)
@pytest.mark.parametrize("rule", ["energy-conserving", "generalized-alpha"])
def test_planar_linkages_are_detected_and_have_the_same_reactions(build, node, rule):
    flat, full = (
        kt.simulate(build(damping=1e-4), 0.05, integrator=rule, step=0.002, planar=planar)
        for planar in (None, False)
    )
    assert (dofs_per_node(flat), dofs_per_node(full)) == (3, 6)
    np.testing.assert_allclose(flat[f"{node}.position"], full[f"{node}.position"], atol=1e-12)
    for name in ("A.force", "B.force", "C.force"):
        error = np.abs(flat[name] - full[name]).max() / np.abs(full[name]).max()
        # rounding, 1e-15 m, times stiffness; undamped
        assert error < (1e-7 if rule == "energy-conserving" else 1e-8), name
    assert flat.constraint_error.max() < 1e-13


def frame(axis, hinge, corners=((0, 0), (0, 1), (1, 1.2), (1.4, 0))):
    """Beams from corner to corner, held at both ends."""
    points = np.zeros((len(corners), 3))
    points[:, ORDER[axis][:2]] = corners
    pull = np.zeros(3)
    pull[ORDER[axis][:2]] = 1.0, -9.81
    m = kt.Model("frame", gravity=tuple(pull))
    section = kt.Section([1e5, 5e4, 5e4, 100.0, 100.0, 100.0], 0.5, (2e-3, 1e-3, 1e-3))
    beams = [
        m.beam(f"b{k}", [one, two], section, elements=3)
        for k, (one, two) in enumerate(zip(points, points[1:]))
    ]
    joint = kt.Fixed() if hinge is None else kt.Revolute(axis=hinge)
    for k, (one, two) in enumerate(zip([m.ground, *beams], [*beams, m.ground])):
        m.joint(f"j{k}", joint, one, two, at=points[k])
    return m


@pytest.mark.parametrize("rigid", [True, False])
@pytest.mark.parametrize("axis", "xyz")
def test_frames_of_beams_in_any_direction_move_as_in_space(axis, rigid):
    """Rows that act across the plane have rounding errors in the plane, which must not count."""
    flat, full = (
        kt.simulate(frame(axis, None if rigid else axis), 0.1, step=0.005, planar=planar)
        for planar in (True, False)
    )
    assert (dofs_per_node(flat), dofs_per_node(full)) == (3, 6)
    # what Newton leaves
    np.testing.assert_allclose(flat["b1.2.position"], full["b1.2.position"], atol=1e-11)
    assert np.ptp(full["b1.2.position"], axis=0).max() > 1e-4  # it does bend
    assert flat.energy.imbalance < 1e-9 and flat.constraint_error.max() < 1e-12


def all_revolute():
    """A frame of two beams pinned by hinges across the plane: three equations repeat others in
    space, none in the plane.
    """
    m = kt.Model("hinged")
    y, section = kt.Revolute(axis="y"), kt.Section([1e5, 1e5, 1e5, 50.0, 50.0, 50.0], 1.0)
    a, b = (
        m.beam(n, [p, (0.5, 0, 0.5)], section, elements=2)
        for n, p in (("a", (0, 0, 0)), ("b", (1, 0, 0)))
    )
    m.joint("A", y, m.ground.at(0, 0, 0), a.end("-"))
    m.joint("B", y, a.end("+"), b.end("+"))
    m.joint("C", y, m.ground.at(1, 0, 0), b.end("-"))
    return m


def test_equations_that_are_redundant_in_space_are_satisfied_in_the_plane():
    flat, full = (
        kt.simulate(all_revolute(), 0.2, integrator="energy-conserving", step=0.01, planar=p)
        for p in (None, False)
    )
    assert (dofs_per_node(flat), dofs_per_node(full)) == (3, 6)
    # small pivots of redundant rows
    np.testing.assert_allclose(flat["a.2.position"], full["a.2.position"], atol=1e-9)
    assert flat.energy.imbalance < 1e-11


SKEW = np.diag([1e4, 1e4, 1e4, 500.0, 300.0, 500.0])
SKEW[4, 5] = SKEW[5, 4] = 40.0


@pytest.mark.parametrize(
    "model, reason",
    [
        (flying(tilt=0.5), "center of mass of 'b.1' is not in it"),
        (flying(section=kt.Section(SKEW, 1.0, (20.0, 8.0, 12.0))), "couples"),
        (
            flying(
                section=kt.Section(
                    np.diag(SKEW), 1.0, np.array([[20.0, 0, 1], [0, 10, 0], [1, 0, 10]])
                )
            ),
            "no principal axis",
        ),
    ],
)
def test_a_spatial_model_runs_in_space_and_is_refused_with_planar_true(model, reason):
    assert dofs_per_node(kt.simulate(model, 0.02, integrator="energy-conserving", step=0.01)) == 6
    with pytest.raises(ModelError, match=f"planar: 'flying' does not stay in a plane.*{reason}"):
        kt.simulate(model, 0.02, integrator="energy-conserving", step=0.01, planar=True)


def kick(t, a, b, parameters, force, torque):
    if t > 0.05:
        force[2] = 5.0


def test_a_force_out_of_the_plane_during_the_run_repeats_it_in_space(tmp_path):
    def kicked():
        m = flying()
        m.force("kick", kt.UserForce(kick), m.bodies["b"].node(2))
        return m

    sol = kt.simulate(
        kicked(), 0.1, integrator="energy-conserving", step=0.01, out=tmp_path / "run.nc"
    )
    assert dofs_per_node(sol) == 6 and sol["b.2.position.z"][-1] > 1e-4
    # the whole run, not the part of it in the plane
    written = kt.open_solution(tmp_path / "run.nc")
    assert np.array_equal(written.t, sol.t) and np.array_equal(
        written["b.2.position.z"], sol["b.2.position.z"]
    )
    with pytest.raises(
        kt.SimulationError, match=r"a force acts out of the plane.*: force 'kick'\. Omit planar="
    ) as caught:
        kt.simulate(kicked(), 0.1, integrator="energy-conserving", step=0.01, planar=True)
    assert caught.value.solution.t[-1] == pytest.approx(0.05)  # the run up to there is kept
