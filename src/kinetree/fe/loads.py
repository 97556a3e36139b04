"""Loads on a part: pressure on faces and uniform heating, as nodal forces per unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import ModelError, short
from .part import Part
from .selections import Selection, chosen, selection_of
from .surface import outer_faces


@dataclass(frozen=True)
class Load:
    """A load on a part; `kt.fe.pressure` and `kt.fe.heating` make it.

    Parameters
    ----------
    kind : str
        "pressure" or "heating".
    selection : Selection, optional
        The nodes whose faces carry a pressure.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.fe.heating()
    Load(kind='heating', selection=None)
    """

    kind: str
    selection: Selection | None = None


def pressure(selection: Any) -> Load:
    """Return a pressure on faces, per pascal, for `loads=` of `kt.fe.reduce`.

    Parameters
    ----------
    selection : Selection, str or sequence of int
        Nodes whose faces carry the pressure: a face of the surface is loaded if all its nodes are
        selected.

    Returns
    -------
    Load
        Its static response becomes one more shape of the basis.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.fe.pressure(kt.fe.plane((0, 0, 0), "z")).kind
    'pressure'
    """
    return Load("pressure", selection_of(selection, "pressure"))


def heating() -> Load:
    """Return a uniform rise of temperature, per kelvin, for `loads=` of `kt.fe.reduce`.

    Returns
    -------
    Load
        Its static response becomes one more shape of the basis. The part needs `expansion=`.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.fe.heating().kind
    'heating'
    """
    return Load("heating")


def nodal_loads(part: Part, loads: Mapping[str, Load]) -> np.ndarray:
    """(3N, loads) forces (N) per unit."""
    columns = []
    for name, load in loads.items():
        if not isinstance(load, Load):
            raise ModelError(
                f"load {name!r} must be kt.fe.pressure(...) or kt.fe.heating(), got {short(load)}."
            )
        if not part.elements:
            raise ModelError(
                f"load {name!r} needs the elements of part {part.name!r}, which is given by matrices "
                "alone. Give the mesh to kt.fe.matrices(..., mesh=part)."
            )
        columns.append(_heat(part, name) if load.kind == "heating" else _press(part, name, load))
    return np.array(columns).reshape(len(columns), 3 * len(part.X)).T


def _heat(part: Part, name: str) -> np.ndarray:
    if not any(e.expansion.any() for e in part.elements):
        raise ModelError(
            f"load {name!r}: the coefficient of expansion of part {part.name!r} is zero. Give it with "
            "expansion= of kt.fe.read, in 1/K; steel has 12e-6."
        )
    return np.sum([e.heating() for e in part.elements], axis=0).ravel()


def _press(part: Part, name: str, load: Load) -> np.ndarray:
    assert load.selection is not None
    rows = chosen(part, load.selection, name)
    inside = np.zeros(len(part.X), bool)
    inside[rows] = True
    force = np.zeros((len(part.X), 3))
    found = 0
    for _, faces in outer_faces(part):
        faces = faces[inside[faces].all(1)]
        found += len(faces)
        N, dN, w = face_points(faces.shape[1])
        X = part.X[faces]
        a, b = (np.einsum("qn,fnc->fqc", dN[:, :, k], X) for k in range(2))
        np.add.at(force, faces, -np.einsum("q,qn,fqc->fnc", w, N, np.cross(a, b)))
    if not found:
        raise ModelError(
            f"load {name!r}: {len(rows)} nodes are selected, but no face of the surface has all its nodes "
            "among them."
        )
    return force.ravel()


def face_points(nodes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Shape functions of a face (q, n), derivatives (q, n, 2) and weights (q,)."""
    if nodes in (3, 6):
        s = np.array([[1, 1, 4], [1, 4, 1], [4, 1, 1]]) / 6
        L, w = s, np.full(3, 1 / 6)
        dL = np.array([[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]])
        if nodes == 3:
            return L, np.broadcast_to(dL, (3, 3, 2)), w
        i, j = np.array([0, 1, 2]), np.array([1, 2, 0])
        N = np.hstack([L * (2 * L - 1), 4 * L[:, i] * L[:, j]])
        corners = (4 * L - 1)[:, :, None] * dL
        middles = 4 * (L[:, i, None] * dL[j] + L[:, j, None] * dL[i])
        return N, np.concatenate([corners, middles], axis=1), w
    x, w = np.polynomial.legendre.leggauss(3)
    points = np.array([(a, b) for a in x for b in x])
    weights = np.array([a * b for a in w for b in w])
    at = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (0, -1), (1, 0), (0, 1), (-1, 0), (0, 0)])
    p, at = points[:, None], at[:nodes].astype(float)
    if nodes == 9:
        f = np.where(at == 0, 1 - p * p, 0.5 * p * (p + at))
        df = np.where(at == 0, -2 * p, p + 0.5 * at)
        return f.prod(2), df * f[:, :, ::-1], weights
    f = 1 + p * at[:4]
    N, dN = f.prod(2) / 4, at[:4] * f[:, :, ::-1] / 4
    if nodes == 8:
        along = (p * at[:4]).sum(2) - 1
        dN = dN * along[:, :, None] + N[:, :, None] * at[:4]
        flat = at[4:] == 0
        g = np.where(flat, 1 - p * p, 1 + p * at[4:])
        dg = np.where(flat, -2 * p, at[4:])
        N = np.hstack([N * along, g.prod(2) / 2])
        dN = np.concatenate([dN, dg * g[:, :, ::-1] / 2], axis=1)
    return N, dN, weights
