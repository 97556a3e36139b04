"""Open trees for the tests of articulated steps."""

import numpy as np

import kinetree as kt


def rope(n: int, tip: float) -> kt.Model:
    """Links of 10 g on damped hinges about two axes, with a heavy mass at the end: held by tension.

    The rope hangs at an angle, so that it swings.
    """
    m = kt.Model("rope")
    place = m.ground.at(0, 0, 0)
    for i in range(n):
        last = i == n - 1
        body = m.body(
            f"b{i}", kt.rod(tip if last else 0.01, 1.0 / n, along="x", axial=2e-4 if last else 5e-8)
        )
        start = {"angle": 1.2} if i == 0 else {}
        m.joint(f"j{i}", kt.Revolute(axis="yz"[i % 2]), place, body.end("-"), start=start)
        m.force(f"s{i}", kt.TorsionSpring(f"j{i}.angle", stiffness=0.0, damping=0.02))
        place = body.end("+")
    return m


def spatial(n: int = 15, axial: float = 1e-3) -> kt.Model:
    """Rods on stiff hinges about x, y and z in turn."""
    m = kt.Model("spatial chain")
    place = m.ground.at(0, 0, 0)
    for i in range(n):
        body = m.body(f"b{i}", kt.rod(1.0, 0.3, along="x", axial=axial))
        m.joint(f"j{i}", kt.Revolute(axis="xyz"[i % 3]), place, body.end("-"))
        m.force(f"s{i}", kt.TorsionSpring(f"j{i}.angle", stiffness=1e4, damping=100.0))
        place = body.end("+")
    return m


def slender(n: int = 15) -> kt.Model:
    """Rods without axial inertia, which hinges across them hold."""
    m = kt.Model("slender rods")
    place = m.ground.at(0, 0, 0)
    for i in range(n):
        body = m.body(f"b{i}", kt.rod(0.2, 0.2, along="x", axial=0.0))
        m.joint(f"j{i}", kt.Revolute(axis="yz"[i % 2]), place, body.end("-"))
        m.force(f"s{i}", kt.TorsionSpring(f"j{i}.angle", stiffness=500.0, damping=5.0))
        place = body.end("+")
    return m


JOINTS = {
    "spherical": kt.Spherical(),
    "universal": kt.Universal(),
    "cylindrical": kt.Cylindrical(axis="y"),
    "planar": kt.Planar(),
}


def braced(joint: str, n: int = 6) -> kt.Model:
    """A chain of joints with several degrees of freedom.

    Springs and dampers hold each body to its parent and to the ground.
    """
    m = kt.Model(f"braced chain of {joint} joints")
    place, inboard = m.ground.at(0, 0, 0), m.ground
    for i in range(n):
        body = m.body(f"b{i}", kt.box(0.5, (0.3, 0.1, 0.05)))
        m.joint(f"j{i}", JOINTS[joint], place, body.at(-0.15, 0, 0))
        for k, (y, z) in enumerate(((0.15, 0.1), (-0.15, 0.05), (0.02, -0.2))):
            m.force(
                f"f{i}{k}",
                kt.SpringDamper(2e4, 200.0, length=0.2),
                inboard.at(0.1, y, z),
                body.at(-0.05, 0.5 * y, -z),
            )
        m.force(
            f"g{i}",
            kt.SpringDamper(1e3, 20.0, length=0.3),
            m.ground.at(0.3 * i, 0.35, 0.4),
            body.at(0, 0.05, 0),
        )
        place, inboard = body.at(0.15, 0, 0), body
    return m


