"""Elements look at the start, and may refuse it."""

from __future__ import annotations

from ..errors import AssemblyError
from ..kernel.frames import Pose
from .initial import COINCIDE, path_length
from .system import System


def check_starts(system: System) -> None:
    """Ask every force whether it can start where its markers are, and as long as it is; positions
    must be up to date.
    """
    compiled = system.compiled
    for row, element in zip(compiled.tables.forces, compiled.model.forces.values()):
        try:
            element.spec.check_place(_poses(system, row))
            if len(element.markers) > 1:
                element.spec.check_start(
                    path_length(compiled, system.work, row), COINCIDE * system.length
                )
        except AssemblyError as error:
            raise AssemblyError(f"force {element.name!r}: {error}") from None


def _poses(system: System, force) -> list[Pose]:
    """World poses of the markers of a force."""
    found = []
    for marker in system.compiled.tables.markers[force["im"] : force["im"] + force["nm"]]:
        body = system.work.bodies[marker["body"]]
        found.append(
            Pose(body["R"].reshape(3, 3), body["p"]) @ Pose(marker["R"].reshape(3, 3), marker["p"])
        )
    return found
