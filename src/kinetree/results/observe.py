"""Derived quantities at the samples, computed on demand."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ..assembly.measure import joint_frames_of
from ..description.lowering.breaks import moving
from ..description.lowering.compiled import CompiledModel
from ..engine.dynamics.observe import (
    DRIVE,
    ELEMENTS,
    ENERGY,
    FIELDS,
    NEEDS_SOLVED,
    VIOLATION,
    WRENCH,
    Record,
    observe_samples,
)
from ..engine.formulations.catalogue import formulation
from ..engine.formulations.contract import Formulation
from ..kernel.tables.workspace import Work
from ..kernel.usercode.interruptible import call_interruptible
from .completion import KEPT, Solved, blocks, complete

_PART = {name: part for part, names in FIELDS.items() for name in names}
_BLOCK = 1 << 22  # bytes of a block of a record
_NEAR = 1 << 27  # bytes that are kept of a part of a long record


@dataclass(repr=False)
class Observed:
    """Derived quantities at the samples.

    `observed.position` is the field of all bodies, `observed.of("position", 3)` that of one.

    A small part of the record is stored as a whole at its first use. For long runs the states are
    passed block by block; the values of one body, joint or force are stored together with those of
    the next ones, as far as memory allows, until another one is requested. So channels that are
    read in their order share passes.
    """

    compiled: CompiledModel
    method: Formulation
    t: np.ndarray
    y: np.ndarray
    solved: Solved
    scratch: dict[tuple[str, ...], Work] | None = None  # workspaces that are used again
    _kept: dict[str, np.ndarray] = field(default_factory=dict, init=False)
    # first index of a range of bodies, joints or forces, and their values
    _near: dict[str, tuple[int, np.ndarray]] = field(default_factory=dict, init=False)

    def __getattr__(self, name: str) -> np.ndarray:
        if name not in _PART:
            raise AttributeError(f"a record has no {name!r}; it has {', '.join(_PART)}.")
        return self.of(name)

    def of(self, name: str, *index: Any) -> np.ndarray:
        """A field at all samples, or an index of it: of("position", 3), of("position", 3, 0)."""
        return self.some({name: index})[name]

    def some(self, asked: dict[str, tuple]) -> dict[str, np.ndarray]:
        """Several fields in one pass, each with its index."""
        what = 0
        for name in asked:
            what |= _PART[name] if name not in self._kept else 0
        if what and 8 * len(self.t) * sum(self._width(name) for name in _fields(what)) <= KEPT:
            self._kept.update(self._seen(what, {name: () for name in _fields(what)}))
        missing = {name: index for name, index in asked.items() if name not in self._kept}
        found = self._passed(missing) if missing else {}
        return {
            name: found[name] if name in found else self._kept[name][(slice(None), *index)]
            for name, index in asked.items()
        }

    def _passed(self, asked: dict[str, tuple]) -> dict[str, np.ndarray]:
        """Fields that are too large to be stored as a whole."""
        ahead: dict[str, tuple] = {}
        for name, index in asked.items():
            if index and isinstance(index[0], int) and not self._is_near(name, index[0]):
                ahead.update(self._ahead(name, index[0]))
        if ahead:
            self._near.update(
                {
                    name: (index[0].start, values)
                    for (name, index), values in zip(
                        ahead.items(), self._seen(_parts(ahead), ahead).values()
                    )
                }
            )
        near = {
            name: index for name, index in asked.items() if index and self._is_near(name, index[0])
        }
        found = {
            name: self._near[name][1][(slice(None), index[0] - self._near[name][0], *index[1:])]
            for name, index in near.items()
        }
        left = {name: index for name, index in asked.items() if name not in found}
        return found | (self._seen(_parts(left), left) if left else {})

    def _is_near(self, name: str, at: Any) -> bool:
        first, values = self._near.get(name, (0, np.zeros((0, 0))))
        return isinstance(at, int) and 0 <= at - first < values.shape[1]

    def _ahead(self, name: str, first: int) -> dict[str, tuple]:
        """Fields of the same pass, for as many bodies, joints or forces after `first` as may be
        stored.
        """
        count = self._sizes[name][0]
        like = [other for other in FIELDS[_PART[name]] if self._sizes[other][:1] == (count,)]
        most = _NEAR * count // max(1, 8 * len(self.t) * sum(map(self._width, like)))
        return {other: (slice(first, min(first + most, count)),) for other in like} if most else {}

    def let_go(self) -> None:
        """Release the stored values of long runs."""
        self._near.clear()

    def at(self, rows: np.ndarray) -> Observed:
        """The record of some of the samples."""
        vdot, lam = (a if a is None else a[rows] for a in self.solved[:2])
        return Observed(
            self.compiled,
            self.method,
            self.t[rows],
            self.y[rows],
            Solved(vdot, lam, self.solved.lost),
        )

    def solved_again(self) -> tuple[np.ndarray, np.ndarray]:
        """Compute accelerations and multipliers at all samples."""
        size, count = self.compiled.size, len(self.t)
        vdot, lam = np.zeros((count, size["nv"])), np.zeros((count, size["ng"]))
        for rows, solved in self._samples(8 * self.y.shape[1], True):
            vdot[rows], lam[rows] = solved[2:]
        return vdot, lam

    def _seen(self, what: int, asked: dict[str, tuple]) -> dict[str, np.ndarray]:
        """Compute fields in one pass over the samples; only the indexed values are returned."""
        out: dict[str, np.ndarray] = {}
        fields, place = _fields(what), _frames(self.compiled)
        work, seats = (
            self._workspace(("G",) if what & VIOLATION else ()),
            joint_frames_of(self.compiled),
        )
        for rows, (t, y, vdot, lam) in self._samples(
            8 * sum(map(self._width, fields)), self._needs_solved(what)
        ):
            record = self._room(fields, len(t))
            call_interruptible(
                observe_samples,
                self.compiled.tables,
                work,
                seats,
                *place,
                t,
                y,
                vdot,
                lam,
                self._contact_loads(what, t, y),
                what,
                record,
            )
            self._generated(what, y, record)
            for name, index in asked.items():
                part = getattr(record, name)[(slice(None), *index)]
                if name not in out:
                    whole = len(t) == len(self.t)
                    out[name] = part if whole else np.zeros((len(self.t), *part.shape[1:]))
                out[name][rows] = part
        return out or {
            name: np.zeros((0, *_shapes(self.compiled)[name]))[(slice(None), *index)]
            for name, index in asked.items()
        }

    def _generated(self, what: int, y: np.ndarray, record: Record) -> None:
        """Set the energies of generated equations, which are known for the whole model only."""
        generated = self.compiled.model.generated
        if what & ENERGY and generated is not None and generated.flexible:
            record.kinetic[:], record.potential[:] = generated.energies(self.compiled, y)

    def _needs_solved(self, what: int) -> bool:
        """Whether accelerations or multipliers are needed; the power of drivers needs them."""
        return bool(what & (NEEDS_SOLVED if moving(self.compiled) else NEEDS_SOLVED & ~DRIVE))

    def _samples(self, each: int, solved: bool) -> Iterator[tuple[slice, tuple[np.ndarray, ...]]]:
        """Blocks of t, y, vdot, lam; the last two are zero if they are not needed."""
        size, work = self.compiled.size, None
        for rows in blocks(len(self.t), each, KEPT if each * len(self.t) <= KEPT else _BLOCK):
            t, y = (
                np.ascontiguousarray(self.t[rows], float),
                np.ascontiguousarray(self.y[rows], float),
            )
            if not solved:
                yield rows, (t, y, np.zeros((len(t), size["nv"])), np.zeros((len(t), size["ng"])))
            elif self.solved.vdot is not None and self.solved.lam is not None:
                yield (
                    rows,
                    (
                        t,
                        y,
                        np.ascontiguousarray(self.solved.vdot[rows]),
                        np.ascontiguousarray(self.solved.lam[rows]),
                    ),
                )
            else:
                work = work or self._workspace(self.method.storage)
                vdot, lam, _, watch, _ = complete(self.method, self.compiled, work, t, y.copy())
                if watch.stop is not None:
                    raise watch.stop
                yield rows, (t, y, vdot, lam)

    def _contact_loads(self, what: int, t: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Loads along the rows of contacts, where force elements are evaluated."""
        places = self.compiled.tables.places
        if not (len(places) and self.method.beneath and what & (ELEMENTS | WRENCH)):
            return np.zeros((len(t), int(places["rows"].sum())))
        work = self._workspace(self.method.storage)
        found = complete(self.method, self.compiled, work, t, y.copy())
        if found.watch.stop is not None:
            raise found.watch.stop
        return found.loads

    def _workspace(self, storage: tuple[str, ...]) -> Work:
        """A workspace, reused if the record has `scratch`."""
        if self.scratch is None:
            return self.compiled.workspace(storage)
        if storage not in self.scratch:
            self.scratch[storage] = self.compiled.workspace(storage)
        return self.scratch[storage]

    @cached_property
    def _sizes(self) -> dict[str, tuple[int, ...]]:
        return _shapes(self.compiled)

    def _room(self, fields: tuple[str, ...], count: int) -> Record:
        shapes = self._sizes
        return Record(
            **{
                name: np.zeros((count if name in fields else 0, *shapes[name]))
                for name in Record._fields
            }
        )

    def _width(self, name: str) -> int:
        return math.prod(self._sizes[name])

    def __repr__(self) -> str:
        return f"<record of {len(self.t)} samples of {len(self.compiled.bodies) - 1} bodies>"


