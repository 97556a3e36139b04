"""Random machines with more equations than are independent: doors, planar and skew loops in space,
doubled joints.

Every machine is drawn closed, by points and axes in space, and moves; its base stands, floats or
swings.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

import kinetree as kt

from .linkages import bennett_axes

HINGE, SLIDE = kt.Revolute, kt.Translational


def lump(rng):
    """A body of 0.3 to 3 kg."""
    return kt.box(float(10.0 ** rng.uniform(-0.5, 0.5)), tuple(rng.uniform(0.2, 0.6, 3)))


def direction(rng) -> np.ndarray:
    u = rng.normal(size=3)
    return u / np.linalg.norm(u)


def base(model: kt.Model, rng):
    """What the machine stands on: the ground, a body adrift, or one that swings on a hinge."""
    kind, block = rng.integers(3), kt.box(float(rng.uniform(5.0, 50.0)), (1.0, 0.8, 0.6))
    if kind == 0:
        return model.ground
    if kind == 1:
        body = model.body(
            "base",
            block,
            velocity=tuple(rng.normal(size=3)),
            angular_velocity=tuple(0.5 * rng.normal(size=3)),
        )
        model.float(body)
    else:
        body = model.body("base", block)
        model.joint(
            "swing",
            HINGE(axis=tuple(direction(rng))),
            model.ground,
            body,
            at=tuple(rng.uniform(-0.5, 0.5, 3)),
            speed={"angle": float(rng.normal())},
        )
    return body


def new(name: str, rng) -> kt.Model:
    return kt.Model(name, gravity=tuple(9.81 * direction(rng)))


def chain(model: kt.Model, rng, first, points, axes, closed: bool) -> list:
    """Bodies hinged at the points about the axes, one after the other; closed: the last one is
    hinged to the first again.
    """
    bodies = [first]
    for k in range(len(points) - 1):
        bodies.append(
            model.body(f"link{k}", lump(rng), position=tuple(0.5 * (points[k] + points[k + 1])))
        )
    bodies += [first] if closed else []
    for k in range(len(bodies) - 1):
        start = {"speed": {"angle": float(rng.normal())}} if k == 0 else {}
        model.joint(
            f"hinge{k}",
            HINGE(axis=tuple(axes[k])),
            bodies[k],
            bodies[k + 1],
            at=tuple(points[k]),
            **start,
        )
    return bodies


def door(rng) -> kt.Model:
    """A leaf on two or three hinges in line; the further ones may be balls or cylinders."""
    model, u, p = new("door", rng), direction(rng), rng.uniform(-1.0, 1.0, 3)
    frame, leaf = (
        base(model, rng),
        model.body("leaf", lump(rng), position=tuple(p + rng.uniform(0.2, 0.6, 3))),
    )
    model.joint(
        "hinge0",
        HINGE(axis=tuple(u)),
        frame,
        leaf,
        at=tuple(p),
        speed={"angle": float(rng.normal())},
    )
    for k in range(1, rng.integers(2, 4)):
        joint = (HINGE(axis=tuple(u)), kt.Cylindrical(axis=tuple(u)), kt.Spherical())[
            rng.integers(3)
        ]
        model.joint(f"hinge{k}", joint, frame, leaf, at=tuple(p + 0.4 * k * u))
    return model


def drawer(rng) -> kt.Model:
    """A box on two slides side by side, and a pendulum in it."""
    model, u = new("drawer", rng), direction(rng)
    frame, box = base(model, rng), model.body("box", lump(rng))
    for k in range(2):
        model.joint(
            f"slide{k}", SLIDE(axis=tuple(u)), frame, box, at=tuple(rng.uniform(-0.3, 0.3, 3))
        )
    bob = model.body("bob", lump(rng), position=tuple(0.5 * direction(rng)))
    model.joint("swinging", HINGE(axis=tuple(direction(rng))), box, bob, at=(0.0, 0.0, 0.0))
    spring = kt.SpringDamper(stiffness=40.0, damping=1.0)
    side = np.cross(u, direction(rng))
    model.force("spring", spring, frame.at(*(0.8 * u + side)), box)  # never of no length
    return model


def planar_loop(rng) -> kt.Model:
    """Four to six bars in a plane that lies anywhere, all hinges: three equations too many."""
    n, R = int(rng.integers(4, 7)), Rotation.random(rng=rng).as_matrix()
    angles = np.sort(rng.uniform(0.0, 2 * np.pi, n) * 0.2 + np.arange(n) * 2 * np.pi / n)
    points = (
        rng.uniform(0.4, 1.0, n)[:, None]
        * np.column_stack([np.cos(angles), np.sin(angles), np.zeros(n)])
        @ R.T
    )
    model = new("planar loop", rng)
    bodies = chain(model, rng, base(model, rng), points, [R[:, 2]] * n, closed=True)
    if rng.integers(2):  # one hinge twice, at another height
        model.joint(
            "again",
            HINGE(axis=tuple(R[:, 2])),
            bodies[1],
            bodies[2],
            at=tuple(points[1] + 0.3 * R[:, 2]),
        )
    return model


def skew_loop(rng) -> kt.Model:
    """Bennett's loop of random twists, on any base."""
    small = rng.uniform(0.4, 1.2)
    points, axes = bennett_axes(
        rng.uniform(0.4, 2.7), 1.0, small, rng.uniform(small + 0.2, np.pi - small - 0.2)
    )
    R = Rotation.random(rng=rng).as_matrix()
    model = new("skew loop", rng)
    chain(model, rng, base(model, rng), points @ R.T, axes @ R.T, closed=True)
    return model


