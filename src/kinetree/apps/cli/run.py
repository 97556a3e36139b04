"""`kinetree run MODEL`: simulate a model file or a built-in model and write the results."""

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
        float | None, typer.Option(help="End time (s); a built-in model has a default.")
    ] = None,
    coordinates: Annotated[
        str, typer.Option(help="Coordinates: relative or cartesian.")
    ] = "relative",
    formulation: Annotated[
        str | None,
        typer.Option(
            help="Formulation, see `kinetree list formulations`; by default tree without closed "
            "loops and augmented with them."
        ),
    ] = None,
    integrator: Annotated[
        str | None,
        typer.Option(
            help="Integrator, see `kinetree list integrators`; by default adams, and "
            "energy-conserving for models with beams."
        ),
    ] = None,
    output_interval: Annotated[
        float | None, typer.Option(help="Time between samples (s); by default 1/500 of the run.")
    ] = None,
    slack: Annotated[
        float,
        typer.Option(
            help="Gap, relative to the size of the model, that loops may keep open in redundant "
            "directions."
        ),
    ] = 1e-5,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for CSV, JSON and plots; or one file: .nc or .h5 (NetCDF), .csv or .json."
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace other results in that folder or file.")
    ] = False,
    animate: Annotated[
        bool, typer.Option("--animate", help="Write an HTML page that plays the run.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON only.")] = False,
    save: Annotated[
        Path | None,
        typer.Option(help="File (NetCDF) that grows during the run, for kt.open_solution."),
    ] = None,
    parameters: Parameters = None,
    allow_python: AllowPython = False,
    **options: Any,
) -> None:
    """Simulate a model. `kinetree list options` lists the methods that have each option."""
    from ...engine.integrators.catalogue import find
    from ...kernel.usercode.signals import TERMINATED, deferrable
    from ...simulation.plan import usual_integrator
    from ...simulation.simulate import simulate
    from .output import (
        FILES,
        OWN_FOLDER,
        animation,
        identity,
        make_folder,
        refuse_other,
        single_file,
        summary,
        write_all,
        write_single,
    )

    entry = machine(model, allow_python, parameters)
    built = entry.build()
    end = entry.until if until is None else until
    if until is None and not entry.until:
        raise ModelError(f"give the end time of {model!r}, such as --until 5 (s).")
    integrator = integrator or usual_integrator(built)
    asked: dict[str, Any] = {
        "coordinates": coordinates,
        "integrator": integrator,
        "output_interval": output_interval,
        "slack": slack,
    }
    file = single_file(out, force)
    folder = out if file is None else None
    said = identity(built, Path(model).parent) if folder is not None else ""
    if folder is not None and make_folder(folder) and not force:
        refuse_other(
            folder,
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
    # Ctrl-C and SIGTERM end the run; the results so far are written
    with deferrable() as signals:
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
            *(write_all(solution, folder, said) if folder is not None else []),
            *([write_single(solution, file)] if file is not None else []),
        ]
        if animate:
            files.append(animation(solution, folder or OWN_FOLDER / entry.name))
    if as_json:
        import json

        print(json.dumps({**summary(solution), "files": [str(f) for f in files]}, indent=2))
    else:
        print("\n".join([str(solution), *(f"  {path}" for path in files)]))
    if solution.interrupted or signals.exception is not None:
        raise typer.Exit(TERMINATED if isinstance(signals.exception, SystemExit) else 130)


def _meant(own: Iterable[Option], given: dict[str, Any]) -> dict[str, Any]:
    """The options of a method: the given values, or its defaults."""
    return {
        option.name: option.default if given.get(option.name) is None else given[option.name]
        for option in own
    }
