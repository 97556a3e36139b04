"""Workspaces of one compiled model that later runs use again.

To allocate a workspace and to write the addresses of its hundred arrays takes longer than a short run
of a small model. A workspace of the pool has all its arrays in one piece of memory. It is handed out
with the content of a new one, so that no run depends on the run before. The first workspace of each
kind is not kept: most models run once.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from .records import Tables
from .workspace import Work, workspace

LARGEST = 1 << 18  # bytes; larger workspaces are not kept
MOST = 2  # idle workspaces of one kind
_LINE = 64  # bytes: arrays begin at cache lines

Kind = tuple[tuple[str, ...], int | None]


class Lent:
    """A workspace on loan."""

    def __init__(self, pool: WorkspacePool, kind: Kind, work: Work) -> None:
        self._pool, self._kind, self.work = pool, kind, work

    def renewed(self) -> Lent:
        """A workspace of the same kind with the content of a new one, the same one if it is kept."""
        return self._pool.lend(*self._kind)

    @property
    def words(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Its memory and the content of a new one, in words; None if it is in several pieces."""
        return None

    def give_back(self) -> None:
        """Return the workspace, which no one uses any more, to its pool, or drop it."""


class _Small(Lent):
    """A workspace in one piece of memory."""

    def __init__(self, pool: WorkspacePool, kind: Kind, work: Work) -> None:
        whole, self._memory = _in_one_piece(work)
        super().__init__(pool, kind, whole)
        self._new = self._memory.copy()

    def renewed(self) -> Lent:
        self._memory[:] = self._new
        return self

    @property
    def words(self) -> tuple[np.ndarray, np.ndarray]:
        return self._memory.view(np.int64), self._new.view(np.int64)

    def give_back(self) -> None:
        idle = self._pool.idle[self._kind]
        if len(idle) < MOST:
            idle.append(self)


class WorkspacePool:
    """Idle workspaces by the arrays that they have. Threads may share a pool."""

    def __init__(self, tables: Tables) -> None:
        self._tables, self._lock = tables, threading.Lock()
        self.idle: dict[Kind, list[Lent]] = {}

    def lend(self, storage: Sequence[str], failed: int | None = None) -> Lent:
        """A workspace like a new one, with `failed` numbers for the state of a failure."""
        kind = tuple(storage), failed
        idle = self.idle.get(kind)
        with self._lock:
            found = idle.pop() if idle else None
        if found is not None:
            return found.renewed()
        work = workspace(self._tables, storage)
        if failed is not None:
            work = work._replace(failed=np.zeros(failed))
        if idle is None:
            self.idle[kind] = []
        again = idle is not None and _size(work) <= LARGEST
        return (_Small if again else Lent)(self, kind, work)


def _size(work: Work) -> int:
    return sum(-(-array.nbytes // _LINE) * _LINE for array in work)


def _in_one_piece(work: Work) -> tuple[Work, np.ndarray]:
    """A copy of a workspace whose arrays lie in one array of bytes."""
    memory = np.zeros(_size(work) + _LINE, np.uint8)
    arrays, start = {}, -memory.ctypes.data % _LINE
    for name, array in zip(work._fields, work):
        arrays[name] = np.ndarray(array.shape, array.dtype, memory, start).view(type(array))
        arrays[name][...] = array
        start += -(-array.nbytes // _LINE) * _LINE
    return Work(**arrays), memory
