"""Reading of results files: texts at once, arrays on demand."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from ...engine.integrators.memory import STEP
from ...engine.integrators.result import Jump, Result
from ...engine.integrators.segments import Occurrence
from ...errors import ResultError, short
from ...kernel.tables.status import Status
from ..channels import Channel
from .container import HDF5, Container
from .earlier import Earlier, is_earlier
from .grown import MAGIC, Grown
from .provenance import as_json

_TOLD: dict[str, type | tuple[type, ...]] = {  # what the text "result" has
    "method": str,
    "status": int,
    "interrupted": bool,
    "t": (int, float),
    "accepted": int,
    "rejected": int,
    "evaluations": int,
    "seconds": (int, float),
    "ended": str,
    "success": bool,
    "wall": (int, float),
    "breaks": list,
    "events": list,
}
_ASKED: dict[str, type | tuple[type, ...]] = {
    "until": (int, float),
    "formulation": str,
    "integrator": str,
    "topology": str,
}
_NUMBER = (int, float)
_RECEIPT: dict[str, type | tuple[type, ...]] = {  # what the text "assembly" has
    "t": _NUMBER,
    "violation_before": _NUMBER,
    "violation": _NUMBER,
    "velocity_violation": _NUMBER,
    "velocity_missed": _NUMBER,
    "acceleration_violation": _NUMBER,
    "absorbed": _NUMBER,
    "length": _NUMBER,
    "iterations": int,
    "rank": int,
    "kind": str,
    "coordinates": dict,
    "moved": dict,
    "changed": dict,
    "gaps": dict,
    "misplaced": dict,
    "turned": dict,
    "moved_by": dict,
    "found": dict,
    "redundant": list,
    "happened": list,
}
_BY_NAME: dict[str, tuple[Any, ...]] = {
    "coordinates": (_NUMBER,),
    "misplaced": (_NUMBER,),
    "turned": (_NUMBER,),
    "moved_by": (str,),
    "moved": (_NUMBER, _NUMBER),
    "changed": (_NUMBER, _NUMBER),
    "gaps": (_NUMBER, str),
}
_LATER = ("partitions", "decompositions")  # columns of the log that older files do not have
_AT_SAMPLES = ("y", "vdot", "lam", "ledger")


def source_of(path: Path | bytes) -> Container | Grown | Earlier:
    """The reader of a file, chosen by its first bytes."""
    if isinstance(path, bytes):
        return Container(path)
    if not os.path.isfile(path):
        raise ResultError(f"there is no file {short(os.fspath(path))}.")
    try:
        with open(path, "rb") as file:
            start = file.read(len(MAGIC))
    except OSError as error:
        raise ResultError(
            f"{os.fspath(path)!r} cannot be read: {error.strerror or error}."
        ) from error
    if start == MAGIC:
        return Grown(path)
    try:
        return Container(path)
    except ResultError:
        if start.startswith(HDF5) and is_earlier(path):
            return Earlier(path)
        raise


class RunFile:
    """Contents of a results file."""

    def __init__(self, path: Path | bytes) -> None:
        self.source = source_of(path)
        with self.source.sound():
            self.attributes: dict[str, Any] = dict(self.source.index["attributes"])
            self.complete = bool(self.attributes["complete"])
            self.arrays = {name for name in self.source.arrays if not name.startswith("text ")}
            self.texts = {
                name[5:]: self.source.read(name).tobytes().decode()
                for name in self.source.arrays
                if name.startswith("text ")
            }
            self.told = _checked(json.loads(self.texts["result"]), _TOLD)
            self.options = _checked(json.loads(self.texts["options"]), _ASKED)
            self.statistics = _checked(json.loads(self.texts["statistics"]), {})
            _checked(
                self.texts,
                {name: str for name in ("model", "not_saved", "assembly", "message", "story")},
            )
            _checked(self.attributes, {"model": str})
            self.channels = {
                str(entry[0]): self._channel(*entry) for entry in self.source.index["channels"]
            }
            self._check_shapes()

    def _check_shapes(self) -> None:
        """Check that all arrays have as many rows as there are times."""
        shapes = {name: array.shape for name, array in self.source.arrays.items()}
        samples, (steps,) = shapes["time"][0], shapes.get("log_t", (0,))
        fit = [
            shapes[name][0] == samples or not self.complete
            for name in _AT_SAMPLES
            if name in shapes
        ]
        fit += [shapes[name] == (steps,) for name in shapes if name.startswith("log_")]
        fit += [
            shapes[name][1] == length
            for name, length in (("channels", samples), ("step_channels", steps))
            if name in shapes
        ]
        fit += [not self.complete or shapes["y"][1:] == shapes["y_end"] == shapes["ydot_end"]]
        for kind, first in (("event_", len(self.told["events"])), ("jump_", None)):
            lengths = {shape[0] for name, shape in shapes.items() if name.startswith(kind)}
            fit.append(
                len(lengths) <= 1 and (first is None or not self.complete or lengths <= {first})
            )
        if not all(fit) or len(shapes["time"]) != 1:
            raise ValueError("arrays of different lengths")

    def _channel(
        self,
        name: str,
        unit: str,
        about: str,
        components: list[str],
        at_steps: int,
        first: int,
        whole: int,
    ) -> Channel:
        """A channel of the file, read on demand."""
        table, parts = "step_channels" if at_steps else "channels", tuple(map(str, components))
        rows = range(first, first + max(1, len(parts)))
        if not (
            isinstance(name, str) and 0 <= first and rows.stop <= self.source.arrays[table].shape[0]
        ):
            raise ValueError("a channel that is not there")

        def values(*component: int) -> np.ndarray:
            asked = rows[component[0] : component[0] + 1] if component else rows
            found = self.source.read(table, asked.start, asked.stop)
            found = found.T.copy() if parts and not component else found[0]
            return found.astype(np.int64) if whole else found

        return Channel(str(unit), str(about), values, parts, bool(at_steps), bool(parts))

    def read(self, name: str) -> np.ndarray:
        return self.source.read(name)

    def hidden(self, name: str) -> np.ndarray | None:
        """A stored array, or None."""
        return self.read(name) if name in self.arrays else None

    def needed(self, name: str) -> np.ndarray:
        found = self.hidden(name)
        if found is None:
            raise ResultError(f"{self.source} has no {name!r}; it was not finished.")
        return found

    def result(self, t: np.ndarray, y: np.ndarray, ledger: np.ndarray | None) -> Result:
        """The result of the integration."""
        told = self.told
        return Result(
            told["method"],
            Status(told["status"]),
            told["interrupted"],
            told["t"],
            self.needed("y_end"),
            self.needed("ydot_end"),
            self._log(),
            t,
            y,
            told["accepted"],
            told["rejected"],
            told["evaluations"],
            told["seconds"],
            ledger,
            None,
            self._jumps(),
            events=self._events(),
            ended=told["ended"],
            switched=tuple(told.get("switched", ())),
        )

    def times(self) -> np.ndarray:
        """Sample times."""
        t = self.read("time")
        if not np.isfinite(t).all() or not (np.diff(t) > 0.0).all():
            raise ResultError(f"{self.source} is damaged: its times do not increase.")
        return t

    def receipt(self) -> dict[str, Any]:
        """The stored fields of the assembly."""
        # files of earlier versions have no "moved_by"
        told = _checked({"moved_by": {}, **json.loads(self.texts["assembly"])}, _RECEIPT)
        for name, kinds in _BY_NAME.items():
            for value in told[name].values():
                values = [value] if len(kinds) == 1 else value
                if (
                    not isinstance(values, list)
                    or not all(map(isinstance, values, kinds))
                    or len(values) != len(kinds)
                ):
                    raise TypeError(f"{name!r} is of another type")
        if not all(
            isinstance(name, str) and isinstance(count, int)
            for name, count in told["redundant"] + told["happened"]
        ):
            raise TypeError("a name or a number is of another type")
        return told

    def _log(self) -> np.ndarray:
        ends = self.hidden("log_t")
        log = np.zeros(0 if ends is None else len(ends), STEP)
        for name in (STEP.names or ()) if len(log) else ():
            if name not in _LATER or self.hidden(f"log_{name}") is not None:
                log[name] = self.needed(f"log_{name}")
        return log

    def _jumps(self) -> tuple[Jump, ...]:
        if "jump_t" not in self.arrays:
            return ()
        t, y = self.needed("jump_t"), self.needed("jump_y")
        if not (
            np.isfinite(t).all() and np.isfinite(y).all() and (np.diff(t.ravel()) >= 0.0).all()
        ):
            raise ValueError("times of jumps that do not increase, or states that are no numbers")
        return tuple(Jump(float(t[0]), float(t[1]), y[0], y[1]) for t, y in zip(t, y))

    def _events(self) -> tuple[Occurrence, ...]:
        if "event_t" not in self.arrays:
            return ()
        told = zip(
            self.told["events"],
            self.needed("event_t"),
            self.needed("event_y"),
            self.needed("event_changed"),
        )
        return tuple(
            Occurrence(
                str(name), float(t), int(direction), y[0], y[1] if changed else None, float(energy)
            )
            for (name, direction, energy), t, y, changed in told
        )


def _checked(found: Any, kinds: dict[str, type | tuple[type, ...]]) -> dict[str, Any]:
    """Check that a value is a mapping with entries of the given types."""
    if not isinstance(found, dict):
        raise TypeError("a text is no mapping")
    for name, kind in kinds.items():
        if not isinstance(found[name], kind) or (kind is int and isinstance(found[name], bool)):
            raise TypeError(f"{name!r} is of another type")
    return found


def same_run(path: Path, model_hash: str, options: dict) -> bool:
    """Whether a file has the results of this model with these options."""
    try:
        found = RunFile(path)
        return found.attributes.get("model_hash") == model_hash and found.options == json.loads(
            as_json(options)
        )
    except ResultError:
        return False
