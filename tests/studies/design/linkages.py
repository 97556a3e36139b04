"""Linkages and small machines for tests of optimization."""

from __future__ import annotations

import numpy as np

import kinetree as kt


def hoecken(ground: float = 2.2, coupler: float = 2.8, height: float = 0.0) -> kt.Model:
    """Hoecken's straight-line linkage with a crank of length 1, in half a turn about its far side."""
    m = kt.Model("Hoecken", gravity=(0, 0, 0))
    crank = m.body("crank", kt.rod(1.0, 1.0, along="x"))
    bar = m.body("bar", kt.rod(1.0, 2.0 * coupler, along="x"), points={"P": (coupler, 0, 0)})
    rocker = m.body("rocker", kt.rod(1.0, coupler, along="x"))
    m.joint(
        "A",
        kt.Revolute("z"),
        m.ground.at(0, -height, 0),
        crank.end("-"),
        start={"angle": np.pi / 2},
    )
    m.joint("B", kt.Revolute("z"), crank.end("+"), bar.end("-"))
    m.joint("C", kt.Revolute("z"), bar, rocker.end("+"))
    m.joint("D", kt.Revolute("z"), m.ground.at(ground, -height, 0), rocker.end("-"))
    m.constraint("motor", kt.Driver("A.angle", kt.Ramp(start=np.pi / 2, slope=np.pi)))
    return m


def hoecken_path(ground: float, coupler: float, theta: np.ndarray) -> np.ndarray:
    """The path of P by trigonometry, (n, 2), on the branch below the crank's line of centers."""
    A = np.stack([np.cos(theta), np.sin(theta)], axis=1)
    d = np.array([ground, 0.0]) - A
    apart = np.hypot(*d.T)
    # the triangle of coupler and rocker has two equal sides
    angle = np.arctan2(d[:, 1], d[:, 0]) - np.arccos(apart / (2.0 * coupler))
    return A + 2.0 * coupler * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def four_bar(crank=0.3, coupler=0.9, rocker=0.7, ground=1.0, px=0.5, py=0.35) -> kt.Model:
    """A driven four-bar with a coupler point P at (px, py) from the crank pin."""
    m = kt.Model("four-bar", gravity=(0, 0, 0))
    c = m.body("crank", kt.rod(1.0, crank, along="x"))
    P = (px - coupler / 2, py, 0)
    b = m.body("coupler", kt.rod(1.0, coupler, along="x"), points={"P": P}, rotation=("z", 0.8))
    r = m.body("rocker", kt.rod(1.0, rocker, along="x"), rotation=("z", 1.9))
    m.joint("A", kt.Revolute("z"), m.ground, c.end("-"), start={"angle": 0.3})
    m.joint("B", kt.Revolute("z"), c.end("+"), b.end("-"))
    m.joint("C", kt.Revolute("z"), b.end("+"), r.end("+"))
    m.joint("D", kt.Revolute("z"), m.ground.at(ground, 0, 0), r.end("-"))
    m.constraint("motor", kt.Driver("A.angle", kt.Ramp(start=0.3, slope=2 * np.pi)))
    return m


def rotor(stiffness: float = 8.0, inertia: float = 0.5, damping: float = 0.1) -> kt.Model:
    """A rotor on a torsion spring that is released at 0.2 rad."""
    m = kt.Model("rotor", gravity=(0, 0, 0))
    wheel = m.body("wheel", kt.rotor(inertia=inertia, mass=1.0))
    m.joint("A", kt.Revolute("z"), m.ground, wheel, start={"angle": 0.2})
    m.force("spring", kt.TorsionSpring("A.angle", stiffness=stiffness, damping=damping))
    return m


def rotor_angle(t: np.ndarray, stiffness=8.0, inertia=0.5, damping=0.1) -> np.ndarray:
    """Its angle: a damped oscillation."""
    d = 0.5 * damping / inertia
    w = np.sqrt(stiffness / inertia - d * d)
    return 0.2 * np.exp(-d * t) * (np.cos(w * t) + d / w * np.sin(w * t))
