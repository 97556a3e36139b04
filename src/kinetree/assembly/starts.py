"""Elements look at the start, and may refuse it."""

from __future__ import annotations

from ..errors import AssemblyError
from .initial import COINCIDE, path_length
from .system import System


def check_starts(system: System) -> None:
    """Ask every force between markers whether it can start as long as it is; positions must be up to date."""
    compiled = system.compiled
    for row, element in zip(compiled.tables.forces, compiled.model.forces.values()):
        if len(element.markers) > 1:
            try:
                element.spec.check_start(path_length(compiled, system.work, row), COINCIDE * system.length)
            except AssemblyError as error:
                raise AssemblyError(f"force {element.name!r}: {error}") from None
