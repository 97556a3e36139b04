"""`kinetree export fmu MODEL` and `kinetree export c MODEL`: a model for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .flags import with_options
from .models import AllowPython, Name, Parameters, machine

if TYPE_CHECKING:
    from ...description.model import Model

export = typer.Typer(
    name="export",
    help="Export a model for other programs, as an FMU or as a C library.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Out = Annotated[Path | None, typer.Option(help="File or folder; by default named like the model.")]
Outputs = Annotated[
    list[str] | None,
    typer.Option("--output", help="Channel that is an output, such as A.angle; can be repeated."),
]
Platforms = Annotated[
    list[str] | None,
    typer.Option(
        "--platform",
        help="linux64, win64, darwin64, aarch64-linux or aarch64-darwin; can be repeated. By "
        "default that of this computer.",
    ),
]
Until = Annotated[float | None, typer.Option(help="Default stop time (s).")]
Integrator = Annotated[
    str | None,
    typer.Option(help="Integrator, see `kinetree list integrators`; by default adams."),
]
Coordinates = Annotated[str, typer.Option(help="Coordinates: relative or cartesian.")]


@export.command("fmu")
@with_options
def fmu(
    model: Name,
    out: Out = None,
    outputs: Outputs = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", help="Name of an input that the model must have; can be repeated."),
    ] = None,
    version: Annotated[int, typer.Option(help="Version of FMI: 2 or 3.")] = 2,
    platforms: Platforms = None,
    until: Until = None,
    integrator: Integrator = None,
    coordinates: Coordinates = "relative",
    parameters: Parameters = None,
    allow_python: AllowPython = False,
    **options: Any,
) -> None:
    """Export a model as an FMU, for Simulink, Modelica tools and test benches."""
    from ...exchange.fmi.export import export_fmu

    entry = machine(model, allow_python, parameters)
    built = entry.build()
    path = export_fmu(
        built,
        out or Path(f"{entry.name}.fmu"),
        outputs=outputs or (),
        inputs=inputs,
        version=version,
        platforms=platforms,
        until=until or entry.until or 1.0,
        coordinates=coordinates,
        **_given({"integrator": integrator, **options}),
    )
    print(f"{path}  ({path.stat().st_size / 1e3:.0f} kB)")
    _advise(built, outputs)


@export.command("c")
@with_options
def c(
    model: Name,
    out: Out = None,
    outputs: Outputs = None,
    name: Annotated[str | None, typer.Option(help="Prefix of the functions.")] = None,
    platforms: Platforms = None,
    until: Until = None,
    integrator: Integrator = None,
    coordinates: Coordinates = "relative",
    parameters: Parameters = None,
    allow_python: AllowPython = False,
    **options: Any,
) -> None:
    """Export a model as a C library: header, source, machine code, example and CMake file."""
    from ...exchange.c_library import export_c

    entry = machine(model, allow_python, parameters)
    built = entry.build()
    folder = export_c(
        built,
        out or Path(entry.name),
        outputs=outputs or (),
        name=name,
        platforms=platforms,
        until=until or entry.until or 1.0,
        coordinates=coordinates,
        **_given({"integrator": integrator, **options}),
    )
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            print(f"{path}  ({path.stat().st_size / 1e3:.0f} kB)")
    _advise(built, outputs)


def _advise(model: Model, outputs: list[str] | None) -> None:
    """Say how to add outputs, if there are none."""
    from ...description.named import coordinates

    if not outputs:
        name = next(iter(coordinates(model)), f"{next(iter(model.bodies), 'tip')}.position")
        print(f"It has no outputs. Name channels with --output, such as --output {name!r}.")


def _given(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}
