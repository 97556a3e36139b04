"""Every force element: power = F.V, energy and forces fit, action = reaction, laws as written, in
any coordinates.
"""

import math
from dataclasses import MISSING, fields
from functools import partial

import numpy as np
import pytest

import kinetree as kt
from kinetree.elements.forces.catalogue import FORCES
from kinetree.elements.forces.contact_law import ContactLaw
from kinetree.engine.dynamics.loads import loads
from support.compiler import said_to_be_plain
from support.machine import Machine, cartesian, machine
from support.physics import momentum_rate
from support.random_models import random_coordinates, random_mass, random_rotation

STEP = 1e-6
TABLE = kt.Characteristic((-3.0, -1.0, 0.0, 0.5, 2.0), (-40.0, -5.0, 0.0, 2.0, 30.0))
STRAIGHT = kt.Characteristic(
    (-3.0, -1.0, 0.0, 0.5, 2.0), (-40.0, -5.0, 0.0, 2.0, 30.0), smooth=False
)
SHORT = kt.Characteristic((-0.1, 0.0, 0.1), (-3.0, 0.0, 2.0))  # the extension lies beyond its ends
CUBIC = kt.Polynomial(20.0, -3.0, 7.0)


def coupled(seed=0):
    """A symmetric 6x6 matrix, positive definite."""
    A = np.random.default_rng(seed).normal(size=(6, 6))
    return A @ A.T + np.diag([10.0, 20.0, 30.0, 1.0, 2.0, 3.0])


def spring_law(t, x, xdot):
    return -5.0 * (x - 0.3) - 0.7 * xdot + math.sin(t)


def drag(t, a, b, parameters, force, torque):
    for k in range(3):
        force[k] = -parameters[0] * (b.velocity[k] - a.velocity[k])
        torque[k] = -parameters[1] * (b.angular_velocity[k] - a.angular_velocity[k])


def pull(t, a, b, parameters, force, torque):
    for k in range(3):
        force[k] = -30.0 * (b.position[k] - a.position[k])


SMALL_TYRE = {
    "FNOMIN": 30.0,
    "PCX1": 1.6,
    "PDX1": 1.1,
    "PKX1": 20.0,
    "PCY1": 1.3,
    "PDY1": 0.9,
    "PKY1": -15.0,
    "PKY2": 1.7,
    "RBX1": 12.0,
    "RBX2": 9.0,
    "RBY1": 8.0,
    "RBY2": 7.0,
    "QBZ1": 6.0,
    "QDZ1": 0.1,
    "QSX3": 0.1,
    "QSY1": 0.01,
}


def rubber(load, kappa, alpha, camber, parameters, out):
    out[0], out[1], out[2] = load * kappa, -parameters[0] * alpha - camber, 0.1 * alpha


def example(force: type):
    """A force of a class that this file does not know: 0.7 for every number that must be given."""
    return force(**{f.name: 0.7 for f in fields(force) if f.default is MISSING})


def touching(a: kt.shapes.Shape, b: kt.shapes.Shape, **options) -> kt.Contact:
    """The law of a contact between two shapes."""
    return kt.Contact(**options).between(a, b)


