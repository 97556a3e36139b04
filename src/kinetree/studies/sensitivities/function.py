"""`sensitivities`: derivatives of the outputs of a run with respect to parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ...core.checks import mapping
from ...description.model import Model
from ...errors import ModelError, UnknownArgument, explains_arguments, no_such
from ...kernel.frames import number
from ...simulation.simulate import simulate
from .derive import motion_of
from .outputs import Series, times_of
from .parameters import Source, parameters_of
from .result import Sensitivities
from .texts import outputs_of

_OWN = ("model", "until", "output_interval", "progress", "out")
_DEFAULTS = {
    name: one.default
    for name, one in inspect.signature(simulate).parameters.items()
    if name not in _OWN
}


@explains_arguments
def sensitivities(
    model: Model | Callable[..., Any],
    outputs: str | Iterable[str] | Mapping[str, str],
    parameters: Mapping[str, float] | Iterable[str] | None = None,
    until: float = 1.0,
    *,
    sizes: Mapping[str, float] | None = None,
    **options: Any,
) -> Sensitivities:
    r"""Compute derivatives of the outputs of a run with respect to parameters.

    The model is run once, with the derivatives of its state beside the state. They pass through
    closed loops, stiff parts, events with impacts, hydraulics and controllers.

    Parameters
    ----------
    model : callable or Model
        A function of the parameters that returns a `Model`, or a model and its events; or a model,
        whose initial values are then the parameters.
    outputs : str, list of str, or dict of str to str
        What is differentiated: ``"final A.angle"``, ``"initial A.angle"``, ``"max A.angle"``,
        ``"min A.angle"``, ``"mean A.angle"``, ``"rms A.angle"``, ``"integral A.angle"``,
        ``"A.angle at 0.5"`` (s), ``"time of hit"`` or ``"time of hit #2"`` of an event, or
        ``"A.angle"`` for the whole time history. A dict gives them other names.
    parameters : dict of str to float, or list of str, optional
        Values of the parameters. Names alone take the default values of the function; by default
        these are all arguments with a number as default. For a model, the initial values by name,
        such as ``{"A.angle": 0.3, "A.rate": 0.0}``.
    until : float, default 1.0
        End time (s).
    sizes : dict of str to float, optional
        Typical sizes of parameters, in their units; by default the magnitude of the value, and 1
        for a value of zero. Tables of the model are compared at a change of 1e-5 of this size.
    **options
        Arguments of `simulate`, such as ``rtol=1e-6`` or ``integrator="switching"``, except
        `output_interval`, `progress` and `out`.

    Returns
    -------
    Sensitivities
        ``result["final A.angle"]["length"]`` is a derivative; ``print(result)`` shows all.

    Raises
    ------
    ModelError
        If a parameter changes the structure of the model, or an output has no derivative.
    SimulationError
        If an event only touches its level, or if two events that change the state occur at the same
        time, so that outputs have no derivative.

    See Also
    --------
    simulate : Run a model once.
    linearize : Linearize a model about one state.

    Notes
    -----
    With the equations of motion :math:`\dot y = f(t, y, p)` and the projection onto the
    constraints, the derivatives :math:`s = \partial y / \partial p` satisfy

    .. math:: \dot s = f_y s + f_p

    They are integrated with the steps and orders of the run, and their errors are controlled with
    the same tolerance. The right-hand side is computed with dual numbers, from the kernels of the
    run, so that :math:`f_y s + f_p` is exact up to rounding. The numbers of the model and its
    initial state are differentiated by central differences of models with changed parameters.

    At an event at time :math:`t_e`, where h(t, y, p) = 0, the state after it is R(t, y, p), and
    [Hiskens2000]

    .. math:: \frac{d t_e}{d p} = -\frac{h_y s^- + h_p}{\dot h}, \qquad
        s^+ = \frac{d R}{d p} - f^+ \frac{d t_e}{d p}

    A time at which a time function of the model jumps may depend on the parameters.

    Models with user code (functions in forces, controllers or time functions) are differentiated by
    internal differences: runs with changed parameters are made beside the run, with the same steps
    [Bock1983]. The relative error is then about 1e-6, and larger where derivatives are large.

    Examples
    --------
    >>> import kinetree as kt
    >>> def pendulum(length=0.5, angle=1.0):
    ...     m = kt.Model("pendulum")
    ...     rod = m.body("rod", kt.rod(mass=1.0, length=length))
    ...     m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"), start={"angle": angle})
    ...     return m
    >>> found = kt.sensitivities(pendulum, ["final A.angle", "max A.rate"], until=2.0)
    >>> round(found["final A.angle"]["length"], 4), round(found["max A.rate"]["angle"], 4)
    (5.6888, -5.2055)
    """
    until = number(until, "sensitivities: until")
    unknown = next((name for name in options if name not in _DEFAULTS), None)
    if unknown in _OWN:
        raise ModelError(f"sensitivities does not have the argument {unknown}=.")
    if unknown is not None:
        raise UnknownArgument(str(no_such("argument", unknown, _DEFAULTS, " of sensitivities")))
    wanted = outputs_of(outputs)
    given = {} if sizes is None else mapping(sizes, "sensitivities: sizes", "{'length': 0.5}")
    chosen = parameters_of(model, parameters, given)
    arguments = {**_DEFAULTS, **options}
    for name in ("slack", "t0"):
        if arguments[name] is not None:
            arguments[name] = number(arguments[name], f"sensitivities: {name}")
    motion, result, scale = motion_of(Source(model, chosen, arguments), until)
    times = times_of(motion) if any(isinstance(one, Series) for _, one in wanted) else np.zeros(0)
    return Sensitivities(
        motion.nominal.plan.model.name,
        {one.name: one.value for one in chosen},
        [(name, *one.of(motion)) for name, one in wanted],
        times,
        result.accepted,
        motion.exact,
        scale,
    )
