"""Kernels compiled in time: what a run needs later is compiled by another process while this one compiles what it needs first.

A job is a part of the engine that is compiled as a whole: "formulation augmented", "integrator adams", "force pump", "samples"
(the pass that completes samples) and "results" (the pass behind channels). Whoever needs one calls `ready`; whoever knows
what will be needed says so with `ahead`. A file in the cache says that a job is done on this machine, for these sources.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import numpy as np

from .assembly.observe import observe
from .compile.build import build
from .compile.resolve import resolve
from .forces.catalogue import FORCES, KIND, kernels_of
from .formulations.catalogue import FORMULATIONS, formulation
from .formulations.samples import entry as samples_entry
from .integrators.catalogue import INTEGRATORS
from .integrators.catalogue import find as integrator
from .integrators.drive import loop
from .joints.revolute import Revolute
from .model.model import Model
from .model.shapes import rod
from .num.jit import CACHE, COMPILING, pointer
from .progress import compiling_is_over, say_compiling
from .tables.signatures import signatures

USUAL = ("formulation augmented", "formulation tree", "integrator adams", "samples", "results")
_HERE = Path(__file__).resolve().parents[1]

_known: set[str] = set()  # jobs that are done, so that the disk need not be asked
_other: _Other | None = None


def _results() -> None:
    """The pass over the samples of any machine compiles the same kernels."""
    model = Model("one body")
    model.joint("hinge", Revolute(axis="y"), model.ground, model.body("rod", rod(1.0, 1.0, along="x")).end("-"))
    compiled = resolve(build(model), {})
    observe(compiled, np.zeros(1), np.zeros((1, 2)), np.zeros((1, 1)), np.zeros((1, 0)))


def _formulation(name: str) -> None:
    entry, (_, _, rhs, settle) = formulation(name), signatures()
    pointer(entry.rhs, rhs)
    pointer(entry.settle, settle)


_JOBS: dict[str, Callable[[str], object]] = {
    "formulation": _formulation, "integrator": lambda name: loop(integrator(name)),
    "force": lambda name: kernels_of([KIND[name]]), "samples": lambda _: samples_entry(), "results": lambda _: _results()}


def jobs() -> tuple[str, ...]:
    """All there are; methods that share their kernels once."""
    own = {entry.kernels: entry.name for entry in reversed(FORMULATIONS)}.values()
    methods = {entry.family: entry.name for entry in reversed(INTEGRATORS)}.values()
    return (*(f"formulation {name}" for name in own), *(f"integrator {name}" for name in methods),
            *(f"force {entry.force.kind}" for entry in FORCES), "samples", "results")


def _mark(job: str) -> Path | None:
    kind, _, name = job.partition(" ")
    name = formulation(name).kernels if kind == "formulation" else integrator(name).family if kind == "integrator" else name
    return None if CACHE is None else CACHE / f"ready-{kind}-{name}"


def is_ready(job: str) -> bool:
    """Done on this machine already, or nothing to compile?"""
    mark = _mark(job)
    if job in _known or mark is None or mark.exists():
        _known.add(job)
    return job in _known


def compile_now(job: str) -> None:
    """Compile the kernels of a job, or load them."""
    kind, _, name = job.partition(" ")
    with COMPILING:
        _JOBS[kind](name)
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


def ahead(first: str, later: Iterable[str]) -> None:
    """A run will need these jobs, `first` here and now: say so if it takes time, and let another process do the later ones."""
    global _other
    missing = [job for job in later if not is_ready(job)]
    if is_ready(first) and not missing:
        return
    named = [job.partition(" ")[2] or job for job in (first, *missing) if not is_ready(job)]
    say_compiling(" and ".join(named[:2]))
    if missing and _other is None and not is_ready(first) and _cores() > 1:
        with suppress(OSError):
            _other = _Other(missing)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Other:
    """Another process that compiles into the same cache; it tells each job that is done."""

    def __init__(self, todo: list[str]) -> None:
        code = f"import sys; sys.path.insert(0, {str(_HERE)!r}); from kinetree.warm import main; main({todo!r})"
        self.todo, self.process = set(todo), subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def wait(self, job: str) -> None:
        """Until it is done, or never will be."""
        assert self.process.stdout is not None
        while job in self.todo:
            line = self.process.stdout.readline()
            if not line:
                self.todo.clear()
            self.todo.discard(line.strip())


def main(todo: list[str]) -> None:
    """What the other process does."""
    for job in todo:
        compile_now(job)
        print(job, flush=True)
