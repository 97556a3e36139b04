"""The image of a machine: everything that a run reads and writes, as data for any program.

An image has an *arena*, a piece of memory with all arrays of the tables, of the workspaces and of the
run, and the names of the kernels that compute with them. A program that has these kernels as machine
code makes an instance in four steps: it allocates `arena size` bytes, aligned to 64, copies the
content to their beginning and fills the rest with zeros, writes the address of a place into each word
of `moves`, and writes the address of a kernel into each word of `calls`. A word has 8 bytes, little
endian, also where addresses are shorter.

Instances are independent of each other, and a copy of an arena (relocated again) is a copy of the
whole state of the run.

Blocks. A kernel takes a block as the address of a row in the arena. The rows are at
`places[name]`, and the array `field` of a block at `places["name.field"]`:

    tables, work            of the time loop
    run, session            its method, and the run that is advanced call by call (session.py)
    seen, seen_work         tables and workspace of outputs; another state may be evaluated there
    frames, view, record    what is seen, and where it is written (observe.py)

Kernels, by their names in `entries` (each an index of `kernels`); blocks and functions are passed as
addresses, an array as its address and its sizes, `t` as a double, other numbers as 64-bit integers.
Each returns a Status (kernel/tables/status.py):

    advance(tables, work, start, step, dense, rhs, project, run, session, t, exact, most)
        advances `session.y` to the time t: 0 there, 100 after `most` steps. With exact = 1 a step ends
        at t, otherwise the state there is interpolated.
    observe(seen, seen_work, rhs, project, frames, view, what, record)
        fills the parts `what` (a sum of 1, 2, 4, .., 64, see engine/dynamics/observe.py) of the record
        for the state view.y at view.t[0]; with `still` instead of `project` without moving it onto the
        constraints first.
    rates(seen, seen_work, rhs, t, y, n, ydot, n)       the derivative of a state
    settle(seen, seen_work, project, t, y, n)           moves a state onto the constraints

To set a state, write it to `session.y`, its time to `session.now`, and 1 to `session.restart`.
`start`, `step`, `dense`, `rhs`, `project` and `still` are passed as functions and never called from
outside.

File. All integers are little endian:

    8 bytes            KTIMAGE1
    8 bytes            length of the header
    the header         JSON, see `Image.header`; padded with spaces to a multiple of 64 bytes
    arena filled       content of the arena up to its last byte that is not zero, padded to 64
    moves, calls       pairs of 32-bit integers: place of a word; place of its target, or number of the
                       kernel
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...errors import KinetreeError
from ...kernel.language import Function
from ...kernel.types import Type
from ...kernel.usercode.registry import Code
from ...release import VERSION

MAGIC, LINE = b"KTIMAGE1", 64


class KernelOf(NamedTuple):
    """A kernel of the package, for one signature."""

    function: Function
    args: tuple[Type, ...]


class ImageError(KinetreeError, ValueError):
    """A file is not an image, or a damaged one."""


@dataclass(frozen=True, repr=False)
class Image:
    """The image of a machine at the start of a run.

    Attributes
    ----------
    header : dict
        Names, sizes and places: "name", "version", "size" (of the arena), "filled", "places",
        "arrays" (for each array: its place, type and shape), "records" (for each record: the fields
        with offset and type), "kernels" (symbols), "entries", "states", "bodies", "numbers" (n, width,
        nq, nv, nx, ng), "t0", "until", "inputs", "outputs", "parameters".
    content : ndarray of uint8
        The arena up to its last byte that is not zero.
    moves, calls : ndarray of uint32, shape (n, 2)
        The words that are addresses.
    sources : tuple
        Kernels and user code in the order of ``header["kernels"]``; empty after loading a file.
    """

    header: dict[str, Any]
    content: np.ndarray
    moves: np.ndarray
    calls: np.ndarray
    sources: tuple[KernelOf | Code, ...] = field(default=())

    @property
    def name(self) -> str:
        """Name of the model."""
        return self.header["name"]

    def __repr__(self) -> str:
        kernels, size = len(self.header["kernels"]), self.header["size"]
        return f"<image of {self.name!r}: {size} bytes, {kernels} kernels>"

    def start_state(self) -> np.ndarray:
        """The state (q, v, x) at the start."""
        place, n = self.header["places"]["session.y"], self.header["numbers"]["n"]
        whole = np.zeros(self.header["size"], np.uint8)
        whole[: len(self.content)] = self.content
        return whole[place : place + 8 * n].view(np.float64).copy()

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the image to one file."""
        path = Path(path)
        header = json.dumps(self.header).encode()
        header += b" " * (-(len(MAGIC) + 8 + len(header)) % LINE)
        parts = [MAGIC, len(header).to_bytes(8, "little"), header, self.content.tobytes()]
        parts += [b"\0" * (-len(self.content) % LINE)]
        parts += [
            np.ascontiguousarray(pairs, "<u4").tobytes() for pairs in (self.moves, self.calls)
        ]
        path.write_bytes(b"".join(parts))
        return path

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Image:
        """Read an image from a file, without its kernels."""
        data = Path(path).read_bytes()
        try:
            if data[:8] != MAGIC:
                raise ValueError("it does not begin with KTIMAGE1")
            at = 16 + int.from_bytes(data[8:16], "little")
            header = json.loads(data[16:at])
            filled, (moves, calls) = header["filled"], header["pairs"]
            content = np.frombuffer(data, np.uint8, filled, at)
            at += filled + -filled % LINE
            pairs = np.frombuffer(data, "<u4", 2 * (moves + calls), at).reshape(-1, 2)
        except (ValueError, KeyError, TypeError) as reason:
            raise ImageError(f"{str(path)!r} is no image of a machine: {reason}.") from None
        return cls(header, content, pairs[:moves], pairs[moves:])


def new_header(name: str, **more: Any) -> dict[str, Any]:
    """A header with the format and the version of the package."""
    return {"format": 1, "version": VERSION, "name": name, **more}
