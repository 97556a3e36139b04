"""Flexible bodies in the tree: the model with frames in place of every reduced part.

A part with markers f (its frame, where the tree reaches it), g, h, ... becomes massless bodies f, g,
h, ... and a body "rod.modes" with the mass:

    f --modes-- rod.modes --modal marker-- g
                          --modal marker-- h

The joint of kind "modes" has the modal coordinates and no motion; they move the markers (elements/
joints/modes.py). The body of the marker that is the frame of the part has the name of the flexible
body, the others "rod.small"; so names do not depend on the tree. A force element has the elastic
forces.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

import numpy as np

from ...core.checks import instance
from ...core.display import NameDict
from ...elements.forces.modal_strain import ModalStrain
from ...elements.joints.catalogue import MODAL_MARKER, MODES
from ...elements.joints.contract import Joint
from ...errors import ModelError
from ...kernel.frames import IDENTITY, Pose
from ...kernel.linalg import product
from ..beam import Beam
from ..body import Body, Marker
from ..element import Element, JointSpec
from ..flexible_body import FlexibleBody, FrameBody, ModesBody, marker_at, marker_pose
from ..model import Model
from ..reduced.reduced_part import ReducedPart
from ..shapes import MassProperties
from ..topology.spanning import choose
from ..topology.tree import Tree, rooted
from .trees import check_connected, free_bodies, graph_of

DEPENDENT = 1e-10  # of its squared norm that is left of a shape: it depends on those before it


def flexible_bodies(model: Model) -> tuple[FlexibleBody, ...]:
    return tuple(body for body in model.bodies.values() if isinstance(body, FlexibleBody))


def refuse_flexible(model: Model, what: str, instead: str) -> None:
    """Raise an error if the model has flexible bodies, for what does not know their modes."""
    bodies = flexible_bodies(instance(model, Model, f"{what}: model"))
    if bodies:
        _refuse_beams(model, bodies)
        names = [body.name for body in bodies]
        raise ModelError(
            f"{what} does not know the modes of flexible bodies, and model {model.name!r} has "
            f"{', '.join(map(repr, names))}. {instead}".rstrip()
        )


def expanded(model: Model, coordinates: str, method: str) -> tuple[Model, Tree]:
    """The model with frames in place of its flexible bodies, and its tree."""
    bodies = flexible_bodies(model)
    _refuse_beams(model, bodies)
    graph = graph_of(model)
    check_connected(graph)
    tree = choose(graph, method) if coordinates == "relative" else None
    twin = with_modes(model, {body.name: _frame(model, body, tree) for body in bodies})
    inner = {name for name, spec in twin.joints.items() if spec.joint.inner}
    graph = graph_of(twin)
    if tree is None:
        return twin, choose(free_bodies(graph), "dijkstra")
    kept = inner | {edge.name for edge in tree.joints}
    return twin, rooted(
        graph, {k for k, e in enumerate(graph.edges) if e.name in kept}, tree.method
    )


def _refuse_beams(model: Model, bodies: tuple[FlexibleBody, ...]) -> None:
    beams = [body.name for body in model.bodies.values() if isinstance(body, Beam)]
    if beams:
        raise ModelError(
            f"model {model.name!r} has beams ({', '.join(map(repr, beams))}) and flexible bodies "
            f"({', '.join(repr(b.name) for b in bodies)}); one model has either the one or the other. "
            "Reduce the beam as a part, or model both with beams."
        )


def _frame(model: Model, body: FlexibleBody, tree: Tree | None) -> str:
    """The marker at which the tree reaches the body; in Cartesian coordinates that of the part."""
    if tree is None:
        return body.part.frame
    spec = model.joints[tree.branch[body.name].joint.name]
    marker = spec.F if spec.F.body is body else spec.M
    return marker_at(body, marker, f"joint {spec.name!r}")[0]


def with_modes(model: Model, frames: Mapping[str, str]) -> Model:
    """The model with frames in place of its flexible bodies; `frames` are their inboard markers."""
    where = f" in model {model.name!r}"
    bodies: dict[str, Body] = NameDict("body", where)
    joints: dict[str, JointSpec] = NameDict("joint", where)
    forces: dict[str, Element] = NameDict("force", where)
    twin = model.variant(bodies=bodies, joints=joints, forces=forces)
    twin.origin = model.origin or model
    for name, body in model.bodies.items():
        if isinstance(body, FlexibleBody):
            _add_frames(body, frames[name], twin)
        else:
            bodies[name] = body
    for name, spec in model.joints.items():
        what = f"joint {name!r}"
        joints[name] = replace(spec, F=_moved(spec.F, bodies, what), M=_moved(spec.M, bodies, what))
    for name, force in model.forces.items():
        forces[name] = _renewed(force, bodies, f"force {name!r}")
    constraints: dict[str, Element] = NameDict("constraint", where)
    for name, constraint in model.constraints.items():
        constraints[name] = _renewed(constraint, bodies, f"constraint {name!r}")
    twin.constraints = constraints
    for body in flexible_bodies(model):
        scale = body.part.mass
        forces[body.name] = Element(
            body.name, ModalStrain(scale * body.part.K, scale * body.part.Z), ()
        )
    return twin


def _renewed(element, bodies, what: str):
    return replace(element, markers=tuple(_moved(m, bodies, what) for m in element.markers))


def _moved(marker: Marker, bodies: Mapping[str, Body], what: str) -> Marker:
    """The marker on the frame at which it is."""
    if not isinstance(marker.body, FlexibleBody):
        return marker
    name, X = marker_at(marker.body, marker, what)
    return Marker(bodies[body_of(marker.body, name)], X)


def body_of(body: FlexibleBody, marker: str) -> str:
    """Name of the body at a marker."""
    return body.name if marker == body.part.frame else f"{body.name}.{marker}"


def modes_of(body: FlexibleBody | str) -> str:
    """Name of the body that carries the modes."""
    return f"{body if isinstance(body, str) else body.name}.modes"


def _add_frames(body: FlexibleBody, frame: str, twin: Model) -> None:
    """The bodies and inner joints of one flexible body."""
    part = body.part if frame == body.part.frame else body.part.with_frame(frame)
    nothing = MassProperties(0.0, np.zeros((3, 3)))
    own = {f.name: getattr(body, f.name) for f in fields(Body)}
    for name in part.markers:
        label = body_of(body, name)
        told = own if name == body.part.frame else {}
        twin.bodies[label] = FrameBody(
            **{**told, "name": label, "properties": nothing, "model": twin}
        )
    mass = MassProperties(float(part.mass), np.array(part.inertia), np.array(part.com))
    carrier = twin.bodies[modes_of(body)] = ModesBody(
        modes_of(body), mass, twin, part=part, nodes=body.nodes
    )
    base = Marker(carrier, IDENTITY)
    modes = modes_joint(part)
    still = dict.fromkeys(modes.labels, 0.0)
    twin.joints[body.name] = JointSpec(
        body.name,
        modes,
        Marker(twin.bodies[body_of(body, frame)], IDENTITY),
        base,
        {**still, **body.start},
        {**still, **body.speed},
    )
    for name in part.markers:
        if name == frame:
            continue
        label = body_of(body, name)
        X = marker_pose(part, name)
        joint = marker_joint(part, name)
        twin.joints[f"{label}.tie"] = JointSpec(
            f"{label}.tie",
            joint,
            Marker(carrier, Pose(X.R, np.zeros(3))),
            Marker(twin.bodies[label], IDENTITY),
        )


def marker_joint(part: ReducedPart, name: str) -> Joint:
    """The marker in its own axes, from the frame, with coordinates q that are lengths."""
    k, n, s = part.index(name), part.n, part.stiffened
    R, root = np.array(part.rotations[k]), np.sqrt(part.mass)
    back = np.zeros((6, 6))
    back[:3, :3] = back[3:, 3:] = R.T
    G = np.zeros((6, n, n))
    G[:, :s, :s] = part.mass * product(back, part.G[k].reshape(6, -1)).reshape(6, s, s)
    P = root * product(back, np.vstack([part.P[k], part.Theta[k]]))
    return MODAL_MARKER(product(R.T, part.positions[k]), P, G)


def modes_joint(part: ReducedPart) -> Joint:
    """The constants of engine/dynamics/modal_body.py, with shapes of unit mass.

    The wide basis of the part is orthogonalized by Gram and Schmidt, the modes first; affine shapes
    that depend on the others are left out. The coordinates are lengths: those of the part, over the
    root of its mass.
    """
    n, s, root = part.n, part.stiffened, float(np.sqrt(part.mass))
    gram, wide = part.gram, part.wide
    curved = bool(s and part.H.any())
    L, first = _triangle(gram, len(gram) if curved else n)
    W, r = _inverse_columns(L, first), len(L)
    H = np.zeros((r, n, n))
    if curved:
        H[:, :s, :s] = part.mass * product(L, part.H.reshape(len(gram), -1)).reshape(r, s, s)
    a = np.array([wide[i, 0][:, n] for i in range(3)])
    A0 = np.array([[wide[0, j][n + 3 + 3 * i] for j in range(3)] for i in range(3)])
    A = np.array([[product(W.T, wide[i, j], W) for j in range(3)] for i in range(3)])
    upper = np.triu_indices(3)
    numbers = [
        part.S0,
        part.A00[upper],
        (root * L[:, :n]).ravel(),
        H.transpose(1, 0, 2).ravel() if curved else np.zeros(0),  # [l][b][k]
        product(a, W).T.ravel(),  # [b][i]
        product(A0.reshape(9, -1), W).T.ravel(),  # [b][i][j]
        A.transpose(2, 3, 0, 1).ravel(),  # [l][b][i][j]
    ]
    return MODES(np.concatenate([np.asarray(x, float).ravel() for x in numbers]), n, r, curved)


def _triangle(gram: np.ndarray, used: int) -> tuple[np.ndarray, list[int]]:
    """L (r, w) with gram = L^T L, amplitudes of the columns in shapes of unit mass, and the column
    with which each shape begins.
    """
    rows, first = list[np.ndarray](), list[int]()
    for b in range(used):
        row = gram[b] - sum((x[b] * x for x in rows), np.zeros(len(gram)))
        row[:b] = 0.0
        if row[b] > DEPENDENT * gram[b, b]:
            rows.append(row / np.sqrt(row[b]))
            first.append(b)
    return np.array(rows), first


def _inverse_columns(L: np.ndarray, first: list[int]) -> np.ndarray:
    """W (w, r): the shapes of unit mass as combinations of the columns with which they begin."""
    W = np.zeros(L.shape[::-1])
    for c, b in enumerate(first):
        W[b, c] = 1.0
        for d in range(c):
            W[:, c] -= L[d, b] * W[:, d]
        W[:, c] /= L[c, b]
    return W
