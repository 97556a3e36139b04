"""`kinetree run MODEL`: simulate a built-in model, say what was found, and write what was asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def run(
    model: Annotated[str, typer.Argument(help="A built-in model; see `kinetree list models`.")],
    until: Annotated[float | None, typer.Option(help="End time (s); by default the model's own.")] = None,
    coordinates: Annotated[str, typer.Option(help="relative or cartesian.")] = "relative",
    formulation: Annotated[str | None, typer.Option(help="Default: by loops; see `kinetree list formulations`.")] = None,
    integrator: Annotated[str, typer.Option(help="See `kinetree list integrators`.")] = "adams",
    rtol: Annotated[float, typer.Option(help="Relative accuracy per step.")] = 1e-8,
    atol: Annotated[float | None, typer.Option(help="Absolute accuracy per step; by default rtol.")] = None,
    max_step: Annotated[float | None, typer.Option(help="Largest step (s).")] = None,
    step: Annotated[float | None, typer.Option(help="Step of the fixed-step integrators (s).")] = None,
    order: Annotated[int | None, typer.Option(help="Order, where the integrator lets you choose.")] = None,
    threshold: Annotated[float | None, typer.Option(help="L (1/s) from which 'switching' calls it stiff; 1500.")] = None,
    calibrate: Annotated[bool | None, typer.Option(help="Whether costs may move that threshold; yes.")] = None,
    output_interval: Annotated[float | None, typer.Option(help="Seconds between samples; else 500 samples.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for CSV, JSON and plots.")] = None,
    animate: Annotated[bool, typer.Option("--animate", help="Write a page that plays the run.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON only.")] = False,
) -> None:
    """Simulate a built-in model."""
    from ..models.catalogue import model_entry
    from ..simulation import simulate
    from .output import OWN_FOLDER, animation, make_folder, summary, write_all

    entry = model_entry(model)
    if out is not None:
        make_folder(out)
    solution = simulate(
        entry.build(), entry.until if until is None else until, coordinates=coordinates, formulation=formulation,
        integrator=integrator, rtol=rtol, atol=atol, max_step=max_step, step=step, order=order,
        threshold=threshold, calibrate=calibrate, output_interval=output_interval,
        progress=False if as_json else None)
    files = write_all(solution, out) if out is not None else []
    if animate:
        files.append(animation(solution, out or OWN_FOLDER / model))
    if as_json:
        import json

        print(json.dumps({**summary(solution), "files": [str(f) for f in files]}, indent=2))
    else:
        print("\n".join([str(solution), *(f"  {path}" for path in files)]))
    if solution.interrupted:
        raise typer.Exit(130)