CONSERVATIVE = {
    "spring": lambda: kt.SpringDamper(stiffness=50.0, length=0.4),
    "spring of no length": lambda: kt.SpringDamper(stiffness=50.0, length=0.0),
    "polynomial spring": lambda: kt.SpringDamper(length=0.5, law=CUBIC),
    "tabulated spring": lambda: kt.SpringDamper(length=0.5, law=TABLE),
    "straight tabulated spring": lambda: kt.SpringDamper(length=0.5, law=STRAIGHT),
    "spring beyond its table": lambda: kt.SpringDamper(length=0.5, law=SHORT),
    "bushing": lambda: kt.Bushing((10.0, 20.0, 30.0, 1.0, 2.0, 3.0)),
    "coupled bushing": lambda: kt.Bushing(coupled()),
    "bushing with laws": lambda: kt.Bushing(
        coupled(), x=CUBIC, z=TABLE, about_x=kt.Polynomial(0.0, 0.0, 5.0), about_y=CUBIC
    ),
    "torsion spring": lambda: kt.TorsionSpring("J.angle", stiffness=4.0, angle=0.2),
    "polynomial torsion spring": lambda: kt.TorsionSpring("J.angle", law=CUBIC),
    "tabulated torsion spring": lambda: kt.TorsionSpring("J.angle", law=TABLE),
    "spring on a slide": lambda: kt.TorsionSpring("K.displacement", stiffness=9.0, angle=-0.1),
    "spring on the turn of a slide": lambda: kt.TorsionSpring("K.angle", stiffness=9.0),
    "cable through four eyes": lambda: kt.Cable(stiffness=20.0, length=0.3),
    "anti-roll bar": lambda: kt.AntiRollBar(stiffness=20.0),
    "wheel": lambda: kt.Wheel(8.0, 5.0),
    "wheel with a crown": lambda: kt.Wheel(8.0, 5.0, crown=3.0),
    "wheel on a slope": lambda: kt.Wheel(8.0, 5.0, road=kt.Road(grade=0.3, bank=0.2)),
    "gas": lambda: kt.HydropneumaticUnit("J.angle", 5.0, 0.1, 0.01),
    "gas nearly used up": lambda: kt.HydropneumaticUnit(
        "J.angle", 5.0, 0.1, 0.01, lever=3.0, rest=-1.0
    ),
    "stop": lambda: kt.BumpStop("J.angle", -1.0, 4.0),
    "stop below": lambda: kt.BumpStop("K.displacement", 1.0, 4.0, lower_end=True),
    "track": lambda: kt.TrackBand(3.0, 7.0),
    "contact": lambda: touching(
        kt.shapes.Ball(4.0), kt.shapes.Ball(3.0), stiffness=5.0, restitution=1.0
    ),
    "contact of capsules": lambda: touching(
        kt.shapes.Capsule(4.0, 1.0), kt.shapes.Capsule(3.0, 2.0), stiffness=5.0, restitution=1.0
    ),
    "contact of a box": lambda: touching(
        kt.shapes.Box((3.0, 2.0, 4.0)), kt.shapes.Ball(3.0), stiffness=5.0, restitution=1.0
    ),
    "contact of corners": lambda: touching(
        kt.shapes.Box((3.0, 2.0, 4.0)), kt.shapes.HalfSpace(), stiffness=5.0, restitution=1.0
    ),
    "contact of a cylinder": lambda: touching(
        kt.shapes.HalfSpace(), kt.shapes.Cylinder(3.0, 4.0), stiffness=5.0, restitution=1.0
    ),
}
OTHERS = {
    "damper": lambda: kt.SpringDamper(damping=3.0),
    "timed damper": lambda: kt.SpringDamper(damping=kt.Sine(1.0, 0.8, offset=2.0)),
    "actuator": lambda: kt.SpringDamper(force=kt.Ramp(2.0, start=1.0)),
    "user law": lambda: kt.SpringDamper(law=spring_law),
    "user law on an angle": lambda: kt.TorsionSpring("J.angle", law=spring_law),
    "torsion damper": lambda: kt.TorsionSpring("J.angle", damping=0.6),
    "motor": lambda: kt.TorsionSpring("J.angle", torque=kt.Sine(2.0, 1.0, phase=0.3)),
    "slide damper": lambda: kt.TorsionSpring("K.displacement", damping=0.6),
    "coupled damped bushing": lambda: kt.Bushing(coupled(), 0.1 * coupled(1), about_z=CUBIC),
    "damped bushing": lambda: kt.Bushing(
        (10.0, 20.0, 30.0, 1.0, 2.0, 3.0), (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
    ),
    "force": lambda: kt.PointForce((1.0, kt.Sine(2.0, 1.0), -3.0)),
    "following force": lambda: kt.PointForce((1.0, kt.Ramp(2.0), -3.0), frame="body"),
    "torque": lambda: kt.Torque((1.0, 2.0, kt.Sine(3.0, 0.5))),
    "following torque": lambda: kt.Torque((1.0, 2.0, 3.0), frame="body"),
    "user force": lambda: kt.UserForce(drag, (0.5, 0.2)),
    "hydraulic cylinder": lambda: kt.HydraulicCylinder(
        0.07,
        0.04,
        0.6,
        2e-4,
        supply=1e5,
        extension=0.2,
        pressure=(2e4, 1.5e4),
        damping=3.0,
        valve=kt.Valve(spool=kt.Sine(1.0, 1.0), area=1e-6),
    ),
    "path follower": lambda: kt.PathFollower(
        "K.displacement", kt.Sine(0.4, 0.1), stiffness=20.0, damping=2.0, gain=-0.5
    ),
    "drive": lambda: kt.Drive(kt.Ramp(2.0), 3.0, integral=0.5),
    "friction": lambda: kt.JointFriction("J.angle", 2.0, 3.0, viscous=0.1),
    "friction on a slide": lambda: kt.JointFriction(
        "K.displacement", 2.0, stribeck=0.5, transition=0.3
    ),
}
DAMPED = {  # they store energy, too
    "wheel with friction": lambda: kt.Wheel(8.0, 5.0, 0.3, friction=0.4),
    "damped gas": lambda: kt.HydropneumaticUnit("J.angle", 5.0, 0.1, 0.01, damping=2.0, limit=1.0),
    "gas behind an orifice": lambda: kt.HydropneumaticUnit(
        "J.angle", 5.0, 0.1, 0.01, damping=2.0, orifice=True
    ),
    "damped stop": lambda: kt.BumpStop("J.angle", -1.0, 4.0, 1.0),
    "linear tyre": lambda: kt.Tyre(8.0, 5.0, kt.tyres.Linear(20.0, 30.0, 2.0, 0.1), damping=0.3),
    "relaxed tyre": lambda: kt.Tyre(
        8.0, 5.0, kt.tyres.Fiala(20.0, 30.0, 0.9), relaxation=(0.3, 0.4)
    ),
    "tyre by the magic formula": lambda: kt.Tyre(8.0, 5.0, kt.tyres.MagicFormula(SMALL_TYRE)),
    "contact with friction": lambda: touching(
        kt.shapes.Ball(4.0),
        kt.shapes.Ball(3.0),
        stiffness=5.0,
        friction=0.4,
        static=0.6,
        rolling=0.1,
        presliding=0.1,
        rest_speed=50.0,
    ),
    "teeth": lambda: kt.GearMesh((20, 60), 50.0, 0.5, helix_angle=0.2, start=0.3),
    "teeth of a ring": lambda: kt.GearMesh((60, 20), 50.0, 0.5, internal=True, start=-0.2),
    "belt": lambda: kt.Belt((0.1, 0.2), 50.0, 0.5, pretension=3.0),
    "crossed belt": lambda: kt.Belt((0.1, 0.2), 50.0, 0.5, pretension=3.0, crossed=True),
    "tyre of the user": lambda: kt.Tyre(8.0, 5.0, rubber, parameters=(20.0,)),
}
KNOWN = {type(make()) for make in {**CONSERVATIVE, **OTHERS, **DAMPED}.values()} | {
    kt.Pump,
    kt.BeamForce,
    kt.ContactGroup,
}  # a pump moves none, and the forces of a group are states (tests/closed_form/test_heaps.py)
NEW = {
    entry.force.kind: partial(example, entry.force)
    for entry in FORCES
    if entry.force not in KNOWN and entry.meet is None
}
ALL = {**CONSERVATIVE, **OTHERS, **DAMPED, **NEW}
PAIRS = [name for name, make in ALL.items() if make().markers[1] in (2, 4, None)]
every = pytest.mark.parametrize("name", ALL)
coordinates = pytest.mark.parametrize(
    "view", [lambda state: state, cartesian], ids=["relative", "cartesian"]
)


def loaded(*elements, seed: int = 0, t: float = 0.37, gravity=(0.0, 0.0, 0.0)) -> Machine:
    """Two floating bodies, a third on the second by revolute J, a fourth on it by cylindrical K.

    The elements act between random markers on the first and the third body.
    """
    rng = np.random.default_rng(seed)
    model = kt.Model("loaded", gravity=gravity)
    a, b, c, d = (
        model.body(name, random_mass(rng, m)) for name, m in zip("abcd", (1.0, 2.0, 0.5, 0.7))
    )
    model.float(a)
    model.float(b)

    def marker(body):
        return body.at(*rng.uniform(-0.5, 0.5, 3), rotation=random_rotation(rng))

    model.joint("J", kt.Revolute(), marker(b), marker(c))
    model.joint("K", kt.Cylindrical(), marker(d), marker(b))
    ends = marker(a), marker(c)
    for k, element in enumerate(elements):
        most = element.markers[1]
        fewest = element.markers[0]
        several = (*ends, marker(d), marker(a), *(marker(c) for _ in range(fewest - 4)))
        places = several if most is None or most > 2 else ends[2 - most :] if most else ()
        if isinstance(element, ContactLaw):
            first, second = (shape.on(place) for shape, place in zip(element.shapes, places))
            model.contact(f"e{k}", first, second, element)
        else:
            model.force(f"e{k}", element, *places)
    q = [
        *random_coordinates(kt.Free, rng),
        *random_coordinates(kt.Free, rng),
        *rng.uniform(-0.9, 0.9, 3),
    ]
    return machine(model, q=q, v=rng.normal(size=15), t=t)


def power(state: Machine) -> float:
    return float(state.applied @ state.v)


def along(state: Machine, quantity, h: float = STEP) -> float:
    """Rate of a quantity along the motion (central difference; error of order h^2, rounding 1e-16 /
    h = 1e-10).
    """
    return (quantity(state.moved(h * state.v)) - quantity(state.moved(-h * state.v))) / (2.0 * h)


def ends(state: Machine) -> tuple[np.ndarray, np.ndarray]:
    """World points of the two markers of the element."""
    markers = state.compiled.model.forces["e0"].markers
    return tuple((state.pose(m.body.name) @ m.X_Bm).p for m in markers)


def distance(state: Machine) -> float:
    a, b = ends(state)
    return float(np.linalg.norm(b - a))


def joint_value(state: Machine, k: int) -> float:
    """J.angle (2), K.displacement (1), K.angle (0) counted from the end, at the relative state."""
    return float(state.q[{"J.angle": 14, "K.displacement": 15, "K.angle": 16}[k]])


# --- the contract
# -------------------------------------------------------------------------------------------------


def test_every_force_of_the_catalogue_is_sampled_here():
    elsewhere = {entry.force for entry in FORCES if entry.meet}  # test_unilateral.py
    elsewhere |= {kt.Pump, kt.BeamForce, kt.ContactGroup}
    assert {type(make()) for make in ALL.values()} | elsewhere == {entry.force for entry in FORCES}


@every
@coordinates
def test_power_is_the_sum_of_wrenches_times_velocities(name, view):
    state = view(loaded(ALL[name]()))
    F, V, torques = state.wrenches
    assert power(state) == pytest.approx(np.sum(F * V) + torques @ state.v, rel=1e-12, abs=1e-12)
    assert np.abs(state.applied).max() > 1e-3  # the element does act


@every
@coordinates
def test_the_power_in_the_energy_ledger_is_that_of_the_element(name, view):
    state = view(loaded(ALL[name]()))
    loads(state.tables, state.work, state.t, state.q, state.v, state.x)
    assert state.work.xdot[state.compiled.size["nx"]] == pytest.approx(
        power(state), rel=1e-11, abs=1e-11
    )


@every
def test_generalised_forces_are_the_same_in_relative_and_cartesian_coordinates(name):
    """Power along every motion of the tree: B^T times the Cartesian forces gives the relative ones."""
    state = loaded(ALL[name]())
    for k in range(state.nv):
        e = np.zeros(state.nv)
        e[k] = 1.0
        velocity = cartesian(state.at(v=e)).v
        assert cartesian(state).applied @ velocity == pytest.approx(
            state.applied[k], rel=1e-11, abs=1e-11
        )


@pytest.mark.parametrize("name", CONSERVATIVE)
@pytest.mark.parametrize("seed", range(3))
@coordinates
def test_conservative_forces_are_minus_the_gradient_of_their_energy(name, seed, view):
    state = view(loaded(CONSERVATIVE[name](), seed=seed))
    assert power(state) == pytest.approx(-along(state, lambda s: s.energy), rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("name", OTHERS)
def test_elements_that_store_nothing_have_no_energy(name):
    if "damped bushing" not in name:
        assert loaded(OTHERS[name]()).energy == 0.0


@pytest.mark.parametrize("name", PAIRS)
@coordinates
def test_inner_forces_change_neither_momentum_nor_moment_of_momentum(name, view):
    state = view(loaded(ALL[name]()))
    vdot = state.dense()[0]
    assert np.abs(vdot).max() > 1e-2
    np.testing.assert_allclose(
        momentum_rate(state, vdot), 0.0, atol=1e-11 * (1.0 + np.abs(vdot).max())
    )


@pytest.mark.parametrize("name", [n for n in ALL if ALL[n]().markers[1] == 0])
@coordinates
def test_joint_springs_and_motors_change_neither_momentum_nor_moment_of_momentum(name, view):
    state = view(loaded(ALL[name]()))
    vdot = state.dense()[0]
    np.testing.assert_allclose(
        momentum_rate(state, vdot), 0.0, atol=1e-11 * (1.0 + np.abs(vdot).max())
    )


# --- the laws
# -----------------------------------------------------------------------------------------------------

TWO_POINT_LAWS = {
    "damper": (lambda: kt.SpringDamper(damping=3.0), lambda t, s, sdot: -3.0 * sdot),
    "timed damper": (
        lambda: kt.SpringDamper(damping=kt.Sine(1.0, 0.8, offset=2.0)),
        lambda t, s, sdot: -(2.0 + math.sin(2 * math.pi * 0.8 * t)) * sdot,
    ),
    "table damper": (
        lambda: kt.SpringDamper(damping=kt.Table((0.0, 1.0), (1.0, 3.0))),
        lambda t, s, sdot: -(1.0 + 2.0 * t) * sdot,
    ),
    "function damper": (
        lambda: kt.SpringDamper(damping=lambda t: 1.0 + t * t),
        lambda t, s, sdot: -(1.0 + t * t) * sdot,
    ),
    "actuator": (
        lambda: kt.SpringDamper(force=kt.Ramp(2.0, start=1.0)),
        lambda t, s, sdot: 1.0 + 2.0 * t,
    ),
    "spring": (
        lambda: kt.SpringDamper(stiffness=50.0, length=0.4),
        lambda t, s, sdot: -50.0 * (s - 0.4),
    ),
    "polynomial": (
        lambda: kt.SpringDamper(length=0.5, law=CUBIC),
        lambda t, s, sdot: -(20.0 * (s - 0.5) - 3.0 * (s - 0.5) ** 2 + 7.0 * (s - 0.5) ** 3),
    ),
    "straight table": (
        lambda: kt.SpringDamper(length=0.5, law=STRAIGHT),
        lambda t, s, sdot: -np.interp(s - 0.5, STRAIGHT.extensions, STRAIGHT.forces),
    ),
    "user": (lambda: kt.SpringDamper(law=spring_law), spring_law),
    "user with actuator": (
        lambda: kt.SpringDamper(law=spring_law, force=2.0),
        lambda t, s, sdot: spring_law(t, s, sdot) + 2.0,
    ),
}


@pytest.mark.parametrize("name", TWO_POINT_LAWS)
def test_a_two_point_element_pushes_along_its_line_by_its_law(name):
    make, law = TWO_POINT_LAWS[name]
    state = loaded(make())
    rate = along(state, distance)
    assert power(state) == pytest.approx(law(state.t, distance(state), rate) * rate, rel=1e-7)


@pytest.mark.parametrize("name", TWO_POINT_LAWS)
@pytest.mark.parametrize("coordinate", ["J.angle", "K.displacement", "K.angle"])
def test_an_element_on_a_joint_coordinate_pushes_by_its_law(name, coordinate):
    """The same laws on a coordinate; its generalised force is the law itself, on that freedom
    alone.
    """
    make, law = TWO_POINT_LAWS[name]
    spec = make()
    element = kt.TorsionSpring(
        coordinate,
        stiffness=spec.stiffness,
        damping=spec.damping,
        angle=spec.length or 0.0,
        torque=spec.force,
        law=spec.law,
    )
    state = loaded(element)
    freedom = {"J.angle": 12, "K.displacement": 13, "K.angle": 14}[coordinate]
    expected = np.zeros(15)
    expected[freedom] = law(state.t, joint_value(state, coordinate), state.v[freedom])
    np.testing.assert_allclose(state.applied, expected, atol=1e-12)


def test_a_free_length_left_open_is_the_distance_in_the_initial_position():
    state = loaded(kt.SpringDamper(stiffness=100.0))
    assert state.energy == pytest.approx(0.0, abs=1e-25)
    assert np.abs(state.applied).max() < 1e-11


def test_a_force_at_a_point_works_on_the_velocity_of_that_point():
    state = loaded(kt.PointForce((1.0, 2.0, -3.0)))
    (marker,) = state.compiled.model.forces["e0"].markers
    rate = along(state, lambda s: (s.pose("c") @ marker.X_Bm).p)
    assert power(state) == pytest.approx(np.dot((1.0, 2.0, -3.0), rate), rel=1e-8)


def test_a_following_force_turns_with_its_marker():
    state = loaded(kt.PointForce((1.0, 2.0, -3.0), frame="body"))
    (marker,) = state.compiled.model.forces["e0"].markers
    rate = along(state, lambda s: (s.pose("c") @ marker.X_Bm).p)
    direction = (state.pose("c") @ marker.X_Bm).R @ (1.0, 2.0, -3.0)
    assert power(state) == pytest.approx(direction @ rate, rel=1e-8)


@pytest.mark.parametrize("frame", ["world", "body"])
def test_a_torque_works_on_the_angular_velocity(frame):
    state = loaded(kt.Torque((1.0, 2.0, kt.Ramp(1.0)), frame=frame))
    (marker,) = state.compiled.model.forces["e0"].markers
    turn = (state.pose("c") @ marker.X_Bm).R if frame == "body" else np.eye(3)
    assert power(state) == pytest.approx(
        turn @ (1.0, 2.0, state.t) @ state.twist("c")[:3], rel=1e-12
    )


def test_dampers_take_energy_out():
    for element in (
        kt.SpringDamper(damping=2.0),
        kt.Bushing((0.0,) * 6, (1.0, 2.0, 3.0, 0.1, 0.2, 0.3)),
        kt.TorsionSpring("J.angle", damping=1.0),
        kt.UserForce(drag, (0.5, 0.2)),
    ):
        assert all(power(loaded(element, seed=seed)) < 0.0 for seed in range(4))


def test_gravity_is_the_gradient_of_the_weight():
    state = loaded(gravity=(1.0, -2.0, -9.0))
    still = loaded(gravity=(0.0, 0.0, 0.0))
    weight = sum(
        m.mass
        * np.dot(
            (1.0, -2.0, -9.0), along(state, lambda s, n=n, m=m: s.pose(n).p + s.pose(n).R @ m.com)
        )
        for n, m in ((n, state.compiled.model.bodies[n].properties) for n in state.names)
    )
    assert (state.f - still.f) @ state.v == pytest.approx(weight, rel=1e-8)


# --- user code
# ----------------------------------------------------------------------------------------------------


def test_a_user_force_equals_the_built_in_spring():
    user, spring = loaded(kt.UserForce(pull)), loaded(kt.SpringDamper(stiffness=30.0, length=0.0))
    np.testing.assert_allclose(user.applied, spring.applied, rtol=1e-12, atol=1e-12)


def test_a_user_force_with_one_marker_acts_against_the_ground():
    def weight(t, a, b, parameters, force, torque):
        force[2] = -parameters[0] + b.position[0] - a.position[0] + t

    state = loaded(kt.PointForce((0.0, 0.0, 0.0)))
    model = state.compiled.model
    (marker,) = model.forces["e0"].markers
    model.force("user", kt.UserForce(weight, (3.0,)), marker)
    found = machine(model, q=state.q, v=state.v, t=state.t)
    point = (state.pose("c") @ marker.X_Bm).p
    jacobian = state.jacobian("c", point)
    np.testing.assert_allclose(found.applied, jacobian[5] * (-3.0 + point[0] + state.t), atol=1e-12)


def test_user_code_that_cannot_be_compiled_runs_as_plain_python_with_a_warning():
    secrets = {"k": object()}

    def odd_pull(t, a, b, parameters, force, torque):
        force[:] = (-30.0 if "k" in secrets else 0.0) * (b.position - a.position)

    def odd_law(t, x, xdot):
        return -7.0 * x if "k" in secrets else 0.0

    with said_to_be_plain("odd_pull"):
        user = loaded(kt.UserForce(odd_pull))
    np.testing.assert_allclose(
        user.applied, loaded(kt.SpringDamper(stiffness=30.0, length=0.0)).applied, atol=1e-12
    )
    with said_to_be_plain("odd_law"):
        user = loaded(kt.SpringDamper(law=odd_law))
    np.testing.assert_allclose(
        user.applied, loaded(kt.SpringDamper(stiffness=7.0, length=0.0)).applied, atol=1e-12
    )


def test_a_force_keeps_all_its_markers():
    """A class that takes any number: all are placed, in order, and bodies that come again are
    marked for the power.
    """

    class Many(kt.UserForce):
        markers = (1, None)

    model = kt.Model("many")
    bodies = [model.body(f"b{k}", kt.sphere(1.0, 0.1)) for k in range(3)]
    for b in bodies:
        model.float(b)
    model.force("one", kt.PointForce((1.0, 0.0, 0.0)), bodies[1])
    places = [b.at(k, 0, 0) for k, b in enumerate([*bodies, bodies[0]])]
    model.force("many", Many(lambda t, a, b, p, force, torque: None), *places)
    tables = kt.assemble(model).compiled.tables
    assert [(int(f["im"]), int(f["nm"])) for f in tables.forces] == [(0, 1), (1, 4)]
    kept = [(int(m["body"]), int(m["again"]), m["p"][0]) for m in tables.markers[1:]]
    assert kept == [(1, 0, 0), (2, 0, 1), (3, 0, 2), (1, 1, 3)]
