"""Kernels compiled by several processes: each kernel is a module of its own, exactly as on demand."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import NamedTuple

from ...kernel.compiler.unit import Unit
from ...kernel.runtime.targets import Platform
from .processor import FAMILY

Said = Callable[[str], None]


class BuildError(RuntimeError):
    """The library could not be built."""


class Job(NamedTuple):
    """One module, for all targets of a platform."""

    name: str
    triple: str
    texts: dict[str, str]  # by processor


def jobs(unit: Unit, about: Platform) -> list[Job]:
    """One for each kernel, the longest first, so that no process is alone at the end."""
    found = [
        Job(
            kernel.symbol,
            about.triple,
            {target.cpu: unit.module([kernel], target.fused) for target in about.targets},
        )
        for kernel in unit.kernels
    ]
    if about.triple.startswith("x86_64"):
        found.append(Job("family", about.triple, {target.cpu: FAMILY for target in about.targets}))
    return sorted(found, key=lambda job: -len(job.texts[about.targets[0].cpu]))


def compiled(job: Job) -> dict[str, bytes]:
    """The objects of a module by processor. Runs in a process of its own."""
    from ...kernel.runtime.llvm import object_code, target_machine

    return {
        cpu: object_code(text, target_machine(job.triple, cpu)) for cpu, text in job.texts.items()
    }


def objects(todo: list[Job], processes: int, say: Said) -> dict[str, dict[str, bytes]]:
    """All objects by processor and name, in the order of their names."""
    made: dict[str, dict[str, bytes]] = {}
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(compiled, job): job for job in todo}
        try:
            for done, future in enumerate(as_completed(running), 1):
                made[running[future].name] = future.result()
                if done * 4 // len(todo) > (done - 1) * 4 // len(todo):
                    say(f"  {done} of {len(todo)} kernels")
        except BrokenProcessPool:
            raise BuildError(
                "a process that compiles kernels was ended, maybe for lack of memory: try again "
                "with fewer "
                "processes, KINETREE_PROCESSES=1 pip install ."
            ) from None
    return {cpu: {name: made[name][cpu] for name in sorted(made)} for cpu in todo[0].texts}
