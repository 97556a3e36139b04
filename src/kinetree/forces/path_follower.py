"""A driver who looks ahead and holds the rack: steering towards a path y(x) on the road.

    P = p + preview e_x,    e = (y(P_x) - P_y) cos(atan y')          deviation of the point ahead
                            from the path
    s* = gain e, within +-limit,     F = k (s* - s) - c s'            on the rack's coordinate s

`e_x` is the x axis of the marker on the chassis, in the plane of the road. The gain is negative
where a rack to the right steers left.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..annotations import (
    Metres,
    NewtonSecondsPerMetre,
    NewtonsPerMetre,
    Plain,
    ProfileInMetres,
    Reference,
)
from ..checks import check
from ..errors import ModelError
from ..joints.contract import check_coordinate
from ..joints.sensors import sensor_rate, sensor_value
from ..num.jit import inline, kernel
from ..num.vec3 import column
from ..roads.road import smooth_profile
from ..signals.catalogue import signal_value
from ..signals.contract import negated
from .contract import Force, act_on, frame, no_energy, point_motion

PREVIEW, GAIN, LIMIT, STIFFNESS, DAMPING = range(5)


@dataclass(frozen=True)
class PathFollower(Force):
    """Steers a coordinate like "rack slide.displacement" so that its marker, looking ahead, follows
    a `path` y(x).

    coordinate   of the rack
    path         y over x, as the profile of a road: a number, kt.Table, kt.CosineBump, a function
                 (m)
    preview      how far ahead it looks (m)
    gain         travel of the rack per deviation; negative where a rack to the right steers left
                 (1)
    limit        of the travel of the rack (m)
    stiffness    with which it holds the rack (N/m)
    damping      with which it holds the rack (N s/m)
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
    """Deviation ahead, the rack that is wanted, and the force on it."""
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
