"""Stiff closed chains for the tests of steps that are solved body by body."""

import numpy as np

import kinetree as kt
from engine.integrators.trees import floor


def corners(n: int, side: float) -> list[tuple[float, float, float]]:
    """Corners of a regular polygon in the plane of x and z that hangs below the origin."""
    radius, angle = 0.5 * side / np.sin(np.pi / n), 2.0 * np.pi / n
    return [
        (radius * np.sin(angle * k), 0.0, radius * (np.cos(angle * k) - 1.0)) for k in range(n + 1)
    ]


def ring(n: int = 12, stiffness: float = 200.0, damping: float = 5.0) -> kt.Model:
    """A planar ring on springs in its hinges: of the five rows that close it, three are redundant."""
    m, at = kt.Model("ring"), corners(n, 0.3)
    rods = []
    for i in range(n):
        along = np.subtract(at[i + 1], at[i])
        rod = kt.rod(0.3, 0.3, along=tuple(along / np.linalg.norm(along)), axial=1e-3)
        rods.append(m.body(f"r{i}", rod, position=tuple(np.add(at[i], at[i + 1]) / 2.0)))
    m.joint("pin", kt.Revolute(), m.ground, rods[0], at=at[0], axis="y")
    for i in range(n):
        m.joint(f"j{i}", kt.Revolute(), rods[i], rods[(i + 1) % n], at=at[i + 1], axis="y")
    for i in range(n - 1):
        m.force(f"s{i}", kt.TorsionSpring(f"j{i}.angle", stiffness, damping=damping))
    return m


def ladder(n: int = 4) -> kt.Model:
    """A ladder that hangs from the ground, with stiff hinges, pushed sideways at its end."""
    m, rails = kt.Model("ladder"), [None, None]
    for i in range(n):
        for k in (0, 1):
            link = m.body(
                f"rail{k} {i}",
                kt.rod(0.3, 0.3, along="z", axial=1e-3),
                position=(0.4 * k, 0.0, -0.3 * i - 0.15),
            )
            place = (0.4 * k, 0.0, -0.3 * i)
            m.joint(f"h{k} {i}", kt.Revolute(), rails[k] or m.ground, link, at=place, axis="y")
            m.force(f"s{k} {i}", kt.TorsionSpring(f"h{k} {i}.angle", 200.0, damping=5.0))
            rails[k] = link
        low = -0.3 * (i + 1)
        rung = m.body(
            f"rung {i}", kt.rod(0.2, 0.4, along="x", axial=1e-3), position=(0.2, 0.0, low)
        )
        for k in (0, 1):
            m.joint(f"p{k} {i}", kt.Revolute(), rails[k], rung, at=(0.4 * k, 0.0, low), axis="y")
    m.force("push", kt.PointForce((3.0, 0.0, 0.0)), m.bodies[f"rung {n - 1}"])
    return m


def garland(n: int = 7, joint: object = None) -> kt.Model:
    """A chain of joints with several degrees of freedom between two hooks.

    Springs and dampers act between neighbors, between distant bodies and to the ground.
    """
    m = kt.Model("garland")
    side, joint = 0.3, joint or kt.Spherical()
    end = (0.8 * side * n, 0.1, 0.0)
    place, links = m.ground.at(0, 0, 0), []
    for i in range(n):
        link = m.body(f"b{i}", kt.box(0.5, (side, 0.05, 0.03)))
        m.joint(f"j{i}", joint if i % 2 else kt.Revolute(axis="y"), place, link.at(-side / 2, 0, 0))
        if i:
            tie = kt.SpringDamper(2e4, 200.0, length=0.25)
            m.force(f"t{i}", tie, links[-1].at(0, 0.06, 0.1), link.at(0, 0.06, 0.1))
        m.force(
            f"g{i}",
            kt.SpringDamper(500.0, 10.0, length=0.5),
            m.ground.at(0.8 * side * i, 0.3, 0.4),
            link.at(0, 0.02, 0),
        )
        place = link.at(side / 2, 0, 0)
        links.append(link)
    m.joint("close", kt.Spherical(), m.ground.at(*end), place)
    m.force("far", kt.SpringDamper(3e3, 50.0, length=1.0), links[1], links[n - 2].at(0, 0, 0.05))
    return m


