"""Force at a point, or torque on a body, with components in world or body axes that may depend
on time.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.checks import check_inputs, row
from ...core.quantities import Push
from ...errors import ModelError, short
from ...kernel.algebra.vec3 import rotate
from ...kernel.decorators import inline, kernel
from ..controllers.inputs import input_value
from .contract import ZERO, Force, frame, no_energy, point_motion, push

FRAMES = {"world": 0, "body": 1}


@dataclass(frozen=True)
class PointForce(Force):
    r"""Force on a body at a marker.

    Parameters
    ----------
    components : sequence of 3 float, time function or str
        Components of the force (N): numbers, time functions, or outputs of controllers by name,
        such as "pid.push".
    frame : {'world', 'body'}, default 'world'
        Axes of the components: "world" for fixed directions, "body" for the axes of the marker.

    See Also
    --------
    kt.Torque : Torque on a body.
    kt.UserForce : Force as a function of the motion.

    Notes
    -----
    .. math::
        F_W = \begin{cases} f(t) & \text{frame = "world"} \\ R_{WM}\, f(t) & \text{frame = "body"}
        \end{cases}

    :math:`f` are the `components` (N), and :math:`R_{WM}` turns the axes of the marker into world
    axes. The force acts on the body of the marker; there is no reaction on another body. Components
    are positive along their axes. The channel `force` has the components in world axes.

    Examples
    --------
    A constant force accelerates a block:  x = F t^2 / (2 m).

    >>> import kinetree as kt
    >>> model = kt.Model("push", gravity=(0, 0, 0))
    >>> block = model.body("block", kt.box(mass=2.0, sides=(0.1, 0.1, 0.1)))
    >>> free = model.float(block)
    >>> push = model.force("push", kt.PointForce((4.0, 0.0, 0.0)), block)
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['block.position.x'][-1]:.3f} m")
    1.000 m
    """

    components: Push
    frame: str = "world"

    kind = "point-force"
    markers = (1, 1)
    actuators = ("x", "y", "z")

    def __post_init__(self) -> None:
        if not isinstance(self.frame, str) or self.frame not in FRAMES:
            raise ModelError(
                f"{type(self).__name__}: frame {short(self.frame)} is not one of "
                f"{', '.join(FRAMES)}."
            )
        components = row(
            self.components, f"{type(self).__name__}: components", "three numbers or time functions"
        )
        if len(components) != 3:
            raise ModelError(
                f"{type(self).__name__}: three components are needed, got {short(self.components)}."
            )
        object.__setattr__(self, "components", components)
        check_inputs(self, "components")

    def idle(self) -> PointForce:
        return type(self)((0.0, 0.0, 0.0), self.frame)

    def lower(self, row, to) -> None:
        row["mode"] = FRAMES[self.frame]
        for k in range(3):
            row["input"][k] = to.input(
                self.components[k], f"{type(self).__name__}: component {'xyz'[k]}"
            )


@inline
def vector(tables, work, force, t):
    """The three components at this time, in world axes."""
    value = (
        input_value(tables, work, t, force.input[0]),
        input_value(tables, work, t, force.input[1]),
        input_value(tables, work, t, force.input[2]),
    )
    return rotate(frame(tables.markers[force.im], work.bodies), value) if force.mode == 1 else value


@kernel
def apply(tables, work, force, t, q, v, x):
    marker = tables.markers[force.im]
    push(
        marker,
        work.bodies,
        ZERO,
        vector(tables, work, force, t),
        point_motion(marker, work.bodies)[0],
    )


energy = no_energy
