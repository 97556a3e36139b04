"""Kinematics of a suspension: motion of a wheel over its travel, and over that of the rack.

The chassis is fixed, and springs and tyres are removed; a joint coordinate of the suspension is
prescribed, and the height of the wheel is measured. Signs: camber is positive if the top of a wheel
leans outward, toe if its front points inward, track change if the contact moves outward.

    roll center:  h = z_c + y_c dy_c / dz_c
    (intersection of the normal of the contact path with the middle plane)
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import kinetree as kt
from kinetree.analysis.sampled import as_solution
from kinetree.core import figures
from kinetree.errors import ModelError, no_such
from kinetree.kernel.frames import IDENTITY, quaternion_matrix

COLUMNS = {
    "travel": "m",
    "rack": "m",
    "camber": "rad",
    "toe": "rad",
    "track_change": "m",
    "recession": "m",
    "roll_centre": "m",
}
_BEYOND = 1.3  # range of the coordinate relative to that which the travel needs


@dataclass(frozen=True)
class SuspensionCurves:
    """Curves of a suspension over the travel of a wheel, or over that of the rack.

    ``curves["camber"]`` is a column and ``print`` shows all. The columns are travel (m, up), camber
    (rad, positive if the top leans outward), toe (rad, positive if the front points inward),
    track_change (m, outward), recession (m, backward) and roll_centre (m, above the ground).

    Attributes
    ----------
    wheel : str
        Name of the wheel.
    over : str
        The independent column, "travel" or "rack".
    columns : dict of str to ndarray
        The columns by name.
    """

    wheel: str
    over: str
    columns: dict[str, np.ndarray] = field(repr=False)

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.columns:
            raise no_such("curve", name, self.columns, f" of wheel {self.wheel!r}")
        return self.columns[name]

    def gradient(self, name: str, at: float = 0.0) -> float:
        """Return the slope of a column over the travel or the rack.

        Parameters
        ----------
        name : str
            Name of the column.
        at : float, default 0.0
            Travel or rack position at which the slope is taken (m).

        Returns
        -------
        float
            The slope (1, or rad/m for angles).
        """
        from scipy.interpolate import CubicSpline

        return float(CubicSpline(self[self.over], self[name])(at, 1))

    def __str__(self) -> str:
        names = [name for name in COLUMNS if name in self.columns]
        lines = [
            f"Wheel {self.wheel!r} over {self.over}:",
            "  ".join(f"{f'{n} [{_unit(n)}]':>18}" for n in names),
        ]
        return "\n".join(
            lines
            + [
                "  ".join(f"{_shown(n, v):>18.5f}" for n, v in zip(names, row))
                for row in zip(*(self.columns[n] for n in names))
            ]
        )

    def plot(self, path=None):
        """Plot every column over the travel or the rack.

        Parameters
        ----------
        path : str or path-like, optional
            File to which the figure is saved.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        names = [
            name for name in COLUMNS if name in self.columns and name not in ("travel", "rack")
        ]
        figure = figures.new(figsize=(9.0, 5.5), layout="constrained")
        places = figure.subplots(2, 3).ravel()
        for axes in places[len(names) :]:
            axes.remove()
        for axes, name in zip(places, names):
            axes.plot(1e3 * self[self.over], _shown(name, self[name]))
            axes.set(xlabel=f"{self.over} [mm]", ylabel=f"{name.replace('_', ' ')} [{_unit(name)}]")
            axes.grid(alpha=0.3)
        return figures.save(figure, path, 150)


def _unit(name: str) -> str:
    return "deg" if COLUMNS[name] == "rad" else COLUMNS[name]


def _shown(name: str, value: Any) -> Any:
    return np.degrees(value) if COLUMNS[name] == "rad" else value


