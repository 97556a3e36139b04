"""What finds the start of a model for other values of the sliders, as studies/cases/start.py does.

Its arrays are a second arena beside the image: tables with drivers that hold the given start values,
workspaces, and the scratch arrays of the kernels that close loops.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...assembly import closing
from ...engine.dynamics.kinematics import shift_coordinates
from ...errors import ModelError
from ...kernel import types
from ...kernel.intrinsics import KERNELS_AT
from ...kernel.tables.records import ADDRESSES
from ...kernel.tables.signatures import signatures
from ...studies.cases.finder import GENERAL, CaseFinder
from ...studies.cases.search import MOST, RESTARTS
from ...studies.cases.start import RCOND, REASONS, StartFinder
from ..image.arena import Arena
from ..image.image import KernelOf
from .sliders import Sliders

_KERNELS = ("initial_turns", "count_turns", "close_position", "check_closed", "consistent_speeds",
            "check_regular")  # fmt: skip
_OF_SIDE = ("A", "W", "s", "g", "step", "q", "x", "scale", "holonomic", "root", "natural")


class Starter:
    """Arrays and kernels of the start.

    Attributes
    ----------
    kernels : dict of str to KernelOf
        The kernels that the page calls.
    calls : list
        Words of the arena that are addresses of kernels.
    data : dict
        What the script of the page reads.
    """

    def __init__(self, finder: CaseFinder, sliders: Sliders) -> None:
        worker = finder.worker()
        case = worker.case([one.value for one in sliders.all])
        if case.way == GENERAL or worker.patched is None:
            raise ModelError(f"a page cannot find the start of this model: {case.why}.")
        self.patched, self.found = worker.patched, worker.start
        _refuse_open(finder, sliders)
        self.sides = {"plain": self.found.free}
        if self.found.held is not None:
            self.sides["held"] = self.found.held
        self.arena, self.places = Arena(), dict[str, int]()
        self.shapes: dict[str, tuple[int, ...]] = {}
        self.arena.add_blocks(self._blocks())
        self.calls = self._calls()
        for name, array in self._arrays(self.found).items():
            self.shapes[name] = array.shape
            self.places[name] = self.arena.add(np.ascontiguousarray(array))
        for name in self._blocks():
            self.places[name] = self.arena.places[name]
        vector = types.float64[::1]
        kernels: dict[str, Any] = {name: getattr(closing, name) for name in _KERNELS}
        self.kernels = {name: KernelOf(one, one.declared()) for name, one in kernels.items()}
        self.kernels["shift_coordinates"] = KernelOf(
            shift_coordinates,  # type: ignore[arg-type]
            (signatures()[0], vector, vector),
        )
        self.data = self._data()

    def _blocks(self) -> dict[str, Any]:
        blocks: dict[str, Any] = {f"{side}.work": one.work for side, one in self.sides.items()}
        if "held" in self.sides:
            blocks["held.tables"] = self.sides["held"].tables
        return blocks

    def _calls(self) -> list[tuple[int, Any]]:
        """The addresses of kernels in the tables with drivers."""
        if "held" not in self.sides:
            return []
        found = []
        for name in ADDRESSES:
            words = getattr(self.sides["held"].tables, name).ravel()
            for k in np.flatnonzero(words):
                at = self.arena.places[f"held.tables.{name}"] + 8 * int(k)
                found.append((at, KERNELS_AT[int(words[k])]))
        return found

    def _arrays(self, found: StartFinder) -> dict[str, np.ndarray]:
        """Arrays besides those of blocks."""
        size, others = self.patched.base.lowered.size, self.patched.others
        ng, nv, given = size["ng"], size["nv"], len(found.dofs)
        turns = max(len(others[f"turns{tail}"]) for tail in ("", " with drivers"))
        arrays = {
            f"{side}.{name}": np.array(getattr(one, name), float)
            for side, one in self.sides.items()
            if one.ng
            for name in _OF_SIDE
        }
        pairs = np.array(found.pairs, np.int64)
        axes = found._axes().copy() if len(pairs) else np.zeros((0, 6))
        return arrays | {
            "others": self.patched._flat,
            "q": np.zeros(size["nq"]),
            "v": np.zeros(nv),
            "x": np.zeros(size["nx"]),
            "held x": np.zeros(len(others["initial states with drivers"])),
            "pairs": pairs,
            "axes": axes,
            "dofs": found.dofs,
            "given": np.zeros(given),
            "units": np.ones(given),
            "rows": np.zeros(ng),
            "natural": np.ones(nv),
            "A": np.zeros((ng + given, nv)),
            "W": np.zeros((ng + given, ng + given)),
            "s": np.zeros(ng + given),
            "b": np.zeros(ng + given),
            "ways": found.ways.copy(),
            "T": np.zeros((ng, nv)),
            "T behind": np.zeros((ng, nv)),
            "turns": np.zeros(turns),
            "push": np.zeros(nv),
            "out": np.zeros(2),
        }

    def _data(self) -> dict[str, Any]:
        from .machine import packed

        found, others, at = self.found, dict[str, list[int]](), 0
        for name, values in self.patched.others.items():
            others[name] = [at, len(values)]
            at += len(values)
        content = self.arena.bytes()
        words = content.view(np.int64)
        for place, _ in (*self.arena.moves, *self.calls):
            words[place // 8] = 0
        return {
            "size": self.arena.size,
            "content": packed(content.tobytes()),
            "moves": self.arena.moves,
            "places": self.places,
            "shapes": {name: list(shape) for name, shape in self.shapes.items()},
            "others": others,
            "held": "held" in self.sides,
            "travels": found.travels.tolist(),
            "lengths": {side: one._lengths.tolist() for side, one in self.sides.items()},
            "positions": {side: one._positions.tolist() for side, one in self.sides.items()},
            "isLength": found.is_length.tolist(),
            "axesAt": found.axes_at.tolist(),
            "rank": found.rank,
            "ways": found.ways.ravel().tolist(),
            "rcond": RCOND,
            "pushes": self._pushes(),
            "reasons": {str(k): text for k, text in REASONS.items()},
        }

    def _pushes(self) -> list[list[float]]:
        """The perturbations from which loops are closed again, as in studies/cases/start.py."""
        side, rng = self.found.held or self.found.free, np.random.default_rng(0)
        if not self.found.free.ng or len(self.found.q) > MOST:
            return []
        return [
            (rng.normal(size=len(side.root)) * 0.02 * 2.0**k).tolist() for k in range(1, RESTARTS)
        ]


def _refuse_open(finder: CaseFinder, sliders: Sliders) -> None:
    """Raise an error if a length that the model leaves open depends on a slider."""
    assert finder.map is not None
    if not finder.map.base.lowered.unresolved:
        return
    middle = [one.value for one in sliders.all]
    base = finder.general_plan(middle).assembly.compiled.initial_values
    for k, one in enumerate(sliders.all):
        for value in (one.low, one.high):
            other = finder.general_plan([*middle[:k], value, *middle[k + 1 :]])
            for name, found in other.assembly.compiled.initial_values.items():
                if abs(found - base[name]) > 1e-12 * (1e-3 + abs(found)):
                    raise ModelError(
                        f"{name!r} is not given in the model, and is measured at its start, which "
                        f"depends on the slider {one.name!r}. Give its value in the model."
                    )
