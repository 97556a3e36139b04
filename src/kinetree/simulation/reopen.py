"""Solutions from files: `kt.open_solution("run.nc")`; arrays and channels are read on demand.

Quantities that are not in the file are computed from the states in it, with the model that the file
holds as text. A model with Python functions must be given.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np

from ..assembly.result import Assembly
from ..core.checks import a_path, flag, instance
from ..description.lowering.compiled import CompiledModel
from ..description.lowering.resolve import resolve
from ..description.model import Model
from ..engine.formulations.catalogue import formulation as find_formulation
from ..engine.formulations.contract import Formulation
from ..engine.integrators.result import Result
from ..engine.integrators.segments import evaluation_times
from ..errors import ResultError, explains_arguments
from ..kernel.tables.state import Start
from ..results.completion import Solved, complete_run
from ..results.solution import Solution
from ..results.storage.reading import RunFile
from .family import family


@explains_arguments
def open_solution(
    path: str | os.PathLike[str], model: Model | None = None, *, allow_python: bool = False
) -> Solution:
    """Open a solution that was saved to a file, finished or not.

    Parameters
    ----------
    path : str or path-like
        File (NetCDF) of `Solution.save` or of the option `out` of `simulate`.
    model : Model, optional
        The model, if the file does not hold it because it has Python functions.
    allow_python : bool, default False
        Whether Python functions that the model in the file names may run.

    Returns
    -------
    Solution
        The solution; its channels are read from the file on demand.

    Raises
    ------
    ResultError
        If the file cannot be read, or if it was computed with another model.

    See Also
    --------
    Solution.save : Write a solution to a file.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.pendulum import pendulum
    >>> path = kt.simulate(pendulum(), 0.2).save("run.nc")
    >>> kt.open_solution("run.nc")["hinge.angle"].shape
    (501,)
    """
    if model is not None:
        instance(model, Model, "open_solution: model")
    data = StoredRun(
        a_path(path, "open_solution: path"),
        model,
        flag(allow_python, "open_solution: allow_python"),
    )
    return Solution(data)


def solution_of_bytes(content: bytes) -> Solution:
    """Solution from the content of its file."""
    return Solution(StoredRun(content, None, False))


class StoredRun:
    """Data of a run in a file, read on demand (results/run_data.py)."""

    scratch = None

    def __init__(self, path: Path | bytes, model: Model | None, allow_python: bool) -> None:
        self.path, self._given, self._allowed = path, model, allow_python
        self.file = RunFile(path)
        self.options: dict[str, Any] = self.file.options

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the path of the file."""
        return StoredRun, (self.path, self._given, self._allowed)

    def __deepcopy__(self, memo: Any) -> StoredRun:
        return StoredRun(self.path, self._given, self._allowed)

    @cached_property
    def t(self) -> np.ndarray:
        return self.file.times()

    @cached_property
    def y(self) -> np.ndarray:
        return self.file.needed("y") if self.file.complete else self._completed[0]

    @cached_property
    def solved(self) -> Solved:
        if not self.file.complete:
            return self._completed[1]
        return Solved(self.file.hidden("vdot"), self.file.hidden("lam"), self.file.needed("lost"))

    @cached_property
    def _completed(self) -> tuple[np.ndarray, Solved]:
        """States and accelerations of a run that was killed.

        The file has the states as the integrator interpolated them; they are projected onto the
        constraints here.
        """
        compiled, y = self.assembly.compiled, self.file.needed("y")
        t = evaluation_times(self.t, self.breaks, self.options["until"])
        work = compiled.workspace(self.method.storage)
        return y, complete_run(self.method, compiled, work, t, y)[0]

    @cached_property
    def ledger(self) -> np.ndarray | None:
        if self.file.complete:
            return self.file.hidden("ledger")
        compiled, carried = self.assembly.compiled, self.file.hidden("carried")
        if carried is None or len(compiled.tables.forces) + 1 > carried.shape[1]:
            return None
        carried = carried[: len(self.t)]
        return family(self.method.name).work(compiled, carried)

    @property
    def method(self) -> Formulation:
        return self._method(self.assembly.compiled)

    def _method(self, compiled: CompiledModel) -> Formulation:
        return find_formulation(self.options["formulation"], bool(len(compiled.tables.places)))

    @property
    def wall(self) -> float:
        return float(self.file.told["wall"])

    @property
    def breaks(self) -> tuple[float, ...]:
        with self.file.source.sound():
            return tuple(map(float, self.file.told["breaks"]))

    @cached_property
    def result(self) -> Result:
        with self.file.source.sound():
            return self.file.result(self.t, self.y, self.ledger)

    # --- the model

    @property
    def model(self) -> Model:
        """The model of the run; one that has only a name if the file does not hold it."""
        if self._given is None and not self.file.texts["model"]:
            return cast(Model, MissingModel(str(self.file.attributes["model"]), self._missing))
        return family(self.options["formulation"]).model(
            self._described, lambda: self.assembly.compiled
        )

    @property
    def _missing(self) -> str:
        return (
            f"{self.file.source} holds the numbers of this run and not its model: "
            f"{self.file.texts['not_saved']} Give it with kt.open_solution(path, model=...)."
        )

    @cached_property
    def _described(self) -> Model:
        """The model that was given, or that the file holds as text."""
        if self._given is not None:
            return self._given
        if not self.file.texts["model"]:
            raise ResultError(self._missing)
        from ..description.files.load import load_text

        beside = Path("run.nc") if isinstance(self.path, bytes) else self.path
        return load_text(self.file.texts["model"], beside.with_suffix(".yaml"), {}, self._allowed)

    @cached_property
    def assembly(self) -> Assembly:
        with self.file.source.sound():
            return self._assembled()

    def _assembled(self) -> Assembly:
        told = self.file.receipt()
        found, kind, length = told.pop("found"), told.pop("kind"), told.pop("length")
        compiled = self._built(found, kind, length, told["absorbed"])
        q, v, x = compiled.split(self.file.needed("start"))
        pairs = {
            name: {key: tuple(value) for key, value in told[name].items()}
            for name in ("moved", "changed", "gaps")
        }
        redundant = tuple((name, count) for name, count in told["redundant"])
        start = replace(
            Assembly(compiled, told["t"], q, v, x, told["coordinates"]),
            **{
                **told,
                **pairs,
                "redundant": redundant,
                "happened": tuple(map(tuple, told["happened"])),
            },
        )
        start = family(kind).restricted(start, self.options)
        return replace(start, compiled=self._configured(start, told["rank"]), rank=told["rank"])

    def _built(
        self, found: dict[str, float], kind: str, length: float, absorbed: float
    ) -> CompiledModel:
        """The compiled model, with the values that were found at the start of the run."""
        description = family(kind).build(self._described, kind, self.options["topology"])
        return family(kind).with_size(resolve(description, found, absorbed), length)

    def _configured(self, start: Assembly, rank: int) -> CompiledModel:
        """The compiled model with the settings of the run."""
        compiled = start.compiled
        method = self._method(compiled)
        own = {option.name: self.options.get(option.name) for option in method.options}
        compiled = replace(
            compiled,
            tables=method.configure(compiled.tables, own, rank, Start(start.t, start.y)),
        )
        if compiled.hash != self.file.attributes.get("model_hash"):
            raise ResultError(
                f"{self.file.source} was not computed with this model {self._described.name!r}: "
                "its hash is "
                f"{self.file.attributes.get('model_hash')}, that of the model {compiled.hash}."
            )
        return compiled


class MissingModel:
    """Stands for the model of a run if its file holds only the name of the model."""

    def __init__(self, name: str, reason: str) -> None:
        self.name, self._reason = name, reason

    def __getattr__(self, what: str) -> Any:
        raise ResultError(self._reason) if not what.startswith("__") else AttributeError(what)