def suspension_curves(
    m: kt.Model,
    wheel: str = "FL",
    travel: tuple[float, float] = (-0.08, 0.08),
    *,
    by: str | None = None,
    chassis: str = "chassis",
    rack: float | tuple[float, float] = 0.0,
    steps: int = 21,
) -> SuspensionCurves:
    r"""Compute camber, toe and other curves of a wheel over its travel, or over that of the rack.

    The chassis is fixed, and springs and tires are left out.

    Parameters
    ----------
    m : kt.Model
        The vehicle.
    wheel : str, default "FL"
        Name of the wheel; its body is "wheel FL".
    travel : (float, float), default (-0.08, 0.08)
        Range of the travel of the wheel (m), positive up.
    by : str, optional
        Joint coordinate that moves the suspension; by default "arm hinge FL.angle" or "lower hinge
        FL.angle".
    chassis : str, default "chassis"
        Name of the chassis.
    rack : float or (float, float), default 0.0
        Position of the rack (m), or its range if the curves are to be over the rack.
    steps : int, default 21
        Number of rows.

    Returns
    -------
    SuspensionCurves
        The curves.

    Raises
    ------
    ModelError
        If the coordinate does not lift the wheel, or none is known.

    Notes
    -----
    The height of the roll center follows from the path of the contact point,

    .. math:: h = z_c + y_c \frac{d y_c}{d z_c}

    where the normal of this path intersects the middle plane of the vehicle.

    Examples
    --------
    >>> from kinetree.models.car import car
    >>> from kinetree.models.vehicles import suspension_curves
    >>> curves = suspension_curves(car(), "FL", steps=5)
    >>> curves["camber"].shape
    (5,)
    """
    bolted, name = _with_fixed_chassis(m, chassis), f"wheel {wheel}"
    if name not in m.bodies:
        raise no_such("body", name, m.bodies, f" in model {m.name!r}")
    by = by or next(
        (
            f"{hinge} {wheel}.angle"
            for hinge in ("arm hinge", "lower hinge")
            if f"{hinge} {wheel}" in m.joints
        ),
        None,
    )
    if by is None:
        raise ModelError(
            f'suspension_curves: give by="JOINT.angle", the coordinate that moves the suspension '
            f"of {name!r}."
        )
    radius = next(
        (
            e.spec.radius
            for e in m.forces.values()
            if isinstance(e.spec, kt.Tyre) and e.markers[0].body.name == name
        ),
        0.0,
    )
    if isinstance(rack, tuple):
        places = np.linspace(*rack, steps)
        rows = np.array([_row(_with_rack_at(bolted, s), name, {}) for s in places])
        return SuspensionCurves(name, "rack", _table(rows, rows[len(rows) // 2], radius, places))
    held = _with_rack_at(bolted, rack)
    middle, angles = _row(held, name, {}), _angles(held, name, by, travel, steps)
    rows = np.array([_row(held, name, {by: a}) for a in angles])
    return SuspensionCurves(
        name, "travel", _resampled(_table(rows, middle, radius, None), np.linspace(*travel, steps))
    )


def _with_fixed_chassis(m: kt.Model, chassis: str) -> kt.Model:
    """The model without forces, with the chassis fixed to the ground where it is drawn."""
    joint = next(
        (j for j in m.joints.values() if j.M.body.name == chassis and j.F.body.is_ground), None
    )
    if joint is None:
        raise ModelError(
            f"suspension_curves: body {chassis!r} is not free to move; name the chassis with "
            "chassis=."
        )
    body, pose = m.bodies[chassis], m.bodies[chassis].pose or IDENTITY
    x, y, z = pose.p
    there = m.ground.at(x, y, z, rotation=pose.R)
    bolt = replace(joint, joint=kt.Fixed(), F=there, M=body.at(0, 0, 0), start={}, speed={})
    return m.variant(joints={**m.joints, joint.name: bolt}, forces={})


def _with_rack_at(m: kt.Model, place: float) -> kt.Model:
    """The model with the rack held at a position, if it has a rack."""
    held = {
        name: replace(e, spec=replace(e.spec, motion=place))
        for name, e in m.constraints.items()
        if isinstance(e.spec, kt.Driver)
    }
    return m.variant(constraints={**m.constraints, **held})


def _row(m: kt.Model, wheel: str, targets: dict[str, float]) -> np.ndarray:
    """Center and axis of the wheel at each target."""
    a = kt.assemble(m, targets=targets)
    there = as_solution(a, [a.t], a.y[None], a.vdot[None], a.lam[None], "assembly")
    return np.concatenate(
        [there[f"{wheel}.position"][0], quaternion_matrix(there[f"{wheel}.quaternion"][0])[:, 1]]
    )


def _angles(
    m: kt.Model, wheel: str, by: str, travel: tuple[float, float], steps: int
) -> np.ndarray:
    """Values of the coordinate that cover the travel, with some margin."""
    h = 1e-3
    rise = (_row(m, wheel, {by: h})[2] - _row(m, wheel, {by: -h})[2]) / (2.0 * h)
    if abs(rise) < 1e-6:
        raise ModelError(f"suspension_curves: {by!r} does not lift {wheel!r}.")
    return np.linspace(_BEYOND * travel[0] / rise, _BEYOND * travel[1] / rise, steps)


def _table(
    rows: np.ndarray, middle: np.ndarray, radius: float, places: np.ndarray | None
) -> dict[str, np.ndarray]:
    """Columns from centers and axes; signs depend on the side of the wheel."""
    side = 1.0 if middle[1] > 0.0 else -1.0
    a = rows[:, 3:] * np.sign(rows[:, 4:5])
    foot = rows[:, :3] + radius * _down(a)
    start = middle[:3] + radius * _down(middle[None, 3:])[0]
    out = {
        "travel": rows[:, 2] - middle[2],
        "camber": -side * np.arcsin(a[:, 2]),
        "toe": side * np.arctan2(a[:, 0], a[:, 1]),
        "track_change": side * (foot[:, 1] - start[1]),
        "recession": start[0] - foot[:, 0],
    }
    if places is not None:
        return {**out, "rack": places}
    return {
        **out,
        "foot_y": foot[:, 1],
        "foot_z": foot[:, 2],
        "ground": np.full(len(rows), start[2]),
    }


def _down(a: np.ndarray) -> np.ndarray:
    """Vector from the center of a disc to its lowest point."""
    up = np.array([0.0, 0.0, 1.0])
    d = -(up - a[:, 2:3] * a)
    return d / np.linalg.norm(d, axis=1, keepdims=True)


def _resampled(table: dict[str, np.ndarray], travel: np.ndarray) -> dict[str, np.ndarray]:
    """The table at equally spaced travel; the roll center is above the ground under the wheel."""
    from scipy.interpolate import CubicSpline

    order = np.argsort(table["travel"])
    splines = {
        name: CubicSpline(table["travel"][order], column[order]) for name, column in table.items()
    }
    slope = splines["foot_y"](travel, 1) / splines["foot_z"](travel, 1)
    found = {name: s(travel) for name, s in splines.items() if name in COLUMNS}
    return {**found, "travel": travel, "roll_centre": splines["foot_y"](travel) * slope}
