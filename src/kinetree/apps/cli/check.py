"""`kinetree check MODEL`: read, compile and assemble a model."""

from __future__ import annotations

from .models import AllowPython, Name, Parameters


def check(model: Name, parameters: Parameters = None, allow_python: AllowPython = False) -> None:
    """Read and assemble a model, and print the result; ends with an error if that fails."""
    from ...analysis.assemble import assemble
    from ...errors import counted
    from .models import machine

    built = machine(model, allow_python, parameters).build()
    contacts = built.contacts
    parts = (
        ("body", built.bodies),
        ("joint", built.joints),
        ("constraint", built.constraints),
        ("force", built.forces.keys() - contacts),
        ("contact", contacts),
        ("controller", built.controllers),
    )
    counts = [
        counted(len(there), one, "bodies" if one == "body" else "")
        for one, there in parts
        if there or one != "contact"
    ]
    print(f"{built.name}: {', '.join(counts)}")
    print(assemble(built))