def resting(n: int = 9) -> kt.Model:
    """The ring on a floor, a stiff contact by user code."""
    m = ring(n, 20.0, 0.5)
    for i in range(n):
        m.force(f"floor{i}", kt.UserForce(floor), m.ground, m.bodies[f"r{i}"])
    return m


def geared(n: int = 9) -> kt.Model:
    """The ring with two geared hinges and a motor that turns a third one."""
    m = ring(n, 100.0, 3.0)
    m.constraint("gear", kt.Coupling("j1.angle", "j3.angle", ratio=-2.0))
    m.constraint("motor", kt.Driver("j5.angle", lambda t: 0.2 * t * t))
    return m


def truss(n: int = 4) -> kt.Model:
    """Hinged bars in a row between two hooks; on each stands a triangle, whose hinges cannot turn."""
    m, side = kt.Model("truss"), 0.3
    before = m.ground
    for i in range(n):
        bar = m.body(f"bar{i}", kt.rod(1.0, side, along="x", axial=1e-3))
        place = m.ground.at(0, 0, 0) if i == 0 else before.end("+")
        m.joint(f"h{i}", kt.Revolute(axis="y"), place, bar.end("-"))
        m.force(f"s{i}", kt.TorsionSpring(f"h{i}.angle", 300.0, damping=10.0))
        left, right = (
            m.body(f"{name}{i}", kt.rod(0.5, side, along="x", axial=1e-3))
            for name in ("left", "right")
        )
        m.joint(f"l{i}", kt.Revolute(axis="y"), bar.end("-"), left.end("-"), start={"angle": -1.0})
        m.joint(f"r{i}", kt.Revolute(axis="y"), bar.end("+"), right.end("-"), start={"angle": -2.1})
        m.joint(f"t{i}", kt.Revolute(axis="y"), left.end("+"), right.end("+"))
        before = bar
    m.joint("hook", kt.Revolute(axis="y"), m.ground.at(0.9 * side * n, 0, 0), before.end("+"))
    return m


def heavy_rope(n: int = 10) -> kt.Model:
    """A rope of light links between two hooks with 50 kg in its middle: held by tension."""
    m, side = kt.Model("heavy rope"), 0.2
    place = m.ground.at(0, 0, 0)
    for i in range(n):
        mass = 50.0 if i == n // 2 else 0.01
        body = m.body(f"b{i}", kt.rod(mass, side, along="x", axial=1e-6 * mass))
        m.joint(f"j{i}", kt.Revolute(axis="y"), place, body.end("-"))
        m.force(f"s{i}", kt.TorsionSpring(f"j{i}.angle", 0.0, damping=0.02))
        place = body.end("+")
    m.joint("hook", kt.Revolute(axis="y"), m.ground.at(0.85 * side * n, 0, 0), place)
    return m


def necklace(n: int = 3) -> kt.Model:
    """Beads that a strong force presses onto curved wires, with rods of fixed length between them.

    The hinge columns turn along the wires, and steps body by body leave out the stiffness of that.
    """
    angle = np.linspace(0.0, np.pi, 101)
    arc = 0.02 * np.column_stack([-np.cos(angle), 0.0 * angle, -np.sin(angle)])
    m, before = kt.Model("necklace"), None
    for i in range(n):
        bead = m.body(f"b{i}", kt.sphere(0.1, 0.01))
        start = {"displacement": 0.02 * np.pi * (0.2 + 0.1 * i)}
        m.joint(f"w{i}", kt.PointOnCurve(arc), m.ground.at(0, 0.02 * i, 0), bead, start=start)
        m.force(f"d{i}", kt.TorsionSpring(f"w{i}.displacement", 0.0, damping=2000.0))
        m.force(f"p{i}", kt.PointForce((0.0, 0.0, -1e4)), bead)
        if before is not None:
            m.constraint(f"rod{i}", kt.Distance(), before, bead)
        before = bead
    return m
