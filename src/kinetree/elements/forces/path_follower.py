"""Driver model that steers towards a path y(x) on the road, with preview.

    P = p + preview e_x,    e = (y(P_x) - P_y) cos(atan y')       deviation of the preview point
    s* = gain e, within +-limit,     F = k (s* - s) - c s'        on the rack's coordinate s

`e_x` is the x axis of the marker on the chassis, projected on the road plane. The gain is negative
where a rack displacement to the right steers left.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ...core.checks import check
from ...core.quantities import (
    Metres,
    NewtonSecondsPerMetre,
    NewtonsPerMetre,
    Plain,
    ProfileInMetres,
    Reference,
)
from ...errors import ModelError
from ...kernel.algebra.vec3 import column
from ...kernel.decorators import inline, kernel
from ..joints.contract import check_coordinate
from ..joints.sensors import sensor_rate, sensor_value
from ..roads.road import smooth_profile
from ..signals.catalogue import signal_value
from ..signals.contract import negated
from .contract import Force, act_on, frame, no_energy, point_motion

PREVIEW, GAIN, LIMIT, STIFFNESS, DAMPING = range(5)


@dataclass(frozen=True)
class PathFollower(Force):
    r"""Driver model that steers a rack so that its marker follows a path.

    Parameters
    ----------
    coordinate : str
        Name of the coordinate of the rack, such as "rack slide.displacement".
    path : float, time function, callable or array_like
        Path y over x (m): a number, a function of x such as `kt.Table` or `kt.CosineBump`, a Python
        function, or points (x, y).
    preview : float, default 10.0
        Preview distance ahead of the marker (m).
    gain : float, default -0.005
        Displacement of the rack per deviation (1), negative where a rack displacement to the right
        steers left.
    limit : float, default 0.05
        Largest displacement of the rack (m).
    stiffness : float, default 1000000.0
        Stiffness with which the rack is held at the desired displacement (N/m).
    damping : float, default 10000.0
        Damping coefficient of the rack (N s/m).

    See Also
    --------
    kt.Drive : Controls the speed of a vehicle.
    kt.Controller : Control law by user code.

    Notes
    -----
    .. math::
        P &= p + L\,e_x, \qquad e = \frac{y(P_x) - P_y}{\sqrt{1 + y'(P_x)^2}} \\
        s^* &= g\,e, \quad |s^*| \le s_{max}, \qquad F = k\,(s^* - s) - c\,\dot s

    :math:`p` is the position of the marker on the chassis and :math:`e_x` its x axis, projected on
    the road plane; :math:`L` is the `preview` distance, :math:`y(x)` the `path`, :math:`g` the
    `gain`, :math:`s_{max}` the `limit`, :math:`k` the `stiffness` and :math:`c` the `damping`. The
    deviation e (m) is positive where the path is to the left of the preview point. F acts on the
    coordinate s of the rack (N), positive in its direction. The channels are `deviation` e,
    `wanted` :math:`s^*` and `force` F.

    Examples
    --------
    The vehicle drives along x, 1 m to the right of the path y = 1 m.

    >>> import kinetree as kt
    >>> model = kt.Model("steering", gravity=(0, 0, 0))
    >>> car = model.body("car", kt.box(mass=1000.0, sides=(4, 2, 1)))
    >>> free = model.float(car)
    >>> rack = model.body("rack", kt.box(mass=5.0, sides=(0.1, 1.0, 0.1)))
    >>> slide = model.joint("slide", kt.Translational("y"), car, rack)
    >>> driver = model.force("driver", kt.PathFollower("slide.displacement", path=1.0), car)
    >>> sol = kt.simulate(model, until=1e-4)
    >>> print(f"{sol['driver.deviation'][0]:.3f} m, {sol['driver.wanted'][0]:.4f} m")
    1.000 m, -0.0050 m
    """

    coordinate: Reference
    path: ProfileInMetres
    preview: Metres = 10.0
    gain: Plain = -0.005
    limit: Metres = 0.05
    stiffness: NewtonsPerMetre = 1e6
    damping: NewtonSecondsPerMetre = 1e4

    kind = "path-follower"
    markers = (1, 1)
    meanings = {
        "deviation": "distance of the path from the preview point, positive where the path is to the left",
        "wanted": "desired displacement of the rack: gain times deviation, within the limit",
        "force": "effort on the rack in the direction of its coordinate",
    }
    readings = (("deviation", "m"), ("wanted", "m"), ("force", "N"))

    def __post_init__(self) -> None:
        check_coordinate(self.coordinate, "PathFollower: coordinate")
        object.__setattr__(self, "path", smooth_profile(self.path, "PathFollower: path"))
        check(self, "gain")
        check(self, "preview", "limit", "stiffness", positive=True)
        check(self, "damping", at_least_zero=True)

    def mirrored(self, S: np.ndarray) -> PathFollower:
        if not np.array_equal(S, (1.0, -1.0, 1.0)):
            raise ModelError(
                "a mirror across x or z cannot turn a PathFollower, whose path runs along x; give "
                "this element in "
                "the file that uses the assembly."
            )
        return replace(self, path=negated(self.path, "PathFollower: path"), gain=-self.gain)

    def counted(self, signs: Mapping[str, float]) -> PathFollower:
        return replace(self, gain=signs[self.coordinate] * self.gain)

    @property
    def coordinates(self) -> tuple[str, ...]:
        return (self.coordinate,)

    def lower(self, row, to) -> None:
        row["mode"], row["sensor"] = to.profile(self.path), to.sensor(self.coordinate)
        row["first"] = to.pool([self.preview, self.gain, self.limit, self.stiffness, self.damping])


@inline
def steered(tables, work, force, q, v, x):
    """Deviation of the preview point, desired displacement of the rack, and force on it."""
    n, marker = tables.pool[force.first :], tables.markers[force.im]
    p, e_x = point_motion(marker, work.bodies)[0], column(frame(marker, work.bodies), 0)
    level = n[PREVIEW] / math.sqrt(e_x[0] * e_x[0] + e_x[1] * e_x[1])
    signal = tables.signals[force.mode]
    y, slope, _ = signal_value(
        tables.signal_kernels[signal.kind], signal, tables.pool, p[0] + level * e_x[0]
    )
    e = (y - p[1] - level * e_x[1]) / math.sqrt(1.0 + slope * slope)
    wanted = min(max(n[GAIN] * e, -n[LIMIT]), n[LIMIT])
    sensor = tables.sensors[force.sensor]
    s, rate = (
        sensor_value(tables, sensor, q, x, work.bodies),
        sensor_rate(tables, sensor, v, work.bodies),
    )
    return e, wanted, n[STIFFNESS] * (wanted - s) - n[DAMPING] * rate


@kernel
def apply(tables, work, force, t, q, v, x):
    act_on(tables, work, tables.sensors[force.sensor], steered(tables, work, force, q, v, x)[2])


@kernel
def read(tables, work, force, t, q, v, x, out):
    out[0], out[1], out[2] = steered(tables, work, force, q, v, x)


energy = no_energy
