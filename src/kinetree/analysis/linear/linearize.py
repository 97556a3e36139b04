"""Linearization about a state, in independent coordinates that satisfy every constraint.

    xdot = A x + B w,   y = C x + D w

The vector x = (z, u, element states) is the deviation from the state, and w is added to the
actuators. About a state that is not an equilibrium, A is the derivative of the rates at that state
with time frozen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...assembly.build import build
from ...assembly.result import Assembly
from ...core.checks import words
from ...core.display import Printable
from ...description.lowering.flexible import refuse_beams
from ...description.lowering.resolve import resolve
from ...description.lowering.states import refuse_rigid, refuse_sampled
from ...description.model import Element, Model
from ...description.named import coordinates as known_coordinates
from ...description.named import parted
from ...elements.forces.torsion_spring import TorsionSpring
from ...errors import ResultError, counted, explains_arguments, no_such
from ...kernel.usercode.capture import with_user_errors
from ...simulation.states import StateLike, state_of
from .spectrum import eigenpairs
from .state_space import StateEquations


@dataclass(frozen=True, repr=False)
class StateSpace(Printable):
    """Linear equations xdot = A x + B w, y = C x + D w with named states, inputs and outputs.

    Returned by `linearize`.

    Attributes
    ----------
    A : ndarray, shape (nx, nx)
        Matrix of the states in xdot, in SI units.
    B : ndarray, shape (nx, nw)
        Matrix of the inputs in xdot, in SI units.
    C : ndarray, shape (ny, nx)
        Matrix of the states in y, in SI units.
    D : ndarray, shape (ny, nw)
        Matrix of the inputs in y, in SI units.
    states : tuple of str
        Names of the components of x.
    inputs : tuple of str
        Names of the components of w.
    outputs : tuple of str
        Names of the components of y.
    assembly : Assembly
        The state about which the model was linearized.
    basis : ndarray, shape (nv, nz)
        All displacements from those of the independent coordinates (1, m or 1/m).
    velocity_basis : ndarray, shape (nv, n)
        All velocities from the independent ones, v = velocity_basis u (1, m or 1/m). It equals
        `basis` unless some constraints restrict velocities alone.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.pendulum import pendulum
    >>> system = kt.linearize(pendulum(), outputs=["hinge.angle"])
    >>> system.A.shape, system.C.shape
    ((2, 2), (1, 2))
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
    velocity_basis: np.ndarray

    @property
    def freedoms(self) -> int:
        """Number of degrees of freedom: independent velocities."""
        return self.velocity_basis.shape[1]

    @property
    def positions(self) -> int:
        """Number of independent coordinates; larger than `freedoms` if wheels roll."""
        return self.basis.shape[1]

    @property
    def _rolls(self) -> bool:
        return self.positions > self.freedoms

    @property
    def eigenvalues(self) -> np.ndarray:
        """Eigenvalues of A (1/s), shape (nx,), ascending in magnitude; zero if below their error."""
        found = eigenpairs(self.A, self.positions, self.freedoms)[0]
        return found[np.lexsort((found.imag, np.round(np.abs(found), 9)))]

    def to_control(self) -> Any:
        """Convert to a `StateSpace` of the package python-control.

        Returns
        -------
        control.StateSpace
            The same system; dots and spaces in names become underscores.

        Raises
        ------
        ResultError
            If python-control is not installed.
        """
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
                f"Linearized equations of {a.compiled.model.name!r} at t = {a.t:g} s: "
                f"{counted(self.freedoms, 'degree', 'degrees')} of freedom"
                + (f", {self.positions} independent positions." if self._rolls else "."),
                f"  states   {', '.join(self.states)}",
                f"  inputs   {', '.join(self.inputs) or 'none'}",
                f"  outputs  {', '.join(self.outputs) or 'none'}",
                *([f"  {a.told}"] if a.told else []),
            ]
        )


