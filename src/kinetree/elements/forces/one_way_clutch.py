"""One-way clutch: a joint coordinate whose rate cannot become negative.

sdot >= 0,     a load that only pushes forward, and none while the clutch overruns
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ...core.checks import check, check_flags
from ...core.quantities import CoordinateSpeed, Reference
from ...kernel.decorators import kernel
from ..controllers.contract import State
from ..joints.contract import check_coordinate
from ..joints.sensors import sensor_rate
from .contract import Force, act_on
from .joint_stop import coordinate_load, lower_on_coordinate, write_coordinate
from .unilateral import APART, meaning_of_state, mode_of, states_of


@dataclass(frozen=True)
class OneWayClutch(Force):
    r"""One-way clutch on a joint coordinate: freewheel, sprag clutch, backstop.

    Parameters
    ----------
    coordinate : str
        Name of a joint coordinate, such as "A.angle", for example of the joint between two shafts.
    backward : bool, default False
        Whether the coordinate can only decrease, instead of only increase.
    rest_speed : float, default 1e-05
        Rate (rad/s, or m/s for a displacement) below which the clutch stays locked after an impact.

    See Also
    --------
    kt.Ratchet : Locks at the teeth of a wheel only.
    kt.JointStop : Stops the value instead of the rate.

    Notes
    -----
    .. math::
        \dot s \ge 0, \qquad \lambda \ge 0, \qquad \dot s\,\lambda = 0

    :math:`s` is the coordinate and :math:`\lambda` the effort of the clutch on it. The channel
    `rate` is the rate of the coordinate (rad/s, or m/s), `load` the effort (N m, or N), positive in
    the direction of the coordinate, and `closed` is 1 while the clutch is locked.

    Examples
    --------
    A motor turns a wheel forward and would then turn it back.

    >>> import kinetree as kt
    >>> model = kt.Model("freewheel", gravity=(0, 0, 0))
    >>> wheel = model.body("wheel", kt.rotor(inertia=0.5, mass=1.0))
    >>> axle = model.joint("A", kt.Revolute("z"), model.ground, wheel)
    >>> torque = kt.Ramp(slope=-1.0, start=1.0)
    >>> motor = model.force("motor", kt.TorsionSpring("A.angle", torque=torque))
    >>> clutch = model.force("clutch", kt.OneWayClutch("A.angle"))
    >>> sol = kt.simulate(model, until=4.0)
    >>> print(f"{sol['A.angle.rate'].min():.1f} rad/s")
    0.0 rad/s
    """

    coordinate: Reference
    backward: bool = False
    rest_speed: CoordinateSpeed = 1e-5

    kind = "one-way-clutch"
    markers = (0, 0)
    restitution = 0.0
    meanings = {
        "rate": "time derivative of the joint coordinate",
        "load": "effort of the clutch in the direction of the coordinate",
        "closed": "1 while the clutch is locked",
    }
    readings = (("rate", "rad/s"), ("load", "N m"), ("closed", "1"))

    def __post_init__(self) -> None:
        check_coordinate(self.coordinate, "OneWayClutch: coordinate")
        check_flags(self, "backward")
        check(self, "rest_speed", positive=True)

    @property
    def coordinates(self) -> tuple[str, ...]:
        return (self.coordinate,)

    def readings_on(self, units: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        return (
            (("rate", "m/s"), ("load", "N"), ("closed", "1")) if units == ("m",) else self.readings
        )

    def counted(self, signs: Mapping[str, float]) -> OneWayClutch:
        return self if signs[self.coordinate] > 0.0 else replace(self, backward=not self.backward)

    def own_states(self) -> tuple[State, ...]:
        return states_of(1, False)

    def meaning(self, label: str) -> str:
        return self.meanings[label] if label in self.meanings else meaning_of_state(label)

    def lower(self, row, to) -> None:
        lower_on_coordinate(self, row, to, (-1.0 if self.backward else 1.0,))
        row["count"] = 1
        to.rows["places"][-1]["rates"] = 1


@kernel
def meet(tables, work, force, k, t, q, v, x, out):
    out[0] = 0.0
    write_coordinate(tables, work, force, k, out)


@kernel
def apply(tables, work, force, t, q, v, x):
    load = coordinate_load(tables, work, force)
    if load != 0.0:
        act_on(tables, work, tables.sensors[force.sensor], load)


@kernel
def read(tables, work, force, t, q, v, x, out):
    out[0] = sensor_rate(tables, tables.sensors[force.sensor], v, work.bodies)
    out[1] = coordinate_load(tables, work, force)
    out[2] = 0.0 if mode_of(x, tables.places[int(force.input[0])]) == APART else 1.0
