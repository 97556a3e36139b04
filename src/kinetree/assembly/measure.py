"""Joint frames at a position, and the coordinates and hinge maps measured from them, for joints
that are cut or reversed.
"""

from __future__ import annotations

import threading

import numpy as np

from ..description.lowering.compiled import CompiledModel, JointPlace
from ..description.lowering.links import write_joint
from ..elements.joints.contract import Joint
from ..engine.dynamics.kinematics import positions
from ..engine.dynamics.reactions import JointFrames
from ..kernel.decorators import table
from ..kernel.frames import Pose
from ..kernel.tables.records import LINK, Tables, empty_tables
from ..kernel.tables.workspace import DOF, Work, workspace


def body_pose(work: Work, i: int) -> Pose:
    """X_WK of body i at the present position."""
    return Pose(np.array(work.bodies[i]["R"]).reshape(3, 3), np.array(work.bodies[i]["p"]))


def joint_frames(place: JointPlace, work: Work) -> tuple[Pose, Pose]:
    """X_WF and X_WM of a joint."""
    return body_pose(work, place.i) @ place.X_iF, body_pose(work, place.j) @ place.X_jM


def joint_coordinates(place: JointPlace, work: Work) -> list[float]:
    """Coordinates of a joint in the user's direction; angles without full turns."""
    X_WF, X_WM = joint_frames(place, work)
    X_FM = X_WF.inverse @ X_WM
    return place.spec.joint.measure(X_FM.R, X_FM.p)


def joint_map(joint: Joint, q) -> tuple[Pose, np.ndarray]:
    """X_FM and the hinge map H_FM (6, nv) of a joint at its coordinates, by its own kernels; H
    about M in axes of F.
    """
    tables, work = _SINGLE_JOINT.tables_and_work()
    write_joint(tables.links[1], joint)
    tables = tables._replace(pool=np.array([*joint.parameters, 0.0]))
    positions(tables, work, np.array(q, float))
    H_FM = np.array(work.dofs["h"][: joint.nv]).reshape(-1, 6).T
    return body_pose(work, 1), H_FM


class _SingleJoint(threading.local):
    """Tables and workspace of a model with one joint, one of each per thread."""

    found: tuple[Tables, Work] | None = None

    def tables_and_work(self) -> tuple[Tables, Work]:
        if self.found is None:
            links = table(LINK, 2)
            links[1]["root"], links[1]["R_PF"] = 1, np.eye(3).ravel()
            tables = empty_tables()._replace(links=links)
            self.found = tables, workspace(tables, ())._replace(dofs=table(DOF, 6))
        return self.found


_SINGLE_JOINT = _SingleJoint()


def joint_frames_of(compiled: CompiledModel) -> JointFrames:
    """Frames of all joints of a compiled model, and the joint that owns each row and sensor."""
    places = list(compiled.joints.values())
    index = {name: n for n, name in enumerate(compiled.joints)}
    owners = [index.get(compiled.row_owner[int(p["ig"])], -1) for p in compiled.tables.primitives]
    return JointFrames(
        np.array([p.link for p in places], np.int64),
        np.array([-1.0 if p.reversed else 1.0 for p in places]),
        np.array([p.j for p in places], np.int64),
        np.array([p.X_jM.p for p in places]).reshape(-1, 3).copy(),
        np.array(owners, np.int64),
        _sensor_joints(compiled, index),
    )


def _sensor_joints(compiled: CompiledModel, index: dict[str, int]) -> np.ndarray:
    """Joint of every sensor that a constraint or a torsion spring reads, by the user's names."""
    model, tables = compiled.model, compiled.tables
    found = np.full(len(tables.sensors), -1, np.int64)
    for p in tables.primitives:
        if p["sensors"]:
            owner = compiled.row_owner[int(p["ig"])]
            terms = tables.terms[int(p["term"]) : int(p["term"] + p["sensors"])]
            names = (
                (f"{owner}.",) * len(terms)
                if owner in index
                else model.constraints[owner].spec.coordinates
            )
            for term, name in zip(terms, names):
                found[int(term["sensor"])] = index[name.rpartition(".")[0]]
    for row, element in zip(tables.forces, model.forces.values()):
        for name in element.spec.coordinates:
            found[int(row["sensor"])] = index[name.rpartition(".")[0]]
    return found
