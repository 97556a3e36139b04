"""Arms for the tests, and their generated functions as plain Python."""

import math

import numpy as np

import kinetree as kt
from kinetree.symbolic.printing import python
from kinetree.symbolic.straight import Writer
from kinetree.symbolic.write import functions


def boom(modes: int = 2, gravity: float = 9.81, **options) -> kt.Arm:
    """One flexible link on the ground."""
    arm = kt.Arm("boom", gravity)
    arm.link("boom", "A", length=2.0, density=3.0, EI=2000.0, modes=modes, start=0.4, **options)
    return arm


def everything(seed: int = 0) -> kt.Arm:
    """A slide on the ground, a flexible link whose slope rotates the next one, payloads with
    inertia, a link with an offset mass center.
    """
    rng = np.random.default_rng(seed)
    arm = kt.Arm("everything", 9.81)
    slide = arm.link(
        "slide",
        "S",
        kind="translational",
        along=0.3,
        angle=-0.5,
        at=(0.2, -0.1),
        mass=2.0,
        length=0.3,
        com=(0.1, 0.05),
        inertia=0.1,
        start=0.1,
    )
    first = arm.link(
        "first",
        "A",
        on=slide,
        at=(0.1, 0.2),
        length=1.5,
        density=2.0 + rng.uniform(),
        EI=900.0,
        modes=2,
        slope=True,
        start=0.7,
        hub=0.2,
    )
    arm.payload(first, 0.8, 0.05)
    arm.payload(first, 0.3, 0.02, at=0.6)
    second = arm.link(
        "second", "B", on=first, length=0.8, mass=1.2, com=(0.35, -0.08), inertia=0.06, start=-0.9
    )
    arm.link(
        "third",
        "C",
        on=second,
        at=(0.5, 0.1),
        length=0.9,
        density=1.1,
        EI=200.0,
        modes=1,
        shape="clamped-pinned",
        start=1.3,
    )
    return arm


def four_bar(rng) -> kt.Arm:
    """A rigid four-bar with mass centers beside the links, closed at consistent angles."""
    a, b, angle = rng.uniform(0.3, 0.6), rng.uniform(0.9, 1.4), rng.uniform(0.3, 2.5)
    turn, ground = rng.uniform(-1.2, -0.3), (1.1, rng.uniform(-0.2, 0.2))
    end = np.array(
        [
            a * math.cos(angle) + b * math.cos(angle + turn),
            a * math.sin(angle) + b * math.sin(angle + turn),
        ]
    )
    reach = end - ground
    arm = kt.Arm("four-bar", 9.81)

    def link(name: str, joint: str, length: float, **options) -> object:
        return arm.link(
            name,
            joint,
            length=length,
            mass=rng.uniform(0.5, 2.0),
            inertia=rng.uniform(0.05, 0.2),
            com=(rng.uniform(0.1, 0.9) * length, rng.uniform(-0.1, 0.1)),
            **options,
        )

    crank = link("crank", "A", a, start=angle, speed=rng.normal())
    coupler = link("coupler", "B", b, on=crank, start=turn)
    rocker = link(
        "rocker", "D", float(np.hypot(*reach)), at=ground, start=math.atan2(reach[1], reach[0])
    )
    arm.close("C", coupler, rocker)
    return arm


def slider_crank(rng) -> kt.Arm:
    """A rigid slider-crank: crank, rod, and a piston on an inclined slide."""
    a = rng.uniform(0.2, 0.4)
    b = rng.uniform(0.8, 1.2)
    angle = rng.uniform(0.2, 1.2)
    lean = rng.uniform(-0.3, 0.3)
    end = np.array([a * math.cos(angle), a * math.sin(angle)])
    way = float(
        end @ (math.cos(lean), math.sin(lean))
        + math.sqrt(b**2 - (end @ (-math.sin(lean), math.cos(lean))) ** 2)
    )
    to = way * np.array([math.cos(lean), math.sin(lean)]) - end
    arm = kt.Arm("slider-crank", 9.81)
    crank = arm.link(
        "crank", "A", length=a, mass=1.0, inertia=0.02, start=angle, speed=rng.normal()
    )
    rod = arm.link(
        "rod",
        "B",
        on=crank,
        length=b,
        mass=rng.uniform(0.5, 2.0),
        com=(0.4, 0.05),
        inertia=0.1,
        start=math.atan2(to[1], to[0]) - angle,
    )
    piston = arm.link(
        "piston",
        "S",
        kind="translational",
        along=lean,
        angle=lean,
        mass=rng.uniform(0.5, 2.0),
        com=(0.0, 0.0),
        inertia=0.01,
        start=way,
    )
    arm.close("C", rod, piston, at_second=0.0)
    return arm


def plain(arm: kt.Arm) -> tuple[dict, np.ndarray, int]:
    """The generated functions as plain Python, their parameters, and the number of coordinates."""
    e = arm.equations()
    writer = Writer(e, {name: k for k, name in enumerate(e.q)})
    scope: dict = {}
    # text generated here
    exec("from math import cos, sin\n" + "\n".join(map(python, functions(writer))), scope)
    return scope, np.array(writer.parameters.values(e.numbers)), len(e.q)


def evaluated(
    arm: kt.Arm, q: np.ndarray, v: np.ndarray, known=None
) -> tuple[np.ndarray, np.ndarray, float]:
    """M, f and U at a state."""
    scope, p, n = known or plain(arm)
    rows = 2 * len(arm.closures)
    M, f, G, gamma = np.zeros((n, n)), np.zeros(n), np.zeros((rows, n)), np.zeros(rows)
    scope["whole"](p, q, v, M, f, G, gamma)
    return M, f, scope["potential"](p, q)
