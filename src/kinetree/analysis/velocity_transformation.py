"""The velocity transformation  Y = B v,  Ydot = B vdot + Bdot v   [Lee1994, eqs. (11)-(12), Tables
2-3].

For body i, Y_i = (rdot_i, w_i'): velocity of the body origin in world axes, angular velocity in
body axes. The column of a joint with axis h through the joint point P, fixed in the carrier c (the
parent or the child of the joint), is

    B    = ( h x d,                 A_i^T h                )     d = r_i - P
    Bdot = ( hdot x d + h x ddot,   A_i^T (hdot - w_i x h) )     hdot = w_c x h

and that of a translation axis ( h, 0 ), ( hdot, 0 ). As printed, Table 2 takes d between body
origins, and Table 3 neglects that the first axis of a universal joint moves in its child; both are
corrected here (`printed_tables.py` has the printed versions). With spatial columns (h, l) about a
fixed point O the two lines become one:  B_lin = l + h x (r_i - O), and the rate of the column is
V_c x (h, l).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..assembly.build import build
from ..assembly.prepare import prepare
from ..assembly.start import drawn_position
from ..core.checks import numbers, shape_of
from ..description.lowering.compiled import LoweredModel
from ..description.lowering.modal import refuse_flexible
from ..description.model import Model
from ..engine.dynamics.kinematics import add_biases, kinematics
from ..errors import ModelError, explains_arguments, no_such, short
from ..kernel.linalg import product
from ..kernel.tables.workspace import Work
from ..simulation.states import state_of
from .printed_tables import PRINTED, printed_rows


@dataclass(frozen=True)
class VelocityTransformation:
    """The matrices B and Bdot of the velocity transformation Y = B v at a state (q, v).

    Returned by `velocity_transformation`; ``B, Bdot = result`` unpacks it.

    Attributes
    ----------
    B : ndarray, shape (6 nb, nv)
        Cartesian velocities of the bodies from the generalized velocities; six rows per body.
    Bdot : ndarray, shape (6 nb, nv)
        Time derivative of B.
    bodies : tuple of str
        Bodies in the order of the rows.
    columns : tuple of str
        Name "<joint>.<speed>" of every column.
    q : ndarray, shape (nq,)
        Generalized coordinates of the state (rad, m, or unit quaternions).
    v : ndarray, shape (nv,)
        Generalized velocities of the state (rad/s, m/s).

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.four_bar import four_bar
    >>> found = kt.velocity_transformation(four_bar())
    >>> found.rows("crank")
    slice(0, 6, None)
    """

    B: np.ndarray  # (6 nb, nv)
    Bdot: np.ndarray
    bodies: tuple[str, ...]
    columns: tuple[str, ...]
    q: np.ndarray
    v: np.ndarray

    @property
    def Y(self) -> np.ndarray:
        """Velocities of all bodies (m/s, rad/s), shape (6 nb,): Y = B v."""
        return product(self.B, self.v)

    def rows(self, body: str) -> slice:
        """Return the rows of a body: three linear (world axes), three angular (body axes).

        Parameters
        ----------
        body : str
            Name of the body.

        Returns
        -------
        slice
            Its six rows of B and Bdot.
        """
        first = 6 * self.bodies.index(body)
        return slice(first, first + 6)

    def differences(
        self, other: VelocityTransformation
    ) -> dict[tuple[str, str], tuple[float, float]]:
        """Return the largest differences from another transformation, by block.

        Parameters
        ----------
        other : VelocityTransformation
            The transformation to compare with.

        Returns
        -------
        dict of (str, str) to tuple of float
            Largest differences of B and Bdot for each (body, joint) where they exceed rounding.
        """
        found, joints = {}, np.array([name.rpartition(".")[0] for name in self.columns])
        for body in self.bodies:
            for joint in dict.fromkeys(joints.tolist()):
                block = (self.rows(body), joints == joint)
                pairs = ((self.B, other.B), (self.Bdot, other.Bdot))
                B, Bdot = (float(np.abs(a[block] - b[block]).max()) for a, b in pairs)
                if max(B, Bdot) > 1e-12 * max(1.0, np.abs(self.Bdot).max()):
                    found[body, joint] = B, Bdot
        return found

    def __iter__(self) -> Iterator[np.ndarray]:
        """Unpack as ``B, Bdot = velocity_transformation(model)``."""
        return iter((self.B, self.Bdot))

    def __repr__(self) -> str:
        return f"<velocity transformation {self.B.shape[0]} x {self.B.shape[1]}: bodies {', '.join(self.bodies)}>"


@explains_arguments
def velocity_transformation(
    model: Model | LoweredModel,
    q: Any = None,
    v: Any = None,
    coordinates: str = "relative",
    tables: str = "corrected",
) -> VelocityTransformation:
    r"""Compute the velocity transformation B and its derivative at a state.

    Parameters
    ----------
    model : Model or LoweredModel
        The model, or a compiled model.
    q : array_like, shape (nq,), or state, optional
        Generalized coordinates, or a whole state as in `simulate`; by default the assembled start.
    v : array_like, shape (nv,), optional
        Generalized velocities; by default those of the state, or zero.
    coordinates : {"relative", "cartesian"}, default "relative"
        Coordinates of the columns.
    tables : {"corrected", "printed", "printed-origins"}, default "corrected"
        "printed" uses Tables 2 and 3 of the paper as printed: Table 3 lacks the rates of axes that
        turn with the child. "printed-origins" also takes d between body origins, as the text of the
        paper defines it.

    Returns
    -------
    VelocityTransformation
        B and Bdot with the names of rows and columns.

    Raises
    ------
    ModelError
        If q or v has the wrong number of components.

    Notes
    -----
    .. math:: Y = B v, \qquad \dot Y = B \dot v + \dot B v

    where Y holds, for each body, the velocity of its origin in
    world axes and its angular velocity in body axes [Lee1994, eqs. (11)-(12), Tables 2-3].

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.four_bar import four_bar
    >>> B, Bdot = kt.velocity_transformation(four_bar())
    >>> B.shape
    (18, 3)
    """
    if not isinstance(tables, str) or tables not in ("corrected", *PRINTED):
        raise no_such("tables", tables, ["corrected", *PRINTED])
    if q is not None and not isinstance(q, (np.ndarray, list, tuple)) and isinstance(model, Model):
        state = state_of(model, q, coordinates)
        q, v = state.q, state.v if v is None else v
    described = model if isinstance(model, Model) else model.model
    refuse_flexible(described.origin or described, "velocity_transformation", "")
    compiled, q0, v0 = _initial(model, coordinates, q is None)
    q = _vector(q0 if q is None else q, compiled.size["nq"], "q")
    v = _vector(v0 if v is None else v, compiled.size["nv"], "v")
    work = compiled.workspace()
    kinematics(compiled.tables, work, q, v)
    bends = _bends(compiled, work, q, v)
    rows = partial(_rows, bends) if tables == "corrected" else printed_rows(tables)
    blocks = [rows(compiled, work, i) for i in range(1, len(compiled.bodies))]
    B, Bdot = (np.vstack([block[k] for block in blocks]) for k in range(2))
    return VelocityTransformation(B, Bdot, compiled.bodies[1:], names_of(compiled), q, v)


def _initial(model: Any, coordinates: str, wanted: bool) -> Any:
    """Compiled model and its initial state: assembled from a model, as drawn from a compiled one."""
    if isinstance(model, LoweredModel):
        start = drawn_position(model, model.workspace()) if wanted else None
        return model, start, np.zeros(model.size["nv"])
    if not isinstance(model, Model):
        raise ModelError(
            f"velocity_transformation: give a model or a compiled model, got {short(model)}."
        )
    if not wanted:
        compiled = build(model, coordinates)
        return compiled, None, np.zeros(compiled.size["nv"])
    assembly = prepare(model, coordinates)
    return assembly.compiled, assembly.q, assembly.v


def names_of(compiled: LoweredModel) -> tuple[str, ...]:
    """Joint and velocity label of every column, as in the user's joints also if the tree runs
    against them.
    """
    names = [f"{joint}.{speed}" for joint, speed in compiled.dof_owner]
    for name, place in compiled.joints.items():
        if place.reversed:
            first, speeds = int(compiled.tables.links[place.link]["iv"]), place.spec.joint.speeds
            for n, speed in enumerate(speeds):
                names[first + (place.direct[n] if place.direct else n)] = (
                    f"{name}.{speed}" if place.direct else f"{name}.{speed} (seen from the child)"
                )
    return tuple(names)


def _vector(values: Any, count: int, what: str) -> np.ndarray:
    """Check a vector of `count` numbers; one sample of `sol.at(t)` is also accepted."""
    shape = shape_of(values)
    if shape == (1, count):
        values = values[0]
    elif shape is not None and len(shape) and shape != (count,):
        got = f"{shape[0]}" if len(shape) == 1 else f"an array of shape {shape}"
        raise ModelError(f"velocity_transformation: {what} must be {count} numbers, got {got}.")
    return numbers(values, count, f"velocity_transformation: {what}")


def _bends(compiled: LoweredModel, work: Work, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Rates (nv, 6) of hinge columns that depend on q, seen from the frames that carry them.

    The bias of a joint is quadratic in v,  b = sum D_kl v_k v_l;  column k is  (b(v + e_k) - b(v -
    e_k)) / 4.
    """
    found = np.zeros((compiled.size["nv"], 6))
    for i, link in enumerate(compiled.tables.links):
        for k in range(int(link["iv"]), int(link["iv"] + link["nv"])) if link["varying"] else ():
            for sign in (1.0, -1.0):
                changed = v.copy()
                changed[k] += sign
                work.bodies["c"] = 0.0
                add_biases(compiled.tables, work, q, changed)
                found[k] += 0.25 * sign * work.bodies[i]["c"]
    return found


