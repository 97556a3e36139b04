"""Compilation of all kernels by several processes, one module per kernel, as on demand."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import NamedTuple

from ...kernel.compiler.unit import Unit
from ...kernel.runtime.targets import Platform

# LLVM text of `kt.family`: 3 if the processor and the system can run code for x86-64-v3, else 1, by
# the instructions cpuid and xgetbv. [x86-64 psABI, micro-architecture levels]
_CPUID = 'call { i32, i32, i32, i32 } asm sideeffect "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}"'
# ecx of leaf 1: FMA, MOVBE, OSXSAVE, AVX, F16C
_BASIC = sum(1 << bit for bit in (12, 22, 27, 28, 29))
_MORE = sum(1 << bit for bit in (3, 5, 8))  # ebx of leaf 7: BMI1, AVX2, BMI2
_LZCNT = 1 << 5  # ecx of leaf 0x80000001
_SAVED = 6  # xcr0: the system saves SSE and AVX registers

FAMILY = f"""
define i64 @"kt.family"() nounwind {{
  %one = {_CPUID}(i32 1, i32 0)
  %basic = extractvalue {{ i32, i32, i32, i32 }} %one, 2
  %basic.has = and i32 %basic, {_BASIC}
  %basic.all = icmp eq i32 %basic.has, {_BASIC}
  br i1 %basic.all, label %more, label %no
more:
  %seven = {_CPUID}(i32 7, i32 0)
  %extended = extractvalue {{ i32, i32, i32, i32 }} %seven, 1
  %extended.has = and i32 %extended, {_MORE}
  %extended.all = icmp eq i32 %extended.has, {_MORE}
  %last = {_CPUID}(i32 {0x80000001 - (1 << 32)}, i32 0)
  %further = extractvalue {{ i32, i32, i32, i32 }} %last, 2
  %further.has = and i32 %further, {_LZCNT}
  %further.all = icmp ne i32 %further.has, 0
  %state = call {{ i32, i32 }} asm sideeffect "xgetbv", "={{ax}},={{dx}},{{cx}}"(i32 0)
  %saved = extractvalue {{ i32, i32 }} %state, 0
  %saved.has = and i32 %saved, {_SAVED}
  %saved.all = icmp eq i32 %saved.has, {_SAVED}
  %both = and i1 %extended.all, %further.all
  %all = and i1 %both, %saved.all
  br i1 %all, label %yes, label %no
yes:
  ret i64 3
no:
  ret i64 1
}}
"""

Said = Callable[[str], None]


class BuildError(RuntimeError):
    """The library could not be built."""


class Job(NamedTuple):
    """One module, for all targets of a platform."""

    name: str
    triple: str
    texts: dict[str, str]  # by processor


def jobs(unit: Unit, about: Platform) -> list[Job]:
    """One job for each kernel, the longest first, so that all processes finish together."""
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
    """Objects of a module by processor; runs in a separate process."""
    from ...kernel.runtime.llvm import object_code, target_machine

    return {
        cpu: object_code(text, target_machine(job.triple, cpu)) for cpu, text in job.texts.items()
    }


def objects(todo: list[Job], processes: int, say: Said) -> dict[str, dict[str, bytes]]:
    """All objects by processor and name, sorted by name."""
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
                "with fewer processes, KINETREE_PROCESSES=1 pip install ."
            ) from None
    return {cpu: {name: made[name][cpu] for name in sorted(made)} for cpu in todo[0].texts}
