"""Driving maneuvers of a car and their characteristic values: step steer, lane change, constant
radius, a bump.

Each takes a function that builds the car, build(steer=..., speed=..., road=...), from the rack
travel over time, a speed (m/s) and a road, such as `kinetree.models.car.car`; its chassis has a
point "centre". Signs of ISO 8855: to the left is positive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

import kinetree as kt
from kinetree.core import figures
from kinetree.errors import SimulationError
from kinetree.kernel.frames import quaternion_matrix

from .rolling import rolling_start
from .steering_inputs import smooth_sine, smooth_step

BEGIN = 0.5  # s before the maneuver begins
STEADY = 1.0  # s at the end of a maneuver over which steady values are averaged
Build = Callable[..., kt.Model]


@dataclass(frozen=True)
class Drive:
    """A maneuver and its characteristic values, in horizontal axes that follow the chassis: x
    ahead, y left.
    """

    sol: Any
    speed: float

    def _rotations(self, body: str) -> np.ndarray:
        return np.array([quaternion_matrix(q) for q in self.sol[f"{body}.quaternion"]])

    @cached_property
    def _rotation(self) -> np.ndarray:
        return self._rotations("chassis")

    def _level(self, vector: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Horizontal components of vectors, ahead and to the left."""
        ahead = self._rotation[:, :2, 0] / np.linalg.norm(
            self._rotation[:, :2, 0], axis=1, keepdims=True
        )
        left = np.column_stack([-ahead[:, 1], ahead[:, 0]])
        return (vector[:, :2] * ahead).sum(axis=1), (vector[:, :2] * left).sum(axis=1)

    @property
    def t(self) -> np.ndarray:
        return self.sol.t

    @cached_property
    def lateral_acceleration(self) -> np.ndarray:
        """Lateral acceleration of the mass center (m/s^2)."""
        return self._level(self.sol["chassis.centre.acceleration"])[1]

    @property
    def yaw_rate(self) -> np.ndarray:
        """Yaw rate (rad/s)."""
        return self.sol["chassis.angular_velocity.z"]

    @cached_property
    def roll(self) -> np.ndarray:
        """Roll angle (rad), positive if the left side is up."""
        return np.arcsin(self._rotation[:, 2, 1])

    @cached_property
    def sideslip(self) -> np.ndarray:
        """Sideslip angle of the mass center (rad), positive if it drifts to the left."""
        ahead, left = self._level(self.sol["chassis.centre.velocity"])
        return np.arctan2(left, ahead)

    @property
    def path(self) -> np.ndarray:
        """Path of the mass center (m), shape (nt, 2)."""
        return self.sol["chassis.centre.position"][:, :2]

    def steer_angle(self, wheel: str) -> np.ndarray:
        """Steer angle of the wheel "FL" relative to the chassis (rad), positive to the left."""
        axis = self._rotations(f"wheel {wheel}")[:, :, 1]
        own = np.einsum("tji,tj->ti", self._rotation, axis)
        return np.arctan2(-own[:, 0], own[:, 1])

    @property
    def figures(self) -> dict[str, float]:
        """Extreme values with their signs, and values at the end: SI units."""
        return {
            "speed": self.speed,
            "lateral acceleration": _largest(self.lateral_acceleration),
            "yaw rate": _largest(self.yaw_rate),
            "roll angle": _largest(self.roll),
            "sideslip angle": _largest(self.sideslip),
            "lateral displacement": float(self.path[-1, 1] - self.path[0, 1]),
        }

    @property
    def steady(self) -> dict[str, float]:
        """Means over the last second: lateral acceleration, yaw rate, roll angle, radius, steer
        angle of the front wheels.
        """
        last = self.t >= self.t[-1] - STEADY
        yaw = float(self.yaw_rate[last].mean())
        speed = float(np.linalg.norm(self.sol["chassis.centre.velocity"][last], axis=1).mean())
        steer = 0.5 * (self.steer_angle("FL") + self.steer_angle("FR"))[last].mean()
        return {
            "speed": speed,
            "lateral acceleration": float(self.lateral_acceleration[last].mean()),
            "yaw rate": yaw,
            "roll angle": float(self.roll[last].mean()),
            "radius": speed / yaw if yaw else np.inf,
            "steer angle": float(steer),
        }

    def plot(self, path=None):
        """Lateral acceleration, yaw rate, roll angle and the path, as a matplotlib figure; saved if
        a path is given.
        """
        figure = figures.new(figsize=(9.0, 5.5), layout="constrained")
        drawn = (
            (self.t, self.lateral_acceleration, "t [s]", "lateral acceleration [m/s²]"),
            (self.t, np.degrees(self.yaw_rate), "t [s]", "yaw rate [deg/s]"),
            (self.t, np.degrees(self.roll), "t [s]", "roll angle [deg]"),
            (*self.path.T, "x [m]", "y [m]"),
        )
        for axes, (x, y, across, up) in zip(figure.subplots(2, 2).ravel(), drawn):
            axes.plot(x, y)
            axes.set(xlabel=across, ylabel=up)
            axes.grid(alpha=0.3)
        return figures.save(figure, path, 150)


