"""`kinetree check FILE`: whether a model can be read, compiled and assembled, and what was found."""

from __future__ import annotations

from .models import AllowPython, Name, Parameters


def check(model: Name, parameters: Parameters = None, allow_python: AllowPython = False) -> None:
    """Read a model, put it together, and say what was found; ends with an error where it cannot be."""
    from ...analysis.assemble import assemble
    from ...errors import counted
    from .models import machine

    built = machine(model, allow_python, parameters).build()
    parts = (
        ("body", built.bodies),
        ("joint", built.joints),
        ("constraint", built.constraints),
        ("force", built.forces),
        ("controller", built.controllers),
    )
    print(
        f"{built.name}: "
        f"{', '.join(counted(len(there), one, 'bodies' if one == 'body' else '') for one, there in parts)}"
    )
    print(assemble(built))