def _columns(
    compiled: LoweredModel, work: Work, i: int, bends: np.ndarray
) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """(index, column, its rate about the fixed point O) for every degree of freedom between body i
    and the ground.
    """
    links = compiled.tables.links
    while i > 0:
        link = links[i]
        for n in range(int(link["nv"])):
            carrier = work.bodies[int(link["parent"]) if n < int(link["leading"]) else i]["V"]
            h = np.array(work.dofs[int(link["iv"]) + n]["h"])
            k = int(link["iv"]) + n
            yield k, h, _carried(carrier, h) + bends[k]
        i = int(link["parent"])


def _carried(V: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Rate V x h of a column carried by a frame moving with V."""
    return np.concatenate([np.cross(V[:3], h[:3]), np.cross(V[:3], h[3:]) + np.cross(V[3:], h[:3])])


def _rows(
    bends: np.ndarray, compiled: LoweredModel, work: Work, i: int
) -> tuple[np.ndarray, np.ndarray]:
    """Six rows of B and Bdot of body i."""
    B, Bdot = np.zeros((2, 6, compiled.size["nv"]))
    body, X_KB = work.bodies[i], compiled.X_BK[i].inverse
    R_WK, w = body["R"].reshape(3, 3), body["V"][:3]
    A = product(R_WK, X_KB.R)
    d = body["p"] + product(R_WK, X_KB.p) - body["O"]
    velocity = body["V"][3:] + np.cross(w, d)
    for k, h, hdot in _columns(compiled, work, i, bends):
        B[:3, k] = h[3:] + np.cross(h[:3], d)
        B[3:, k] = product(A.T, h[:3])
        Bdot[:3, k] = hdot[3:] + np.cross(hdot[:3], d) + np.cross(h[:3], velocity)
        Bdot[3:, k] = product(A.T, hdot[:3] - np.cross(w, h[:3]))
    return B, Bdot
