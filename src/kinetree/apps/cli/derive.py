"""`kinetree derive MODEL`: the equations of motion as symbols."""

from __future__ import annotations

from typing import Annotated

import typer

from .models import AllowPython, Name, Parameters, machine


def derive(
    model: Name,
    report: Annotated[
        bool,
        typer.Option("--report", help="Print the structure, zeros and rules in words (default)."),
    ] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print a LaTeX document.")] = False,
    python: Annotated[
        bool, typer.Option("--python", help="Print the Python module that is compiled.")
    ] = False,
    c: Annotated[
        bool, typer.Option("--c", help="Print C99 with the numbers of the model.")
    ] = False,
    parameters: Parameters = None,
    allow_python: AllowPython = False,
) -> None:
    """Derive the equations of motion of a model and print them."""
    from ...errors import ModelError
    from ...symbolic.derived import derive as derived_of

    if report + latex + python + c > 1:
        raise ModelError("derive: give only one of --report, --latex, --python and --c.")
    found = derived_of(machine(model, allow_python, parameters).build())
    print(
        found.latex() if latex else found.python() if python else found.c() if c else found.report
    )