def shelf(rng) -> kt.Model:
    """A shelf on three equal, parallel rods, one more than it needs; not in line, so that it never
    folds.
    """
    model, R = new("shelf", rng), Rotation.random(rng=rng).as_matrix()
    frame = base(model, rng)
    board = model.body("board", lump(rng), position=tuple(R @ (0.5, 0.7, 0.0)))
    for k, foot in enumerate(((0.0, 0.0, 0.0), (0.5, 0.4, 0.0), (1.0, 0.0, 0.0))):
        a, b = R @ foot, R @ np.add(foot, (0.0, 0.7, 0.0))
        rod = model.body(
            f"rod{k}",
            kt.rod(0.5, 0.7, along=tuple(R[:, 1]), axial=1e-2),
            position=tuple(0.5 * (a + b)),
        )
        start = {"speed": {"angle": float(rng.normal())}} if k == 0 else {}
        model.joint(f"foot{k}", HINGE(axis=tuple(R[:, 2])), frame, rod, at=tuple(a), **start)
        model.joint(f"head{k}", HINGE(axis=tuple(R[:, 2])), rod, board, at=tuple(b))
    return model


def tied(rng) -> kt.Model:
    """A body on a ball joint, tied by one rod given twice, and a pendulum on it."""
    model, p = new("tied", rng), rng.uniform(-0.3, 0.3, 3)
    frame, body = (
        base(model, rng),
        model.body("body", lump(rng), position=tuple(p + 0.4 * direction(rng))),
    )
    model.joint("ball", kt.Spherical(), frame, body, at=tuple(p), speed={"wx": 0.5, "wy": -0.4})
    post, eye = frame.at(*(p + 0.8 * direction(rng))), body.at(*rng.uniform(0.2, 0.4, 3))
    for k in range(2):
        model.constraint(f"rod{k}", kt.Distance(), post, eye)
    bob = model.body("bob", lump(rng), position=tuple(p + direction(rng)))
    model.joint("hinge", HINGE(axis=tuple(direction(rng))), body, bob, at=tuple(p + 0.3))
    return model


def cube_loop() -> kt.Model:
    """Bricard's loop of six bars along the edges of a cube, under gravity along -y."""
    points = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)], float)
    model = kt.Model("bricard", gravity=(0, -9.81, 0))
    bodies = [model.ground]
    for k in range(5):
        edge = points[k + 1] - points[k]
        size = np.where(edge != 0.0, 1.0, 0.1)
        bodies.append(
            model.body(f"bar{k}", kt.box(1.0, tuple(size)), position=tuple(points[k] + 0.5 * edge))
        )
    for k, axis in enumerate("yzxyzx"):
        model.joint(
            f"J{k}",
            HINGE(axis=axis),
            bodies[k],
            (*bodies, model.ground)[k + 1],
            at=tuple(points[k]),
        )
    return model


def fifty_degrees() -> kt.Model:
    """Bennett's loop of thin rods with twists of 50 and 110 degrees; a pair of its equations is
    lost on the way.
    """
    points, axes = bennett_axes(1.1, 1.0, np.radians(50), np.radians(110))
    model = kt.Model("bennett")
    links = [model.ground]
    for k in range(3):
        d = points[k + 1] - points[k]
        n = float(np.linalg.norm(d))
        links.append(
            model.body(
                f"rod{k}", kt.rod(n, n, tuple(d), axial=1e-4), position=tuple(points[k] + 0.5 * d)
            )
        )
    for k in range(4):
        model.joint(
            "ABCD"[k],
            HINGE(axis=tuple(axes[k])),
            links[k],
            (*links, model.ground)[k + 1],
            at=tuple(points[k]),
        )
    return model


def car_door() -> kt.Model:
    """A door on two hinges on a car that tumbles."""
    model = kt.Model("car door")
    car = model.body(
        "car", kt.box(100.0, (3, 1.5, 1)), velocity=(1, 0, 0), angular_velocity=(0.3, 0.2, 1)
    )
    model.float(car)
    leaf = model.body("leaf", kt.box(20.0, (1, 0.1, 1)), position=(0.5, 0.8, 0))
    model.joint("low", HINGE(axis="z"), car, leaf, at=(0, 0.8, -0.4), speed={"angle": 1.0})
    model.joint("high", HINGE(axis="z"), car, leaf, at=(0, 0.8, 0.4))
    return model


FAMILIES = (door, drawer, planar_loop, skew_loop, shelf, tied)
