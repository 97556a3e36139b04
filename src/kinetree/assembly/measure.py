"""Joint coordinates and speeds measured on frames, at the Python level, for joints that are cut or
run backwards.
"""

from __future__ import annotations

import threading

import numpy as np

from ..description.lowering.compiled import JointPlace
from ..description.lowering.links import write_joint
from ..elements.joints.contract import Joint
from ..engine.dynamics.kinematics import positions
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
    """Coordinates of a joint in the user's direction; the turns of an angle are not known from
    here.
    """
    X_WF, X_WM = joint_frames(place, work)
    X_FM = X_WF.inverse @ X_WM
    return place.spec.joint.measure(X_FM.R, X_FM.p)


def joint_map(joint: Joint, q) -> tuple[Pose, np.ndarray]:
    """X_FM and the hinge map H_FM (6, nv) of a joint at its coordinates, as its own kernels say; H
    about M in axes of F.
    """
    tables, work = _ONE.bench()
    write_joint(tables.links[1], joint)
    tables = tables._replace(pool=np.array([*joint.parameters, 0.0]))
    positions(tables, work, np.array(q, float))
    body, h = work.bodies[1], work.dofs["h"][: joint.nv]
    return Pose(np.array(body["R"]).reshape(3, 3), np.array(body["p"])), np.array(h).reshape(
        -1, 6
    ).T


class _Bench(threading.local):
    """Tables and scratch space of one joint, of every thread."""

    found: tuple[Tables, Work] | None = None

    def bench(self) -> tuple[Tables, Work]:
        if self.found is None:
            links = table(LINK, 2)
            links[1]["root"], links[1]["R_PF"] = 1, np.eye(3).ravel()
            tables = empty_tables()._replace(links=links)
            self.found = tables, workspace(tables, ())._replace(dofs=table(DOF, 6))
        return self.found


_ONE = _Bench()
