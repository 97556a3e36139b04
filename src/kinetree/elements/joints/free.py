"""Free joint: six degrees of freedom; a moving base, or every body in Cartesian coordinates.

q = (p_FM, unit quaternion), v = (velocity of M in F, angular velocity in M); the papers' Y = (rdot,
w').
"""

from dataclasses import dataclass

from ...kernel.algebra.quaternion import quat_matrix
from ...kernel.algebra.vec3 import add, column, matmul, rotate
from ...kernel.decorators import inline
from ...kernel.frames import matrix_quaternion
from .columns import sliding, spinning
from .contract import Joint, Reversal


@dataclass(frozen=True)
class Free(Joint):
    r"""Free joint: three translations and three rotations.

    `model.float(body)` adds one between the ground and a body.

    Attributes
    ----------
    labels : tuple of str
        The coordinates: `x`, `y`, `z` (m) and the unit quaternion `qw`, `qx`, `qy`, `qz`.
    speeds : tuple of str
        The velocities: `vx`, `vy`, `vz` in the parent's frame (m/s) and `wx`, `wy`, `wz` in the
        child's frame (rad/s).

    See Also
    --------
    kt.Spherical : The rotations alone.
    kt.SpatialTranslational : The translations alone.
    kt.PoseDriver : Prescribes position and orientation.

    Notes
    -----
    Frame M on the child moves freely in frame F on the parent:

    .. math::
        R_{FM} = R(q_w, q_x, q_y, q_z), \qquad p_{FM} = (x, y, z)

    `x`, `y`, `z` (m) and `vx`, `vy`, `vz` (m/s) are positive along the axes of F. The quaternion
    has its scalar part first; `wx`, `wy`, `wz` (rad/s) are positive by the right-hand rule about
    the axes of M. The joint adds no equations where a loop is cut.

    Examples
    --------
    A ball is thrown upwards with 9.81 m/s.

    >>> import kinetree as kt
    >>> model = kt.Model("ball")
    >>> ball = model.body("ball", kt.sphere(mass=1.0, radius=0.1))
    >>> free = model.joint("F", kt.Free(), model.ground, ball, speed={"vz": 9.81})
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['ball.position.z'][-1]:.3f} m")
    4.905 m
    """

    kind = "free"
    coordinates = {"x": "slide_x", "y": "slide_y", "z": "slide_z"}
    meanings = {
        "x": "position of the child (origin of M) along the x axis of frame F on the parent",
        "y": "position of the child (origin of M) along the y axis of frame F on the parent",
        "z": "position of the child (origin of M) along the z axis of frame F on the parent",
    }
    ball = True
    speeds = ("vx", "vy", "vz", "wx", "wy", "wz")
    sensors = ()  # what floats has no coordinate that could be driven
    leading = 3
    reversal = Reversal()
    weight = 6.0

    def measure(self, R_FM, p_FM):
        return [*p_FM, *matrix_quaternion(R_FM)]


@inline
def move(tables, link, q, R_WF, p_WF):
    i = link.iq
    R_WM = matmul(R_WF, quat_matrix(q[i + 3], q[i + 4], q[i + 5], q[i + 6]))
    return R_WM, add(p_WF, rotate(R_WF, (q[i], q[i + 1], q[i + 2])))


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    for k in range(3):
        sliding(dofs[link.iv + k], column(R_WF, k))
    spinning(link.iv + 3, R_WM, r_M, dofs)
