"""Inverse dynamics: the efforts at chosen joint coordinates that produce a given motion.

    M vdot = f + S^T tau - G^T lam,   S v = rates of the driven coordinates
    (S N)^T tau = N^T (M vdot - f),   G N = 0

The rows of drivers are not part of G. The efforts have least norm if more coordinates are driven
than there are degrees of freedom. If the motion needs an effort that no drive can give, an error is
raised.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..assembly.prepare import prepare
from ..assembly.system import System
from ..core.checks import number, words
from ..core.display import Printable
from ..description.lowering.compiled import CompiledModel
from ..description.lowering.flexible import refuse_beams
from ..description.lowering.groups import refuse_groups
from ..description.lowering.modal import refuse_flexible
from ..description.lowering.states import refuse_rigid
from ..description.model import Model
from ..description.named import joint_and_label, refuse_other
from ..engine.equations.interface import evaluate_equations as equations
from ..errors import ModelError, counted, explains_arguments, no_such
from ..kernel.frames import numbers
from ..kernel.linalg import lstsq, product
from ..kernel.usercode.capture import with_user_errors
from ..results.solution import Solution
from .linear.independent_coordinates import CUT, dof_name, null_space

_TOLERANCE = 1e-7  # relative tolerance of the consistency of the state and of the residual force


@dataclass(frozen=True, repr=False)
class DriveEfforts(Printable):
    """Efforts at driven coordinates; ``efforts["A.angle"]`` is the effort of one drive.

    Returned by `inverse_dynamics`. For a solution the arrays have one row per sample, for a single
    state they have no such axis. Efforts are positive in the direction of the coordinates.

    Attributes
    ----------
    drives : tuple of str
        The driven coordinates.
    t : ndarray, shape (nt,) or ()
        Times (s).
    efforts : ndarray, shape (nt, nd) or (nd,)
        Torques (N m) and forces (N).
    rates : ndarray, shape (nt, nd) or (nd,)
        Rates of the driven coordinates (rad/s or m/s).
    lam : ndarray, shape (nt, ng) or (ng,)
        Lagrange multipliers of the constraints (N, N m), zero for drivers.
    residual : float
        Largest effort that no drive provides, relative to the forces (1).
    units : tuple of str
        Unit of each effort, "N m" or "N".

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.four_bar import four_bar
    >>> sol = kt.simulate(four_bar(), 0.1)
    >>> efforts = kt.inverse_dynamics(four_bar(), sol, drives=["A.angle"])
    >>> efforts["A.angle"].shape
    (501,)
    """

    drives: tuple[str, ...]
    t: np.ndarray
    efforts: np.ndarray  # (nt, nd) or (nd,)
    rates: np.ndarray  # of the driven coordinates
    lam: np.ndarray  # multipliers of the constraints, zero at drivers
    residual: float  # largest force that no drive can apply, relative to the forces present
    units: tuple[str, ...]  # of each effort: N m or N

    @property
    def power(self) -> np.ndarray:
        """Power of each drive (W), shape (nt, nd) or (nd,)."""
        return self.efforts * self.rates

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.drives:
            raise no_such("drive", name, self.drives)
        return self.efforts[..., self.drives.index(name)]

    def __str__(self) -> str:
        largest = np.abs(np.atleast_2d(self.efforts)).max(axis=0, initial=0.0)
        when = counted(len(self.t), "sample") if np.ndim(self.t) else f"t = {float(self.t):g} s"
        lines = [
            f"Efforts of {counted(len(self.drives), 'drive')} at {when}; residual "
            f"{self.residual:.1e} of the forces."
        ]
        return "\n".join(
            [
                *lines,
                *(
                    f"  {name}: up to {a:.6g} {u}"
                    for name, a, u in zip(self.drives, largest, self.units)
                ),
            ]
        )


@explains_arguments
@with_user_errors
def inverse_dynamics(
    model: Model,
    motion: Solution | Sequence[float],
    v: Sequence[float] | None = None,
    vdot: Sequence[float] | None = None,
    *,
    drives: Sequence[str] | None = None,
    t: float = 0.0,
    coordinates: str = "relative",
) -> DriveEfforts:
    r"""Compute the efforts at driven coordinates that produce a motion.

    Parameters
    ----------
    model : Model
        The model.
    motion : Solution or array_like, shape (nq,)
        A solution of this model (of `simulate` or `kinematics`), or the coordinates q of one state
        in the order of an assembly.
    v : array_like, shape (nv,), optional
        Velocities of that state.
    vdot : array_like, shape (nv,), optional
        Accelerations of that state.
    drives : sequence of str, optional
        Driven joint coordinates such as "A.angle", or speeds such as "ball.wx"; by default those of
        the drivers of the model. Drivers exert no force here: their efforts are the result.
    t : float, default 0.0
        Time of that state (s).
    coordinates : {"relative", "cartesian"}, default "relative"
        Coordinates of q, v and vdot.

    Returns
    -------
    DriveEfforts
        Torques and forces of the drives: ``result["A.angle"]`` is one of them over time,
        ``result.efforts`` all of them (N m or N), in the order of ``result.drives``. A positive
        effort acts in the direction of the coordinate, on the child of the joint. ``result.rates``
        and ``result.power`` (W) belong to the same drives.

    Raises
    ------
    ModelError
        If the state violates the constraints, or if the drives cannot produce the motion.

    See Also
    --------
    kinematics : Compute the motion of a fully driven mechanism.

    Notes
    -----
    With :math:`G N = 0` and :math:`S v` the rates of the driven coordinates,

    .. math:: (S N)^T \tau = N^T (M \dot v - f)

    is solved for the efforts :math:`\tau`, with least norm if it is underdetermined. An effort is
    positive in the direction of its coordinate.

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("pendulum")
    >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5))
    >>> hinge = m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"))
    >>> efforts = kt.inverse_dynamics(m, [0.0], [0.0], [0.0], drives=["A.angle"])
    >>> round(abs(float(efforts["A.angle"])), 4)  # m g length / 2
    2.4525
    """
    refuse_groups(model, "inverse_dynamics")
    refuse_flexible(
        model, "inverse_dynamics", "Simulate it with drivers: their efforts are channels."
    )
    refuse_beams(
        model,
        "inverse_dynamics",
        "Simulate it with drivers and a structural integrator: driver efforts are channels.",
    )
    refuse_rigid(model, "inverse_dynamics")
    if isinstance(motion, Solution):
        inverse = Inverse(motion.compiled, _names(motion.model, drives))
        rows = [
            inverse.at(*sample)
            for sample in zip(motion.t, motion.q, motion.v, motion.x, motion.vdot)
        ]
        return inverse.collect(motion.t, rows)
    t, assembly = number(t, "inverse_dynamics: t"), prepare(model, coordinates)
    state = [
        numbers(a, n, f"inverse_dynamics: {what}")
        for a, n, what in (
            (motion, len(assembly.q), "q"),
            (v, len(assembly.v), "v"),
            (vdot, len(assembly.v), "vdot"),
        )
    ]
    inverse = Inverse(assembly.compiled, _names(model, drives))
    x = inverse.system.shift(state[0], assembly.x, np.zeros(len(state[1])))[1]
    return inverse.collect(np.asarray(t), [inverse.at(t, state[0], state[1], x, state[2])])


def _names(model: Model, drives: Sequence[str] | None) -> tuple[str, ...]:
    """Check the names of the driven coordinates."""
    if drives is not None:
        drives = words(drives, "inverse_dynamics: drives")
    else:
        drives = [name for e in model.constraints.values() for name in e.spec.drives(model.joints)]
    if not drives:
        raise ModelError(
            f"inverse dynamics of {model.name!r}: name the driven coordinates, like "
            "drives=['A.angle']."
        )
    for name in drives:
        spec, label = joint_and_label(model.joints, name, model.name, "drive")
        refuse_other(spec, label, spec.joint.speeds)
    return tuple(drives)


class Inverse:
    """Inverse dynamics of a compiled model, state by state."""

    def __init__(self, compiled: CompiledModel, drives: tuple[str, ...]) -> None:
        self.compiled, self.drives, self.system = compiled, drives, System(compiled)
        drivers = {name for name, e in compiled.model.constraints.items() if e.spec.prescribes}
        self.held = np.array([owner not in drivers for owner in compiled.row_owner], bool)

    def at(
        self, t: float, q: np.ndarray, v: np.ndarray, x: np.ndarray, vdot: np.ndarray
    ) -> tuple[Any, ...]:
        """(efforts, rates, lam, residual) at one state."""
        system, work = self.system, self.system.work
        q, v, x = (np.ascontiguousarray(a, float) for a in (q, v, x))
        g = system.values(t, q, x)[self.held]
        equations(system.tables, work, t, q, v, x)
        G = (work.G * system.scale[:, None])[self.held]
        self._check(
            g,
            product(G, v) - system.rates(t)[self.held],
            product(G, vdot) - (work.gamma * system.scale)[self.held],
            product(np.abs(G), np.abs(v)),
            product(np.abs(G), np.abs(vdot)),
        )
        S = np.array(
            [
                system.speed_row(self.compiled.joints[j], label)
                for j, _, label in (name.rpartition(".") for name in self.drives)
            ]
        )
        needed = product(work.M, vdot) - work.f
        present = product(np.abs(work.M), np.abs(vdot)) + np.abs(work.f)
        tau, residual = self._efforts(S, null_space(G, system.natural), needed, present)
        lam = np.zeros(len(self.held))
        lam[self.held] = (
            lstsq(G.T, product(S.T, tau) - needed, rcond=1e-12) * system.scale[self.held]
        )
        return tau, product(S, v), lam, residual

    def _efforts(
        self, S: np.ndarray, N: np.ndarray, needed: np.ndarray, present: np.ndarray
    ) -> Any:
        """tau, and the residual relative to the forces."""
        A, b = product(S, N).T, product(N.T, needed)
        tau = lstsq(A, b, rcond=CUT)
        left = product(A, tau) - b
        residual = float(
            np.abs(left).max(initial=0.0)
            / max(product(np.abs(N).T, present).max(initial=0.0), 1e-300)
        )
        if residual > _TOLERANCE:
            raise ModelError(self._unreached(product(N, left)))
        return tau, residual

    def _unreached(self, push: np.ndarray) -> str:
        size = np.abs(push * self.system.natural)
        names = [dof_name(self.system, k) for k in np.flatnonzero(size > 0.3 * size.max())]
        return (
            f"inverse dynamics of {self.compiled.model.name!r}: {', '.join(self.drives)} cannot "
            f"produce this motion; an effort along {', '.join(names)} is missing. Drive more "
            "coordinates."
        )

    def _check(self, *rows: np.ndarray) -> None:
        """Misfits of the constraints at position, velocity and acceleration level, and the sizes of
        the last two.
        """
        owners = [o for o, held in zip(self.compiled.row_owner, self.held) if held]
        levels = (("positions", "m"), ("velocities", "m/s"), ("accelerations", "m/s^2"))
        for (what, unit), miss, size in zip(levels, rows[:3], (0.0 * rows[0], *rows[3:])):
            wrong = np.abs(miss) - _TOLERANCE * (size.max(initial=0.0) + self.system.length)
            if wrong.max(initial=-1.0) > 0.0:
                k = int(np.argmax(wrong))
                raise ModelError(
                    f"inverse dynamics of {self.compiled.model.name!r}: the {what} violate "
                    f"{owners[k]!r} by {abs(miss[k]):.3g} {unit}; give a consistent state, such as "
                    "that of kt.assemble."
                )

    def collect(self, t: np.ndarray, rows: list[tuple[Any, ...]]) -> DriveEfforts:
        tau, rates, lam, residual = (np.array(column) for column in zip(*rows))
        if np.ndim(t) == 0:
            tau, rates, lam = tau[0], rates[0], lam[0]
        return DriveEfforts(
            self.drives,
            t,
            tau,
            rates,
            lam,
            float(residual.max()),
            tuple(map(self._unit, self.drives)),
        )

    def _unit(self, drive: str) -> str:
        joint, _, label = drive.rpartition(".")
        kind = self.compiled.joints[joint].spec.joint
        return "N" if kind.units[kind.speeds.index(label)] == "m" else "N m"
