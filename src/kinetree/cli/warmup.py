"""`kinetree warmup`: compile kernels now, so that no run has to wait for them."""

from __future__ import annotations

from typing import Annotated

import typer


def warmup(
    everything: Annotated[bool, typer.Option("--all", help="Every formulation, integrator and force element.")] = False,
) -> None:
    """Compile the kernels of the usual methods for this machine, or of all."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from ..num.jit import CACHE
    from ..warm import USUAL, compile_now, is_ready

    usual = ("engine", *USUAL, "formulation tree")
    wanted = tuple(dict.fromkeys((*usual, *(all_jobs() if everything else ()))))
    todo = [job for job in wanted if not is_ready(job)]
    with Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), transient=True) as bar:
        task = bar.add_task("", total=len(todo))
        for job in todo:
            bar.update(task, description=job)
            compile_now(job)
            bar.advance(task)
    print(f"{len(todo)} compiled, {len(wanted) - len(todo)} found ready in {CACHE}." if CACHE else "Nothing is compiled: the "
          "compiler is switched off (NUMBA_DISABLE_JIT).")


def all_jobs() -> tuple[str, ...]:
    """The kernels of every formulation, integrator, force element and time function; methods that share theirs once."""
    from ..forces.catalogue import FORCES
    from ..formulations.catalogue import FORMULATIONS
    from ..integrators.catalogue import INTEGRATORS
    from ..signals.catalogue import SIGNALS

    found = (*(f"formulation {entry.kernels}" for entry in FORMULATIONS),
             *(f"integrator {entry.family}" for entry in INTEGRATORS), *(f"force {entry.force.kind}" for entry in FORCES),
             *(f"signal {signal.kind}" for signal, _ in SIGNALS), "controllers", "drivers", "sparse", "structure")
    return tuple(dict.fromkeys(found))
