"""Linear equations around a state, in independent coordinates that honour every constraint.

    xdot = A x + B w,   y = C x + D w,        x = (z, u, own states) counted from the state,   w
                        added to the actuators

Around a state that is not an equilibrium, A is the derivative of the rates at that state with time
frozen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...assembly.build import build
from ...assembly.result import Assembly
from ...core.checks import words
from ...core.display import Printable
from ...description.lowering.flexible import refuse_beams
from ...description.lowering.resolve import resolve
from ...description.lowering.states import refuse_sampled
from ...description.model import Element, Model
from ...description.named import coordinates as known_coordinates
from ...description.named import parted
from ...elements.forces.torsion_spring import TorsionSpring
from ...errors import ResultError, no_such
from ...kernel.usercode.capture import attending
from ...simulation.states import state_of
from .spectrum import eigenpairs
from .state_space import Plant


@dataclass(frozen=True, repr=False)
class StateSpace(Printable):
    """Linear equations with names; `basis` leads from the independent velocities to all (v = basis
    u at rest).
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    assembly: Assembly
    basis: np.ndarray

    @property
    def freedoms(self) -> int:
        return self.basis.shape[1]

    @property
    def eigenvalues(self) -> np.ndarray:
        """1/s, by size and then by frequency; zero where it is no larger than its error."""
        found = eigenpairs(self.A, self.freedoms)[0]
        return found[np.lexsort((found.imag, np.round(np.abs(found), 9)))]

    def to_control(self):
        """The same as a StateSpace of python-control."""
        try:
            import control
        except ImportError:
            raise ResultError(
                "to_control needs the package python-control: pip install control"
            ) from None
        names = {"states": self.states, "inputs": self.inputs, "outputs": self.outputs}
        return control.ss(
            self.A,
            self.B,
            self.C,
            self.D,
            name=self.assembly.compiled.model.name,
            **{
                k: [n.replace(".", "_").replace(" ", "_") for n in v] for k, v in names.items() if v
            },
        )

    def __str__(self) -> str:
        a = self.assembly
        return "\n".join(
            [
                f"Linear equations of {a.compiled.model.name!r} at t = {a.t:g} s, {self.freedoms} "
                "freedoms.",
                f"  states   {', '.join(self.states)}",
                f"  inputs   {', '.join(self.inputs) or 'none'}",
                f"  outputs  {', '.join(self.outputs) or 'none'}",
                *([f"  {a.told}"] if a.told else []),
            ]
        )


@attending
def linearize(
    model: Model,
    *,
    state=None,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    coordinates: str = "relative",
) -> StateSpace:
    """Linear equations of a model around a consistent state.

    state     as `simulate` takes it: a State, an equilibrium, an assembly, `sol.at(t)`, (solution,
              time), a dict of coordinates
    inputs    what is added to: a joint coordinate ("A.angle": a torque or force along it), the
              actuator of a spring or
              torsion spring by its name ("strut"), a component of a point force or torque
              ("push.z")
    outputs   channels of a solution: "A.angle", "A.rate", "crank.position.z", "crank.acceleration",
              "strut.force"
    """
    refuse_beams(model, "linearize", "kt.vibrations has its frequencies and shapes.")
    refuse_sampled(model, "linearize", "Give it no period: its rates can be linearised.")
    assembly = state_of(model, state, coordinates)
    inputs, outputs = _listed(inputs, "inputs"), _listed(outputs, "outputs")
    plant = Plant(_with_inputs(assembly, inputs), inputs, outputs)
    A, B, C, D = plant.matrices()
    return StateSpace(A, B, C, D, plant.names, inputs, plant.outputs, assembly, plant.chart.E)


def _listed(names: Sequence[str], what: str) -> tuple[str, ...]:
    return words(names, f"linearize: {what}")


# --- inputs are force elements of their own
# ---------------------------------------------------------------------------


def _with_inputs(assembly: Assembly, inputs: tuple[str, ...]) -> Assembly:
    """The same state of the model with one more actuator, at zero, per input."""
    if not inputs:
        return assembly
    source, model = assembly.compiled, assembly.compiled.model
    added = {f"input {k}": _actuator(model, name, f"input {k}") for k, name in enumerate(inputs)}
    target = build(
        model.variant(forces={**model.forces, **added}), source.coordinates, source.tree.method
    )
    return replace(assembly, compiled=resolve(target, source.initial_values))


def _actuator(model: Model, name: str, own: str) -> Element:
    head, last = parted(name, [*model.forces, *model.joints])
    for force, label in ((model.forces.get(name), ""), (model.forces.get(head), last)):
        if force is not None and label in force.spec.actuators:
            return Element(own, force.spec.idle(), force.markers)
    if name in known_coordinates(model):
        return Element(own, TorsionSpring(name), ())
    why = ""
    if head in model.joints:
        why = (
            f": joint {head!r} ({model.joints[head].joint.kind}) has no coordinate {last!r} along "
            "which an effort can act. "
            "Add a kt.PointForce or kt.Torque to the body and name a component of it, like 'push.z'"
        )
    raise no_such("input", name, _possible(model), f" in model {model.name!r}{why}")


def _possible(model: Model) -> list[str]:
    """All inputs a model can take."""
    actuators = [
        f"{name}.{k}".rstrip(".")
        for name, element in model.forces.items()
        for k in element.spec.actuators
    ]
    return known_coordinates(model) + actuators
