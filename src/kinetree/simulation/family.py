"""Differences between runs in joint or Cartesian coordinates and runs in nodal coordinates.

Models with beams run in nodal coordinates: each body and each node of a beam is free, and a step of
a structural integrator is one Newton problem. `family(name)` returns the object with the functions
that differ, by the name of a formulation or of coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..assembly.build import build, build_nodes
from ..assembly.convert import at_state
from ..assembly.plane import in_plane
from ..assembly.printed import as_printed
from ..assembly.result import Assembly
from ..description.lowering.compiled import CompiledModel, LoweredModel
from ..description.lowering.flexible import COORDINATES as NODES
from ..description.model import Model
from ..engine.beams.layout import with_layout
from ..engine.integrators.catalogue import find as find_integrator
from ..engine.integrators.segments import Breaks
from ..options import PLANAR, STEP
from ..results.completion import Solved, parted


class Family:
    """Runs in joint or Cartesian coordinates."""

    def build(self, model: Model, coordinates: str, topology: str) -> LoweredModel:
        """The lowered model."""
        return build(model, coordinates, topology)

    def model(self, described: Model, compiled: Callable[[], CompiledModel]) -> Model:
        """The model of a solution: that of the user."""
        return described

    def with_size(self, compiled: CompiledModel, length: float) -> CompiledModel:
        """The compiled model with the size (m) of a run, if it is not computed from the model."""
        return compiled

    def prepare(self, assembly: Assembly, options: Mapping[str, Any]) -> Assembly:
        """The assembly with the choices of the integrator."""
        return assembly

    def restricted(self, assembly: Assembly, options: Mapping[str, Any]) -> Assembly:
        """The assembly with the degrees of freedom of a plane, if the model stays in one."""
        return assembly

    def breaks(self, found: Breaks, samples: np.ndarray, options: Mapping[str, Any]) -> Breaks:
        """The times at which steps must end."""
        return found

    def scales(self, assembly: Assembly, of_work: Callable[[], np.ndarray]) -> np.ndarray:
        """Scales of the quantities that are integrated with the state: the work of the elements."""
        return of_work()

    def work(self, compiled: CompiledModel, integrated: np.ndarray) -> np.ndarray:
        """The work of the elements (J), of the integrated quantities."""
        return integrated

    def solved(
        self, compiled: CompiledModel, integrator: str, integrated: np.ndarray, found: Solved
    ) -> Solved:
        """Accelerations and multipliers at the samples."""
        return found

    def state(
        self,
        origin: Assembly,
        t: float,
        q: np.ndarray,
        v: np.ndarray,
        x: np.ndarray,
        happened: tuple[tuple[str, int], ...],
    ) -> Assembly:
        """The assembly at another state."""
        return at_state(origin, t, q, v, x, happened=happened)


class NodalFamily(Family):
    """Runs in nodal coordinates."""

    def build(self, model: Model, coordinates: str, topology: str) -> LoweredModel:
        return build_nodes(model)

    def model(self, described: Model, compiled: Callable[[], CompiledModel]) -> Model:
        """The lowered one, whose bodies are the nodes."""
        return compiled().model

    def with_size(self, compiled: CompiledModel, length: float) -> CompiledModel:
        settings = compiled.tables.settings.copy()
        settings["length"] = length
        return replace(compiled, tables=with_layout(compiled.tables._replace(settings=settings)))

    def prepare(self, assembly: Assembly, options: Mapping[str, Any]) -> Assembly:
        return self.restricted(as_printed(assembly, options["integrator"], options), options)

    def restricted(self, assembly: Assembly, options: Mapping[str, Any]) -> Assembly:
        return in_plane(assembly, options[PLANAR.name], options["until"])

    def breaks(self, found: Breaks, samples: np.ndarray, options: Mapping[str, Any]) -> Breaks:
        """Variable steps end at the samples too, because energy is exact at the ends of steps."""
        if options[STEP.name] is not None:
            return found
        return found._replace(stops=tuple(sorted({*found.stops, *samples})))

    def scales(self, assembly: Assembly, of_work: Callable[[], np.ndarray]) -> np.ndarray:
        """The steps carry work, accelerations and multipliers, without an error test."""
        size = assembly.compiled.size
        return np.ones(len(assembly.compiled.tables.forces) + 1 + size["nv"] + size["ng"])

    def work(self, compiled: CompiledModel, integrated: np.ndarray) -> np.ndarray:
        return parted(compiled, integrated)[0]

    def solved(
        self, compiled: CompiledModel, integrator: str, integrated: np.ndarray, found: Solved
    ) -> Solved:
        """Those of the steps, if the integrator defines them there."""
        if not find_integrator(integrator).own_reactions:
            return found
        _, vdot, lam = parted(compiled, integrated)
        return Solved(vdot, lam, found.lost)

    def state(
        self,
        origin: Assembly,
        t: float,
        q: np.ndarray,
        v: np.ndarray,
        x: np.ndarray,
        happened: tuple[tuple[str, int], ...],
    ) -> Assembly:
        return replace(origin, t=t, q=q, v=v, x=x, happened=happened)


_FAMILIES = {NODES: NodalFamily()}
_OTHERS = Family()


def family(name: str) -> Family:
    """The family of runs with that formulation or these coordinates."""
    return _FAMILIES.get(name, _OTHERS)
