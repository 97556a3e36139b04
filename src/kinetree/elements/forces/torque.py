"""A torque on a body."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.quantities import Couple
from ...kernel.decorators import kernel
from .contract import ZERO, no_energy, point_motion, push
from .point_force import PointForce, vector


@dataclass(frozen=True)
class Torque(PointForce):
    r"""Torque on a body.

    Parameters
    ----------
    components : sequence of 3 float, time function or str
        Components of the torque (N m): numbers, time functions, or outputs of controllers by name,
        such as "pid.torque".
    frame : {'world', 'body'}, default 'world'
        Axes of the components: "world" for fixed directions, "body" for the axes of the marker.

    See Also
    --------
    kt.PointForce : Force on a body.
    kt.TorsionSpring : Motor on a joint coordinate.

    Notes
    -----
    .. math::
        T_W = \begin{cases} \tau(t) & \text{frame = "world"} \\
        R_{WM}\, \tau(t) & \text{frame = "body"} \end{cases}

    :math:`\tau` are the `components` (N m), and :math:`R_{WM}` turns the axes of the marker into
    world axes. The torque acts on the body of the marker; there is no reaction on another body.
    Components are positive by the right-hand rule about their axes. The channel `torque` has the
    components in world axes.

    Examples
    --------
    A constant torque about a principal axis:  w = T t / I.

    >>> import kinetree as kt
    >>> model = kt.Model("wheel", gravity=(0, 0, 0))
    >>> wheel = model.body("wheel", kt.rotor(inertia=0.5, mass=1.0))
    >>> axle = model.joint("A", kt.Revolute("z"), model.ground, wheel)
    >>> motor = model.force("motor", kt.Torque((0.0, 0.0, 2.0)), wheel)
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['A.angle.rate'][-1]:.3f} rad/s")
    4.000 rad/s
    """

    components: Couple

    kind = "torque"


@kernel
def apply(tables, work, force, t, q, v, x):
    marker = tables.markers[force.im]
    push(
        marker,
        work.bodies,
        vector(tables, work, force, t),
        ZERO,
        point_motion(marker, work.bodies)[0],
    )


energy = no_energy
