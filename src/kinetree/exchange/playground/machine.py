"""The model of a page: its image, and what its sliders change in it.

The image (exchange/image) has the tables, the workspace and the state of a run. Sliders of parameters
and of start values need more: the numbers that depend on them (maps.py) and the kernels that close
loops (starter.py). Sliders of inputs write the records of the inputs.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...description.lowering.flexible import beams_of
from ...description.model import Model
from ...engine.dynamics.observe import ELEMENTS, ENERGY, MOTION
from ...engine.integrators.memory import ATOL
from ...errors import ModelError
from ...kernel.tables.records import SETTINGS
from ...kernel.tables.status import Status
from ...simulation.prepared import prepare
from ...simulation.scales import Scales
from ...studies.cases.finder import CaseFinder
from ...studies.parameters.words import WORD
from ..image.build import image_of_blocks
from ..image.image import KernelOf
from ..image.prepare import blocks_of
from ..wasm.compiled import Said, WasmUnit
from ..wasm.link import link
from .maps import polynomials, series
from .sliders import INPUT, POINTER, Sliders
from .starter import Starter

HORIZON = 10.0  # s: the time for which tolerances are chosen
SEEN = MOTION | ENERGY | ELEMENTS
_HEADER = ("places", "arrays", "records", "numbers", "entries", "inputs", "size", "t0")
SENTENCES = {
    Status.NOT_FINITE: "a force or an acceleration is not finite.",
    Status.SINGULAR_MASS: "a body without mass is free to move.",
    Status.SINGULAR_CONSTRAINTS: "the constraints became dependent on each other.",
    Status.NO_CLOSURE: "its loops do not close.",
    Status.STEP_TOO_SMALL: "the steps became too short, because the motion is stiff or jumps.",
    Status.TOO_MUCH_ACCURACY: "the tolerance is below what rounding allows.",
    Status.CHANGE_POINT: "it is at a position where the motion can continue in two ways.",
    Status.POSITION_JUMP: "a driver prescribes a position that jumps.",
    Status.RATE_JUMP: "a driver prescribes a speed that jumps.",
    Status.MOVED: "its loops close far from where the steps lead.",
    Status.USER_CODE: "a function of the model returned no number.",
}


class Machine:
    """Everything that a page needs to compute a model.

    Attributes
    ----------
    compiled : CompiledModel
        The model for the first values of the sliders.
    image : Image
        Its image.
    starter : Starter or None
        What closes its loops, if sliders change the model or its start.
    """

    def __init__(self, sliders: Sliders, options: Mapping[str, Any]) -> None:
        self.sliders, self.finder = sliders, None
        self.starter: Starter | None = None
        if any(one.kind != INPUT for one in sliders.all):
            _rigid(sliders())
            self.finder = CaseFinder(sliders, sliders.low, sliders.high, options)
            if self.finder.obstacle:
                raise ModelError(
                    f"a page cannot compute model {self.finder.plan.model.name!r} for other values of "
                    f"its sliders: {self.finder.obstacle}. Without sliders it can, and with those of "
                    "kt.Input."
                )
            plan = self.finder.general_plan([one.value for one in sliders.all])
            self.starter = Starter(self.finder, sliders)
        else:
            plan = prepare(_rigid(sliders()), **options)._plan
        if not plan.integrator.adaptive:
            raise ModelError(
                f"a page needs an integrator that chooses its steps, and {plan.integrator.name!r} does "
                "not. Use 'adams', or 'switching' for a stiff model."
            )
        self.blocks = blocks_of(plan, plan.assembly.t + HORIZON)
        self.compiled = plan.assembly.compiled
        self.image = image_of_blocks(self.blocks, plan.assembly.t + HORIZON)

    def data(self, say: Said = lambda text: None) -> dict[str, Any]:
        """All that the script of a page reads, with module and arenas as text."""
        unit, image, starter = WasmUnit(), self.image, self.starter
        table = [unit.add(source) for source in image.sources]
        exports = {
            name: table[k]
            for name, k in image.header["entries"].items()
            if name in ("advance", "observe", "settle")
        }
        if starter is not None:
            exports |= {name: unit.add(source) for name, source in starter.kernels.items()}
            calls = [
                [at, _number(table, unit.add(KernelOf(kernel, tuple(signature.args))))]
                for at, (kernel, signature) in starter.calls
            ]
        linked = link(unit.files(say), exports, table)
        return {
            **{name: image.header[name] for name in _HEADER},
            "code": packed(linked.code),
            "heap": linked.free,
            "content": packed(image.content.tobytes()),
            "moves": image.moves.tolist(),
            "calls": [[at, k + 1] for at, k in image.calls.tolist()],
            "starter": None if starter is None else {**starter.data, "calls": calls},
            "map": self._map(),
            "sliders": [vars(one) | {"start": None} for one in self.sliders.all],
            "tolerances": self._tolerances(),
            "length": self._places("settings") + SETTINGS.fields["length"][1],  # type: ignore[index]
            "see": SEEN,
            "pointer": self._pointer(),
            "statuses": {str(int(status)): text for status, text in SENTENCES.items()},
        }

    def _places(self, field: str, block: str = "tables") -> int:
        return self.image.header["places"][f"{block}.{field}"]

    def _map(self) -> dict[str, Any] | None:
        """The numbers that depend on sliders, with all their places in the arenas."""
        if self.finder is None or self.finder.map is None or self.starter is None:
            return None
        found = self.finder.map
        places = self._offsets(found.changed)

        def offsets(number: int) -> list[list[int]]:
            return places[int(np.searchsorted(found.changed, number))]

        return {
            "middle": found.middle.tolist(),
            "half": found.half.tolist(),
            "terms": polynomials(found, offsets),
            "series": series(found, offsets),
        }

    def _offsets(self, changed: np.ndarray) -> list[list[list[int]]]:
        """Per changed number its places: (arena, offset), arena 0 the image and 1 the starter."""
        assert self.starter is not None
        patched, found = self.starter.patched, [list[list[int]]() for _ in changed]
        owners = [[(0, "tables"), (0, "seen")], [(1, "held.tables")]]
        for own, layout, (_, words, members) in zip(owners, patched.base.layouts, patched._targets):
            firsts = np.array([first for _, first in layout.places])
            which = np.searchsorted(firsts, words, "right") - 1
            for word, k, member in zip(words, which, members):
                field, within = layout.places[k][0], WORD * int(word - firsts[k])
                where = [[n, self._start_of(n, f"{block}.{field}") + within] for n, block in own]
                found[member] += [one for n, one in enumerate(where) if one not in where[:n]]
        _, words, members = patched._targets[-1]
        for word, member in zip(words, members):
            found[member].append([1, self.starter.places["others"] + WORD * int(word)])
        return found

    def _start_of(self, arena: int, name: str) -> int:
        if arena == 1:
            assert self.starter is not None
            return self.starter.arena.places[name]
        return self.image.header["places"][name]

    def _tolerances(self) -> dict[str, Any]:
        """Absolute tolerances of the states, and which of them are in units of the size of the model."""
        scales, n = Scales.of(self.compiled), len(self.blocks.assembly.y)
        lengths = scales._travels
        atol = self.blocks.run.vectors[ATOL, :n] / np.where(lengths, scales.length, 1.0)
        return {"isLength": lengths.tolist(), "units": atol.tolist(), "row": ATOL}

    def _pointer(self) -> list[dict[str, Any]]:
        """Where the spring of the pointer has its numbers, in the tables of the run and of the view."""
        tables, k = self.blocks.tables, list(self.compiled.model.forces).index(POINTER)
        force, size = tables.forces[k], tables.markers.dtype.itemsize
        fields: Any = tables.markers.dtype.fields
        found = []
        for block in ("tables", "seen"):
            pool = self._places("pool", block) + WORD * int(force["first"])
            target, held = (
                self._places("markers", block) + size * (int(force["im"]) + n) for n in range(2)
            )
            found.append(
                {
                    "stiffness": pool,
                    "damping": pool + 36 * WORD,
                    "target": target + fields["p"][1],
                    "body": held + fields["body"][1],
                    "point": held + fields["p"][1],
                    "mass": float(tables.links["mass"].sum()),
                }
            )
        return found


def _rigid(model: Model) -> Model:
    """The model; an error if it bends."""
    what = "beams" if beams_of(model) else ""
    if model.generated is not None and model.generated.flexible:
        what = "flexible links"
    if what:
        raise ModelError(
            f"a page cannot compute model {model.name!r}, because it has {what}. Use sol.animate() for a "
            "page that shows a run."
        )
    return model


def _number(table: list[str], symbol: str) -> int:
    """Index of a kernel in the table of functions, to which it is added if it is new."""
    if symbol not in table:
        table.append(symbol)
    return table.index(symbol) + 1


def packed(data: bytes) -> str:
    """Bytes as text: deflate, then base64."""
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")
