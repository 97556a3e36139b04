"""`kinetree run MODEL`: simulate a model file or a built-in model, say what was found, and write
what was asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...errors import ModelError
from .flags import with_options
from .models import AllowPython, Name, Parameters, machine

if TYPE_CHECKING:
    from ...options import Option


@with_options
def run(
    model: Name,
    until: Annotated[
        float | None, typer.Option(help="End time (s); by default that of a built-in model.")
    ] = None,
    coordinates: Annotated[str, typer.Option(help="relative or cartesian.")] = "relative",
    formulation: Annotated[
        str | None, typer.Option(help="Default: by loops; see `kinetree list formulations`.")
    ] = None,
    integrator: Annotated[
        str | None, typer.Option(help="Default: by beams; see `kinetree list integrators`.")
    ] = None,
    output_interval: Annotated[
        float | None, typer.Option(help="Seconds between samples; else 500 samples.")
    ] = None,
    slack: Annotated[
        float, typer.Option(help="Gap, in sizes of the machine, left open in redundant directions.")
    ] = 1e-5,
    out: Annotated[Path | None, typer.Option(help="Folder for CSV, JSON and plots.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the results of another run in that folder.")
    ] = False,
    animate: Annotated[
        bool, typer.Option("--animate", help="Write a page that plays the run.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON only.")] = False,
    save: Annotated[
        Path | None,
        typer.Option(help="A file (NetCDF) that grows with the run, for kt.open_solution."),
    ] = None,
    parameters: Parameters = None,
    allow_python: AllowPython = False,
    **options: Any,
) -> None:
    """Simulate a model; `kinetree list options` says which methods have which options."""
    from ...engine.integrators.catalogue import find
    from ...kernel.usercode.signals import TERMINATED, deferrable
    from ...simulation.simulate import simulate, usual_integrator
    from .output import (
        FILES,
        OWN_FOLDER,
        animation,
        identity,
        make_folder,
        refuse_other,
        summary,
        write_all,
    )

    entry = machine(model, allow_python, parameters)
    built = entry.build()
    end = entry.until if until is None else until
    if until is None and not entry.until:
        raise ModelError(f"say how long {model!r} is to run, as in --until 5.")
    integrator = integrator or usual_integrator(built)
    asked: dict[str, Any] = {
        "coordinates": coordinates,
        "integrator": integrator,
        "output_interval": output_interval,
        "slack": slack,
    }
    said = identity(built, Path(model).parent) if out is not None else ""
    if out is not None and make_folder(out) and not force:
        refuse_other(
            out,
            FILES,
            {
                "model": built.name,
                "until": end,
                **asked,
                **({"formulation": formulation} if formulation else {}),
                **_meant(find(integrator).options, options),
            },
            said,
        )
    with (
        deferrable() as signals
    ):  # Ctrl-C and SIGTERM end the run; what it has found is written all the same
        solution = simulate(
            built,
            end,
            **asked,
            formulation=formulation,
            progress=False if as_json else None,
            out=save,
            **options,
        )
        signals.writing = True
        files = [
            *([save] if save is not None else []),
            *(write_all(solution, out, said) if out is not None else []),
        ]
        if animate:
            files.append(animation(solution, out or OWN_FOLDER / entry.name))
    if as_json:
        import json

        print(json.dumps({**summary(solution), "files": [str(f) for f in files]}, indent=2))
    else:
        print("\n".join([str(solution), *(f"  {path}" for path in files)]))
    if solution.interrupted or signals.exception is not None:
        raise typer.Exit(TERMINATED if isinstance(signals.exception, SystemExit) else 130)


def _meant(own: Iterable[Option], given: dict[str, Any]) -> dict[str, Any]:
    """The options of a method as given, or its defaults."""
    return {
        option.name: option.default if given.get(option.name) is None else given[option.name]
        for option in own
    }
