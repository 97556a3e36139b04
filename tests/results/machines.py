"""Machines whose results are known to agree in several ways."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from scipy.spatial.transform import Rotation

import kinetree as kt
from kinetree.elements.joints.catalogue import JOINTS, KIND

ALL_JOINTS = tuple(entry.joint.kind for entry in JOINTS)


def _bar(m: kt.Model, name: str, mass: float, start, end, **more) -> kt.model.body.Body:
    """A rod with full inertia between two world points."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    length = float(np.linalg.norm(end - start))
    along = tuple((end - start) / length)
    return m.body(
        name, kt.rod(mass, length, along=along, axial=2e-3), position=(start + end) / 2, **more
    )


def rssr(cut: str | None = None, turned: str | None = None) -> kt.Model:
    """The RSSR mechanism of [Lee1994]; joint `turned` is given from the child to the parent."""
    m = kt.Model("rssr")
    foot, tip1 = np.array([0.6, 0.3, 0.0]), np.array([0.0, 0.5, 0.0])
    tip3 = foot + 0.5 * np.array([np.sqrt(0.5), 0.0, np.sqrt(0.5)])
    crank = _bar(m, "crank", 1.0, (0, 0, 0), tip1, points={"knob": (0.1, 0.2, 0.3)})
    coupler, rocker = _bar(m, "coupler", 1.0, tip1, tip3), _bar(m, "rocker", 1.0, foot, tip3)
    for name, joint, parent, child, at, axis in (
        ("A", kt.Revolute(), m.ground, crank, (0, 0, 0), "x"),
        ("B", kt.Spherical(), crank, coupler, tip1, None),
        ("C", kt.Spherical(), coupler, rocker, tip3, None),
        ("D", kt.Revolute(), m.ground, rocker, foot, "y"),
    ):
        ends = (child, parent) if name == turned else (parent, child)
        m.joint(name, joint, *ends, at=at, axis=axis)
    if cut:
        m.cut(cut)
    return m


def four_bar() -> kt.Model:
    """A planar four-bar of spatial revolute joints (three redundant equations), and a pendulum
    beside it.
    """
    m = kt.Model("four-bar")
    A, B, C, D = (0, 0, 0), (0.3, 0, 0.4), (1.3, 0, 0.7), (1.1, 0, 0)
    crank, coupler, rocker = (
        _bar(m, "crank", 0.5, A, B),
        _bar(m, "coupler", 1.0, B, C),
        _bar(m, "rocker", 0.8, D, C),
    )
    bob = _bar(m, "bob", 0.3, (0, 2, 0), (0.3, 2, -0.4))
    m.joint("A", kt.Revolute(), m.ground, crank, at=A, axis="y", speed={"angle": 3.0})
    m.joint("B", kt.Revolute(), crank, coupler, at=B, axis="y")
    m.joint("C", kt.Revolute(), coupler, rocker, at=C, axis="y")
    m.joint("D", kt.Revolute(), m.ground, rocker, at=D, axis="y")
    m.joint("P", kt.Revolute(), m.ground, bob, at=(0, 2, 0), axis="y")
    return m


def pendulum(rate: float = 0.0, **more) -> kt.Model:
    """A rod of 2 kg and 0.8 m on a revolute joint about y, drawn along x."""
    m = kt.Model("pendulum")
    rod = m.body("rod", kt.rod(2.0, 0.8, along="x", axial=1e-3), position=(0.4, 0, 0))
    m.joint(
        "A", kt.Revolute(), m.ground, rod, at=(0, 0, 0), axis="y", speed={"angle": rate}, **more
    )
    return m


def _properties(rng) -> kt.model.shapes.MassProperties:
    S = np.diag(rng.uniform(0.1, 0.3, 3) ** 2)
    R = Rotation.random(rng=rng).as_matrix()
    mass = rng.uniform(0.5, 2.0)
    return kt.mass(mass, mass * R @ (np.trace(S) * np.eye(3) - S) @ R.T, rng.uniform(-0.2, 0.2, 3))


def _joint(kind: str, rng) -> kt.joints.contract.Joint:
    axis = tuple(rng.normal(size=3))
    joint = JOINTS[KIND[kind]].joint.examples()[0]
    if hasattr(joint, "axis1"):
        R = Rotation.random(rng=rng).as_matrix()
        return replace(joint, axis1=tuple(R[:, 0]), axis2=tuple(R[:, 1]))
    return joint.with_axis(axis) if hasattr(joint, "axis") else joint


def _given(labels, rng) -> dict[str, float]:
    return {label: rng.uniform(-0.9, 0.9) for label in labels if not label.startswith("q")}


@cache
def zoo(swapped: bool = False, seed: int = 3) -> kt.Model:
    """A branching tree with every joint once, random frames and speeds; `swapped`: every joint
    child first that can be.
    """
    rng = np.random.default_rng(seed)
    m = kt.Model("zoo", gravity=(1.0, -2.0, -9.0))
    bodies = [m.ground]
    for k, kind in enumerate(ALL_JOINTS):
        body = m.body(f"b{k}", _properties(rng), points={"tip": tuple(rng.uniform(-0.3, 0.3, 3))})
        joint = _joint(kind, rng)
        start, speed = (
            ({}, {})
            if kind == "revolute"
            else (_given(joint.labels, rng), _given(joint.speeds, rng))
        )
        if kind == "planar":
            start.pop("angle")
        if "qw" in joint.labels:
            start["quaternion"] = Rotation.random(rng=rng).as_quat(scalar_first=True)
        inner, outer = (
            b.at(*rng.uniform(-0.4, 0.4, 3), rotation=Rotation.random(rng=rng).as_matrix())
            for b in (bodies[max(0, k - k % 3)], body)
        )
        m.joint(
            kind,
            joint,
            *((outer, inner) if swapped and joint.reversal else (inner, outer)),
            start=start,
            speed=speed,
        )
        bodies.append(body)
    tips = [body.point("tip") for body in bodies[1:]]
    m.force("spring", kt.SpringDamper(stiffness=80.0, damping=3.0, length=0.4), tips[1], tips[5])
    m.force("push", kt.PointForce((3.0, -2.0, 1.0), frame="body"), tips[3])
    m.force("twist", kt.Torque((0.5, 0.2, -0.7)), bodies[9])
    m.force("bar", kt.TorsionSpring("universal.angle2", stiffness=6.0, damping=0.3, angle=0.2))
    m.force("coil", kt.TorsionSpring("planar.y", stiffness=50.0))
    m.constraint("motor", kt.Driver("revolute.angle", kt.Sine(0.4, 1.0, phase=0.3)))
    m.constraint("gear", kt.Coupling("cylindrical.angle", "screw.angle", ratio=-1.5))
    return m
