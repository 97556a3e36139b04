"""`kt.load_fmu`: an FMU as a controller of a model."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping, Sequence
from typing import Any

from ...core.checks import a_path, mapping, words
from ...elements.controllers.controller import Controller
from ...errors import ModelError, explains_arguments, short
from ...kernel.frames import number
from ...kernel.usercode.ready import ReadyFunction
from .description import KINDS
from .instance import Instance


@explains_arguments
def load_fmu(
    path: str | os.PathLike[str],
    inputs: Mapping[str, str] | None = None,
    outputs: Mapping[str, str] | Sequence[str] = (),
    *,
    kind: str | None = None,
    period: float | None = None,
    parameters: Mapping[str, float] | None = None,
    hold: bool = False,
) -> Controller:
    r"""Load an FMU (FMI 2.0 or 3.0) as a controller, whose outputs drive elements of the model.

    With Model Exchange, the states of the FMU are states of the controller, and the integrator
    evaluates them together with the model: compiled code calls the library of the FMU. With
    Co-Simulation, the FMU makes its own steps, and exchanges values at the samples.

    Parameters
    ----------
    path : str or path-like
        The FMU. Its library is run in this process: load only files that you trust.
    inputs : dict of str to str, optional
        What each input of the FMU measures: a name that `kt.Controller` accepts, such as
        ``{"angle": "A.angle", "speed": "A.angle.rate"}``.
    outputs : dict of str to str, or sequence of str, default ()
        Variables of the FMU by the labels of the outputs, such as ``{"torque": "motor.tau"}``; or
        their names, in which dots become underscores.
    kind : {"model-exchange", "co-simulation"}, optional
        By default Model Exchange, if the FMU supports it.
    period : float, optional
        Time between samples of Co-Simulation (s), which must be given for it.
    parameters : dict of str to float, optional
        Values of parameters of the FMU, set before its initialization.
    hold : bool, default False
        Whether the outputs of Co-Simulation are held between the samples. By default they are
        extrapolated to the middle of the next interval, which has an error of second order.

    Returns
    -------
    Controller
        The controller, for ``model.controller(name, ...)``.

    Raises
    ------
    ModelError
        If the file is no FMU for this computer, if a variable is not known, or if a call fails.

    See Also
    --------
    kt.Controller : Code in Python.

    Notes
    -----
    With samples :math:`y_k` of the outputs, the value between two samples is
    :math:`\tfrac32 y_k - \tfrac12 y_{k-1}`, and the FMU sees the mean of two samples of its inputs.
    An instance of an FMU has a memory: use it in one model, and one run at a time. Runs of
    Co-Simulation must begin where the FMU stands, at t = 0. Events inside the FMU are not located;
    an FMU with event indicators is refused for Model Exchange.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.load_fmu("motor.fmu", outputs=["torque"])
    Traceback (most recent call last):
      ...
    kinetree.errors.ModelError: there is no file 'motor.fmu'.
    """
    path = a_path(path, "load_fmu: path")
    if kind is not None and kind not in KINDS:
        raise ModelError(f"load_fmu: kind must be one of {', '.join(KINDS)}, got {short(kind)}.")
    given = mapping({} if inputs is None else inputs, "load_fmu: inputs", "{'angle': 'A.angle'}")
    wanted = _labels(outputs)
    values = mapping({} if parameters is None else parameters, "load_fmu: parameters", "{'k': 2.0}")
    checked = {name: number(v, f"load_fmu: parameter {name!r}") for name, v in values.items()}
    instance = Instance(path, kind, checked)
    description = instance.description
    read = description.references(wanted.values(), "")
    write = description.references(given, "input")
    if instance.kind == "model-exchange":
        if period is not None:
            raise ModelError("load_fmu: period= is for Co-Simulation; omit it for Model Exchange.")
        if description.event_indicators:
            raise ModelError(
                f"FMU {description.file!r} has event indicators, and events inside an FMU are not "
                "located. Use kind='co-simulation' with period=."
            )
        return _model_exchange(instance, given, wanted, write, read)
    if period is None:
        raise ModelError("load_fmu: Co-Simulation needs period=, the time between samples (s).")
    step = number(period, "load_fmu: period", positive=True)
    return _co_simulation(instance, given, wanted, write, read, step, hold)


def _labels(outputs: Mapping[str, str] | Sequence[str]) -> dict[str, str]:
    """Variables by label."""
    if isinstance(outputs, Mapping):
        return dict(outputs)
    return {name.replace(".", "_"): name for name in words(outputs, "load_fmu: outputs", "force")}


def _model_exchange(
    instance: Instance,
    inputs: Mapping[str, str],
    outputs: Mapping[str, str],
    write: list[int],
    read: list[int],
) -> Controller:
    """The controller that evaluates the FMU; its states are those of the FMU."""
    labels = [f"{name.replace('.', '_')}" for name in instance.description.states]
    if len(set(labels)) < len(labels) or set(labels) & set(outputs):
        labels = [f"state {k}" for k in range(len(labels))]
    start = instance.states()
    function = ReadyFunction(
        _plain(instance, write, read),
        _adapter(instance.description.version),
        _words(instance, write, read),
        instance,
    )
    return Controller(
        function,
        inputs=tuple(inputs.values()),
        states=dict(zip(labels, map(float, start))),
        outputs=tuple(outputs),
        scales={label: max(1.0, abs(float(x))) for label, x in zip(labels, start)} or None,
    )


def _plain(instance: Instance, write: list[int], read: list[int]) -> Any:
    """The evaluation in Python."""

    def evaluate(t: float, u: Any, x: Any, parameters: Any, xdot: Any, out: Any) -> None:
        c, n = ctypes.c_void_p(instance.component), ctypes.c_size_t(len(x))
        instance.call("SetTime", c, ctypes.c_double(t))
        instance.set(write, u)
        rates = "GetDerivatives" if instance.description.version == 2 else RATES_3
        if len(x):
            instance.call("SetContinuousStates", c, ctypes.c_void_p(x.ctypes.data), n)
            instance.call(rates, c, ctypes.c_void_p(xdot.ctypes.data), n)
        out[:] = instance.get(read)

    return evaluate


RATES_3 = "GetContinuousStateDerivatives"


def _words(instance: Instance, write: list[int], read: list[int]) -> list[int]:
    """What the adapter reads: instance, functions, value references."""
    old = instance.description.version == 2
    kind = "Real" if old else "Float64"
    rates = "GetDerivatives" if old else RATES_3
    names = ["SetTime", f"Set{kind}", "SetContinuousStates", rates, f"Get{kind}"]
    references = [(ctypes.c_uint32 * max(len(r), 1))(*r) for r in (write, read)]
    vars(instance)["references"] = references  # they live as long as the instance
    return [instance.component, *map(instance.address, names), *map(ctypes.addressof, references)]


def _adapter(version: int) -> str:
    """LLVM text of the function that kernels call: it passes time, inputs and states to the FMU, and
    takes rates and outputs from it.
    """
    lines = []
    for k, name in enumerate(("c", "set_time", "set", "set_x", "rates", "get", "vr_in", "vr_out")):
        lines += [f"%at{k} = getelementptr ptr, ptr %values, i64 {k}"]
        lines += [f"%{name} = load ptr, ptr %at{k}"]
    more = ("", "") if version == 2 else (", i64 %nu", ", i64 %no")
    calls = (
        ("set_time", "ptr %c, double %t"),
        ("set", f"ptr %c, ptr %vr_in, i64 %nu, ptr %u{more[0]}"),
        ("set_x", "ptr %c, ptr %x, i64 %nx"),
        ("rates", "ptr %c, ptr %xdot, i64 %nx"),
        ("get", f"ptr %c, ptr %vr_out, i64 %no, ptr %out{more[1]}"),
    )
    for k, (name, given) in enumerate(calls):
        lines += [f"%s{k} = call i32 %{name}({given})", f"%b{k} = icmp sgt i32 %s{k}, 1"]
    lines += ["%or0 = or i1 %b0, %b1", "%or1 = or i1 %or0, %b2", "%or2 = or i1 %or1, %b3"]
    lines += ["%or3 = or i1 %or2, %b4", "%status = zext i1 %or3 to i64", "ret i64 %status"]
    given = "ptr %u, i64 %nu, ptr %x, i64 %nx, ptr %p, i64 %np, ptr %xdot, ptr %out, i64 %no"
    body = "\n  ".join(lines)
    return f'define i64 @"user"(ptr %values, double %t, {given}) nounwind {{\n  {body}\n}}\n'


def _co_simulation(
    instance: Instance,
    inputs: Mapping[str, str],
    outputs: Mapping[str, str],
    write: list[int],
    read: list[int],
    period: float,
    hold: bool,
) -> Controller:
    """The sampled controller that steps the FMU; it keeps the last inputs and outputs."""
    nu = len(inputs)
    share = 0.0 if hold else 0.5
    reached = [0.0]

    def sample(t: float, u: Any, x: Any, parameters: Any, following: Any, out: Any) -> None:
        if t < 0.5 * period:
            instance.set(write, u)
        else:
            if abs(t - reached[0] - period) > 1e-6 * period:
                raise ModelError(
                    f"FMU {instance.description.file!r} stands at t = {reached[0]:g} s and cannot "
                    f"step to t = {t:g} s. Load it again for another run."
                )
            instance.set(write, 0.5 * (u + x[:nu]))
            instance.step(t - period, period)
            instance.set(write, u)  # outputs may depend on inputs directly
            reached[0] = t
        y = instance.get(read)
        before = y if t < 0.5 * period else x[nu:]
        out[:] = y + share * (y - before)
        following[:nu], following[nu:] = u, y

    labels = [*(f"input {k}" for k in range(nu)), *(f"last {label}" for label in outputs)]
    return Controller(
        ReadyFunction(sample, None, [0], instance),
        inputs=tuple(inputs.values()),
        states=dict.fromkeys(labels, 0.0),
        outputs=tuple(outputs),
        period=period,
    )
