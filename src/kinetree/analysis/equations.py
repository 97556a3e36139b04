"""The equations of motion of a model at one state, as NumPy arrays.

    M vdot = f - G^T lam,      g = 0,   G vdot = gamma,      V_point = J v

For control laws and for checks by hand. All quantities are in SI units; `freedoms` names the
columns, `rows` the constraint equations. The right inverse and the projectors of the projection
method are [Kim1997, eqs. (3.1), (3.6), (3.7)]

    I_R = G^T (G G^T)^-1,   G I_R = 1        P_N = 1 - I_R G,   G P_N = 0        P_T = P_N Sel

The paper requires independent rows. If rows are redundant, I_R is the pseudo-inverse: G I_R is then
the projector onto the range of G, and P_N and P_T are the same as with independent rows alone.
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
from ..errors import ModelError, explains_arguments, no_such, short
from ..kernel.linalg import lstsq, pinv, pivoted_qr, product
from ..kernel.usercode.capture import with_user_errors
from ..simulation.states import StateLike, state_of
from .velocity_transformation import names_of

_REDUNDANT = 1e-9  # singular value relative to the largest one of G, with rows scaled to length one


@dataclass(frozen=True, repr=False)
class EquationsOfMotion(Printable):
    """The equations of motion at one state: M, f, g, G and gamma.

    Returned by `equations`. Print it, or read `freedoms` and `rows`, for the order of the columns
    and of the constraint equations.

    Attributes
    ----------
    M : ndarray, shape (nv, nv)
        Mass matrix (kg, kg m, kg m^2). `freedoms` has the name of each row and column.
    f : ndarray, shape (nv,)
        Generalized forces (N, N m), velocity terms included.
    g : ndarray, shape (ng,)
        Constraint residuals (m or rad).
    G : ndarray, shape (ng, nv)
        Constraint Jacobian (1, m, or 1/m): the rate of g is G v, plus the rate of drivers.
    gamma : ndarray, shape (ng,)
        Right-hand side of the constraints on the accelerations (m/s^2 or 1/s^2).
    assembly : Assembly
        The state.

    Examples
    --------
    >>> import kinetree as kt
    >>> import numpy as np
    >>> from kinetree.models.four_bar import four_bar
    >>> eq = kt.equations(four_bar())
    >>> bool(np.allclose(eq.M @ eq.vdot + eq.G.T @ eq.lam, eq.f))
    True
    """

    assembly: Assembly
    M: np.ndarray
    f: np.ndarray
    g: np.ndarray
    G: np.ndarray
    gamma: np.ndarray

    @property
    def q(self) -> np.ndarray:
        """Generalized coordinates (rad, m), shape (nq,)."""
        return self.assembly.q

    @property
    def v(self) -> np.ndarray:
        """Generalized velocities (rad/s, m/s), shape (nv,)."""
        return self.assembly.v

    @cached_property
    def freedoms(self) -> tuple[str, ...]:
        """Name "<joint>.<speed>" of every column."""
        return names_of(self.assembly.compiled)

    @property
    def rows(self) -> tuple[str, ...]:
        """Joint or constraint of every equation."""
        return self.assembly.compiled.row_owner

    @cached_property
    def _solved(self) -> np.ndarray:
        """vdot and lam; lam has least norm if constraints are redundant."""
        ng = len(self.g)
        whole = np.block([[self.M, self.G.T], [self.G, np.zeros((ng, ng))]])
        return lstsq(whole, np.concatenate([self.f, self.gamma]), rcond=1e-13)

    @property
    def vdot(self) -> np.ndarray:
        """Generalized accelerations (rad/s^2, m/s^2), shape (nv,)."""
        return self._solved[: len(self.f)]

    @property
    def lam(self) -> np.ndarray:
        """Lagrange multipliers (N, N m), shape (ng,): the constraint forces are -G^T lam."""
        return self._solved[len(self.f) :]

    @cached_property
    def I_R(self) -> np.ndarray:
        """Right inverse of G, shape (nv, ng): G I_R = 1, or the pseudo-inverse.

        See [Kim1997, eq. (3.1)].
        """
        return _right_inverse(self.G)

    @cached_property
    def P_N(self) -> np.ndarray:
        """Projector onto the null space of G, shape (nv, nv) [Kim1997, eq. (3.6)]."""
        return _null_projector(self.G)

    @cached_property
    def P_T(self) -> np.ndarray:
        """Independent columns of P_N: a basis of the null space of G, shape (nv, nv - rank).

        See [Kim1997, eq. (3.7)].
        """
        return self.P_N[:, _selected_columns(self.P_N)]

    def jacobian(self, place: Body | Marker | str) -> np.ndarray:
        """Return the Jacobian of a body or point in world axes.

        Parameters
        ----------
        place : Body, Marker or str
            A body, a marker, or a name: "arm" is the origin of a body, "arm.tip" its point "tip".

        Returns
        -------
        ndarray, shape (6, nv)
            J with J v = (angular velocity of the body, velocity of the point).

        Raises
        ------
        NameNotFound
            If there is no such body or point.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> kt.equations(four_bar()).jacobian("rocker").shape
        (6, 3)
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
                f"{n}), f, G ({len(self.g)} x {n}), gamma.",
                f"  velocities {', '.join(self.freedoms)}",
                f"  equations  {', '.join(dict.fromkeys(self.rows)) or 'none'}",
            ]
        )


