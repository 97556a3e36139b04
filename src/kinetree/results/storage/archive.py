"""Results files: NetCDF-4 (HDF5) for other programs, with an index for kt.open_solution
(container.py).

    /time, /channels       every scalar channel at the samples, vectors by component: one row each,
                           with its name in /channel, and /units and /long_name; channels at the
                           steps are in /step_channels
    attributes             model, hash, options, versions, outcome; `complete` is 1
    /kinetree              text of the model file, states, multipliers, steps and events, from which
                           kt.open_solution restores the same solution bit by bit

A file is written beside its name and then moved into its place (core/atomic_write.py). The file of
a running simulation has another format (growing.py).
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from ...core.atomic_write import failing, is_there, replacing
from ...core.checks import a_path, flag, words
from ...description.files.opening import model_text as text_of
from ...errors import ModelError, ResultError
from .. import channels
from .container import FORMAT, Piece, pack
from .frame import Frame, labels, library, place, place_text
from .provenance import as_json, provenance
from .reading import same_run

if TYPE_CHECKING:
    from ..channels import Channel
    from ..solution import Solution

GROUP = "kinetree"
LARGEST = 1 << 29  # bytes of channels above which only those given by name are written
_ATTRIBUTE = 30_000  # characters; HDF5 holds at most 64 kB in an attribute
_BLOCK = 1 << 24  # bytes of an array under one checksum


def save(
    sol: Solution,
    path: str | os.PathLike,
    names: Sequence[str] | None = None,
    overwrite: bool = False,
) -> Path:
    """Write a solution completely or not at all, and return the path.

    A ResultError carries the solution in `.solution`.
    """
    path, overwrite = a_path(path, "save: path"), flag(overwrite, "save: overwrite")
    if is_there(path) and not overwrite and not same_run(path, sol.compiled.hash, sol.options):
        raise ResultError(
            f"cannot write {os.fspath(path)!r}: another result of that name is there. Choose "
            "another name, or replace it with overwrite=True.",
            sol,
        )
    try:
        with failing(path), replacing(path) as file:
            write(file, sol, names)
    except ResultError as error:
        error.solution = sol
        raise
    return path


def to_bytes(sol: Solution, names: Sequence[str] | None) -> bytes:
    """The content of the file of a solution."""
    file = io.BytesIO()
    write(file, sol, names)
    return file.getvalue()


def write(file: IO[bytes], sol: Solution, names: Sequence[str] | None) -> None:
    """Write a solution into an empty file."""
    frame, attributes, chosen = Frame(), head(sol, complete=1), _chosen(sol, names)
    listed: list[list[Any]] = []
    with library("h5netcdf").File(frame, "w") as made:
        for name, value in attributes.items():
            if len(str(value)) <= _ATTRIBUTE:
                made.attrs[name] = value
        made.dimensions = {"time": len(sol.t), "step": len(sol.result.log)}
        pieces = [
            Piece(
                "time",
                place(made, "time", ("time",), sol.t.shape, "<f8", "s", "time")[1],
                sol.t.shape,
                "<f8",
                lambda: [np.asarray(sol.t, float)],
            )
        ]
        for at_steps in (False, True):
            own = {
                name: sol.channels[name]
                for name in chosen
                if sol.channels[name].at_steps == at_steps
            }
            pieces += _table(made, sol, own, at_steps, listed)
        pieces += _hidden(made.create_group(GROUP), sol)
    pack(file, frame, pieces, {"attributes": attributes, "channels": listed})
    if "record" in vars(sol):
        sol.record.let_go()


def head(sol: Solution, complete: int, **instead: str) -> dict[str, str | int]:
    """Attributes of a file: title, provenance, format."""
    return {
        "title": f"run of {sol.model.name}",
        **provenance(sol),
        **instead,
        "format": FORMAT,
        "complete": complete,
    }


def _table(
    file: Any, sol: Solution, own: dict[str, Channel], at_steps: bool, listed: list
) -> list[Piece]:
    """Table of channels as rows of one array; the values are computed while they are written."""
    start, dim = ("step_", "step") if at_steps else ("", "time")
    rows = {
        f"{name}.{part}" if part else name: channel
        for name, channel in own.items()
        for part in channel.components or ("",)
    }
    if not rows:
        return []
    first = 0
    for name, channel in own.items():
        whole = at_steps and np.asarray(channels.values(channel, None)).dtype.kind in "iu"  # counts
        listed.append(
            [
                name,
                channel.unit,
                channel.about,
                list(channel.components),
                int(at_steps),
                first,
                int(whole),
            ]
        )
        first += max(1, len(channel.components))
    file.dimensions[f"{start}channel"] = len(rows)
    labels(file, f"{start}channel", f"{start}channel", list(rows))
    labels(file, f"{start}units", f"{start}channel", [channel.unit for channel in rows.values()])
    labels(
        file, f"{start}long_name", f"{start}channel", [channel.about for channel in rows.values()]
    )
    shape = len(rows), len(sol.result.log) if at_steps else len(sol.t)
    made, offset = place(file, f"{start}channels", (f"{start}channel", dim), shape, "<f8")
    made.attrs["long_name"] = f"every channel at the {'steps' if at_steps else 'samples'}"
    return [Piece(f"{start}channels", offset, shape, "<f8", lambda: _rows(own.values()))]


def _rows(own) -> Iterator[np.ndarray]:
    for channel in own:
        values = np.asarray(channels.values(channel, None), float)
        yield from values.T if values.ndim == 2 else [values]


def _hidden(group: Any, sol: Solution) -> list[Piece]:
    """Texts and arrays from which a solution is restored."""
    pieces = []
    for name, content in texts(sol).items():
        data = np.frombuffer(content.encode(), np.uint8)
        pieces.append(
            Piece(
                f"text {name}",
                place_text(group, name, len(data)),
                data.shape,
                "|u1",
                partial(_blocks, data),
            )
        )
    for name, values in arrays(sol).items():
        dims = tuple(f"{name}_{k}" for k in range(values.ndim))
        group.dimensions.update(dict(zip(dims, values.shape)))
        dtype = values.dtype.newbyteorder("<").str
        offset = place(group, name, dims, values.shape, dtype)[1]
        pieces.append(Piece(name, offset, values.shape, dtype, partial(_blocks, values)))
    return pieces


def _blocks(values: np.ndarray) -> Iterator[np.ndarray]:
    """Blocks of rows of an array."""
    count = max(1, _BLOCK * len(values) // max(values.nbytes, 1))
    for first in range(0, len(values), count):
        yield values[first : first + count]


def texts(sol: Solution, **instead: Any) -> dict[str, str]:
    """Texts of a file: model, options, statistics, outcome."""
    result, (said, reason) = sol.result, model_text(sol)
    found = {
        "model": said,
        "not_saved": reason,
        "options": sol.options,
        "statistics": sol.statistics,
        "assembly": receipt(sol.assembly),
        "message": sol.message,
        "story": summary_of(sol),
        "result": {
            "method": result.method,
            "status": int(result.status),
            "interrupted": result.interrupted,
            "t": result.t,
            "accepted": result.accepted,
            "rejected": result.rejected,
            "evaluations": result.evaluations,
            "seconds": result.seconds,
            "ended": result.ended,
            "success": sol.success,
            "wall": sol.wall,
            "breaks": list(sol.breaks),
            "switched": list(result.switched),
            "events": [[one.name, one.direction, one.energy] for one in result.events],
        },
        **instead,
    }
    return {
        name: content if isinstance(content, str) else as_json(content)
        for name, content in found.items()
    }


def arrays(sol: Solution) -> dict[str, np.ndarray]:
    """Arrays of a file besides the channels."""
    result, solved, n = sol.result, sol.solved, sol.y.shape[1]
    found = {
        "y": np.asarray(sol.y),
        "y_end": result.y,
        "ydot_end": result.ydot,
        "lost": solved.lost,
        "start": sol.assembly.y,
        **{f"log_{name}": result.log[name] for name in result.log.dtype.names or ()},
    }
    for name, values in (("ledger", sol.ledger), ("vdot", solved.vdot), ("lam", solved.lam)):
        if values is not None:
            found[name] = values
    if result.jumps:
        found.update(
            jump_t=np.array([(one.t_before, one.t) for one in result.jumps]),
            jump_y=np.array([(one.before, one.after) for one in result.jumps]),
        )
    if result.events:
        found.update(
            event_t=np.array([one.t for one in result.events]),
            event_changed=np.array([one.after is not None for one in result.events], np.int8),
            event_y=np.array(
                [
                    (one.y[:n], (one.y if one.after is None else one.after)[:n])
                    for one in result.events
                ]
            ),
        )
    return {name: np.ascontiguousarray(values) for name, values in found.items()}


def receipt(assembly: Any) -> dict[str, Any]:
    """Fields of an assembly as plain values, without its arrays and the compiled model."""
    told = {
        name: value
        for name, value in vars(assembly).items()
        if name not in ("compiled", "q", "v", "x", "vdot", "lam")
    }
    compiled = assembly.compiled
    return {
        **told,
        "found": compiled.initial_values,
        "kind": compiled.coordinates,
        "length": float(compiled.tables.settings[0]["length"]),
    }


def model_text(sol: Solution) -> tuple[str, str]:
    """The model as the text of a file, and the reason if it cannot be written."""
    try:
        return text_of(sol.model.origin or sol.model), ""
    except ModelError as error:
        return "", str(error)


def summary_of(sol: Solution) -> str:
    """The summary of the run, or its message if the summary fails."""
    try:
        return str(sol)
    except Exception as error:
        return f"{sol.model.name}: {sol.message} ({type(error).__name__})"


def _chosen(sol: Solution, names: Sequence[str] | None) -> list[str]:
    """Names of the channels to write: the given ones, or all unless they are too large."""
    if names is not None:
        listed = words(names, "save: names")
        for name in listed:
            channels.find(sol.channels, name, sol.model.name)
        whole = [name if name in sol.channels else name.rpartition(".")[0] for name in listed]
        return list(dict.fromkeys(whole))
    size = sum(
        8 * len(sol.t) * max(1, len(c.components)) for c in sol.channels.values() if not c.at_steps
    )
    return (
        list(sol.channels)
        if size <= LARGEST
        else [name for name, c in sol.channels.items() if c.at_steps]
    )
