"""The equations of motion of a machine at one state, as NumPy arrays.

    M vdot = f - G^T lam,      g = 0,   G vdot = gamma,      V_point = J v

For control laws, checks by hand, and whatever else one does with matrices. Everything is in SI
units; `freedoms` names the columns, `rows` the constraint equations.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..assembly.result import Assembly
from ..assembly.system import System
from ..core.display import Printable
from ..description.body import Body, Marker
from ..description.lowering.flexible import refuse_beams
from ..description.model import Model
from ..description.named import marker
from ..engine.equations.interface import evaluate_equations as fill
from ..errors import ModelError, no_such, short
from ..kernel.linalg import lstsq, product
from ..kernel.usercode.capture import attending
from ..simulation.states import state_of
from .projectors import null_projector, right_inverse, selected_columns
from .velocity_transformation import names_of


@dataclass(frozen=True, repr=False)
class EquationsOfMotion(Printable):
    """M (nv, nv), f (nv), g and gamma (ng), G (ng, nv) at a state; g and G in the units of each
    equation.
    """

    assembly: Assembly
    M: np.ndarray
    f: np.ndarray
    g: np.ndarray
    G: np.ndarray
    gamma: np.ndarray

    @property
    def q(self) -> np.ndarray:
        return self.assembly.q

    @property
    def v(self) -> np.ndarray:
        return self.assembly.v

    @cached_property
    def freedoms(self) -> tuple[str, ...]:
        """ "<joint>.<speed>" of every column."""
        return names_of(self.assembly.compiled)

    @property
    def rows(self) -> tuple[str, ...]:
        """The joint or constraint of every equation."""
        return self.assembly.compiled.row_owner

    @cached_property
    def _solved(self) -> np.ndarray:
        """vdot and lam together; the least lam where constraints are redundant."""
        ng = len(self.g)
        whole = np.block([[self.M, self.G.T], [self.G, np.zeros((ng, ng))]])
        return lstsq(whole, np.concatenate([self.f, self.gamma]), rcond=1e-13)

    @property
    def vdot(self) -> np.ndarray:
        """Accelerations."""
        return self._solved[: len(self.f)]

    @property
    def lam(self) -> np.ndarray:
        """Multipliers: the constraints push with -G^T lam."""
        return self._solved[len(self.f) :]

    @cached_property
    def I_R(self) -> np.ndarray:
        """Right inverse of G (nv, ng): G I_R = 1, or the pseudo-inverse where rows are redundant.
        [Kim1997, eq. (3.1)]
        """
        return right_inverse(self.G)

    @cached_property
    def P_N(self) -> np.ndarray:
        """Projector onto the null space of G (nv, nv).  [Kim1997, eq. (3.6)]"""
        return null_projector(self.G)

    @cached_property
    def P_T(self) -> np.ndarray:
        """Independent columns of P_N, a basis of the null space of G (nv, nv - rank).  [Kim1997,
        eq. (3.7)]
        """
        return self.P_N[:, selected_columns(self.P_N)]

    def jacobian(self, place: Body | Marker | str) -> np.ndarray:
        """(6, nv) in world axes: angular velocity of a body, then velocity of its origin, of a
        marker, or of a named point.

        `place` is a body, a marker, or a name: "arm", or "arm.tip" for its point "tip".
        """
        marker = self._marker(place)
        system, compiled = self._system, self.assembly.compiled
        if marker.body.is_ground:
            return np.zeros((6, len(self.v)))
        i = compiled.body_index(marker.body.name)
        body = system.work.bodies[i]
        X_KB = compiled.X_BK[i].inverse
        point = body["p"] + product(
            body["R"].reshape(3, 3), product(X_KB.R, marker.X_Bm.p) + X_KB.p
        )
        return system.body_jacobian(i, point)

    @cached_property
    def _system(self) -> System:
        system = System(self.assembly.compiled)
        system.values(self.assembly.t, self.q, self.assembly.x)
        return system

    def _marker(self, place: Body | Marker | str) -> Marker:
        model = self.assembly.compiled.model
        if isinstance(place, str):
            found = marker(model.bodies, place)
            if found is None:
                raise no_such(
                    "body", place.partition(".")[0], model.bodies, f" in model {model.name!r}"
                )
            return found
        if isinstance(place, Body):
            return place.at(0.0, 0.0, 0.0)
        if not isinstance(place, Marker):
            raise ModelError(
                "jacobian: give a body, a marker such as body.at(x, y, z), or a name, got "
                f"{short(place)}."
            )
        return place

    def __str__(self) -> str:
        a, n = self.assembly, len(self.f)
        return "\n".join(
            [
                f"Equations of motion of {a.compiled.model.name!r} at t = {a.t:g} s: M ({n} x "
                f"{n}), f, "
                f"G ({len(self.g)} x {n}), gamma.",
                f"  freedoms   {', '.join(self.freedoms)}",
                f"  equations  {', '.join(dict.fromkeys(self.rows)) or 'none'}",
            ]
        )


@attending
def equations(model: Model, *, state=None, coordinates: str = "relative") -> EquationsOfMotion:
    """M, f, g, G and gamma of a model at a state, and Jacobians of points; the state is given as
    `simulate` takes it.
    """
    refuse_beams(
        model, "equations", "kt.vibrations has frequencies and shapes of machines with beams."
    )
    assembly = state_of(model, state, coordinates)
    system = System(assembly.compiled)
    fill(system.tables, system.work, assembly.t, assembly.q, assembly.v, assembly.x)
    work = system.work
    system.values(assembly.t, assembly.q, assembly.x)
    return EquationsOfMotion(
        assembly, *(np.array(a) for a in (work.M, work.f, work.g, work.G, work.gamma))
    )
