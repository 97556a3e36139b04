"""Stop at the end of the range of a joint coordinate: a stiff spring beyond a value, which never
pulls.

    s = x - at  (at - x for a lower stop),
    F = max(0, k s + c s' min(s / fade, 1)) against s, where s > 0
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...core.checks import check_flags
from ...core.quantities import CoordinateDamping, CoordinateStiffness, CoordinateValue, Reference
from ...errors import ModelError, short
from ...kernel.algebra.vec3 import store3
from ...kernel.decorators import inline, kernel
from ...kernel.frames import check
from ..joints.contract import check_coordinate
from ..joints.sensors import sensor_rate, sensor_value
from ..roads.contact import press
from .contract import Force, act_on


@dataclass(frozen=True)
class BumpStop(Force):
    r"""Stop at one end of the range of a joint coordinate.

    Parameters
    ----------
    coordinate : str
        Name of a joint coordinate, such as "A.angle".
    at : float
        Value at which the stop is touched (rad, or m for a displacement).
    stiffness : float
        Stiffness of the stop (N m/rad, or N/m for a displacement).
    damping : float, default 0.0
        Damping coefficient of the stop (N m s/rad, or N s/m for a displacement).
    lower_end : bool, default False
        Whether the stop limits the coordinate from below.
    fade : float, default 0.01
        Depth over which the damping grows from zero to its full value (rad, or m for a
        displacement).

    See Also
    --------
    kt.Event : Impacts without a spring.
    kt.kinks : Let steps end where a stop is touched.
    kt.JointFriction : Friction on a joint coordinate.

    Notes
    -----
    .. math::
        s = x - x_{at} \;\text{(upper stop)}, \qquad s = x_{at} - x \;\text{(lower stop)} \\
        F = \max\Bigl(0,\; k\,s + c\,\dot s\,\min\bigl(s / s_{fade},\, 1\bigr)\Bigr)
        \quad\text{for } s > 0

    :math:`x` is the coordinate, :math:`x_{at}` the value `at`, :math:`s` the depth (rad, or m),
    :math:`k` the `stiffness`, :math:`c` the `damping` and :math:`s_{fade}` the depth `fade`. F acts
    against s and never pulls; it is zero for :math:`s \le 0`. The channel
    `torque` (N m; `force` in N for a displacement) is positive in the direction of the coordinate:
    negative at an upper stop.

    Examples
    --------
    A slide starts 1 mm beyond its stop.

    >>> import kinetree as kt
    >>> model = kt.Model("stop", gravity=(0, 0, 0))
    >>> block = model.body("block", kt.box(mass=1.0, sides=(0.1, 0.1, 0.1)))
    >>> start = {"displacement": 0.501}
    >>> guide = model.joint("G", kt.Translational("x"), model.ground, block, start=start)
    >>> stop = model.force("stop", kt.BumpStop("G.displacement", at=0.5, stiffness=1e5))
    >>> sol = kt.simulate(model, until=0.001)
    >>> print(f"{sol['stop.force'][0]:.1f} N")
    -100.0 N
    """

    coordinate: Reference
    at: CoordinateValue
    stiffness: CoordinateStiffness
    damping: CoordinateDamping = 0.0
    lower_end: bool = False
    fade: CoordinateValue = 0.01

    kind = "bump-stop"
    markers = (0, 0)
    meanings = {
        "depth": "how far the coordinate is beyond `at`; negative while the stop is not touched",
        "rate": "time derivative of the depth, positive while the stop is pressed further in",
        "torque": "effort along the coordinate, negative at an upper stop, positive at a lower one",
        "force": "effort along the displacement, negative at an upper stop, positive at a lower one",
    }
    readings = (("depth", "rad"), ("rate", "rad/s"), ("torque", "N m"))

    def __post_init__(self) -> None:
        check_coordinate(self.coordinate, "BumpStop: coordinate")
        check(self, "at")
        check_flags(self, "lower_end")
        check(self, "stiffness", "fade", positive=True)
        check(self, "damping", at_least_zero=True)
        if not isinstance(self.lower_end, bool):
            raise ModelError(
                f"BumpStop: lower_end must be True or False, got {short(self.lower_end)}."
            )

    def counted(self, signs: Mapping[str, float]) -> BumpStop:
        return (
            self
            if signs[self.coordinate] > 0.0
            else replace(self, at=-self.at, lower_end=not self.lower_end)
        )

    @property
    def coordinates(self) -> tuple[str, ...]:
        return (self.coordinate,)

    def readings_on(self, units: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """Lengths and a force where the coordinate is a displacement."""
        return (
            (("depth", "m"), ("rate", "m/s"), ("force", "N")) if units == ("m",) else self.readings
        )

    @property
    def kinks(self) -> Sequence[tuple[str, float]]:
        return (("depth", 0.0),)

    def lower(self, row, to) -> None:
        row["rest"], row["sensor"], row["mode"] = (
            self.at,
            to.sensor(self.coordinate),
            -1 if self.lower_end else 1,
        )
        row["first"] = to.pool([self.stiffness, self.damping, self.fade])


@inline
def pressed(tables, work, force, q, v, x):
    """Depth in the stop, its rate, and the effort along the coordinate."""
    sensor, n, pool, side = (
        tables.sensors[force.sensor],
        force.first,
        tables.pool,
        float(force.mode),
    )
    depth = side * (sensor_value(tables, sensor, q, x, work.bodies) - force.rest)
    rate = side * sensor_rate(tables, sensor, v, work.bodies)
    return depth, rate, -side * press(depth, rate, pool[n], pool[n + 1], pool[n + 2])


@kernel
def apply(tables, work, force, t, q, v, x):
    act_on(tables, work, tables.sensors[force.sensor], pressed(tables, work, force, q, v, x)[2])


@kernel
def read(tables, work, force, t, q, v, x, out):
    store3(out, pressed(tables, work, force, q, v, x))


@kernel
def energy(tables, work, force, t, q, x):
    s = float(force.mode) * (
        sensor_value(tables, tables.sensors[force.sensor], q, x, work.bodies) - force.rest
    )
    return 0.5 * tables.pool[force.first] * max(s, 0.0) ** 2
