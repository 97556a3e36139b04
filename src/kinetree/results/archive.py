"""Runs as files: NetCDF-4 (HDF5), which any tool for such files opens.

    /time, /<channel>      at the samples, with units and a long name; vectors with a second dimension
    /step.<...>            at the steps
    attributes             model, hash, options, versions, outcome; `complete` is 1 once all is written
    /kinetree              the text of the model file, and states, multipliers, steps and events as they are: of them a solution
                           is made again by kt.open_solution, bit by bit

A file is written beside its name and moved into its place. What has grown while a run went on is made whole the same way.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ModelError, ResultError
from ..files.opening import model_text as text_of
from ..writing import is_there
from . import channels
from .provenance import provenance

if TYPE_CHECKING:
    from .solution import Solution

FORMAT = 1
GROUP = "kinetree"
LARGEST = 1 << 29  # bytes of channels that are written unless they are asked for by name
_ATTRIBUTE = 30_000  # characters; HDF5 holds at most 64 kB in an attribute


def library(name: str) -> Any:
    """A library that files of results stand on, or a sentence."""
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise ResultError(f"files of results need the package {name}: pip install {name}") from None


def save(sol: Solution, path: str | os.PathLike, names: Sequence[str] | None = None, overwrite: bool = False) -> Path:
    """Write a solution, whole or not at all; answers the path."""
    path = Path(path)
    if is_there(path) and not overwrite and not same_run(path, sol.compiled.hash, sol.options):
        raise ResultError(f"cannot write {os.fspath(path)!r}: another result of that name is there. Choose another name, or say "
                          "overwrite=True to replace it.")
    beside = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        with library("h5netcdf").File(beside, "w") as file:
            write(file, sol, names)
        os.replace(beside, path)
    except OSError as error:
        hint = " Does its folder exist?" if not path.parent.is_dir() else ""
        raise ResultError(f"cannot write {os.fspath(path)!r}: {error.strerror or error}.{hint}") from None
    finally:
        beside.unlink(missing_ok=True)
    return path


def opened(path: Path) -> Any:
    """A file for reading, also that of a run that goes on or was killed; an OSError where that cannot be."""
    h5py = library("h5py")
    try:
        return h5py.File(path, "r", locking=False)
    except OSError:
        return h5py.File(path, "r", libver="latest", swmr=True, locking=False)


def same_run(path: Path, model_hash: str, options: dict) -> bool:
    """Whether a file holds this machine run with these options."""
    try:
        with opened(path) as file:
            held = json.loads(file[GROUP]["options"][()])
            return file.attrs["model_hash"] == model_hash and held == json.loads(json.dumps(options, default=_plain))
    except (OSError, RuntimeError, LookupError, ValueError):
        return False


def write(file: Any, sol: Solution, names: Sequence[str] | None) -> None:
    """Everything of a solution into a file that is empty."""
    head(file, sol)
    file.dimensions = {"time": len(sol.t), "axis": 3, "quaternion": 4, "step": len(sol.result.log)}
    variable(file, "time", ("time",), sol.t, "s", "time")
    for name in _chosen(sol, names):
        channel = sol.channels[name]
        values = np.asarray(channels.values(channel, None))
        dims = ("step" if channel.at_steps else "time", *(("axis" if len(channel.components) == 3 else "quaternion",)
                                                          if channel.components else ()))
        made = variable(file, safe(name), dims, values, channel.unit, channel.about)
        made.attrs["channel"] = name
        if channel.components:
            made.attrs["components"] = " ".join(channel.components)
    hidden(file.create_group(GROUP), sol)
    file.attrs["complete"] = 1


def head(file: Any, sol: Solution, **instead: str) -> None:
    """Where the numbers come from."""
    file.attrs["title"] = f"run of {sol.model.name}"
    for name, value in {**provenance(sol), **instead, "format": FORMAT, "complete": 0}.items():
        if len(str(value)) <= _ATTRIBUTE:
            file.attrs[name] = value


def variable(file: Any, name: str, dims: tuple[str, ...], values: np.ndarray, unit: str = "", about: str = "") -> Any:
    """An array with its unit and a long name."""
    made = file.create_variable(name, dims, dtype=values.dtype, data=values, **({"fletcher32": True} if values.size else {}))
    if unit:
        made.attrs["units"], made.attrs["long_name"] = unit, about
    return made


def growing(file: Any, name: str, dims: tuple[str, ...], width: int, bytes_of_chunk: int) -> Any:
    """An array without rows as yet."""
    rows = max(1, bytes_of_chunk // (8 * width))
    return file.create_variable(name, dims, dtype=np.float64, chunks=(rows, width)[:len(dims)], fletcher32=True)


def text(group: Any, name: str, content: str) -> None:
    """A text of any length."""
    group.create_variable(name, (), dtype=library("h5py").string_dtype(), data=np.array(content, object))


def hidden(group: Any, sol: Solution, growing: bool = False, **instead: str) -> None:
    """What a solution is made of again; of one that grows without the states."""
    result, arrays = sol.result, _arrays(sol)
    if growing:
        arrays = {name: values for name, values in arrays.items() if name in ("start", "y_end", "ydot_end")}
    said, reason = model_text(sol)
    texts = {"model": said, "not_saved": reason, "options": sol.options, "statistics": sol.statistics,
             "assembly": receipt(sol.assembly), "message": sol.message, "story": summary_of(sol), "result": {
                 "method": result.method, "status": int(result.status), "interrupted": result.interrupted, "t": result.t,
                 "accepted": result.accepted, "rejected": result.rejected, "evaluations": result.evaluations,
                 "seconds": result.seconds, "ended": result.ended, "success": sol.success, "wall": sol.wall,
                 "breaks": list(sol.breaks), "events": [[one.name, one.direction, one.energy] for one in result.events]}}
    for name, content in {**texts, **instead}.items():
        text(group, name, content if isinstance(content, str) else json.dumps(content, default=_plain))
    for name, values in arrays.items():
        dims = tuple(f"{name}_{k}" for k in range(values.ndim))
        group.dimensions.update(dict(zip(dims, values.shape)))
        variable(group, name, dims, values)


def _arrays(sol: Solution) -> dict[str, np.ndarray]:
    result, solved, n = sol.result, sol.solved, sol.y.shape[1]
    found = {"y": np.asarray(sol.y), "y_end": result.y, "ydot_end": result.ydot, "lost": solved.lost,
             "start": sol.assembly.y, **{f"log_{name}": result.log[name] for name in result.log.dtype.names or ()}}
    for name, values in (("ledger", sol.ledger), ("vdot", solved.vdot), ("lam", solved.lam)):
        if values is not None:
            found[name] = np.ascontiguousarray(values)
    if result.jumps:
        found.update(jump_t=np.array([(one.t_before, one.t) for one in result.jumps]),
                     jump_y=np.array([(one.before, one.after) for one in result.jumps]))
    if result.events:
        found.update(event_t=np.array([one.t for one in result.events]), event_changed=np.array(
            [one.after is not None for one in result.events], np.int8),
            event_y=np.array([(one.y[:n], (one.y if one.after is None else one.after)[:n]) for one in result.events]))
    return {name: np.ascontiguousarray(values) for name, values in found.items()}


def receipt(assembly: Any) -> dict[str, Any]:
    """What an assembly tells, but for its numbers and the compiled model."""
    told = {name: value for name, value in vars(assembly).items()
            if name not in ("compiled", "q", "v", "x", "vdot", "lam")}
    compiled = assembly.compiled
    return {**told, "found": compiled.found, "kind": compiled.coordinates,
            "length": float(compiled.tables.settings[0]["length"])}


def model_text(sol: Solution) -> tuple[str, str]:
    """The model as the text of a file, or why it cannot be one."""
    try:
        return text_of(sol.model.origin or sol.model), ""
    except ModelError as error:
        return "", str(error)


def summary_of(sol: Solution) -> str:
    """The story of the run, or of what there is of it."""
    try:
        return str(sol)
    except Exception as error:
        return f"{sol.model.name}: {sol.message} ({type(error).__name__})"


def _chosen(sol: Solution, names: Sequence[str] | None) -> list[str]:
    """The channels asked for; otherwise all, unless that would be very much."""
    if names is not None:
        listed = [names] if isinstance(names, str) else list(names)
        for name in listed:
            channels.find(sol.channels, name, sol.model.name)
        whole = [name if name in sol.channels else name.rpartition(".")[0] for name in listed]
        return list(dict.fromkeys(whole))
    size = sum(8 * len(sol.t) * max(1, len(c.components)) for c in sol.channels.values() if not c.at_steps)
    return list(sol.channels) if size <= LARGEST else [name for name, c in sol.channels.items() if c.at_steps]


def safe(name: str) -> str:
    """A name as NetCDF allows it."""
    return name.replace("/", "\N{DIVISION SLASH}")


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays for JSON."""
    return value.tolist() if hasattr(value, "tolist") else list(value) if isinstance(value, (tuple, set)) else str(value)
