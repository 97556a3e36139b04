"""Short runs that lead to the kernels of contact, user constraints, closed chains and studies.

every_kernel.py runs them, each kernel as plain Python beside its machine code.
"""

from unittest.mock import patch

import numpy as np

import kinetree as kt
from closed_form import test_cams as cams
from closed_form import test_elastic_gears as gears
from closed_form import test_rigid_contact as rigid
from contracts import test_unilateral as unilateral
from elements.constraints import test_user_constraint as constraints
from elements.shapes import test_convex as convex
from elements.shapes import test_surfaces as surfaces
from engine.integrators import closed_chains as chains
from kinetree.engine.contacts.rows import evaluate_rows
from kinetree.engine.formulations.catalogue import formulation
from kinetree.engine.integrators.newton import pattern
from kinetree.studies.design.positions import march
from studies import machines as studied

CONTACT = ("engine.contacts", "engine.integrators.loop", "elements.forces")


def touching(a, b, position, rotation=None):
    """Two shapes with a compliant contact; the first is on the ground."""
    m = kt.Model("touching")
    body = m.body("b", kt.sphere(1.0, 0.1), position=position, rotation=rotation)
    m.float(body)
    m.contact("touch", a.on(m.ground), b.on(body), kt.Contact(1e5, friction=0.3))
    return m


def rows_of(name):
    """Rows, loads and channels of a unilateral element whose places are closed."""
    state = unilateral.loaded(unilateral.ELEMENTS[name]())
    x = state.x.copy()
    x[state.tables.places["ix"]] = 1.0
    evaluate_rows(state.tables, state.work, 0.0, state.q, state.v, x)


def wedged():
    """A ball that a rope, a stop and a ratchet hold."""
    m = kt.Model("held")
    bob = m.body("bob", kt.sphere(1.0, 0.1), position=(0, 0, -0.5), velocity=(2.0, 0, 0))
    m.float(bob)
    m.force("rope", kt.Rope(0.5001), m.ground, bob)
    arm = m.body("arm", kt.rod(1.0, 1.0, along="x"))
    m.joint("A", kt.Revolute(axis="y"), m.ground.at(3, 0, 0), arm.end("-"), speed={"angle": 1.0})
    m.force("stop", kt.JointStop("A.angle", maximum=0.001))
    wheel = m.body("wheel", kt.rotor(inertia=0.1))
    m.joint("W", kt.Revolute(), m.ground.at(6, 0, 0), wheel, speed={"angle": -1.0})
    m.force("pawl", kt.Ratchet("W.angle", 0.001))
    other = m.body("other", kt.rotor(inertia=0.1))
    m.joint("O", kt.Revolute(), m.ground.at(9, 0, 0), other, speed={"angle": -1.0})
    m.force("clutch", kt.OneWayClutch("O.angle"))
    return m


def bowling():
    """A ball that slides for 6e-5 s before it rolls."""
    m = kt.Model("bowling")
    ball = m.body("ball", kt.sphere(2.0, 0.1), position=(0, 0, 0.1), velocity=(4e-4, 0, 0))
    m.float(ball)
    shapes = rigid.floor(m), kt.shapes.Ball(0.1).on(ball)
    m.contact("lane", *shapes, kt.RigidContact(friction=0.2))
    return m


def pushed():
    """A ball that a growing force turns until it slides."""
    m = kt.Model("pushed")
    ball = m.body("ball", kt.sphere(2.0, 0.1), position=(0, 0, 0.1))
    m.float(ball)
    m.force("push", kt.PointForce((kt.Ramp(1e5), 0, 0)), ball.at(0, 0, 0.05))
    shapes = rigid.floor(m), kt.shapes.Ball(0.1).on(ball)
    m.contact("lane", *shapes, kt.RigidContact(friction=0.2))
    return m


