"""Lower bodies and their tree joints to links, and compute data that depend on the tree alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...elements.joints.catalogue import ENTRIES, ENTRY_KIND, FLOATING, IN_PLANE
from ...elements.joints.contract import Joint
from ...kernel.frames import IDENTITY, Pose
from ...kernel.linalg import product
from ..element import JointSpec
from .modal_rows import lower_modes

if TYPE_CHECKING:
    from .lower import Lowering

_UPPER = np.triu_indices(3)


class BodyPlane(NamedTuple):
    """The plane normal to z in which a body moves: frames F on the ground and M on the body."""

    X_WF: Pose
    X_BM: Pose


def lower_links(to: Lowering) -> None:
    for branch in to.tree.branches:
        _link(to, branch)


def lower_link_numbers(to: Lowering) -> None:
    """Write the inertias of the coordinates of every tree joint, and its own numbers, to the pool."""
    for branch in to.tree.branches:
        spec = to.model.joints.get(branch.joint.name)
        joint = _tree_joint(to, branch, spec)[0]
        given = {} if spec is None else spec.inertia
        inertias = [given.get(label, 0.0) for label in _speeds(spec, branch.reversed, joint)]
        first = to.pool([*inertias, *joint.parameters])
        row = to.links[branch.number]
        row["first"] = first + len(inertias)
        if row["flexible"]:
            to.rows["flexible"][row["flexible"] - 1]["first"] = row["first"]


def _link(to: Lowering, branch) -> None:
    i, body = branch.number, to.model.bodies[branch.body]
    parent, spec = branch.parent_number, to.model.joints.get(branch.joint.name)
    joint, inner, outer = _tree_joint(to, branch, spec)
    to.X_BK[i] = outer
    X_PF = to.X_BK[parent].inverse @ inner
    row, mass = to.links[i], body.properties
    row["parent"], row["root"] = parent, i if parent == 0 else to.links[parent]["root"]
    row["iq"], row["iv"] = to.nq, to.nv
    write_joint(row, joint)
    row["R_PF"], row["p_PF"] = X_PF.R.ravel(), X_PF.p
    back = outer.inverse
    J, com = product(back.R, mass.inertia, outer.R), product(back.R, mass.com) + back.p
    row["mass"], row["com"], row["I_com"] = mass.mass, com, J[_UPPER]
    row["floor"] = 1e-14 * (np.trace(J) + mass.mass * product(com, com))
    to.nq, to.nv = to.nq + joint.nq, to.nv + joint.nv
    if joint.inner:
        lower_modes(to, row, i, joint)
    if spec is not None:
        to.places[spec.name] = to.place(spec, link=i, reversed=branch.reversed)


def _tree_joint(to: Lowering, branch, spec) -> tuple[Joint, Pose, Pose]:
    """The joint inboard of a body, with its inboard and its outboard frame.

    In Cartesian coordinates it is a joint to ground that is not in the model.
    """
    if spec is not None:
        return spec.joint, *joint_ends(spec, branch.reversed)
    if branch.body in to.planes:
        return IN_PLANE(), *to.planes[branch.body]
    return FLOATING(), IDENTITY, IDENTITY


def _speeds(spec: JointSpec | None, reversed: bool, joint: Joint) -> tuple[str, ...]:
    """Labels of the velocities of a tree joint, in the order of the tree."""
    if spec is not None and reversed and (order := joint.seen_from_child.order):
        return tuple(joint.speeds[k] for k in np.argsort(order))
    return joint.speeds


def write_joint(row: np.void, joint: Joint) -> None:
    """Write the fields of a link that describe its joint."""
    row["kind"], row["nv"], row["plain"], row["leading"] = (
        ENTRY_KIND[joint.kind],
        joint.nv,
        joint.plain(),
        joint.leading,
    )
    row["advance"], row["varying"] = joint.advance, ENTRIES[row["kind"]].varying


def joint_ends(spec, reversed: bool) -> tuple[Pose, Pose]:
    """The inboard and the outboard frame of a tree joint on their bodies."""
    if not reversed:
        return spec.F.X_Bm, spec.M.X_Bm
    flip = spec.joint.seen_from_child.rotation
    return spec.M.X_Bm @ flip, spec.F.X_Bm @ flip


def dof_parents(to: Lowering) -> np.ndarray:
    """The next degree of freedom inboard of each one: the sparsity of the mass matrix."""
    if to.full:
        return np.arange(-1, to.nv - 1)
    last = [-1] * len(to.bodies)
    parents = np.full(to.nv, -1, np.int64)
    for i in range(1, len(to.bodies)):
        row = to.links[i]
        before = last[row["parent"]]
        for k in range(row["iv"], row["iv"] + row["nv"]):
            parents[k], before = before, k
        last[i] = before
    return parents


def floors(to: Lowering) -> np.ndarray:
    """Per degree of freedom, the inertia of its own body that counts as zero."""
    return np.array([row["floor"] for row in to.links[1:] for _ in range(row["nv"])])


def turns(to: Lowering) -> np.ndarray:
    """Per degree of freedom, 1 for an angle and 0 for a translation."""
    return np.array([float(unit == "rad") for joint in tree_joints(to) for unit in joint.units])


def tree_joints(to: Lowering) -> list[Joint]:
    """The joint of every link."""
    return [
        _tree_joint(to, branch, to.model.joints.get(branch.joint.name))[0]
        for branch in to.tree.branches
    ]


def dof_owners(to: Lowering) -> tuple[tuple[str, str], ...]:
    owners: list[tuple[str, str]] = []
    for branch in to.tree.branches:
        spec = to.model.joints.get(branch.joint.name)
        speeds = _speeds(spec, branch.reversed, _tree_joint(to, branch, spec)[0])
        owners += [(branch.joint.name, label) for label in speeds]
    return tuple(owners)


def model_size(to: Lowering) -> float:
    """Size of the model: the longest arm on any moving body."""
    ends = [
        X.p
        for place in to.places.values()
        for k, X in ((place.i, place.X_iF), (place.j, place.X_jM))
        if k
    ]
    links = to.links[1:]
    arms = np.linalg.norm(np.array([*ends, *links["com"]]).reshape(-1, 3), axis=1)
    heavy = links[links["mass"] > 0.0]
    radii = np.sqrt(
        np.maximum(heavy["I_com"][:, [0, 3, 5]].max(axis=1, initial=0.0), 0.0) / heavy["mass"]
    )
    return max(float(arms.max(initial=0.0)), float(radii.max(initial=0.0))) or 1.0
