"""Bases of reduction: shapes that vanish at the frame, orthogonal in stiffness and mass.

static responses   responses to unit loads at the markers, to six accelerations of the frame and to
                   the loads on the part, then the modes with the frame held  (the default)
craig-bampton      constraint modes of the markers, modes with all markers held    [Craig1968]
rubin              modes of the free part, static responses to loads and accelerations [Rubin1975]
krylov             static responses and their repetitions (G M)^j                  [Su1991]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..core.checks import word
from ..errors import no_such
from .supported import Supported

DROP = 1e-12  # squared length of a direction that the others span already, relative
MORE = 1.5  # modes up to this multiple of the wanted frequency


@dataclass(frozen=True)
class Wanted:
    """What a basis has to contain."""

    upto: float  # rad/s
    more: float
    modes: int | None
    loads: np.ndarray  # (y, loads)
    markers: np.ndarray  # (y, 6 per marker except the frame)
    seconds: float | None
    tell: Callable[[int, float], None]


@dataclass(frozen=True)
class Shapes:
    """Shapes (y, n) with squared frequencies, and exact modes with the frame held, where known."""

    w2: np.ndarray
    V: np.ndarray
    exact_w2: np.ndarray
    exact: np.ndarray


def static_responses(part: Supported, wanted: Wanted) -> np.ndarray:
    F = np.hstack([wanted.markers, part.M @ part.R, wanted.loads])
    return part.solve(F)


def _default(part: Supported, wanted: Wanted) -> Shapes:
    w2, V = _modes(part, wanted)
    inside = _inside(w2, wanted)
    return _ritz(part, V[:, inside], static_responses(part, wanted), w2, V)


def _craig_bampton(part: Supported, wanted: Wanted) -> Shapes:
    loads = part.solve(np.hstack([wanted.markers, wanted.loads]))
    w2, V = part.modes(
        wanted.more * wanted.upto, wanted.modes, wanted.tell, wanted.seconds, held=wanted.markers
    )
    return _ritz(part, V[:, _inside(w2, wanted)], loads, *_modes(part, wanted))


def _rubin(part: Supported, wanted: Wanted) -> Shapes:
    """Modes of the free part are found with the frame held to the mean motion of all masses."""
    from copy import copy

    free = copy(part)
    free.known = np.zeros(0), np.zeros((len(part.R), 0))
    MR = part.M @ part.R
    free.C = MR @ np.linalg.inv(part.R.T @ MR)
    w2, V = free.modes(wanted.more * wanted.upto, wanted.modes, wanted.tell, wanted.seconds)
    V = V[:, _inside(w2, wanted)]
    V = V - part.R @ (part.C.T @ V)
    return _ritz(part, V, static_responses(part, wanted), *_modes(part, wanted))


def _krylov(part: Supported, wanted: Wanted) -> Shapes:
    """Blocks of static responses, until they are as many as the modes and responses together."""
    w2, V = _modes(part, wanted)
    block = static_responses(part, wanted)
    wide, count = [block], int(_inside(w2, wanted).sum()) + block.shape[1]
    while sum(b.shape[1] for b in wide) < count + block.shape[1]:
        last = wide[-1] / np.sqrt(np.einsum("yk,yk->k", wide[-1], part.M @ wide[-1]))
        wide.append(part.solve(part.M @ last))
    return _ritz(part, np.zeros((len(block), 0)), np.hstack(wide), w2, V)


BASES: dict[str, Callable[[Supported, Wanted], Shapes]] = {
    "static-responses": _default,
    "craig-bampton": _craig_bampton,
    "rubin": _rubin,
    "krylov": _krylov,
}


def basis_of(name: str) -> Callable[[Supported, Wanted], Shapes]:
    if word(name, "reduce: basis") not in BASES:
        raise no_such("basis", name, BASES)
    return BASES[name]


def _modes(part: Supported, wanted: Wanted) -> tuple[np.ndarray, np.ndarray]:
    return part.modes(wanted.more * wanted.upto, wanted.modes, wanted.tell, wanted.seconds)


def _inside(w2: np.ndarray, wanted: Wanted) -> np.ndarray:
    if wanted.modes is not None:
        return np.arange(len(w2)) < wanted.modes
    return np.asarray(w2 <= (wanted.more * wanted.upto) ** 2)


def _ritz(
    part: Supported, V: np.ndarray, more: np.ndarray, exact_w2: np.ndarray, exact: np.ndarray
) -> Shapes:
    """The space of V and more columns, orthogonal in mass and stiffness."""
    from scipy.linalg import eigh

    V, more = _orthonormal(part, V), _scaled(part, more)
    for _ in range(2):  # twice is enough
        more = more - V @ (V.T @ (part.M @ more))
    V = np.hstack([V, _orthonormal(part, more)])
    K, M = V.T @ (part.K @ V), V.T @ (part.M @ V)
    w2, Y = eigh(0.5 * (K + K.T), 0.5 * (M + M.T))
    V = V @ Y
    largest = np.abs(V).argmax(0)  # signs that do not depend on the solver
    return Shapes(w2, V * np.sign(V[largest, np.arange(V.shape[1])]), exact_w2, exact)


def _scaled(part: Supported, V: np.ndarray) -> np.ndarray:
    lengths = np.sqrt(np.einsum("yk,yk->k", V, part.M @ V))
    return V[:, lengths > 0.0] / lengths[lengths > 0.0]


def _orthonormal(part: Supported, V: np.ndarray) -> np.ndarray:
    """An orthonormal basis of the columns in mass; directions that are no more than rounding go."""
    if not V.shape[1]:
        return V
    for _ in range(2):
        gram = V.T @ (part.M @ V)
        d, Y = np.linalg.eigh(gram)
        V = V @ (Y[:, d > DROP] / np.sqrt(d[d > DROP]))
    return V