def cradle():
    """Three balls, of which the first hits the second; impacts act one after the other."""
    m = kt.Model("cradle", gravity=(0, 0, 0))
    balls, places = [], (0.0, 0.20001, 0.40001)
    for k, x in enumerate(places):
        speed = {"displacement": 1.0 if k == 0 else 0.0}
        ball = m.body(f"b{k}", kt.sphere(1.0, 0.1), position=(x, 0, 0))
        m.joint(f"J{k}", kt.Translational(axis="x"), m.ground, ball, at=(x, 0, 0), speed=speed)
        balls.append(kt.shapes.Ball(0.1).on(ball))
    for k in (0, 1):
        law = kt.RigidContact(1.0, several="sequential")
        m.contact(f"touch{k}", balls[k], balls[k + 1], law)
    return m


def contacts(simulated, followed, read):
    """Rigid contacts, unilateral elements and shapes."""
    for name in unilateral.ELEMENTS:
        yield lambda name=name: rows_of(name)
    bounce = lambda: rigid.falling_ball(0.5, height=1e-4)  # noqa: E731
    yield lambda: read(followed(bounce(), 0.02, *CONTACT))
    for coordinates in ("relative", "cartesian"):
        yield lambda coordinates=coordinates: read(
            followed(bowling(), 1e-4, *CONTACT, coordinates=coordinates)
        )
    yield lambda: followed(rigid.rocking(1e-6), 5e-3, *CONTACT)
    yield lambda: read(followed(wedged(), 2e-3, *CONTACT))
    yield lambda: followed(pushed(), 1e-3, *CONTACT)
    yield lambda: followed(cradle(), 1e-4, *CONTACT)
    turned = ("x", 0.3)
    for name in ("ball", "capsule", "box", "cylinder", "hull"):
        shape = convex.CONVEX[name]
        for other in ("box", "hull", "cylinder"):
            yield lambda a=convex.CONVEX[other], b=shape: simulated(
                touching(a, b, (0.05, 0.02, 0.12), turned)
            )
    square, slot = surfaces.SQUARE, surfaces.SLOT
    for shape in (kt.shapes.Ball(0.1), kt.shapes.Cylinder(0.1, 0.3)):
        yield lambda shape=shape: simulated(touching(slot, shape, (0.0, 0.05, 0.0)))
    yield lambda: simulated(touching(slot, square, (0.0, 1.99, 0.0)))
    yield lambda: simulated(touching(kt.shapes.HalfSpace(), square, (0.0, 0.0, 0.99), ("x", 1.57)))
    heights = 0.1 * np.sin(np.arange(12.0)).reshape(3, 4)
    field = kt.shapes.HeightField(heights, spacing=0.5)
    for name in ("ball", "box"):
        yield lambda b=convex.CONVEX[name]: simulated(touching(field, b, (0.1, 0.1, 0.06), turned))


def relations(simulated, followed, read):
    """User constraints, cams, teeth and gaps of user code."""
    rod = kt.UserConstraint(constraints.rod, (constraints.LENGTH, 0.1))
    edge = kt.UserConstraint(constraints.edge, velocity=True)
    for constraint in (rod, edge):
        yield lambda c=constraint: simulated(constraints.pendulum(c), 1e-8)
    for follower in ("flat", "roller", "curve"):
        yield lambda follower=follower: simulated(valve(follower), 1e-9)
    yield lambda: read(simulated(shafts(), 1e-8))
    yield lambda: read(followed(toothed(0.3), 1e-8, "engine.dynamics"))
    yield lambda: simulated(guarded(), 1e-3)


def push(t, u, x, parameters, xdot, out):
    out[0] = 0.0


def room(t, u, x, parameters):
    return 1.0 - u[0]


def apart(t, a, b, p):
    return b.position[0] - a.position[0] + 1.0


def no_force(t, a, b, p, force, torque):
    force[0] = 0.0


def guarded():
    """User code with functions of gaps."""
    m = kt.Model("guarded")
    body = m.body("body", kt.box(1.0, (0.1, 0.2, 0.3)))
    m.joint("J", kt.Revolute(), m.ground, body)
    m.controller("push", kt.Controller(push, ("J.angle",), {}, ("out",), gap=room))
    m.force("wall", kt.UserForce(no_force, gap=apart), m.ground, body.at(0.3, 0, 0))
    return m


