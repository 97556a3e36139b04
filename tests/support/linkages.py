"""Well-known linkages: the four-bar of the front door, the door on two hinges, Bennett's and
Bricard's loops.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

import kinetree as kt
from kinetree.kernel.frames import Pose

LENGTHS = {"crank": 0.50, "coupler": 1.20, "rocker": 0.75}
BASE = 1.10


def four_bar(closing: str = "revolute", **starts) -> kt.Model:
    """Drawn straight, all links along x; `closing` "revolute" is redundant in space, "spatial" is
    just closed.

    starts: A=0.7 starts joint A at that angle.
    """
    model = kt.Model("four-bar", gravity=(0, 0, -9.81))
    crank, coupler, rocker = (
        model.body(name, kt.rod(m, LENGTHS[name], along="x", axial=1e-3))
        for name, m in (("crank", 0.5), ("coupler", 1.0), ("rocker", 0.75))
    )
    start = {name: {"start": {"angle": value}} for name, value in starts.items()}
    revolute, spatial = kt.Revolute(axis="y"), closing == "spatial"
    model.joint("A", revolute, model.ground, crank.end("-"), **start.get("A", {}))
    model.joint("B", kt.Spherical() if spatial else revolute, crank.end("+"), coupler.end("-"))
    model.joint(
        "C", kt.Cylindrical(axis="y") if spatial else revolute, coupler.end("+"), rocker.end("+")
    )
    model.joint("D", revolute, model.ground.at(BASE, 0, 0), rocker.end("-"), **start.get("D", {}))
    return model


def four_bar_rocker(angle: float) -> np.ndarray:
    """The two points where coupler and rocker can meet for a crank angle (about y, so z = -sin), by
    circles.
    """
    B = LENGTHS["crank"] * np.array([np.cos(angle), -np.sin(angle)])
    D = np.array([BASE, 0.0])
    d = np.linalg.norm(D - B)
    along = (LENGTHS["coupler"] ** 2 - LENGTHS["rocker"] ** 2 + d * d) / (2 * d)
    e = (D - B) / d
    height = np.sqrt(LENGTHS["coupler"] ** 2 - along**2)
    return np.array([B + along * e + s * height * np.array([-e[1], e[0]]) for s in (1, -1)])


def door(
    hinges: int = 2, axis=(0.3, -0.2, 1.0), joint=kt.Revolute, tilt: float = 0.0, shift: float = 0.0
) -> kt.Model:
    """A leaf on hinges along one line; `tilt` (rad) and `shift` (m) put the last hinge out of line."""
    u = np.array(axis) / np.linalg.norm(axis)
    side = np.cross(u, (1.0, 0.0, 0.0))
    side /= np.linalg.norm(side)
    model = kt.Model("door", gravity=(2.0, 1.0, -9.0))
    leaf = model.body("leaf", kt.box(20.0, (0.9, 0.05, 2.0)), position=(0.5, 0.1, 1.0))
    for k in range(hinges):
        last = k == hinges - 1 and k > 0
        # the hinge on the leaf where it belongs, on the frame where the carpenter put it
        place, direction = (
            0.3 * u + 0.7 * k * u,
            np.cos(tilt * last) * u + np.sin(tilt * last) * side,
        )
        turn = Rotation.align_vectors([direction], [u])[0].as_matrix()
        frame = model.ground.at(*(place + shift * last * side), rotation=turn)
        model.joint(
            f"hinge{k}",
            joint(axis=tuple(u)) if joint is not kt.Fixed else kt.Fixed(),
            frame,
            leaf.at(*(place - (0.5, 0.1, 1.0))),
        )
    return model


def bennett(
    theta: float, a: float = 1.0, alpha: float = 0.6, beta: float = 1.3
) -> tuple[kt.Model, list[float]]:
    """Four skew revolutes, opposite links alike, a / sin(alpha) = b / sin(beta)  [Bennett1903].

    tan(t1 / 2) tan(t2 / 2) = sin((beta + alpha) / 2) / sin((beta - alpha) / 2),  t1 + t3 = t2 + t4
                                                                                  = 2 pi.
    Returns the model started at the first angle, and its four angles.
    """
    b = a * np.sin(beta) / np.sin(alpha)
    t2 = 2 * np.arctan(np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2) / np.tan(theta / 2))
    angles = [theta, t2, -theta, -t2]
    model = kt.Model("bennett")
    links = [model.ground, *(model.body(f"link{k}", kt.sphere(1.0, 0.2)) for k in (1, 2, 3))]
    sizes = [
        (b, beta),
        (a, alpha),
        (b, beta),
        (a, alpha),
    ]  # link k - 1 leads from axis k - 1 to axis k
    for k in range(4):
        length, twist = sizes[k]
        outer = links[k].at(length, 0, 0, rotation=("x", twist))
        model.joint(
            f"R{k + 1}", kt.Revolute(), outer, links[(k + 1) % 4], start={"angle": angles[k]}
        )
    return model, angles


def bennett_axes(
    theta: float, a: float, alpha: float, beta: float
) -> tuple[np.ndarray, np.ndarray]:
    """Points and axes of the four hinges of Bennett's loop at its first angle, drawn in space."""
    b = a * np.sin(beta) / np.sin(alpha)
    t2 = 2 * np.arctan(np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2) / np.tan(theta / 2))
    X, points, axes = Pose(np.eye(3), np.zeros(3)), [], []
    for angle, length, twist in zip(
        (theta, t2, -theta, -t2), (a, b, a, b), (alpha, beta, alpha, beta)
    ):
        points.append(X.p)
        axes.append(X.R[:, 2])
        turn = Rotation.from_euler("z", angle)
        X = X @ Pose(
            (turn * Rotation.from_euler("x", twist)).as_matrix(), turn.apply((length, 0.0, 0.0))
        )
    assert np.abs(X.p).max() < 1e-12 and np.abs(X.R - np.eye(3)).max() < 1e-12
    return np.array(points), np.array(axes)


def bricard() -> kt.Model:
    """Six revolutes on a hexagon of cube edges, each axis normal to both  [Bricard1897; IFToMM
    benchmark A03].
    """
    corners = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1), (0, 1, 1), (0, 0, 1)], float)
    edges = np.roll(corners, -1, axis=0) - corners
    model = kt.Model("bricard")
    bodies = [model.ground]
    for k in range(1, 6):
        turn = Rotation.align_vectors([edges[k]], [(1, 0, 0)])[0].as_matrix()
        bodies.append(
            model.body(
                f"rod{k}",
                kt.rod(1.0, 1.0, along="x", axial=1e-3),
                rotation=turn,
                position=corners[k] + 0.5 * edges[k],
            )
        )
    for k in range(6):
        model.joint(
            f"R{k}",
            kt.Revolute(),
            bodies[(k - 1) % 6],
            bodies[k],
            at=tuple(corners[k]),
            axis=tuple(np.cross(edges[k - 1], edges[k])),
        )
    return model
