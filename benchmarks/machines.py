"""Machines of any length, in our words."""

import numpy as np

import kinetree as kt

G = 9.81
BRAKE = 200.0  # N m s/rad, at the feet of windows


def chain(n: int) -> kt.Model:
    """n rods on revolute joints about x, y and z in turn."""
    m = kt.Model("chain")
    place = m.ground.at(0, 0, 0)
    for i in range(n):
        body = m.body(f"b{i}", kt.rod(1.0, 0.3, along="x", axial=1e-3))
        m.joint(f"j{i}", kt.Revolute(axis="xyz"[i % 3]), place, body.end("-"))
        place = body.end("+")
    return m


def four_bars(n: int) -> kt.Model:
    """n windows in a row, one degree of freedom [Gonzalez2006]."""
    from kinetree.models.n_four_bar import n_four_bar

    return n_four_bar(n)


def braked_four_bars(n: int) -> kt.Model:
    """The same with a stiff damper at the foot of every upright but the last."""
    m = four_bars(n)
    for i, joint in enumerate(list(m.joints)[: 2 * n : 2]):
        m.force(f"brake{i}", kt.TorsionSpring(f"{joint}.angle", stiffness=0.0, damping=BRAKE))
    return m


def four_bars_end(n: int, until: float, brake: float = 0.0) -> np.ndarray:
    """Exact tip of the first upright: one angle for all,  ((n + 1) / 3 + n) a'' = ((n + 1) / 2 + n)
    g sin a - n brake a'.
    """
    from scipy.integrate import solve_ivp

    inertia, weight = (n + 1) / 3.0 + n, ((n + 1) / 2.0 + n) * G
    a = solve_ivp(
        lambda t, y: (y[1], (weight * np.sin(y[0]) - n * brake * y[1]) / inertia),
        (0.0, until),
        (0.0, 1.0),
        "DOP853",
        rtol=1e-13,
        atol=1e-14,
    ).y[0, -1]
    return np.array([np.sin(a), np.cos(a)])


def loops_on_a_base(n: int) -> kt.Model:
    """A free body that carries n four-bars, each swinging on its own."""
    m = kt.Model("carrier")
    base = m.body("base", kt.box(100.0 + n, (1.0 * n, 1.0, 0.1)))
    m.float(base)
    for i in range(n):
        left, right = base.at(i - 0.5 * n, 0, 0.1), base.at(i - 0.5 * n + 0.8, 0, 0.1)
        rods = [
            m.body(f"{name}{i}", kt.rod(0.5, length, along="x"))
            for name, length in (("a", 0.3), ("b", 0.9), ("c", 0.5))
        ]
        m.joint(f"A{i}", kt.Revolute(axis="y"), left, rods[0].end("-"), start={"angle": -1.2})
        m.joint(f"B{i}", kt.Revolute(axis="y"), rods[0].end("+"), rods[1].end("-"))
        m.joint(f"C{i}", kt.Revolute(axis="y"), rods[1].end("+"), rods[2].end("+"))
        m.joint(f"D{i}", kt.Revolute(axis="y"), right, rods[2].end("-"))
    return m


def ring(n: int) -> kt.Model:
    """n rods in a closed ring, hinged to the ground at one joint, hanging as a regular polygon that
    turns.
    """
    m = kt.Model("ring")
    radius = 0.15 / np.sin(np.pi / n)
    corner = [
        radius * np.array([np.sin(2 * np.pi * i / n), 0.0, np.cos(2 * np.pi * i / n) - 1.0])
        for i in range(n + 1)
    ]
    rods = []
    for i in range(n):
        along = corner[i + 1] - corner[i]
        rods.append(
            m.body(
                f"r{i}",
                kt.rod(0.3, 0.3, along=tuple(along / np.linalg.norm(along)), axial=1e-3),
                position=tuple((corner[i] + corner[i + 1]) / 2),
            )
        )
    m.joint("pin", kt.Revolute(), m.ground, rods[0], at=tuple(corner[0]), axis="y")
    for i in range(n):
        m.joint(
            f"j{i}", kt.Revolute(), rods[i], rods[(i + 1) % n], at=tuple(corner[i + 1]), axis="y"
        )
    return m


def stiff_ring(n: int) -> kt.Model:
    """The ring with stiff, damped torsion springs in its hinges."""
    m = ring(n)
    for i in range(1, n):
        m.force(f"s{i}", kt.TorsionSpring(f"j{i}.angle", stiffness=20.0 * n, damping=0.5 * n))
    return m


def stiff_ladder(n: int) -> kt.Model:
    """The ladder with stiff, damped torsion springs in the hinges of its rails, pushed sideways."""
    m = ladder(n)
    for i in range(n):
        for side in (0, 1):
            spring = kt.TorsionSpring(f"hinge{side} {i}.angle", stiffness=200.0, damping=5.0)
            m.force(f"s{side} {i}", spring)
    m.force("push", kt.PointForce((3.0, 0.0, 0.0)), m.bodies[f"rung {n - 1}"])
    return m