def valve(follower):
    """A cam with few points, which is quick to follow as plain Python."""
    few = cams.disc(cams.R, cams.E, count=8)
    more = {"roller": {"radius": 0.01}, "curve": {"shape": cams.disc(0.01, count=8)}}
    m = kt.Model("valve")
    cam, tappet = m.body("cam", kt.rotor(inertia=1e-4)), m.body("tappet", kt.box(0.1, (0.1,) * 3))
    m.joint("shaft", kt.Revolute(axis="z"), m.ground, cam)
    start = {"displacement": cams.R if follower == "flat" else cams.R + 0.01}
    m.joint("guide", kt.Translational(axis="y"), m.ground, tappet, start=start)
    m.constraint("pair", kt.CamFollower(few, follower, **more.get(follower, {})), cam, tappet)
    return m


def shafts():
    """Two shafts with an equation of the user between their angles."""
    m = kt.Model("shafts")
    for name in ("F", "S"):
        joint, body = kt.Revolute(axis="z"), m.body(name.lower(), kt.rotor(inertia=0.1))
        m.joint(name, joint, m.ground, body, speed={"angle": 1.0})
    cardan = kt.UserConstraint(constraints.hooke, (0.5,), ("F.angle", "S.angle"), angle=True)
    m.constraint("cross", cardan)
    return m


def toothed(beta):
    m, _, _ = gears.wheels(0.2)
    m.constraint(
        "mesh", kt.Gear("A.angle", "B.angle", (20, 60), pressure_angle=0.3, helix_angle=beta)
    )
    return m


def closed_chains(simulated, followed, read):
    for integrator in ("bdf", "bdf-direct"):
        for model in (chains.ring, chains.ladder, chains.necklace):
            yield lambda model=model, i=integrator: by_bodies(
                followed, model(), 2e-3, "engine.integrators", "kernel.algebra", integrator=i
            )


def by_bodies(followed, model, until, *names, integrator):
    """A run whose matrix is that over the bodies, however short the chain."""
    options = {} if integrator == "bdf-direct" else {"sparse": True}
    pattern.forget()
    with patch.object(
        pattern, "structured_layout", lambda t: pattern.laid_out(t, pattern.Bodies(t))
    ):
        followed(model, until, *names, integrator=integrator, **options)
    pattern.forget()


def studies(simulated, followed, read):
    """Cases of studies, derivatives of runs, and synthesis by positions."""
    space = kt.Space.grid(crank=(0.5, 0.51))
    yield lambda: kt.Study(studied.four_bar, space, ["max A.angle"], until=1e-3).run(workers=1)
    yield lambda: kt.Study(studied.four_bar, space, ["final crank.position.z"], until=1e-3).run(
        workers=1
    )
    yield lambda: kt.sensitivities(pressed, ["final A.angle"], {"mass": 1.0}, 1e-4)
    yield lambda: positions()


def lift(t, a, b, p, force, torque):
    force[2] = 1.0


def pressed(mass=1.0):
    """A pendulum with user code, whose derivatives are computed by differences inside the run."""
    m = kt.Model("pressed")
    rod = m.body("rod", kt.rod(mass, 1.0, along="x"))
    m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"))
    m.force("lift", kt.UserForce(lift), rod.end("+"))
    return m


def positions():
    """Positions of a driven four-bar, as the synthesis of linkages computes them."""
    start = kt.assemble(studied.driven())
    compiled, size = start.compiled, start.compiled.size
    unit, natural = np.ones(size["nq"]), np.ones(size["nv"])
    q, v, x = start.q.copy(), start.v.copy(), start.x.copy()
    out = np.zeros((3, len(start.y)))
    work = compiled.workspace(formulation("augmented").storage)
    march(compiled.tables, work, np.linspace(0, 0.01, 3), natural, unit, q, v, x, q.copy(), out)
