"""`kinetree check FILE`: whether a model can be read, compiled and assembled, and what was found."""

from __future__ import annotations

from .machines import AllowPython, Name, Parameters


def check(model: Name, parameters: Parameters = None, allow_python: AllowPython = False) -> None:
    """Read a model, put it together, and say what was found; ends with an error where it cannot be."""
    from ..analysis.assemble import assemble
    from .machines import machine

    built = machine(model, allow_python, parameters).build()
    print(f"{built.name}: {len(built.bodies)} bodies, {len(built.joints)} joints, {len(built.constraints)} constraints, "
          f"{len(built.forces)} forces, {len(built.controllers)} controllers")
    print(assemble(built))