@explains_arguments
@with_user_errors
def linearize(
    model: Model,
    *,
    state: StateLike = None,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    coordinates: str = "relative",
) -> StateSpace:
    r"""Linearize the equations of motion about a consistent state.

    Parameters
    ----------
    model : Model
        The model.
    state : State, Assembly, Equilibrium, Solution, tuple or dict, optional
        State as in `simulate`, such as ``kt.equilibrium(model)``; by default the assembled start.
    inputs : sequence of str, default ()
        Inputs: a joint coordinate ("A.angle", for a torque or force along it), the actuator of a
        spring or torsion spring by its name ("strut"), or a component of a point force or torque
        ("push.z").
    outputs : sequence of str, default ()
        Channels of a solution, such as "A.angle", "A.rate", "crank.position.z" or "strut.force".
    coordinates : {"relative", "cartesian"}, default "relative"
        Coordinates of the model.

    Returns
    -------
    StateSpace
        The matrices A, B, C, D with the names of states, inputs and outputs.

    Raises
    ------
    ModelError
        If the model has beams or sampled controllers.
    NameNotFound
        If an input or output does not exist.

    See Also
    --------
    modes : Compute eigenvalues, frequencies and mode shapes.
    vibrations : Compute natural frequencies of a model with beams.

    Notes
    -----
    The linear equations are

    .. math:: \dot x = A x + B w, \qquad y = C x + D w

    with deviations x, w and y from the state. The velocities follow from the independent ones u,
    :math:`v = T u` with :math:`G T = 0`. All derivatives are taken along the constraints, so A
    includes the change of T with the position. Constraints of velocities alone (`kt.Rolling`,
    `kt.KnifeEdge`) leave more independent coordinates z than velocities u; both are states, and
    :math:`\dot z` follows from u and from the change of T with z.

    If the state is not an equilibrium, the equations hold for that instant only: deviations are
    then from a motion that continues. Pass an equilibrium as ``state=kt.equilibrium(model)``, or the
    values of one, ``state={"A.angle": 0.0}``.

    Functions are linearized where they are. A controller whose output is saturated in this state has
    the gain zero.

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("pendulum")
    >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5))
    >>> hinge = m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"), start={"angle": 1.57})
    >>> system = kt.linearize(m, inputs=["A.angle"], outputs=["A.angle"])
    >>> system.states
    ('A.angle', 'A.angle.rate')
    >>> round(float(system.B[1, 0]), 6)  # 1 / (m length^2 / 3)
    12.0
    """
    refuse_beams(model, "linearize", "kt.vibrations has its frequencies and shapes.")
    refuse_rigid(model, "linearize")
    refuse_sampled(
        model, "linearize", "Give the controller no period: continuous states can be linearized."
    )
    assembly = state_of(model, state, coordinates)
    inputs, outputs = _listed(inputs, "inputs"), _listed(outputs, "outputs")
    local = StateEquations(_with_inputs(assembly, inputs), inputs, outputs)
    A, B, C, D = local.matrices()
    bases = local.chart.E, local.speeds.E
    return StateSpace(A, B, C, D, local.names, inputs, local.outputs, assembly, *bases)


def _listed(names: Sequence[str], what: str) -> tuple[str, ...]:
    return words(names, f"linearize: {what}")


# --- inputs are force elements


def _with_inputs(assembly: Assembly, inputs: tuple[str, ...]) -> Assembly:
    """The same state of a model with one additional actuator per input, set to zero."""
    if not inputs:
        return assembly
    source, model = assembly.compiled, assembly.compiled.model
    added = {f"input {k}": _actuator(model, name, f"input {k}") for k, name in enumerate(inputs)}
    target = build(
        model.variant(forces={**model.forces, **added}), source.coordinates, source.tree.method
    )
    return replace(assembly, compiled=resolve(target, source.initial_values))


def _actuator(model: Model, name: str, own: str) -> Element[Any]:
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
            "which an effort can act. Add a kt.PointForce or kt.Torque to the body and name a "
            "component of it, like 'push.z'"
        )
    raise no_such("input", name, _possible(model), f" in model {model.name!r}{why}")


def _possible(model: Model) -> list[str]:
    """Names of all inputs that a model can have."""
    actuators = [
        f"{name}.{k}".rstrip(".")
        for name, element in model.forces.items()
        for k in element.spec.actuators
    ]
    return known_coordinates(model) + actuators