def _parts(names: Iterable[str]) -> int:
    what = 0
    for name in names:
        what |= _PART[name]
    return what


def _fields(what: int) -> tuple[str, ...]:
    """The fields that the given parts of the record fill."""
    what |= ELEMENTS if what & WRENCH else 0
    return tuple(name for part, names in FIELDS.items() if what & part for name in names)


def _shapes(compiled: CompiledModel) -> dict[str, tuple[int, ...]]:
    """Shape per sample of every field."""
    nb, nf, nj, ng = (
        len(compiled.bodies),
        len(compiled.tables.forces),
        len(compiled.joints),
        compiled.size["ng"],
    )
    most = max((len(e.spec.readings) for e in compiled.model.forces.values()), default=0)
    of_body = dict.fromkeys(
        ("position", "velocity", "angular_velocity", "acceleration", "angular_acceleration"),
        (nb, 3),
    )
    return {
        **of_body,
        "rotation": (nb, 9),
        "kinetic": (),
        "potential": (),
        "momentum": (6,),
        "stored": (nf,),
        "power": (nf,),
        "element": (nf, most),
        "load": (nf, 6),
        "drive": (),
        "wrench": (nj, 6),
        "g": (ng,),
        "gdot": (ng,),
        "xdot": (compiled.size["nx"],),
        "output": (len(compiled.outputs),),
    }


def _frames(compiled: CompiledModel) -> tuple[np.ndarray, np.ndarray]:
    """The user's body frames relative to the frames of the kernels."""
    inverse = [X.inverse for X in compiled.X_BK]
    return np.array([X.R.ravel() for X in inverse]), np.array([X.p for X in inverse])


def observe(
    compiled: CompiledModel, t: np.ndarray, y: np.ndarray, vdot: np.ndarray, lam: np.ndarray
) -> Observed:
    """The record of the given states, accelerations and multipliers."""
    return Observed(compiled, formulation("augmented"), t, y, Solved.of(vdot, lam))