def _largest(values: np.ndarray) -> float:
    return float(values[np.abs(values).argmax()])


def drive(
    build: Build,
    speed: float,
    steer: Any,
    until: float,
    road: kt.Road | None = None,
    **options: Any,
) -> Drive:
    """Simulate a maneuver from equilibrium at a speed, with the rack travel `steer`; options are
    those of kt.simulate.
    """
    m = build(steer=steer, speed=speed, road=road)
    chosen = {"integrator": "switching", "output_interval": 0.01, **options}
    return Drive(kt.simulate(m, until, state=rolling_start(m), **chosen), speed)


def step_steer(
    build: Build,
    speed: float,
    travel: float,
    *,
    rise: float = 0.2,
    until: float = 5.0,
    **options: Any,
) -> Drive:
    """The rack moves smoothly to `travel` (m) within `rise` seconds, and stays there."""
    return drive(build, speed, smooth_step(travel, BEGIN, rise), until, **options)


def lane_change(
    build: Build,
    speed: float,
    travel: float,
    *,
    period: float = 4.0,
    until: float = 8.0,
    **options: Any,
) -> Drive:
    """The rack moves once to either side, to `travel` (m) first, within a period (s)."""
    return drive(build, speed, smooth_sine(travel, BEGIN, period), until, **options)


def over_bump(
    build: Build, speed: float, road: kt.Road, *, until: float = 4.0, **options: Any
) -> Drive:
    """Drive straight ahead over the obstacles of a road."""
    return drive(build, speed, 0.0, until, road, **options)


def constant_radius(
    build: Build,
    radius: float,
    speeds: Sequence[float],
    *,
    per_metre: float = -5.0,
    until: float = 6.0,
    **options: Any,
) -> list[Drive]:
    """Steady turns to the left on one radius (m); for each speed the rack travel is found by the
    secant method.

        per_metre    initial estimate of the steer angle per meter of rack travel (rad/m)
    """
    found, travel = [], 2.7 / (radius * per_metre)
    for speed in speeds:
        found.append(_on_radius(build, radius, speed, travel, until, options))
        travel = float(found[-1].sol["rack slide.displacement"][-1])
    return found


def _on_radius(
    build: Build, radius: float, speed: float, travel: float, until: float, options: dict[str, Any]
) -> Drive:
    last: tuple[float, float] | None = None
    for _ in range(8):
        run = step_steer(build, speed, travel, until=until, **options)
        error = 1.0 / run.steady["radius"] - 1.0 / radius
        if abs(error) * radius < 1e-4:
            return run
        slope = (error - last[1]) / (travel - last[0]) if last else (error + 1.0 / radius) / travel
        last, travel = (travel, error), travel - error / slope
    raise SimulationError(
        f"constant_radius: no rack travel was found for a turn of radius {radius:g} m at {speed:g} "
        "m/s; the car cannot follow, or the steps are too large.",
        until,
    )


def understeer_gradient(drives: Sequence[Drive], wheelbase: float) -> float:
    """Understeer gradient (rad s^2/m) of steady turns: slope of the steer angle beyond wheelbase /
    radius over the lateral acceleration.
    """
    steady = [run.steady for run in drives]
    beyond = [s["steer angle"] - wheelbase / s["radius"] for s in steady]
    return float(np.polyfit([s["lateral acceleration"] for s in steady], beyond, 1)[0])
