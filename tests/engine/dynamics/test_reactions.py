"""Joint reactions satisfy the equations of Newton and Euler for every choice of tree."""

from functools import cache, partial

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.analysis.velocity_transformation import velocity_transformation
from results.machines import ALL_JOINTS, four_bar, pendulum, rssr, zoo


@cache
def run(name, coordinates="relative", **options):
    make = {"rssr": rssr, "zoo": zoo, "swapped": partial(zoo, True), "four-bar": four_bar}[name]
    model = make(**options)
    until = 0.4 if name in ("rssr", "four-bar") else 0.04
    return kt.simulate(model, until, coordinates=coordinates, rtol=1e-10, output_interval=until / 4)


def joint_point(sol, spec):
    """Positions of the origin of M in the world over time."""
    body = spec.M.body
    if body.is_ground:
        return np.tile(spec.M.X_Bm.p, (len(sol.t), 1))
    index = sol.compiled.bodies.index(body.name)
    R = sol.record.rotation[:, index].reshape(-1, 3, 3)
    return sol[f"{body.name}.position"] + R @ spec.M.X_Bm.p


def tip(sol, name):
    return sol[f"{name}.tip.position"]


def applied(sol):
    """(body, force, torque, point) of the force elements of the zoo, computed independently."""
    if "spring" not in sol.model.forces:
        return []
    d = tip(sol, "b5") - tip(sol, "b1")
    ddot = sol["b5.tip.velocity"] - sol["b1.tip.velocity"]
    length = np.linalg.norm(d, axis=1)[:, None]
    u = d / length
    f = -u * (80.0 * (length - 0.4) + 3.0 * np.sum(u * ddot, axis=1)[:, None])
    index = sol.compiled.bodies.index("b3")
    push = sol.record.rotation[:, index].reshape(-1, 3, 3) @ np.array([3.0, -2.0, 1.0])
    zero = np.zeros_like(f)
    return [
        ("b5", f, zero, tip(sol, "b5")),
        ("b1", -f, zero, tip(sol, "b1")),
        ("b3", push, zero, tip(sol, "b3")),
        ("b8", zero, zero + np.array([0.5, 0.2, -0.7]), sol["b8.position"]),
    ]


def loads_on(sol, name):
    """(force, torque, point) of all loads on a body except gravity."""
    found = [load[1:] for load in applied(sol) if load[0] == name]
    for joint, spec in sol.model.joints.items():
        reaction, sign = (
            sol.reactions[joint],
            {spec.M.body.name: 1.0, spec.F.body.name: -1.0}.get(name, 0.0),
        )
        if sign:
            found.append((sign * reaction.force, sign * reaction.torque, joint_point(sol, spec)))
    return found


def imbalance(sol, name):
    """Residual of the Newton-Euler equations of a body, relative to the largest force on it."""
    body, index = sol.model.bodies[name], sol.compiled.bodies.index(name)
    R = sol.record.rotation[:, index].reshape(-1, 3, 3)
    w, alpha = sol[f"{name}.angular_velocity"], sol[f"{name}.angular_acceleration"]
    c = R @ np.asarray(body.properties.com)
    J = R @ body.properties.inertia @ np.swapaxes(R, 1, 2)
    a = sol[f"{name}.acceleration"] + np.cross(alpha, c) + np.cross(w, np.cross(w, c))
    force = body.properties.mass * (a - sol.model.gravity)
    torque = np.einsum("tij,tj->ti", J, alpha) + np.cross(w, np.einsum("tij,tj->ti", J, w))
    size = np.abs(force).max() + 1.0
    for f, n, point in loads_on(sol, name):
        force, torque = force - f, torque - n - np.cross(point - sol[f"{name}.position"] - c, f)
        size = max(size, np.abs(f).max())
    return max(np.abs(force).max(), np.abs(torque).max()) / size


MACHINES, COORDINATES = ("rssr", "zoo", "swapped", "four-bar"), ("relative", "cartesian")


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("name", MACHINES)
def test_every_body_satisfies_newton_and_euler(name, coordinates):
    sol = run(name, coordinates)
    for body in sol.model.bodies:
        assert imbalance(sol, body) < 1e-10, body  # rounding of multipliers


@pytest.mark.parametrize("swapped", ["zoo", "swapped"])
def test_reactions_of_all_joint_types_are_the_same_in_the_tree_and_at_a_cut(swapped):
    tree, cut = run(swapped), run(swapped, "cartesian")
    for name in ALL_JOINTS:
        for what in ("force", "torque"):
            a, b = getattr(tree.reactions[name], what), getattr(cut.reactions[name], what)
            # the same initial state
            assert_allclose(a[0], b[0], atol=1e-9 * (1.0 + np.abs(a).max()), err_msg=name)
            # two integrations at rtol 1e-10
            assert_allclose(a, b, atol=1e-6 * (1.0 + np.abs(a).max()), err_msg=name)


@pytest.mark.parametrize(
    "variant", [{"coordinates": "cartesian"}, {"cut": "A"}, {"cut": "B"}, {"cut": "D"}]
)
def test_a_loop_without_redundancy_has_the_same_reactions_for_every_cut(variant):
    one, other = run("rssr"), run("rssr", **variant)
    for name in "ABCD":
        assert other.reactions[name].unique
        for what in ("force", "torque"):
            a, b = getattr(one.reactions[name], what), getattr(other.reactions[name], what)
            # two integrations at rtol 1e-10
            assert_allclose(b, a, atol=1e-6 * (1.0 + np.abs(a).max()))


