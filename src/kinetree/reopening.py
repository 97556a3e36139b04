"""Solutions from files: `kt.open_solution("run.nc")`. Channels are read when they are asked for, and everything else too.

An opened solution is a solution: plots, animation, `sol.at(t)`, `sol.events`. What is not in the file is computed from the states
in it, with the model that the file holds as text; a model with Python functions is to be given.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np

from .assembly.complete import Solved, complete_run
from .assembly.receipt import Assembly
from .compile.build import build
from .compile.compiled import CompiledModel
from .compile.flexible import build_nodes
from .compile.resolve import resolve
from .errors import ResultError
from .formulations.catalogue import formulation as find_formulation
from .formulations.contract import Formulation
from .integrators.halts import Occurrence
from .integrators.memory import STEP
from .integrators.result import Jump, Result
from .integrators.stretches import seen_at
from .model.model import Model
from .num.status import Status
from .results import archive
from .results.channels import Channel, find, values
from .results.happened import Events
from .results.solution import Solution
from .simulation import parted
from .structural.layout import with_layout
from .tables.records import Tables

NODES = "nodes"


def open_solution(path: str | os.PathLike, model: Model | None = None, *, allow_python: bool = False) -> Solution:
    """A run from its file, finished or not; `model` where the file could not hold it, because it has Python functions."""
    return Opened(Path(path), model, allow_python)


class Opened(Solution):
    """A solution in a file."""

    def __init__(self, path: Path, model: Model | None, allow_python: bool) -> None:
        self.path, self._given, self._allowed = path, model, allow_python
        self._motions, self.source = {}, None
        with self._file() as file:
            self._told = {name: file[archive.GROUP][name][()].decode() for name in ("options", "assembly", "result", "message",
                          "story", "statistics", "model", "not_saved") if name in file[archive.GROUP]}
            self.provenance = {name: value.item() if hasattr(value, "item") else value for name, value in file.attrs.items()
                               if not name.startswith("_")}
            self.complete = bool(file.attrs.get("complete", 0))
            self._listed = {str(v.attrs["channel"]): _listing(name, v) for name, v in file.items() if "channel" in v.attrs}
            self._arrays = set(file[archive.GROUP])
        self._run = json.loads(self._told["result"])

    # --- reading ----------------------------------------------------------------------------------------------------

    def _file(self) -> Any:
        """The file, opened for reading; whoever writes to it goes on."""
        if not self.path.is_file():
            raise ResultError(f"there is no file {os.fspath(self.path)!r}.")
        h5py = archive.library("h5py")
        try:
            try:
                file = h5py.File(self.path, "r", locking=False)
            except OSError:  # of a run that goes on, or was killed
                file = h5py.File(self.path, "r", libver="latest", swmr=True, locking=False)
            whole = archive.GROUP in file and "result" in file[archive.GROUP]
        except (OSError, RuntimeError, KeyError) as error:
            raise ResultError(f"{os.fspath(self.path)!r} cannot be read as a result: {error}. Is it another file, or "
                              "damaged?") from None
        if not whole:
            file.close()
            raise ResultError(f"{os.fspath(self.path)!r} holds no run of Kinetree.")
        return file

    def _read(self, name: str, rows: Any = ()) -> np.ndarray:
        try:
            with self._file() as file:
                return file[name][rows] if rows != () else file[name][()]
        except (OSError, RuntimeError, KeyError) as error:
            raise ResultError(f"{name!r} cannot be read from {os.fspath(self.path)!r}: {error}.") from None

    def _hidden(self, name: str) -> np.ndarray | None:
        return self._read(f"{archive.GROUP}/{name}") if name in self._arrays else None

    def _needed(self, name: str) -> np.ndarray:
        found = self._hidden(name)
        if found is None:
            raise ResultError(f"{os.fspath(self.path)!r} has no {name!r}; it was not finished.")
        return found

    # --- what a solution has, each when it is asked for ---------------------------------------------------------------

    @cached_property
    def t(self) -> np.ndarray:  # type: ignore[override]
        return self._read("time")

    @cached_property
    def y(self) -> np.ndarray:  # type: ignore[override]
        y = self._needed("y")
        if not self.complete:  # as interpolated: brought onto the constraints now
            self._completed = complete_run(self.method, self.compiled, self.compiled.workspace(self.method.storage),
                                           seen_at(self.t, self.breaks, self.options["until"]), y)[0]
        return y

    @cached_property
    def solved(self) -> Solved:  # type: ignore[override]
        if not self.complete:
            assert self.y is not None
            return self._completed
        return Solved(self._hidden("vdot"), self._hidden("lam"), self._needed("lost"))

    @cached_property
    def ledger(self) -> np.ndarray | None:  # type: ignore[override]
        if self.complete:
            return self._hidden("ledger")
        carried = self._hidden("carried")
        if carried is None or len(self.compiled.tables.forces) + 1 > carried.shape[1]:
            return None
        return parted(self.compiled, carried)[0] if self.method.name == NODES else carried

    @cached_property
    def options(self) -> dict:  # type: ignore[override]
        return json.loads(self._told["options"])

    @property
    def method(self) -> Formulation:  # type: ignore[override]
        return find_formulation(self.options["formulation"])

    @property
    def wall(self) -> float:  # type: ignore[override]
        return float(self._run["wall"])

    @property
    def breaks(self) -> tuple[float, ...]:  # type: ignore[override]
        return tuple(self._run["breaks"])

    @property
    def success(self) -> bool:
        return bool(self._run["success"])

    @property
    def message(self) -> str:
        return self._told["message"]

    @property
    def statistics(self) -> dict[str, Any]:  # type: ignore[override]
        return json.loads(self._told["statistics"])

    @cached_property
    def result(self) -> Result:  # type: ignore[override]
        run, t = self._run, self.t
        return Result(run["method"], Status(run["status"]), run["interrupted"], run["t"], self._needed("y_end"),
                      self._needed("ydot_end"), self._log(), t, self.y, run["accepted"], run["rejected"], run["evaluations"],
                      run["seconds"], self.ledger, None, self._jumps(), events=self._occurrences(), ended=run["ended"])

    def _log(self) -> np.ndarray:
        ends = self._hidden("log_t")
        log = np.zeros(0 if ends is None else len(ends), STEP)
        for name in (STEP.names or ()) if len(log) else ():
            log[name] = self._needed(f"log_{name}")
        return log

    def _jumps(self) -> tuple[Jump, ...]:
        if "jump_t" not in self._arrays:
            return ()
        return tuple(Jump(float(t[0]), float(t[1]), y[0], y[1]) for t, y in zip(self._needed("jump_t"), self._needed("jump_y")))

    def _occurrences(self) -> tuple[Occurrence, ...]:
        if "event_t" not in self._arrays:
            return ()
        told = zip(self._run["events"], self._needed("event_t"), self._needed("event_y"), self._needed("event_changed"))
        return tuple(Occurrence(name, float(t), int(direction), y[0], y[1] if changed else None, energy)
                     for (name, direction, energy), t, y, changed in told)

    @cached_property
    def channels(self) -> dict[str, Channel]:
        """Those in the file; those that are not, from the states."""
        if not any(not channel.at_steps for channel in self._listed.values()):
            return super().channels
        return {name: channel._replace(values=self._reader(archive.safe(name))) for name, channel in self._listed.items()}

    def _reader(self, place: str) -> Callable[..., np.ndarray]:
        def read(*component: int) -> np.ndarray:
            return self._read(place, (slice(None), component[0]) if component else ())

        return read

    # --- the machine --------------------------------------------------------------------------------------------------

    @property
    def model(self) -> Model:  # type: ignore[override]
        """The model that was computed with; where the file could not hold it, one that knows its name and nothing else."""
        if self._given is None and not self._told["model"]:
            return cast(Model, Unknown(str(self.provenance["model"]), self._unknown))
        return self.compiled.model if self.options["formulation"] == NODES else self._described

    @property
    def _unknown(self) -> str:
        return (f"{os.fspath(self.path)!r} holds the numbers of this run and not its model: {self._told['not_saved']} Give it "
                "with kt.open_solution(path, model=...).")

    @cached_property
    def _described(self) -> Model:
        """The model as the user said it."""
        if self._given is not None:
            return self._given
        if not self._told["model"]:
            raise ResultError(self._unknown)
        from .files.load import load_text

        return load_text(self._told["model"], self.path.with_suffix(".yaml"), {}, self._allowed)

    def __getitem__(self, name: str) -> np.ndarray:
        return values(*find(self.channels, name, str(self.provenance["model"])))

    def unit(self, name: str) -> str:
        return find(self.channels, name, str(self.provenance["model"]))[0].unit

    @cached_property
    def assembly(self) -> Assembly:  # type: ignore[override]
        told = json.loads(self._told["assembly"])
        found, kind, length = told.pop("found"), told.pop("kind"), told.pop("length")
        compiled = self._compiled(found, kind, length, told["absorbed"])
        q, v, x = compiled.split(self._needed("start"))
        pairs = {name: {key: tuple(value) for key, value in told[name].items()} for name in ("moved", "changed", "gaps")}
        redundant = tuple((name, count) for name, count in told["redundant"])
        return replace(Assembly(compiled, told["t"], q, v, x, told["coordinates"]), **{**told, **pairs, "redundant": redundant})

    def _compiled(self, found: dict[str, float], kind: str, length: float, absorbed: float) -> CompiledModel:
        """The machine as it ran: built again, with the values that were read off its start."""
        model = self._described
        description = build_nodes(model) if kind == NODES else build(model, kind, self.options["topology"])
        compiled = resolve(description, found, absorbed)
        if kind == NODES:
            settings = compiled.tables.settings.copy()
            settings["length"] = length
            compiled = replace(compiled, tables=with_layout(compiled.tables._replace(settings=settings)))
        rank = json.loads(self._told["assembly"])["rank"]
        own = {option.name: self.options.get(option.name) for option in self.method.options}
        tables: Tables = self.method.configure(compiled.tables, own, rank)
        compiled = replace(compiled, tables=tables)
        if compiled.hash != self.provenance.get("model_hash"):
            raise ResultError(f"{os.fspath(self.path)!r} was not computed with this model {model.name!r}: its hash is "
                              f"{self.provenance.get('model_hash')}, that of the model {compiled.hash}.")
        return compiled

    @cached_property
    def run(self) -> Solution:
        """The same in memory."""
        return Solution(self.assembly, self.method, self.options, self.result, self.t, self.y, self.solved, self.wall,
                        self.ledger, self.breaks)

    def at(self, times: Any) -> Solution:
        return self.run.at(times)

    @cached_property
    def events(self) -> Events:
        return Events.of(self.run)

    def summary(self) -> str:
        return self._told["story"]

    def __repr__(self) -> str:
        state = "" if self.complete else ", not finished"
        return f"<solution in {self.path.name!r}: {self.message}, {len(self.t)} samples{state}>"


class Unknown:
    """A model of which only the name is known."""

    def __init__(self, name: str, reason: str) -> None:
        self.name, self._reason = name, reason

    def __getattr__(self, what: str) -> Any:
        raise ResultError(self._reason) if not what.startswith("__") else AttributeError(what)


def _listing(name: str, variable: Any) -> Channel:
    """A channel of the file, as yet without its values."""
    def unread(*component: int) -> np.ndarray:
        raise ResultError(f"{name!r} was not read.")

    components = tuple(str(variable.attrs.get("components", "")).split())
    return Channel(str(variable.attrs["units"]), str(variable.attrs["long_name"]), unread, components,
                   name.startswith("step."), bool(components))