def branched() -> kt.Model:
    """Two stiff arms of unequal length and a bushing on a body that floats on springs."""
    m = kt.Model("branched tree")
    base = m.body("base", kt.box(4.0, (0.5, 0.4, 0.3)))
    m.float(base)
    for k, (x, y) in enumerate(((0.2, 0.2), (0.2, -0.2), (-0.25, 0.0))):
        m.force(
            f"leg{k}",
            kt.SpringDamper(4e4, 400.0, length=0.5),
            m.ground.at(1.5 * x, 1.5 * y, -0.6),
            base.at(x, y, -0.1),
        )
    for arm, count in (("left", 4), ("right", 3)):
        place = base.at(0.2, 0.15 if arm == "left" else -0.15, 0)
        for i in range(count):
            link = m.body(f"{arm}{i}", kt.box(1.0, (0.3, 0.05, 0.08)))
            m.joint(f"{arm}_j{i}", kt.Revolute(axis="yz"[i % 2]), place, link.at(-0.15, 0, 0))
            m.force(f"{arm}_s{i}", kt.TorsionSpring(f"{arm}_j{i}.angle", 3e3, damping=30.0))
            place = link.at(0.15, 0, 0)
    seat = m.body("seat", kt.box(2.0, (0.2, 0.2, 0.1)))
    m.joint("ball", kt.Spherical(), base.at(0, 0, 0.3), seat.at(0, 0, -0.1))
    m.force(
        "rubber",
        kt.Bushing((1e4, 1e4, 1e4, 80.0, 80.0, 80.0), (100.0, 100.0, 100.0, 1.0, 1.0, 1.0)),
        base.at(0, 0, 0.3),
        seat.at(0, 0, -0.1),
    )
    return m


def floor(t, a, b, p, force, torque):
    """Stiff, damped contact of a point with the floor z = -0.3 m."""
    depth = -0.3 - b.position[2]
    if depth > 0.0:
        force[2] = 1e5 * depth * (1.0 - 0.5 * b.velocity[2])


def dropped(n: int = 12) -> kt.Model:
    """A stiff chain whose links fall on a floor, a contact by user code."""
    m = spatial(n)
    for i in range(n):
        m.force(f"floor{i}", kt.UserForce(floor), m.ground, m.bodies[f"b{i}"])
    return m


def beads(n: int = 3) -> kt.Model:
    """Beads that a strong force presses onto curved wires, with dampers along these.

    The hinge columns turn along the wire, and articulated steps leave out the stiffness of that.
    """
    angle = np.linspace(0.0, np.pi, 101)
    arc = 0.02 * np.column_stack([-np.cos(angle), 0.0 * angle, -np.sin(angle)])
    m = kt.Model("beads")
    for i in range(n):
        bead = m.body(f"b{i}", kt.sphere(0.1, 0.01))
        start = {"displacement": 0.02 * np.pi * 0.3}
        m.joint(f"w{i}", kt.PointOnCurve(arc), m.ground.at(0, 0.1 * i, 0), bead, start=start)
        m.force(f"d{i}", kt.TorsionSpring(f"w{i}.displacement", 0.0, damping=2000.0))
        m.force(f"p{i}", kt.PointForce((0.0, 0.0, -1e4)), bead)
    return m


def steered(n: int = 12) -> kt.Model:
    """The stiff chain with a controller that has a state and acts on its last body."""

    def integral(t, u, x, p, xdot, out):
        xdot[0] = -u[0]
        out[0] = 5.0 * x[0] - 2.0 * u[0]

    m = spatial(n)
    m.controller(
        "held",
        kt.Controller(
            integral, inputs=("j1.angle",), outputs=("torque",), states={"integral": 0.0}
        ),
    )
    m.force("motor", kt.Torque((0.0, "held.torque", 0.0)), m.bodies[f"b{n - 1}"])
    return m


def crossed(n: int = 12) -> kt.Model:
    """The stiff chain with a spring between its ends."""
    m = spatial(n)
    m.force("far", kt.SpringDamper(2e3, 50.0, length=3.0), m.bodies["b0"], m.bodies[f"b{n - 1}"])
    return m


def lifted(n: int = 11) -> kt.Model:
    """The stiff chain on a boom that a hydraulic cylinder lifts: an element with states."""
    m = spatial(n)
    m.force(
        "cylinder",
        kt.HydraulicCylinder(
            bore=0.05,
            rod=0.03,
            stroke=0.5,
            dead_volume=1e-4,
            supply=1e7,
            extension=0.2,
            pressure=(2e6, 1e6),
        ),
        m.ground.at(0.1, 0.0, -0.6),
        m.bodies["b1"].at(0.1, 0, 0),
    )
    return m
