"""A compiled model whose numbers are written in place: one model after another of a study."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cached_property

import numpy as np

from ...description.lowering.compiled import CompiledModel, LoweredModel
from ...description.model import Model
from ...kernel.frames import Pose
from ...kernel.tables.records import frozen
from ..parameters.blueprint import Blueprint
from ..parameters.words import WORD, Words, own_words


class PatchedModel:
    """Tables of a blueprint in memory of their own, and the other numbers of it.

    One thread at a time may use it. `write` turns it into another model of the same structure.

    Attributes
    ----------
    common : CompiledModel
        The tables with the frames and the description of the base model: for what reads tables
        alone.
    """

    def __init__(self, base: Blueprint, changed: np.ndarray) -> None:
        self.base = base
        tables = (base.tables,) if base.held is None else (base.tables, base.held.tables)
        self._words = [own_words(one) for one in tables]
        self.others = {name: values.copy() for name, values in base.others.items()}
        self._flat = np.concatenate(list(self.others.values()))
        at = 0
        for name, values in self.others.items():
            self.others[name] = self._flat[at : at + len(values)]
            at += len(values)
        self._targets = self._places(changed)
        self._open = [(one.table, one.row, one.field, one.name) for one in base.lowered.unresolved]
        self.found: dict[str, float] = {}  # values that were left open
        self.model: Model | None = None  # of the case, if it was built
        self.common = self.compiled

    def _places(self, changed: np.ndarray) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Memory, indices in it, and the numbers that go there."""
        found, first, members = [], 0, np.arange(len(changed))
        for words, layout in zip(self._words, self.base.layouts):
            places = np.flatnonzero(layout.numbers)
            mine = (changed >= first) & (changed < first + len(places))
            found.append((words.numbers, places[changed[mine] - first], members[mine]))
            first += len(places)
        mine = changed >= first
        found.append((self._flat, changed[mine] - first, members[mine]))
        return found

    @property
    def targets(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Memory, places in it, and which of the changed numbers go there: of the run, of the tables
        with drivers, and of the other numbers.
        """
        nothing = np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64)
        run, *held, others = self._targets
        return [run, *(held or [nothing]), others]

    def rows(self, table: str, values: np.ndarray) -> np.ndarray:
        """(cases, rows) of a table of the run for the changed numbers of many cases."""
        memory, places, members = self._targets[0]
        array = getattr(self.run.tables, table)
        first = (array.ctypes.data - memory.ctypes.data) // WORD
        words = np.tile(memory[first : first + array.nbytes // WORD], (len(values), 1))
        mine = (places >= first) & (places < first + words.shape[1])
        words[:, places[mine] - first] = values[:, members[mine]]
        return words.view(array.dtype)

    @property
    def run(self) -> Words:
        """The tables of the run."""
        return self._words[0]

    @property
    def held(self) -> Words | None:
        """The tables with the given start values held."""
        return self._words[1] if len(self._words) > 1 else None

    def write(self, values: np.ndarray, model: Model | None = None) -> None:
        """Write the changed numbers of a case."""
        self.model, self.found = model, dict(self.found)
        for memory, places, members in self._targets:
            memory[places] = values[members]
        self.__dict__.pop("compiled", None)
        self.__dict__.pop("lowered", None)

    def write_open(self, found: dict[str, float]) -> None:
        """Write values that the model leaves open."""
        self.found = {**self.found, **found}
        for words in self._words:
            for table, row, field, name in self._open:
                getattr(words.tables, table)[row][field] = self.found[name]

    @cached_property
    def lowered(self) -> LoweredModel:
        """The case as a lowered model; its tables are written again for the next case."""
        base = self.base.lowered
        bodies = self.others["frames of bodies"].reshape(-1, 12)
        joints = self.others["frames of joints"].reshape(-1, 2, 12)
        return replace(
            base,
            model=self.model or base.model,
            tables=self.run.tables,
            X_BK=tuple(map(_pose, bodies)),
            joints={
                name: replace(place, X_iF=_pose(F), X_jM=_pose(M))
                for (name, place), (F, M) in zip(base.joints.items(), joints)
            },
        )

    @cached_property
    def compiled(self) -> CompiledModel:
        """The case as a compiled model; its tables are written again for the next case."""
        parts = {one.name: getattr(self.lowered, one.name) for one in fields(LoweredModel)}
        return CompiledModel(**parts, initial_values=dict(self.found))

    def copied(self) -> CompiledModel:
        """The case as a compiled model with tables of its own."""
        return replace(self.compiled, tables=frozen(own_words(self.run.tables).tables))


def _pose(numbers: np.ndarray) -> Pose:
    return Pose(numbers[:9].reshape(3, 3).copy(), numbers[9:].copy())
