"""Other processes of this computer.

Each is a new interpreter that reads parts from its standard input and writes rows to its output; it
does not import the user's script. A process that dies is replaced, and its part is computed again; a
case that ends its process again and again becomes a row with that reason.
"""

from __future__ import annotations

import os
import pickle
import queue
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Any

from ...errors import ResultError
from ..cases.rows import ERROR, NOT_RUN, Row
from ..parts import Part
from .contract import Done, Job, Stopped, packed

ATTEMPTS = 3  # at a part, and then at each case of it
_MAIN = "from kinetree.studies.engines.worker import main; main()"


def send(file: IO[bytes], thing: Any) -> None:
    """Write an object with its length."""
    data = pickle.dumps(thing)
    file.write(struct.pack("<Q", len(data)) + data)
    file.flush()


def receive(file: IO[bytes]) -> Any:
    """Read an object; raises EOFError at the end."""
    head = file.read(8)
    if len(head) < 8:
        raise EOFError
    (count,) = struct.unpack("<Q", head)
    data = file.read(count)
    if len(data) < count:
        raise EOFError
    return pickle.loads(data)


def _start() -> subprocess.Popen:
    home = str(Path(__file__).resolve().parents[3])
    folders = [home, *(one or os.getcwd() for one in sys.path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(folders))}
    return subprocess.Popen(
        [sys.executable, "-c", _MAIN],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        start_new_session=True,  # Ctrl-C is for the client, which ends its workers
    )


def processes(job: Job, parts: list[Part], done: Done, stopped: Stopped, workers: int) -> None:
    """Compute the parts in other processes."""
    data = packed(job)
    todo: queue.SimpleQueue[Part] = queue.SimpleQueue()
    finished: queue.SimpleQueue[Part | BaseException | None] = queue.SimpleQueue()
    running: list[subprocess.Popen] = []
    ending = threading.Event()
    for part in parts:
        todo.put(part)

    def work() -> None:
        process: subprocess.Popen | None = None
        try:
            while not ending.is_set():
                try:
                    part = todo.get_nowait()
                except queue.Empty:
                    break
                process = _computed(part, process, data, job.key, running, ending, finished)
        except BaseException as error:
            finished.put(error)
        finally:
            if process is not None:
                process.kill()
                process.wait()
            finished.put(None)

    crew = [threading.Thread(target=work, daemon=True) for _ in range(min(workers, len(parts)))]
    for one in crew:
        one.start()
    left = len(crew)
    try:
        while left:
            try:
                found = finished.get(timeout=0.2)
            except queue.Empty:
                if stopped():
                    break
                continue
            if isinstance(found, BaseException):
                raise found
            if found is None:
                left -= 1
            else:
                done(found)
            if stopped():
                break
    finally:
        ending.set()
        for process in running:
            process.kill()
        for one in crew:
            one.join()


def _computed(
    part: Part, process: Any, data: bytes, key: str, running: list, ending: Any, finished: Any
) -> Any:
    """Compute a part in a process, in new ones if it dies; returns the last process."""
    attempts = 0
    pieces = [part]
    whole = part
    while pieces and not ending.is_set():
        piece = pieces[0]
        if process is None or process.poll() is not None:
            process = _start()
            running.append(process)
            try:
                send(process.stdin, (key, data))
            except OSError:
                process = None
        try:
            assert process is not None
            send(process.stdin, piece)
            found = receive(process.stdout)
        except (OSError, EOFError, AssertionError, pickle.UnpicklingError):
            _bury(process)
            process = None
            attempts += 1
            if attempts >= ATTEMPTS and len(piece) > 1:
                pieces = [
                    Part.empty(piece.first + k, piece.P[k : k + 1]) for k in range(len(piece))
                ]
                attempts = 0
            elif attempts >= ATTEMPTS:
                piece.put(0, Row(ERROR, reason="the process that computed this case died"))
                _put_into(whole, piece)
                pieces.pop(0)
                attempts = 0
            continue
        if isinstance(found, BaseException):
            raise ResultError(f"a worker process failed: {found}") from found
        _put_into(whole, found)
        pieces.pop(0)
        attempts = 0
    if not ending.is_set() or whole.complete:
        finished.put(whole)
    return process


def _bury(process: Any) -> None:
    """End a process that does not answer."""
    if process is not None:
        process.kill()
        process.wait()


def _put_into(whole: Part, found: Part) -> None:
    """Copy the rows of a piece into its part."""
    for k in range(len(found)):
        at = found.first + k - whole.first
        if found.status[k] != NOT_RUN and whole.status[at] == NOT_RUN:
            values = {name: column[k] for name, column in found.columns.items()}
            whole.put(
                at,
                Row(
                    int(found.status[k]),
                    values,
                    found.reasons[k],
                    int(found.way[k]),
                    found.moved[k],
                    int(found.steps[k]),
                ),
            )
