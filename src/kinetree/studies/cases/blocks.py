"""Blocks of arrays that the kernels of a batch of cases receive (`kernels.py`)."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...kernel.array_block import all_are_like, block


@block
class Equations(NamedTuple):
    """Scales and storage for the constraints of one set of tables."""

    travels: np.ndarray  # per speed, 1 where its unit is the meter
    of_positions: np.ndarray  # per row of g, 1 where it depends on positions
    scale: np.ndarray
    holonomic: np.ndarray
    natural: np.ndarray
    root: np.ndarray
    A: np.ndarray
    W: np.ndarray
    s: np.ndarray
    g: np.ndarray
    step: np.ndarray
    q_new: np.ndarray
    x_new: np.ndarray
    states: np.ndarray  # x before the turns are counted
    turns: np.ndarray


@block
class Starts(NamedTuple):
    """Numbers and storage for starts, beside those of the equations."""

    drawn: np.ndarray
    speeds: np.ndarray  # given ones, ...
    dofs: np.ndarray  # ... their indices in v, ...
    lengths: np.ndarray  # ... and 1 where their unit is the meter
    pairs: np.ndarray
    frames: np.ndarray  # of joints
    axes_at: np.ndarray  # indices of axes in them
    axes: np.ndarray
    ways: np.ndarray
    tried: np.ndarray
    T: np.ndarray
    T_behind: np.ndarray
    A: np.ndarray  # of the constraints with the given speeds below them
    W: np.ndarray
    s: np.ndarray
    b: np.ndarray
    q: np.ndarray
    v: np.ndarray
    x: np.ndarray
    x_held: np.ndarray
    scaled: np.ndarray  # scales of rows and of given speeds without units
    units: np.ndarray


@block
class Batch(NamedTuple):
    """Many cases: their numbers, and what becomes of them."""

    numbers: np.ndarray  # (cases, changed)
    run_words: np.ndarray  # memory of the tables of the run, places in it, and their numbers
    run_places: np.ndarray
    run_members: np.ndarray
    held_words: np.ndarray  # the same of the tables with drivers; without places if there are none
    held_places: np.ndarray
    held_members: np.ndarray
    other_words: np.ndarray
    other_places: np.ndarray
    other_members: np.ndarray
    work_words: np.ndarray  # memory of the workspace of the run, and its content when it is new
    work_new: np.ndarray
    sample_words: np.ndarray  # the same of the workspace of the samples
    sample_new: np.ndarray
    control: np.ndarray  # words of the records of a run at its start
    memory: np.ndarray
    seconds: np.ndarray  # (cases,) unit of time
    tolerances: np.ndarray  # (cases, n) absolute ones
    energies: np.ndarray  # (cases, 2) weight and inertia that scale the tolerance of work
    rates: np.ndarray  # (cases, nv) units of speeds
    numerical: np.ndarray  # t0, duration, rtol, factor of the energies
    counts: np.ndarray  # rank, held, attempts that a run may take
    status: np.ndarray  # (cases,) UNUSUAL or that of the time loop
    steps: np.ndarray  # (cases,)
    first: np.ndarray  # (cases, n) states at the start
    last: np.ndarray  # (cases, n) states at the end
    paths: np.ndarray  # (cases, forces) lengths of their paths at the start
    kept: np.ndarray  # (cases of one call, samples, kept) states at the samples, ...
    kept_at: np.ndarray  # ... these of the state


@block
class Samples(NamedTuple):
    """The samples of one run, and storage for `complete_samples`."""

    states: np.ndarray  # (samples, n)
    ydot: np.ndarray
    raw: np.ndarray
    before: np.ndarray
    back: np.ndarray
    vdot: np.ndarray
    lam: np.ndarray
    loads: np.ndarray


_INTEGERS = {
    Starts: ("dofs", "pairs", "axes_at"),
    Batch: (
        *("run_places", "run_members", "held_places", "held_members", "other_places"),
        *("other_members", "work_words", "work_new", "sample_words", "sample_new", "control"),
        *("memory", "counts", "status", "steps", "kept_at"),
    ),
}
_MATRICES = {
    Equations: ("A", "W"),
    Starts: ("axes_at", "axes", "ways", "tried", "T", "T_behind", "A", "W"),
    Batch: ("numbers", "tolerances", "energies", "rates", "first", "last", "paths"),
    Samples: ("states", "vdot", "lam", "loads"),
}


def _example(kind: Any) -> Any:
    """A block without elements, which has the types of all blocks of its kind."""
    return kind(
        **{
            name: np.zeros(
                (0,) * (3 if name == "kept" else 1 + (name in _MATRICES[kind])),
                np.int64 if name in _INTEGERS.get(kind, ()) else float,
            )
            for name in kind._fields
        }
    )


for _kind in (Equations, Starts, Batch, Samples):
    all_are_like(_kind, partial(_example, _kind))
