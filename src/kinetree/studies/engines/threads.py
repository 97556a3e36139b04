"""Threads of this process: the kernels release the interpreter lock."""

from __future__ import annotations

import os
import queue
import threading

from ..parts import Part, compute
from .contract import Done, Job, Stopped


def usual_workers() -> int:
    """Processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


def threads(job: Job, parts: list[Part], done: Done, stopped: Stopped, workers: int) -> None:
    """Compute the parts in threads."""
    job.finder()  # made before the threads start
    todo: queue.SimpleQueue[Part] = queue.SimpleQueue()
    finished: queue.SimpleQueue[Part | BaseException | None] = queue.SimpleQueue()
    ending = threading.Event()
    for part in parts:
        todo.put(part)

    def work() -> None:
        try:
            maker = job.maker()
            while not ending.is_set():
                try:
                    part = todo.get_nowait()
                except queue.Empty:
                    break
                finished.put(compute(maker, part, ending.is_set))
        except BaseException as error:
            finished.put(error)
        finally:
            finished.put(None)

    crew = [threading.Thread(target=work, daemon=True) for _ in range(min(workers, len(parts)))]
    for one in crew:
        one.start()
    left = len(crew)
    try:
        while left:
            found = _next(finished)
            if isinstance(found, BaseException):
                raise found
            if isinstance(found, Part):
                done(found)
            elif found is None:
                left -= 1
            if stopped():
                ending.set()
    finally:
        ending.set()
        for one in crew:
            one.join()
        while left:
            found = finished.get()
            left -= found is None
            if isinstance(found, Part):
                done(found)


def _next(finished: queue.SimpleQueue) -> Part | BaseException | bool | None:
    """The next result; False after a while without one, so that Ctrl-C and `stopped` are seen."""
    try:
        return finished.get(timeout=0.2)
    except queue.Empty:
        return False