@explains_arguments
@with_user_errors
def equations(
    model: Model, *, state: StateLike = None, coordinates: str = "relative"
) -> EquationsOfMotion:
    r"""Compute M, f, g, G and gamma of a model at a state, and Jacobians of points.

    Parameters
    ----------
    model : Model
        The model.
    state : State, Assembly, Equilibrium, Solution, tuple or dict, optional
        State as in `simulate`; by default the assembled start.
    coordinates : {"relative", "cartesian"}, default "relative"
        Coordinates of the equations.

    Returns
    -------
    EquationsOfMotion
        The matrices and vectors, in SI units, with the names of rows and columns.

    Raises
    ------
    ModelError
        If the model has beams.

    See Also
    --------
    linearize : Linearize the equations of motion about a state.
    derive : Derive the equations of motion as symbols.

    Notes
    -----
    The matrices satisfy

    .. math:: M \dot v = f - G^T \lambda, \qquad g = 0, \qquad G \dot v = \gamma

    **Order of the degrees of freedom.** The columns follow the tree, a parent before its children,
    and not the order in which the joints were added. The joints that are cut have no columns. In
    the four-bar of the tutorial the order is A, D, B, since A and D connect to the ground.
    `freedoms` lists the names.

    **Order and sign of the constraints.** Rows are those of the cut joints, then those of the
    constraints; `rows` lists their owners. The residual of a cut joint is the position of the child
    marker minus that of the parent marker, g = child - parent, in world axes for a spherical or a
    revolute joint. G has the same sign: G v is the velocity of the child marker minus that of the
    parent marker. The force on the child is -lam, unless a constraint is redundant.

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("pendulum")
    >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5))
    >>> hinge = m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"))
    >>> eq = kt.equations(m)
    >>> round(float(eq.M[0, 0]), 6)  # m length^2 / 3
    0.083333
    >>> eq.freedoms
    ('A.angle',)
    """
    refuse_beams(
        model, "equations", "kt.vibrations computes frequencies and shapes of models with beams."
    )
    assembly = state_of(model, state, coordinates)
    system = System(assembly.compiled)
    fill(system.tables, system.work, assembly.t, assembly.q, assembly.v, assembly.x)
    work = system.work
    system.values(assembly.t, assembly.q, assembly.x)
    return EquationsOfMotion(
        assembly, *(np.array(a) for a in (work.M, work.f, work.g, work.G, work.gamma))
    )


def _right_inverse(G: np.ndarray) -> np.ndarray:
    """Right inverse I_R, shape (nv, ng)."""
    size = np.linalg.norm(G, axis=1)
    scale = 1.0 / np.where(size > 0.0, size, 1.0)
    return pinv(scale[:, None] * G, rcond=_REDUNDANT) * scale


def _null_projector(G: np.ndarray) -> np.ndarray:
    """Null-space projector P_N, shape (nv, nv)."""
    return np.eye(G.shape[1]) - product(_right_inverse(G), G)


def _selected_columns(P_N: np.ndarray) -> tuple[int, ...]:
    """Indices of the columns that Sel selects, by a pivoted QR factorization.

    Their number is the rank of P_N, which is its trace.
    """
    rank = round(float(np.trace(P_N)))
    return tuple(sorted(int(k) for k in pivoted_qr(P_N)[-1][:rank]))
