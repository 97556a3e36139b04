"""The motion of a run with its derivatives, as polynomials between events and jumps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...engine.integrators.loop import INNER_POINTS, POINTS
from ...kernel.mathematics import cos, each
from ...simulation.events.track import Track


def _weights() -> np.ndarray:
    """Weights of Clenshaw and Curtis at the interpolation points of a step of length 1."""
    n = INNER_POINTS + 1
    angle = np.pi * np.arange(n + 1) / n
    inner = sum(
        each(cos, 2 * k * angle) * (1.0 if 2 * k == n else 2.0) / (4 * k * k - 1)
        for k in range(1, n // 2 + 1)
    )
    return np.where(np.isin(np.arange(n + 1), (0, n)), 0.5, 1.0) * (1.0 - inner) / n


WEIGHTS = _weights()  # of the interpolation points, both ends included; exact to degree 8


@dataclass
class Piece:
    """Steps between two restarts: polynomials until `end`, and the clocks of the companions."""

    chunks: list[Track]
    end: float
    clocks: np.ndarray  # (2 k, 5), engine/integrators/companions.py
    end_rate: np.ndarray | None = None  # (k,) derivative of the end, if it is an event

    @cached_property
    def track(self) -> Track:
        """All steps; to be read when the run is over."""
        ends = [self.chunks[0].ends[:1], *(chunk.ends[1:] for chunk in self.chunks)]
        return Track(np.concatenate(ends), np.concatenate([one.nodes for one in self.chunks]))


class Points(NamedTuple):
    """Times and states, with weights for integrals over time."""

    t: np.ndarray
    y: np.ndarray
    weights: np.ndarray


class Path:
    """The pieces of a run in the order of time."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []

    def piece_at(self, t: float) -> Piece:
        """The piece that contains a time; at a restart the later one."""
        for piece in reversed(self.pieces):
            if piece.track.ends[0] <= t:
                return piece
        return self.pieces[0]

    def nodes(self, piece: Piece) -> Points:
        """The interpolation points of all steps of a piece, the last step up to its end."""
        t, y, weights = [], [], []
        ends = piece.track.ends
        for k in range(len(ends) - 1):
            first, last = ends[k], min(ends[k + 1], piece.end)
            if last <= first:
                break
            at = first + POINTS * (last - first)
            at[-1] = last
            cut = last < ends[k + 1]
            t.append(at)
            y.append([piece.track.at(one) for one in at] if cut else piece.track.nodes[k])
            weights.append(WEIGHTS * (last - first))
        if not t:  # a piece without steps, at the end of a run
            return Points(ends[:1], piece.track.nodes[0][:1], np.zeros(1))
        return Points(np.concatenate(t), np.concatenate(y), np.concatenate(weights))
