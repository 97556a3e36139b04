"""Kernels compiled in time: what a run needs later is compiled by another process while this one compiles what it needs first.

A job is a part of the engine that is compiled as a whole: "engine" (the plant of described machines), "formulation augmented",
"integrator adams-step", "force pump", "signal sine", "controllers", "drivers" (that follow user code), "samples" (the pass that
completes samples), "results" (the pass behind channels), "assembly", "sparse", "bases" and "structure" (of large machines).
Whoever needs one calls `ready`; whoever knows what will be needed says so with `ahead`. A file in the cache says that a job is
done on this machine, for these sources.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from .num.jit import CACHE, compiling
from .progress import compiling_is_over, say_compiling

_JOBS = {  # where the function lies that compiles one, so that nothing is imported before it is needed
    "engine": "plants.tree:addresses", "formulation": "formulations.catalogue:compile_kernels",
    "integrator": "integrators.drive:compile_kernels", "force": "forces.catalogue:compile_kernels",
    "signal": "signals.catalogue:compile_kernels", "controllers": "control.catalogue:compile_kernels",
    "drivers": "plants.tree:compile_kernels", "samples": "formulations.samples:entry",
    "results": "results.observe:compile_kernels", "assembly": "assembly.large:compile_kernels",
    "sparse": "saddle.choice:compile_kernels", "bases": "formulations.local:compile_kernels",
    "structure": "integrators.newton_iteration:structure_address"}
USUAL = ("integrator adams-step", "formulation augmented", "samples", "results")  # what most runs need
ALL_SECONDS, SECONDS = 12, 4  # about, for all of it and for one job
PATIENCE = 120.0  # s that the other process waits for an engine that this one may never come to compile
_HERE = Path(__file__).resolve().parents[1]

_known: set[str] = set()  # jobs that are done, so that the disk need not be asked
_told: set[str] = set()  # jobs that were announced
_other: _Other | None = None


def _function(kind: str) -> Callable:
    module, _, name = _JOBS[kind].partition(":")
    return getattr(import_module(f".{module}", __package__), name)


def _mark(job: str) -> Path | None:
    return None if CACHE is None else CACHE / f"ready-{job.replace(' ', '-')}"


def is_ready(job: str) -> bool:
    """Done on this machine already, or nothing to compile?"""
    mark = _mark(job)
    if job in _known or mark is None or mark.exists():
        _known.add(job)
    return job in _known


def compile_now(job: str) -> None:
    """Compile the kernels of a job, or load them."""
    kind, _, name = job.partition(" ")
    with compiling():
        _function(kind)(*([name] if name else []))
    mark = _mark(job)
    if mark is not None:
        with suppress(OSError):  # a full disk is no reason to lose the run
            mark.touch()
    _known.add(job)


def ready(job: str) -> None:
    """The kernels of a job are there: at once, after waiting for the other process, or after compiling them here."""
    if is_ready(job):
        return
    if _other is not None:
        _other.wait(job)
    compile_now(job)
    compiling_is_over()


def ahead(*jobs: str) -> None:
    """These jobs will be needed, the first that is missing here and now: say so, and let another process do the others."""
    global _other
    missing = [job for job in jobs if not is_ready(job)]
    if not missing or missing[0] in _told:  # whoever told it knew better what will be needed
        return
    _told.update(missing)
    seconds = ALL_SECONDS if "engine" in missing else SECONDS * len(missing)
    say_compiling(" and ".join(_in_words(job) for job in missing[:2]), seconds)
    if len(missing) > 1 and _other is None and _cores() > 1:
        with suppress(OSError):
            _other = _Other(missing[0], missing[1:])


def _in_words(job: str) -> str:
    kind, _, name = job.partition(" ")
    return name.partition("-step")[0] or f"the {kind}"


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Other:
    """Another process that compiles into the same cache; it tells each job that is done, and is told what is done here."""

    def __init__(self, first: str, todo: list[str]) -> None:
        code = f"import sys; sys.path.insert(0, {str(_HERE)!r}); from kinetree.warm import main; main({first!r}, {todo!r})"
        self.todo, self.process = list(todo), subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def wait(self, job: str) -> None:
        """Until it is done, or never will be; the last of the other jobs is done here meanwhile."""
        assert self.process.stdout is not None
        if job in self.todo[:-1]:
            self._take(self.todo.pop())
        while job in self.todo:
            line = self.process.stdout.readline()
            if not line:
                self.todo.clear()
            self.todo = [left for left in self.todo if left != line.strip()]

    def _take(self, job: str) -> None:
        """Do that job here. Should the other have begun it already, both do it, and nothing is lost but time."""
        assert self.process.stdin is not None
        with suppress(OSError):  # it may have ended
            print(job, file=self.process.stdin, flush=True)
        if not is_ready(job):
            compile_now(job)


def main(first: str, todo: list[str]) -> None:
    """What the other process does: the later jobs that nobody takes, and the one that needs the engine when that is done."""
    _told.update((first, *todo))
    taken: set[str] = set()
    threading.Thread(target=_listen, args=(taken,), daemon=True).start()
    parent, end = os.getppid(), time.monotonic() + PATIENCE
    for job in todo:
        while (job == "results" and job not in taken and not is_ready("engine")
               and os.getppid() == parent and time.monotonic() < end):
            time.sleep(0.05)
        if job not in taken:
            compile_now(job)
            print(job, flush=True)


def _listen(taken: set[str]) -> None:
    """Jobs that the first process takes, a line each. Not through `sys.stdin`: a thread that reads it disturbs the end."""
    text = ""
    while read := os.read(0, 4096):
        text += read.decode()
        taken.update(text.splitlines())
