"""The file of a run for reading: what it tells at once, and its arrays when they are asked for."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import ResultError
from ..integrators.halts import Occurrence
from ..integrators.memory import STEP
from ..integrators.result import Jump, Result
from ..num.status import Status
from . import archive
from .channels import Channel


class RunFile:
    """A file of archive.py; it is open only while something is read, so that whoever writes to it goes on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._opened() as file:
            group = file[archive.GROUP]
            self.arrays = {name for name, held in group.items() if held.dtype.kind != "O"}
            self.texts = {name: group[name][()].decode() for name in set(group) - self.arrays}
            self.attributes = {name: value.item() if hasattr(value, "item") else value for name, value in file.attrs.items()
                               if not name.startswith("_")}
            self.channels = {str(held.attrs["channel"]): _channel(self, name, held) for name, held in file.items()
                             if "channel" in held.attrs}
        self.complete = bool(self.attributes.get("complete", 0))
        self.told = json.loads(self.texts["result"])

    def _opened(self) -> Any:
        if not self.path.is_file():
            raise ResultError(f"there is no file {os.fspath(self.path)!r}.")
        try:
            file = archive.opened(self.path)
            whole = archive.GROUP in file and "result" in file[archive.GROUP]
        except (OSError, RuntimeError, KeyError) as error:
            raise ResultError(f"{os.fspath(self.path)!r} cannot be read as a result: {error}. Is it another file, or "
                              "damaged?") from None
        if not whole:
            file.close()
            raise ResultError(f"{os.fspath(self.path)!r} holds no run of Kinetree.")
        return file

    def read(self, name: str, rows: Any = ()) -> np.ndarray:
        """An array, or some of it."""
        try:
            with self._opened() as file:
                return file[name][rows]
        except (OSError, RuntimeError, KeyError) as error:
            raise ResultError(f"{name!r} cannot be read from {os.fspath(self.path)!r}: {error}.") from None

    def hidden(self, name: str) -> np.ndarray | None:
        """An array that a solution is made of, if there is one."""
        return self.read(f"{archive.GROUP}/{name}") if name in self.arrays else None

    def needed(self, name: str) -> np.ndarray:
        found = self.hidden(name)
        if found is None:
            raise ResultError(f"{os.fspath(self.path)!r} has no {name!r}; it was not finished.")
        return found

    def result(self, t: np.ndarray, y: np.ndarray, ledger: np.ndarray | None) -> Result:
        """What the run has done."""
        told = self.told
        return Result(told["method"], Status(told["status"]), told["interrupted"], told["t"], self.needed("y_end"),
                      self.needed("ydot_end"), self._log(), t, y, told["accepted"], told["rejected"], told["evaluations"],
                      told["seconds"], ledger, None, self._jumps(), events=self._events(), ended=told["ended"])

    def _log(self) -> np.ndarray:
        ends = self.hidden("log_t")
        log = np.zeros(0 if ends is None else len(ends), STEP)
        for name in (STEP.names or ()) if len(log) else ():
            log[name] = self.needed(f"log_{name}")
        return log

    def _jumps(self) -> tuple[Jump, ...]:
        if "jump_t" not in self.arrays:
            return ()
        return tuple(Jump(float(t[0]), float(t[1]), y[0], y[1]) for t, y in zip(self.needed("jump_t"), self.needed("jump_y")))

    def _events(self) -> tuple[Occurrence, ...]:
        if "event_t" not in self.arrays:
            return ()
        told = zip(self.told["events"], self.needed("event_t"), self.needed("event_y"), self.needed("event_changed"))
        return tuple(Occurrence(name, float(t), int(direction), y[0], y[1] if changed else None, energy)
                     for (name, direction, energy), t, y, changed in told)


def _channel(file: RunFile, place: str, held: Any) -> Channel:
    """A channel of the file, read when it is asked for."""
    def values(*component: int) -> np.ndarray:
        return file.read(place, (slice(None), component[0]) if component else ())

    components = tuple(str(held.attrs.get("components", "")).split())
    return Channel(str(held.attrs["units"]), str(held.attrs["long_name"]), values, components, place.startswith("step."),
                   bool(components))
