"""Choices of a run that do not depend on its end: coordinates, methods, options, initial state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ..assembly.nodal import in_nodes
from ..assembly.result import Assembly
from ..description.lowering.flexible import beams_of
from ..description.lowering.groups import (
    TIME_STEPPING,
    refuse_for_time_stepping,
    refuse_groups,
)
from ..description.lowering.modal import flexible_bodies, refuse_flexible
from ..description.model import Model
from ..elements.forces.catalogue import ENTRIES, KIND
from ..engine.formulations.catalogue import FORMULATIONS
from ..engine.formulations.catalogue import formulation as find_formulation
from ..engine.formulations.contract import Formulation
from ..engine.integrators.catalogue import INTEGRATORS
from ..engine.integrators.catalogue import find as find_integrator
from ..engine.integrators.contract import Integrator, Problem
from ..errors import ModelError
from ..kernel.frames import word
from ..options import OPTIONS, Choice, values
from ..results.energy import DRIVERS
from .events.event import Event, events_of, gaps
from .run import Options, check_pair, choose_steps, chosen_formulation
from .states import state_of

NODES = "nodes"  # the formulation of the structural integrators


@dataclass(frozen=True)
class Plan:
    """A model assembled for runs with one formulation and one integrator."""

    model: Model
    assembly: Assembly
    method: Formulation
    integrator: Integrator
    coordinates: str
    topology: str
    slack: float
    starts_elsewhere: bool  # whether a state was given
    given: Mapping[str, Any]  # options of the two methods, as given
    watched: tuple[Event, ...]

    @property
    def in_nodes(self) -> bool:
        """Whether the runs are in nodal coordinates."""
        return Problem.NODES in self.integrator.handles

    def chosen(self, until: float, **given: Any) -> dict[str, Any]:
        """All options of the two methods for a run; `given` replaces those of the plan."""
        chosen = values(
            {**self.given, **given},
            Choice("formulation", self.method, FORMULATIONS),
            Choice("integrator", self.integrator, INTEGRATORS),
        )
        if self.in_nodes:
            choose_steps(self.integrator, chosen, until - self.assembly.t)
        return chosen

    def options(self, until: float, output_interval: float | None = None, **given: Any) -> Options:
        """All arguments of a run; `given` are options that replace those of the plan."""
        y = self.assembly.y
        return Options(
            until,
            self.coordinates,
            self.method.name,
            self.integrator.name,
            output_interval,
            self.topology,
            self.slack,
            sha256(y.tobytes()).hexdigest()[:16] if self.starts_elsewhere else None,
            self.assembly.t,
            tuple(event.name for event in self.watched),
            self.chosen(until, **given),
        )


def plan_of(model: Model, arguments: Mapping[str, Any], what: str) -> Plan:
    """Check the choices of a run and assemble the model; `arguments` are those of `simulate`."""
    name, formulation = arguments["integrator"], arguments["formulation"]
    name = usual_integrator(model) if name is None else word(name, f"{what}: integrator")
    integrator, coordinates = find_integrator(name), arguments["coordinates"]
    if formulation is not None:
        find_formulation(word(formulation, f"{what}: formulation"))
    if name == TIME_STEPPING:
        refuse_for_time_stepping(model)
    else:
        refuse_groups(model, f"integrator {name!r}")
    nodes = Problem.NODES in integrator.handles
    refuse_contacts(model, integrator)
    if nodes:
        coordinates, formulation = _for_nodes(model, formulation, integrator)
    elif beams_of(model):
        raise ModelError(_refused(model, integrator))
    elif formulation == NODES:
        raise ModelError(
            f"formulation {NODES!r} belongs to the structural integrators, not to "
            f"{integrator.name!r}; omit formulation=."
        )
    coordinates = word(coordinates, "coordinates")
    state, topology, slack = (arguments[name] for name in ("state", "topology", "slack"))
    assembly = state_of(model, state, coordinates, topology, slack, arguments["t0"], regular=True)
    assembly = in_nodes(assembly, regular=True) if nodes else assembly
    method = chosen_formulation(formulation, assembly)
    check_pair(method, integrator)
    watched = (*events_of(arguments["events"], (*model.forces, DRIVERS)), *gaps(model))
    given = {option.name: arguments[option.name] for option in OPTIONS}
    return Plan(
        model,
        assembly,
        method,
        integrator,
        coordinates,
        topology,
        slack,
        state is not None,
        given,
        watched,
    )


def refuse_contacts(model: Model, integrator: Integrator) -> None:
    """Raise an error if a model has unilateral elements and the integrator cannot stop at events."""
    rigid = [name for name, e in model.forces.items() if ENTRIES[KIND[e.spec.kind]].meet]
    if rigid and Problem.ODE not in integrator.handles:
        able = ", ".join(repr(i.name) for i in INTEGRATORS if Problem.ODE in i.handles)
        raise ModelError(
            f"integrator {integrator.name!r} solves the constrained equations itself and cannot "
            f"stop at the impacts of {rigid[0]!r} in model {model.name!r}. Use one of {able}, or a "
            "compliant element such as kt.Contact or kt.BumpStop."
        )
    if rigid and beams_of(model):
        raise ModelError(
            f"{rigid[0]!r} of model {model.name!r} is rigid, and models with beams need a structural "
            "integrator. Use a compliant element such as kt.Contact or kt.BumpStop."
        )


def usual_integrator(model: Model) -> str:
    """The default integrator of a model."""
    if flexible_bodies(model) and not beams_of(model):
        return "switching"  # their high modes are stiff where they are strongly damped
    return "energy-conserving" if beams_of(model) else "adams"


def _for_nodes(model: Model, formulation: str | None, method: Integrator) -> tuple[str, str]:
    """Coordinates and formulation of a structural integrator: it assembles in relative
    coordinates and runs in nodal coordinates.
    """
    refuse_flexible(model, f"integrator {method.name!r}", "Use an integrator such as 'adams'.")
    if model.generated is not None:
        raise ModelError(
            f"integrator {method.name!r} uses nodal coordinates, and model {model.name!r} has "
            "generated equations in joint coordinates. Use an integrator such as 'adams'."
        )
    if formulation not in (None, NODES):
        raise ModelError(
            f"integrator {method.name!r} has its own formulation, {NODES!r}. Omit formulation=, or "
            "use an integrator such as 'adams'."
        )
    return "relative", NODES


def _refused(model: Model, method: Integrator) -> str:
    """The error message about an integrator for rigid models and a model with beams."""
    names = ", ".join(repr(beam.name) for beam in beams_of(model))
    beams = "is a beam" if len(beams_of(model)) == 1 else "are beams"
    able = ", ".join(repr(i.name) for i in INTEGRATORS if Problem.NODES in i.handles)
    return (
        f"integrator {method.name!r} is for rigid models, and {names} of model {model.name!r} "
        f"{beams}. Use a structural integrator: {able}."
    )
