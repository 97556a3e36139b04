"""Machines with many loops of several kinds, some of which depend on each other."""

from __future__ import annotations

import numpy as np

import kinetree as kt


def locomotive(wheels: int = 3, angle: float = 0.0, speed: float = 3.0) -> kt.Model:
    """Wheels in a row, coupled by rods on both sides whose pins are a quarter turn apart."""
    m = kt.Model("locomotive")
    _couple(m, m.ground, "", wheels, angle, speed, np.zeros(3))
    return m


def _couple(
    m: kt.Model, frame, tag: str, wheels: int, angle: float, speed: float, place: np.ndarray
) -> None:
    discs = [
        m.body(
            f"wheel{tag}{i}",
            kt.cylinder(5.0, 0.5, 0.05, along="y"),
            position=tuple(place + [1.2 * i, 0, 0]),
        )
        for i in range(wheels)
    ]
    for i, disc in enumerate(discs):
        start = {"speed": {"angle": speed}} if i == 0 else {}
        m.joint(
            f"axle{tag}{i}",
            kt.Revolute(),
            frame,
            disc,
            at=tuple(place + [1.2 * i, 0, 0]),
            axis="y",
            **start,
        )
    for side in (0, 1):
        a = angle + side * np.pi / 2
        pin = place + [0.3 * np.sin(a), 0.1 * side, 0.3 * np.cos(a)]
        for i in range(wheels - 1):
            rod = m.body(
                f"rod{tag}{side}{i}",
                kt.rod(1.0, 1.2, along="x"),
                position=tuple(pin + [1.2 * i + 0.6, 0, 0]),
            )
            m.joint(
                f"left{tag}{side}{i}",
                kt.Revolute(),
                discs[i],
                rod,
                at=tuple(pin + [1.2 * i, 0, 0]),
                axis="y",
            )
            m.joint(
                f"right{tag}{side}{i}",
                kt.Revolute(),
                rod,
                discs[i + 1],
                at=tuple(pin + [1.2 * (i + 1), 0, 0]),
                axis="y",
            )


def yard(rng: np.random.Generator, driven: bool = False) -> kt.Model:
    """Four-bars on the ground, one driven, and on a body adrift that also carries a locomotive and
    a door on three hinges.
    """
    m = kt.Model("yard")
    carrier = m.body(
        "carrier",
        kt.box(200.0, (4.0, 1.0, 0.4)),
        position=(0, 3, 0),
        velocity=tuple(rng.normal(size=3)),
    )
    m.float(carrier)
    for n, frame in enumerate((m.ground, m.ground, carrier, carrier)):
        place = np.array([2.0 * n, 3.0 if frame is carrier else 0.0, 0.5])
        points = [place + p for p in ([0, 0, 0], [0.1, 0, 0.4], [0.9, 0, 0.5], [0.8, 0, 0.0])]
        bars = [
            m.body(
                f"bar{n}{k}",
                kt.box(float(rng.uniform(0.5, 2.0)), (0.3, 0.1, 0.1)),
                position=tuple((a + b) / 2),
            )
            for k, (a, b) in enumerate(zip(points, points[1:]))
        ]
        ends = [frame, *bars, frame]
        names = [f"{'driven' if n == 0 else 'free'}{n}", f"b{n}", f"c{n}", f"d{n}"]
        for k, name in enumerate(names):
            start = {"speed": {"angle": float(rng.normal())}} if k == 0 and n > 0 else {}
            m.joint(
                name, kt.Revolute(), ends[k], ends[k + 1], at=tuple(points[k]), axis="y", **start
            )
    m.constraint(
        "motor",
        kt.Driver(
            "driven0.angle", kt.Ramp(0.0, 0.3, begin=0.1, end=0.2) if driven else kt.Sine(0.1, 2.0)
        ),
    )
    _couple(m, carrier, "c", 3, 0.4, 2.0, np.array([0.0, 3.5, 1.0]))
    leaf = m.body("leaf", kt.box(3.0, (0.6, 0.05, 1.0)), position=(0.3, 2.0, 0.5))
    for k in range(3):
        m.joint(
            f"hinge{k}",
            kt.Revolute(),
            carrier,
            leaf,
            at=(0.0, 2.0, 0.2 + 0.3 * k),
            axis="z",
            **({"speed": {"angle": 1.0}} if k == 0 else {}),
        )
    return m
