"""The model of a page: its arena, its kernels, the maps of its sliders, and what it plots.

The page does what `simulate` does, with the same kernels: it writes the numbers that depend on
sliders into the tables, closes the loops and finds consistent velocities as
`studies/cases/start.py` does, and takes steps with the time loop of the integrators.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...assembly import closing
from ...assembly.measure import joint_frames_of
from ...description.lowering.breaks import breaks_of, sampled_controllers
from ...description.lowering.compiled import CompiledModel
from ...engine.dynamics.kinematics import shift_coordinates
from ...engine.dynamics.observe import ELEMENTS, ENERGY, FIELDS, MOTION, Record, observe_samples
from ...engine.formulations.samples import complete_samples, entry
from ...engine.integrators import checks, storage
from ...engine.integrators import loop as time_loop
from ...engine.integrators.catalogue import find as find_integrator
from ...engine.integrators.integrate import planned, signature
from ...engine.integrators.memory import ARTICULATED, ATOL, BODIES, CONTROL, DOFS, MEMORY, Y
from ...engine.integrators.newton.iteration import structure_address
from ...engine.integrators.segments import _RESET
from ...errors import ModelError
from ...kernel import types
from ...kernel.tables.records import SETTINGS
from ...kernel.tables.signatures import signatures
from ...results.observe import _frames, _shapes
from ...simulation.run import stepping
from ...simulation.scales import Scales
from ...studies.cases.finder import GENERAL, CaseFinder
from ...studies.cases.search import MOST, RESTARTS
from ...studies.cases.start import RCOND, REASONS, StartFinder
from ...studies.parameters.words import WORD
from ..wasm.compiled import Said, WasmUnit
from ..wasm.link import Linked, link
from .arena import Arena
from .maps import polynomials, series
from .sliders import POINTER, Sliders

HORIZON = 10.0  # s: the time by which a run is expected to go on
LONGEST = 3600.0  # s: breaks are listed until then
SEEN = MOTION | ENERGY | ELEMENTS
_TAILS = ("", " with drivers")


class Machine:
    """Everything that a page needs to compute a model.

    Attributes
    ----------
    compiled : CompiledModel
        The model for the first values of the sliders.
    data : dict
        Places and calls, for the script of the page.
    """

    def __init__(self, sliders: Sliders, options: Mapping[str, Any]) -> None:
        self.sliders, self.arena, self.unit = sliders, Arena(), WasmUnit()
        self.finder = CaseFinder(sliders, sliders.low, sliders.high, options)
        self.plan = self.finder.plan
        _refuse(self.plan, self.finder, sliders)
        self.worker = self.finder.worker()
        values = [one.value for one in sliders.all]
        case = self.worker.case(values)
        if case.way == GENERAL:
            raise ModelError(f"a page cannot compute this model: {case.why}.")
        self.compiled: CompiledModel = self.worker.patched.compiled  # type: ignore[union-attr]
        self.calls: dict[str, tuple[Any, tuple[Any, ...]]] = {}
        self.table: list[str] = []
        self._run(case.assembly)
        self._see(case.assembly)
        start = self._start()
        self.data = {
            "start": start,
            "map": self._map(),
            "sliders": [
                {"name": s.name, "low": s.low, "high": s.high, "value": s.value, "unit": s.unit,
                 "restarts": s.restarts}
                for s in sliders.all
            ],
            "offsets": {
                "control": {n: CONTROL.fields[n][1] for n in CONTROL.names},
                "memory": {n: MEMORY.fields[n][1] for n in MEMORY.names},
                "length": SETTINGS.fields["length"][1],
            },
            "integers": [n for n in MEMORY.names if MEMORY[n].kind == "i"],
            "reset": list(_RESET),
            "rows": {"y": Y, "atol": ATOL},
            "tolerances": self.tolerances,
            "size": self.compiled.size,
            "t0": case.assembly.t,
            "horizon": HORIZON,
            "breaks": self._breaks(case.assembly.t),
            "see": SEEN,
            "pointer": self._pointer(),
            "reasons": {str(k): text for k, text in REASONS.items()},
        }  # fmt: skip

    # --- what the time loop uses

    def _run(self, assembly: Any) -> None:
        plan, patched = self.plan, self.worker.patched
        entry_, assembly = plan.integrator, replace(assembly, compiled=self.compiled)
        if not entry_.adaptive:
            raise ModelError(
                f"a page needs an integrator that chooses its steps, and {entry_.name!r} does not. Use "
                "'adams', or 'switching' for a stiff model."
            )
        own = stepping(assembly, entry_, plan.options(assembly.t + HORIZON).to_dict())
        entry_ = find_integrator(entry_.name).configured(own)
        tables, n = patched.run.tables, len(assembly.y)
        layout = planned(entry_, tables, n, own)
        work = self.compiled.workspace((*plan.method.storage, *plan.integrator.storage))
        if len(work.failed) != n:
            work = work._replace(failed=np.zeros(n))
        control = checks.control(entry_, assembly.t, assembly.t + HORIZON, own, layout, 1.0)
        held = storage.Storage(
            entry_,
            layout,
            (entry_.rows + (entry_.matrices * n if layout.newton == 0 else 0), n),
            1,
        )
        scales, atol = Scales.of(self.compiled), np.asarray(own["atol"], float)
        held.begin(control, entry_.coefficients(control.order), assembly.y, n, atol)
        held.control.second = scales.second(HORIZON)
        lengths = scales._travels
        units = atol / np.where(lengths, scales.length, 1.0)
        self.tolerances = {"isLength": lengths.tolist(), "units": units.tolist()}
        self.arena.add_block("tables", tables)
        self.arena.add_block("work", work)
        self.arena.add_block("run", held.arrays)
        if layout.newton in (DOFS, BODIES, ARTICULATED):
            at = self.arena.places["run.control"][0] + CONTROL.fields["structure"][1]
            held.control.structure = structure_address()
            self.arena.add_kernel(at, structure_address(), "the matrix of the steps")
        whole, step, dense = signature()
        _, _, rhs, project = signatures()
        method = entry_.kernels
        self.pointer("start", method.start, step)
        self.pointer("step", method.step, step)
        self.pointer("dense", method.dense, dense)
        self.pointer("rhs", plan.method.rhs, rhs)
        self.pointer("project", plan.method.project, project)
        self.export("advance", time_loop.advance, whole.args)
        self.export("dense", method.dense, dense.args)
        self.export("project", plan.method.project, project.args)

    def pointer(self, name: str, function: Any, kind: Any) -> None:
        """A kernel that is passed to another one."""
        self.table.append(self.unit.add(function, kind.args))
        self.pointers = {**getattr(self, "pointers", {}), name: len(self.table)}

    def export(self, name: str, function: Any, args: Any = None) -> None:
        """A kernel that the page calls."""
        self.calls[name] = function, tuple(args or function.declared())

    # --- what the page shows

    def _see(self, assembly: Any) -> None:
        compiled, n, size = self.compiled, len(assembly.y), self.compiled.size
        shapes = _shapes(compiled)
        fields = [name for part, names in FIELDS.items() if SEEN & part for name in names]
        record = Record(
            **{
                name: np.zeros((int(name in fields), *shapes[name])) for name in Record._fields
            }
        )
        arena = self.arena
        arena.add_block("seen", compiled.workspace((*self.plan.method.storage,)))
        arena.add_block("frames", joint_frames_of(compiled))
        arena.add_block("record", record)
        R_KB, p_KB = _frames(compiled)
        for name, shape in {
            "t": (1,), "y": (1, n), "ydot": (n,), "raw": (n,), "before": (n,),
            "back": (size["nv"],), "vdot": (1, size["nv"]), "lam": (1, size["ng"]),
            "loads": (1, 0),
        }.items():  # fmt: skip
            arena.add(f"see.{name}", np.zeros(shape))
        arena.add("see.R_KB", R_KB)
        arena.add("see.p_KB", p_KB)
        self.export("observe", observe_samples)
        self.export("complete", complete_samples, _complete_arguments())

    # --- the start

    def _start(self) -> dict[str, Any]:
        found: StartFinder = self.worker._start
        patched, arena = self.worker.patched, self.arena
        arena.add("others", patched._flat)
        at, places = 0, {}
        for name, values in patched.others.items():
            places[name] = [at, len(values)]
            at += len(values)
        sides = {"free": found.free}
        if found.held is not None:
            sides["held"] = found.held
            arena.add_block("held.tables", found.held.tables)
        for side, one in sides.items():
            arena.add_block(f"{side}.work", one.work)
            if one.ng:
                for name in ("A", "W", "s", "g", "step", "q", "x", "scale", "holonomic", "root",
                             "natural"):  # fmt: skip
                    arena.add(f"{side}.{name}", np.array(getattr(one, name), float))
        arena.add("start.q", found.q.copy())
        arena.add("start.v", found.v.copy())
        arena.add("start.x", found.x.copy())
        arena.add("start.pairs", np.array(found._pairs, np.int64))
        arena.add("start.axes", found._axes().copy() if len(found._pairs) else np.zeros((0, 6)))
        arena.add("start.dofs", found._dofs)
        arena.add("start.units", np.ones(len(found._dofs)))
        for name, values in zip(("A", "W", "s", "b"), found._stacked):
            arena.add(f"start.{name}", values.copy())
        arena.add("start.ways", found._ways.copy())
        for k in range(2):
            arena.add(f"start.T{k}", found._T[k].copy())
        vector = types.float64[::1]
        for name in ("initial_turns", "count_turns", "close_position", "check_closed",
                     "consistent_speeds", "check_regular"):  # fmt: skip
            self.export(name, getattr(closing, name))
        self.export("shift_coordinates", shift_coordinates, (signatures()[0], vector, vector))
        size = self.compiled.size
        arena.add("start.out", np.zeros(2))
        arena.add("start.turns", np.zeros(max(len(patched.others[f"turns{k}"]) for k in _TAILS)))
        arena.add("held.x0", np.zeros(len(patched.others["initial states with drivers"])))
        arena.add("start.rows", np.zeros(size["ng"]))
        arena.add("start.natural", np.ones(size["nv"]))
        arena.add("start.push", np.zeros(size["nv"]))
        arena.add("start.given", np.zeros(len(found._dofs)))
        return {
            "others": places,
            "held": found.held is not None,
            "travels": found.travels.tolist(),
            "lengths": {side: one._lengths.tolist() for side, one in sides.items()},
            "positions": {side: one._positions.tolist() for side, one in sides.items()},
            "isLength": found._is_length.tolist(),
            "axesAt": found._axes_at.tolist(),
            "rank": found.rank,
            "ways": found._ways.ravel().tolist(),
            "rcond": RCOND,
            "pushes": [(push * 0.02 * 2.0**k).tolist() for k, push in self._pushes(found)],
        }

    def _pushes(self, found: StartFinder) -> list[tuple[int, np.ndarray]]:
        """The perturbations from which loops are closed again, as in studies/cases/start.py."""
        side, rng = found.held or found.free, np.random.default_rng(0)
        if not found.free.ng or len(found.q) > MOST:
            return []
        return [(k, rng.normal(size=len(side.root))) for k in range(1, RESTARTS)]

    # --- numbers that depend on sliders

    def _map(self) -> dict[str, Any]:
        found = self.finder.map
        assert found is not None
        offsets = self._offsets(found.changed)

        def offset(number: int) -> int:
            return int(offsets[np.searchsorted(found.changed, number)])

        return {
            "middle": found.middle.tolist(),
            "half": found.half.tolist(),
            "terms": polynomials(found, offset),
            "series": series(found, offset),
        }

    def _offsets(self, changed: np.ndarray) -> np.ndarray:
        """Offsets in the arena of the numbers that change."""
        patched, places = self.worker.patched, self.arena.places
        out = np.full(len(changed), -1)
        names = ["tables"] + ["held.tables"] * (patched.held is not None)
        for name, layout, (_, words, members) in zip(
            names, patched.base.layouts, patched._targets
        ):
            firsts = np.array([first for _, first in layout.places])
            which = np.searchsorted(firsts, words, "right") - 1
            begins = np.array([places[f"{name}.{field}"][0] for field, _ in layout.places])
            out[members] = begins[which] + WORD * (words - firsts[which])
        _, words, members = patched._targets[-1]
        out[members] = places["others"][0] + WORD * words
        return out

    def _breaks(self, t0: float) -> list[float]:
        jumps, stops = breaks_of(self.compiled, t0, t0 + LONGEST)
        return sorted({*jumps, *stops})

    def _pointer(self) -> dict[str, Any]:
        """Where the spring of the pointer has its numbers."""
        tables, k = self.compiled.tables, list(self.compiled.model.forces).index(POINTER)
        force, at = tables.forces[k], self.arena.places
        markers, size = at["tables.markers"][0], tables.markers.dtype.itemsize
        fields = tables.markers.dtype.fields
        target, held = (markers + size * (int(force["im"]) + n) for n in range(2))
        return {
            "stiffness": at["tables.pool"][0] + WORD * int(force["first"]),
            "damping": at["tables.pool"][0] + WORD * (int(force["first"]) + 36),
            "target": target + fields["p"][1],
            "body": held + fields["body"][1],
            "point": held + fields["p"][1],
            "mass": float(tables.links["mass"].sum()),
        }

    # --- the module

    def linked(self, say: Said = lambda text: None) -> Linked:
        """The WebAssembly module of all kernels that the model needs."""
        exports = {name: self.unit.add(f, args) for name, (f, args) in self.calls.items()}
        symbols, moves = {}, []
        for at, (kernel, kind) in self.arena.kernels:
            symbol = self.unit.add(kernel, kind.args)
            if symbol not in symbols:
                self.table.append(symbol)
                symbols[symbol] = len(self.table)
            moves.append([at, symbols[symbol]])
        self.data["kernels"] = moves
        self.data["pointers"] = [list(one) for one in self.arena.pointers]
        self.data["functions"] = self.pointers
        self.data["places"] = {name: [at, list(shape)] for name, (at, shape) in
                               self.arena.places.items() if _named_by_page(name)}  # fmt: skip
        return link(self.unit.files(say), exports, self.table)


def _named_by_page(name: str) -> bool:
    """Whether the script of a page uses a place by its name: not the arrays of blocks of work."""
    owner, _, field = name.rpartition(".")
    return owner not in ("work", "seen", "free.work", "held.work", "frames") and (
        owner not in ("tables", "held.tables") or field in ("settings", "links")
    )


def _complete_arguments() -> tuple[Any, ...]:
    """Types of the arguments of the kernel that completes samples."""
    entry()
    t_tables, t_work, rhs, project = signatures()
    matrix, vector = types.float64[:, ::1], types.float64[::1]
    return (t_tables, t_work, types.FunctionType(rhs), types.FunctionType(project), vector, matrix,
            vector, vector, vector, vector, matrix, matrix, matrix)  # fmt: skip


def _refuse(plan: Any, finder: CaseFinder, sliders: Sliders) -> None:
    """Raise an error for what a page cannot compute."""
    compiled, why = plan.assembly.compiled, finder.obstacle
    if plan.watched or len(compiled.tables.places):
        why = "it has events or rigid contacts"
    elif sampled_controllers(compiled):
        why = "it has sampled controllers"
    if why:
        raise ModelError(f"a page cannot compute model {plan.model.name!r}: {why}.")
