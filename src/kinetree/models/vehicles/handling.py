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
    """A maneuver and its characteristic values, with the signs of ISO 8855.

    Values are in horizontal axes that follow the chassis: x ahead, y left.

    Attributes
    ----------
    sol : Solution
        The run, with all channels.
    speed : float
        Speed at the start (m/s).
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
        """Times of the samples (s), shape (nt,)."""
        return self.sol.t

    @cached_property
    def lateral_acceleration(self) -> np.ndarray:
        """Lateral acceleration of the mass center (m/s^2), shape (nt,), positive to the left."""
        return self._level(self.sol["chassis.centre.acceleration"])[1]

    @property
    def yaw_rate(self) -> np.ndarray:
        """Yaw rate (rad/s), shape (nt,), positive to the left."""
        return self.sol["chassis.angular_velocity.z"]

    @cached_property
    def roll(self) -> np.ndarray:
        """Roll angle (rad), shape (nt,), positive if the left side is up."""
        return np.arcsin(self._rotation[:, 2, 1])

    @cached_property
    def sideslip(self) -> np.ndarray:
        """Sideslip angle of the mass center (rad), shape (nt,), positive to the left."""
        ahead, left = self._level(self.sol["chassis.centre.velocity"])
        return np.arctan2(left, ahead)

    @property
    def path(self) -> np.ndarray:
        """Path of the mass center (m), shape (nt, 2)."""
        return self.sol["chassis.centre.position"][:, :2]

    def steer_angle(self, wheel: str) -> np.ndarray:
        """Return the steer angle of a wheel relative to the chassis.

        Parameters
        ----------
        wheel : str
            Name of the wheel, such as "FL".

        Returns
        -------
        ndarray, shape (nt,)
            The angle (rad), positive to the left.
        """
        axis = self._rotations(f"wheel {wheel}")[:, :, 1]
        own = np.einsum("tji,tj->ti", self._rotation, axis)
        return np.arctan2(-own[:, 0], own[:, 1])

    @property
    def figures(self) -> dict[str, float]:
        """Extreme values by name with their signs, and the lateral displacement; SI units."""
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
        """Means over the last second by name, with radius and mean front steer angle; SI units."""
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
        """Plot lateral acceleration, yaw rate, roll angle and the path.

        Parameters
        ----------
        path : str or path-like, optional
            File to which the figure is saved.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
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
    """Simulate a maneuver from static equilibrium at a given speed.

    Parameters
    ----------
    build : callable
        Function ``build(steer=..., speed=..., road=...)`` that returns the model of a car, such as
        `kinetree.models.car.car`. Its body "chassis" has a point "centre".
    speed : float
        Speed at the start (m/s).
    steer : float or time function
        Travel of the rack (m), positive to the left.
    until : float
        End time (s).
    road : kt.Road, optional
        The road; by default a flat one.
    **options : Any
        Options of `kt.simulate`; by default the integrator is "switching".

    Returns
    -------
    kinetree.models.vehicles.Drive
        The maneuver and its characteristic values.
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
    """Simulate a step of the steering: the rack moves smoothly and stays there.

    Parameters
    ----------
    build : callable
        Function ``build(steer=..., speed=..., road=...)`` that returns the model of a car, such as
        `kinetree.models.car.car`. Its body "chassis" has a point "centre".
    speed : float
        Speed at the start (m/s).
    travel : float
        Travel of the rack after the step (m), positive to the left.
    rise : float, default 0.2
        Duration of the step (s).
    until : float, default 5.0
        End time (s).
    **options : Any
        Options of `kt.simulate`; by default the integrator is "switching".

    Returns
    -------
    kinetree.models.vehicles.Drive
        The maneuver and its characteristic values.

    Examples
    --------
    >>> from kinetree.models.car import car
    >>> from kinetree.models.vehicles import step_steer
    >>> turn = step_steer(car, speed=20.0, travel=-0.002, until=3.0)
    >>> turn.steady["yaw rate"] > 0.0
    True
    """
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
    """Simulate a lane change: the rack moves once to either side.

    Parameters
    ----------
    build : callable
        Function ``build(steer=..., speed=..., road=...)`` that returns the model of a car, such as
        `kinetree.models.car.car`. Its body "chassis" has a point "centre".
    speed : float
        Speed at the start (m/s).
    travel : float
        Largest travel of the rack (m), positive to the left, reached first on its own side.
    period : float, default 4.0
        Duration of the motion of the rack (s).
    until : float, default 8.0
        End time (s).
    **options : Any
        Options of `kt.simulate`; by default the integrator is "switching".

    Returns
    -------
    kinetree.models.vehicles.Drive
        The maneuver and its characteristic values.
    """
    return drive(build, speed, smooth_sine(travel, BEGIN, period), until, **options)


def over_bump(
    build: Build, speed: float, road: kt.Road, *, until: float = 4.0, **options: Any
) -> Drive:
    """Drive straight ahead over the obstacles of a road.

    Parameters
    ----------
    build : callable
        Function ``build(steer=..., speed=..., road=...)`` that returns the model of a car, such as
        `kinetree.models.car.car`. Its body "chassis" has a point "centre".
    speed : float
        Speed at the start (m/s).
    road : kt.Road
        The road with its obstacles.
    until : float, default 4.0
        End time (s).
    **options : Any
        Options of `kt.simulate`; by default the integrator is "switching".

    Returns
    -------
    kinetree.models.vehicles.Drive
        The maneuver and its characteristic values.
    """
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
    """Simulate steady turns to the left on one radius at several speeds.

    Parameters
    ----------
    build : callable
        Function ``build(steer=..., speed=..., road=...)`` that returns the model of a car.
    radius : float
        Radius of the turn (m).
    speeds : sequence of float
        Speeds (m/s), ascending.
    per_metre : float, default -5.0
        Initial estimate of the steer angle per meter of rack travel (rad/m).
    until : float, default 6.0
        End time (s).
    **options : Any
        Options of `kt.simulate`; by default the integrator is "switching".

    Returns
    -------
    list of kinetree.models.vehicles.Drive
        One maneuver per speed.

    Raises
    ------
    SimulationError
        If no rack travel gives a turn of this radius.

    Notes
    -----
    The rack travel is found by the secant method, up to a relative error of 1e-4 of the curvature.
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
    r"""Return the understeer gradient of steady turns.

    Parameters
    ----------
    drives : sequence of kinetree.models.vehicles.Drive
        Steady turns, such as those of `constant_radius`.
    wheelbase : float
        Distance of the axles (m).

    Returns
    -------
    float
        The gradient (rad s^2/m), positive for an understeering car.

    Notes
    -----
    It is the slope of a line through the steer angles beyond the geometric one,

    .. math:: \delta - \frac{l}{R} = K a_y

    with the wheelbase l, the radius R and the lateral acceleration :math:`a_y`.
    """
    steady = [run.steady for run in drives]
    beyond = [s["steer angle"] - wheelbase / s["radius"] for s in steady]
    return float(np.polyfit([s["lateral acceleration"] for s in steady], beyond, 1)[0])
