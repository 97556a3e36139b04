"""Solutions from files: `kt.open_solution("run.nc")`. Channels and all else are read on demand.

An opened solution has all methods of a solution: plots, animation, `sol.at(t)`, `sol.events`.
Quantities that are not in the file are computed from the states in it, with the model that the file
holds as text. A model with Python functions must be given.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np

from ..assembly.build import build, build_nodes
from ..assembly.plane import in_plane
from ..assembly.result import Assembly
from ..core.checks import a_path, flag, instance
from ..description.lowering.compiled import CompiledModel
from ..description.lowering.resolve import resolve
from ..description.model import Model
from ..engine.beams.layout import with_layout
from ..engine.formulations.catalogue import formulation as find_formulation
from ..engine.formulations.contract import Formulation
from ..engine.integrators.result import Result
from ..engine.integrators.segments import evaluation_times
from ..errors import ResultError, explains_arguments
from ..kernel.tables.state import Start
from ..options import PLANAR
from ..results.channels import Channel, find, values
from ..results.completion import Solved, complete_run, parted
from ..results.event_record import Events
from ..results.solution import Solution
from ..results.storage.reading import RunFile
from .simulate import NODES


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
    return Opened(
        a_path(path, "open_solution: path"),
        model,
        flag(allow_python, "open_solution: allow_python"),
    )


def solution_of_bytes(content: bytes) -> Solution:
    """A run from the content of its file."""
    return Opened(content, None, False)


class Opened(Solution):
    """A solution in a file: what a solution has as fields is read, and kept, when it is asked for."""

    def __init__(self, path: Path | bytes, model: Model | None, allow_python: bool) -> None:
        self.path, self._given, self._allowed = path, model, allow_python
        self._motions, self.source, self.watched = {}, None, None
        self._file = RunFile(path)
        self.complete, self.provenance, self.options = (
            self._file.complete,
            self._file.attributes,
            self._file.options,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """By its file."""
        return Opened, (self.path, self._given, self._allowed)

    def __deepcopy__(self, memo: Any) -> Opened:
        return Opened(self.path, self._given, self._allowed)

    @cached_property
    def t(self) -> np.ndarray:  # type: ignore[override]
        return self._file.times()

    @cached_property
    def y(self) -> np.ndarray:  # type: ignore[override]
        return self._file.needed("y") if self.complete else self._completed[0]

    @cached_property
    def solved(self) -> Solved:  # type: ignore[override]
        if not self.complete:
            return self._completed[1]
        return Solved(
            self._file.hidden("vdot"), self._file.hidden("lam"), self._file.needed("lost")
        )

    @cached_property
    def _completed(self) -> tuple[np.ndarray, Solved]:
        """States of a run that was killed are as the method interpolated them: now they are brought
        onto the constraints.
        """
        y, work = self._file.needed("y"), self.compiled.workspace(self.method.storage)
        return y, complete_run(
            self.method,
            self.compiled,
            work,
            evaluation_times(self.t, self.breaks, self.options["until"]),
            y,
        )[0]

    @cached_property
    def ledger(self) -> np.ndarray | None:  # type: ignore[override]
        if self.complete:
            return self._file.hidden("ledger")
        carried = self._file.hidden("carried")
        if carried is None or len(self.compiled.tables.forces) + 1 > carried.shape[1]:
            return None
        carried = carried[: len(self.t)]
        return parted(self.compiled, carried)[0] if self.method.name == NODES else carried

    @property
    def statistics(self) -> dict[str, Any]:  # type: ignore[override]
        return self._file.statistics

    @property
    def method(self) -> Formulation:  # type: ignore[override]
        return find_formulation(self.options["formulation"])

    @property
    def wall(self) -> float:  # type: ignore[override]
        return float(self._file.told["wall"])

    @property
    def breaks(self) -> tuple[float, ...]:  # type: ignore[override]
        with self._file.source.sound():
            return tuple(map(float, self._file.told["breaks"]))

    @property
    def success(self) -> bool:
        return bool(self._file.told["success"])

    @property
    def message(self) -> str:
        return self._file.texts["message"]

    @cached_property
    def result(self) -> Result:  # type: ignore[override]
        with self._file.source.sound():
            return self._file.result(self.t, self.y, self.ledger)

    # --- channels
    # -----------------------------------------------------------------------------------------------------

    @cached_property
    def channels(self) -> Mapping[str, Channel]:
        """Those in the file; if there are none, all, from the states."""
        held = self._file.channels
        return held if any(not channel.at_steps for channel in held.values()) else super().channels

    def __getitem__(self, name: str) -> np.ndarray:
        return values(*find(self.channels, name, str(self.provenance["model"])))

    def unit(self, name: str) -> str:
        return find(self.channels, name, str(self.provenance["model"]))[0].unit

    # --- the machine
    # --------------------------------------------------------------------------------------------------

    @property
    def model(self) -> Model:
        """The model that was computed with; where the file could not hold it, one that knows its
        name and nothing else.
        """
        if self._given is None and not self._file.texts["model"]:
            return cast(Model, Unknown(str(self.provenance["model"]), self._unknown))
        return self.compiled.model if self.options["formulation"] == NODES else self._described

    @property
    def _unknown(self) -> str:
        return (
            f"{self._file.source} holds the numbers of this run and not its model: "
            f"{self._file.texts['not_saved']} Give "
            "it with kt.open_solution(path, model=...)."
        )

    @cached_property
    def _described(self) -> Model:
        """The model as the user said it."""
        if self._given is not None:
            return self._given
        if not self._file.texts["model"]:
            raise ResultError(self._unknown)
        from ..description.files.load import load_text

        beside = Path("run.nc") if isinstance(self.path, bytes) else self.path
        return load_text(self._file.texts["model"], beside.with_suffix(".yaml"), {}, self._allowed)

    @cached_property
    def assembly(self) -> Assembly:  # type: ignore[override]
        with self._file.source.sound():
            return self._assembled()

    def _assembled(self) -> Assembly:
        told = self._file.receipt()
        found, kind, length = told.pop("found"), told.pop("kind"), told.pop("length")
        compiled = self._built(found, kind, length, told["absorbed"])
        q, v, x = compiled.split(self._file.needed("start"))
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
        if kind == NODES:
            start = in_plane(start, self.options[PLANAR.name], self.options["until"])
        return replace(start, compiled=self._configured(start, told["rank"]), rank=told["rank"])

    def _built(
        self, found: dict[str, float], kind: str, length: float, absorbed: float
    ) -> CompiledModel:
        """The machine built again, with the values that were read off its start."""
        description = (
            build_nodes(self._described)
            if kind == NODES
            else build(self._described, kind, self.options["topology"])
        )
        compiled = resolve(description, found, absorbed)
        if kind != NODES:
            return compiled
        settings = compiled.tables.settings.copy()
        settings["length"] = length
        return replace(compiled, tables=with_layout(compiled.tables._replace(settings=settings)))

    def _configured(self, start: Assembly, rank: int) -> CompiledModel:
        """As it ran."""
        compiled = start.compiled
        own = {option.name: self.options.get(option.name) for option in self.method.options}
        compiled = replace(
            compiled,
            tables=self.method.configure(compiled.tables, own, rank, Start(start.t, start.y)),
        )
        if compiled.hash != self.provenance.get("model_hash"):
            raise ResultError(
                f"{self._file.source} was not computed with this model {self._described.name!r}: "
                "its hash is "
                f"{self.provenance.get('model_hash')}, that of the model {compiled.hash}."
            )
        return compiled

    @cached_property
    def run(self) -> Solution:
        """The same in memory."""
        return Solution(
            self.assembly,
            self.method,
            self.options,
            self.result,
            self.t,
            self.y,
            self.solved,
            self.wall,
            self.ledger,
            self.breaks,
        )

    def at(self, times: Any) -> Solution:
        return self.run.at(times)

    @cached_property
    def events(self) -> Events:
        return Events.of(self.run)

    def summary(self) -> str:
        return self._file.texts["story"]

    def __repr__(self) -> str:
        state = "" if self.complete else ", not finished"
        return f"<solution in {self._file.source}: {self.message}, {len(self.t)} samples{state}>"


class Unknown:
    """A model of which only the name is known."""

    def __init__(self, name: str, reason: str) -> None:
        self.name, self._reason = name, reason

    def __getattr__(self, what: str) -> Any:
        raise ResultError(self._reason) if not what.startswith("__") else AttributeError(what)
