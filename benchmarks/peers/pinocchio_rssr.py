"""RSSR in Pinocchio: one evaluation of the accelerations of the closed loop,
`pin.constraintDynamics`.
"""

from collections.abc import Callable

import numpy as np
import pinocchio as pin

from .references import A3, CRANK, FRAME1, FRAME3, START1, START3, G, arm


def step() -> tuple[Callable[[], object], Callable[[], np.ndarray]]:
    """A call that does exactly one evaluation at the start, and one that tells the accelerations of
    crank and rocker.
    """
    tip1, tip3 = arm(FRAME1, START1), A3 + arm(FRAME3, START3)
    length = float(np.linalg.norm(tip3 - tip1))
    m = pin.Model()
    m.gravity.linear = np.array((0.0, 0.0, -G))
    here = pin.SE3.Identity()
    crank = m.addJoint(0, pin.JointModelRZ(), pin.SE3(FRAME1, np.zeros(3)), "A")
    coupler = m.addJoint(
        crank, pin.JointModelSpherical(), pin.SE3(np.eye(3), np.array((CRANK, 0.0, 0.0))), "B"
    )
    rocker = m.addJoint(0, pin.JointModelRZ(), pin.SE3(FRAME3, A3), "D")
    for joint, span in ((crank, CRANK), (coupler, length), (rocker, CRANK)):
        i = span**2 / 12.0
        m.appendBodyToJoint(
            joint, pin.Inertia(1.0, np.array((span / 2, 0.0, 0.0)), np.diag((1e-4, i, i))), here
        )
    ends = [pin.SE3(np.eye(3), np.array((span, 0.0, 0.0))) for span in (length, CRANK)]
    loop = pin.RigidConstraintModel(
        pin.ContactType.CONTACT_3D, m, coupler, ends[0], rocker, ends[1], pin.LOCAL
    )
    loops, made = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    loops.append(loop)
    made.append(loop.createData())
    data = m.createData()
    x = (tip3 - tip1) / length
    y = np.cross((0.0, 0.0, 1.0), x) / np.hypot(x[0], x[1])
    turned = pin.Quaternion(FRAME1.T @ np.column_stack((x, y, np.cross(x, y))))
    q = np.concatenate([[START1], turned.coeffs(), [START3]])
    v = tau = np.zeros(m.nv)
    pin.initConstraintDynamics(m, data, loops, *([made] if pin.__version__ >= "4" else []))
    return (lambda: pin.constraintDynamics(m, data, q, v, tau, loops, made)), lambda: data.ddq[
        [0, 4]
    ].copy()