def test_a_joint_with_exchanged_bodies_has_the_opposite_reaction():
    one, other = run("rssr"), run("rssr", turned="D")
    assert other.compiled.joints["D"].reversed or other.compiled.joints["D"].rows
    # two runs at rtol 1e-10
    assert_allclose(other.reactions["D"].force, -one.reactions["D"].force, atol=1e-6 * 30)
    assert_allclose(other.reactions["D"].torque, -one.reactions["D"].torque, atol=1e-6 * 30)


# by drives or springs
LOADED = (
    "revolute.angle",
    "cylindrical.angle",
    "screw.angle",
    "universal.angle2",
    "planar.y",
)


@pytest.mark.parametrize("name", ["zoo", "swapped", "rssr"])
def test_reactions_have_no_component_along_a_free_direction(name):
    """The reaction has no power on the relative motion of the joint in each degree of freedom."""
    sol = run(name)
    for k in range(len(sol.t)):
        found = velocity_transformation(sol.compiled, sol.q[k], sol.v[k])
        for column, name in enumerate(found.columns):
            if name in LOADED or (name.startswith("planar") and name.endswith("child)")):
                # in the axes of the child no coordinate of a planar joint is the y of the spring
                continue
            lost = power(sol, found, name.split(".")[0], column, k)
            assert abs(lost) < 1e-10 * (1.0 + np.abs(sol.record.wrench).max()), name


def power(sol, found, joint, column, k):
    """Power of the reaction at sample k if only this degree of freedom moves, at unit speed."""
    spec, point = sol.model.joints[joint], joint_point(sol, sol.model.joints[joint])[k]
    twist = np.zeros(6)
    for body, sign in ((spec.M.body, 1.0), (spec.F.body, -1.0)):
        if not body.is_ground:
            index = sol.compiled.bodies.index(body.name)
            R = sol.record.rotation[k, index].reshape(3, 3)
            v, w = found.B[found.rows(body.name), column].reshape(2, 3)
            w = R @ w
            twist += sign * np.concatenate(
                [v + np.cross(w, point - sol.record.position[k, index]), w]
            )
    return sol.reactions[joint].force[k] @ twist[:3] + sol.reactions[joint].torque[k] @ twist[3:]


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_the_torque_of_a_driver_is_part_of_the_reaction(coordinates):
    """m l^2/3 phi'' - m g l/2 cos phi about y (turning the rod along x downwards), in both kinds of
    coordinates.
    """
    m = pendulum()
    m.constraint("motor", kt.Driver("A.angle", kt.Sine(0.7, 0.5)))
    sol = kt.simulate(m, 1.0, coordinates=coordinates, output_interval=0.1)
    phi, phidd = sol["A.angle"], sol["A.acceleration"]
    expected = (2.0 * 0.8**2 / 3.0) * phidd - 2.0 * 9.81 * 0.4 * np.cos(phi)
    assert_allclose(sol["motor.force"], expected, atol=1e-9)  # the driven motion is exact
    assert_allclose(sol["A.torque.y"], expected, atol=1e-9)
    assert_allclose(phi, 0.7 * np.sin(np.pi * sol.t), atol=1e-9)


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_the_torque_of_a_torsion_spring_is_part_of_the_reaction(coordinates):
    m = pendulum()
    m.force("bar", kt.TorsionSpring("A.angle", stiffness=12.0, damping=0.5, angle=0.1))
    sol = kt.simulate(m, 0.5, coordinates=coordinates, output_interval=0.1)
    expected = -12.0 * (sol["A.angle"] - 0.1) - 0.5 * sol["A.rate"]
    assert_allclose(sol["A.torque.y"], expected, atol=1e-10)
    assert_allclose(sol["bar.torque"], expected, atol=1e-10)
    assert_allclose(sol["bar.angle"], sol["A.angle"], atol=1e-12)


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_reactions_that_are_not_unique_are_flagged(coordinates):
    sol = run("four-bar", coordinates)
    assert [sol.reactions[name].unique for name in "ABCDP"] == [False, False, False, False, True]
    # none in the plane
    assert all(sol.reactions[name].open == ("force.y", "torque.x", "torque.z") for name in "ABCD")
    assert "NOT UNIQUE" in repr(sol.reactions["B"]) and "NOT UNIQUE" not in repr(sol.reactions["P"])
    assert "these reactions are not unique" in str(sol)


def test_forces_in_the_plane_of_a_four_bar_are_unique():
    one, other = run("four-bar"), run("four-bar", "cartesian")
    for name in "ABCD":
        assert_allclose(
            one.reactions[name].force[:, [0, 2]], other.reactions[name].force[:, [0, 2]], atol=1e-5
        )


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_only_the_free_axis_of_two_aligned_hinges_has_a_unique_reaction(coordinates):
    """Each hinge alone could hold the door: reactions are unique only about the free axis."""
    from support.linkages import door

    sol = kt.simulate(door(2, axis=(0, 0, 1)), 0.2, coordinates=coordinates, output_interval=0.05)
    assert len(sol.reactions.ambiguous) == 2
    for open_components in sol.reactions.ambiguous.values():
        assert open_components == ("force.x", "force.y", "force.z", "torque.x", "torque.y")