def platform(n: int) -> kt.Model:
    """A disc on n legs, each with a universal joint, a slide and a ball joint: one body in all
    loops.
    """
    m = kt.Model("platform")
    top = m.body("top", kt.cylinder(5.0, 1.0, 0.1, along="z"), position=(0.0, 0.0, 1.0))
    for i in range(n):
        a = 2.0 * np.pi * i / n
        b = a + (0.4 if i % 2 else -0.4)
        foot = np.array([1.5 * np.cos(a), 1.5 * np.sin(a), 0.0])
        head = np.array([np.cos(b), np.sin(b), 1.0])
        along = (head - foot) / np.linalg.norm(head - foot)
        side = np.cross(along, (0.0, 0.0, 1.0)) / np.hypot(*along[:2])
        rod = kt.rod(0.5, 0.6, along=tuple(along), axial=1e-3)
        low = m.body(f"low{i}", rod, position=tuple(foot + 0.3 * along))
        high = m.body(f"high{i}", rod, position=tuple(head - 0.3 * along))
        cross = kt.Universal(axis1=tuple(side), axis2=tuple(np.cross(along, side)))
        m.joint(f"u{i}", cross, m.ground, low, at=tuple(foot))
        middle = tuple(0.5 * (foot + head))
        m.joint(f"p{i}", kt.Translational(), low, high, at=middle, axis=tuple(along))
        m.joint(f"s{i}", kt.Spherical(), high, top, at=tuple(head))
    return m


def stiff_platform(n: int) -> kt.Model:
    """The platform with a stiff, damped spring along each leg."""
    m = platform(n)
    for i in range(n):
        strut = kt.SpringDamper(stiffness=1e5, damping=1e4, length=0.8)
        m.force(f"strut{i}", strut, m.bodies[f"low{i}"], m.bodies[f"high{i}"])
    return m


def plate(n: int) -> kt.Model:
    """A long plate on n legs of two rods with parallel hinges: a planar platform."""
    m = kt.Model("plate")
    top = m.body("top", kt.box(20.0, (1.0 * n, 0.5, 0.1)), position=(0.5 * (n - 1), 0.0, 1.0))
    for i in range(n):
        points = np.array([[i, 0.0, 0.0], [i + 0.25, 0.0, 0.45], [i, 0.0, 0.95]])
        bodies: list = [m.ground]
        for name, a, b in (("low", *points[:2]), ("high", *points[1:])):
            length = float(np.linalg.norm(b - a))
            rod = kt.rod(0.5, length, along=tuple((b - a) / length), axial=1e-3)
            bodies.append(m.body(f"{name}{i}", rod, position=tuple(0.5 * (a + b))))
        bodies.append(top)
        for k, name in enumerate("fkh"):
            m.joint(
                f"{name}{i}", kt.Revolute(), bodies[k], bodies[k + 1], at=tuple(points[k]), axis="y"
            )
    return m


def stiff_chain(n: int) -> kt.Model:
    """n rods hinged about y, clamped at one end by stiff, damped torsion springs: a rope that is
    nearly a beam.
    """
    m = kt.Model("stiff chain")
    place = m.ground.at(0, 0, 0)
    for i in range(n):
        body = m.body(
            f"b{i}", kt.rod(1.0 / n, 1.0 / n, along="x", axial=min(1e-6, 1.0 / (12.0 * n * n)) / n)
        )
        m.joint(f"j{i}", kt.Revolute(axis="y"), place, body.end("-"))
        m.force(f"s{i}", kt.TorsionSpring(f"j{i}.angle", stiffness=5.0 * n, damping=0.05 * n))
        place = body.end("+")
    return m


def ladder(n: int) -> kt.Model:
    """Two rails of n hinged links that hang from the ground, and n rungs between them: n loops in a
    row.
    """
    m = kt.Model("ladder")
    rails: list = [None, None]
    for i in range(n):
        for side in (0, 1):
            link = m.body(
                f"rail{side} {i}",
                kt.rod(0.3, 0.3, along="z", axial=1e-3),
                position=(0.4 * side, 0.0, -0.3 * i - 0.15),
            )
            m.joint(
                f"hinge{side} {i}",
                kt.Revolute(),
                rails[side] or m.ground,
                link,
                at=(0.4 * side, 0.0, -0.3 * i),
                axis="y",
            )
            rails[side] = link
        rung = m.body(
            f"rung {i}",
            kt.rod(0.2, 0.4, along="x", axial=1e-3),
            position=(0.2, 0.0, -0.3 * (i + 1)),
        )
        for side in (0, 1):
            m.joint(
                f"pin{side} {i}",
                kt.Revolute(),
                rails[side],
                rung,
                at=(0.4 * side, 0.0, -0.3 * (i + 1)),
                axis="y",
            )
    return m
