"""Times at which the time functions of a model, and user code that declares it, are not smooth.

The input f of an element enters its force; the position f of a driver enters the accelerations as
f''. Where f of an element, or f, f' or f'' of a driver jumps, the equations jump (`jumps`). They
are also assumed to jump at the declared breakpoints of other functions, whose values need not show
it. The knots of a table without a jump only end a step (`stops`). The position of a driver must not
jump.
"""

from __future__ import annotations

import numpy as np

from ...elements.signals.catalogue import sampled
from ...elements.signals.table import Table
from ...errors import ModelError
from .compiled import CompiledModel

_SAME = 1e-9  # of the largest value at all breakpoints: what rounding may leave between two sides


def breaks_of(compiled: CompiledModel, t0: float, until: float) -> tuple[set[float], set[float]]:
    """Return (jumps, stops) after t0 and up to the end; raise an error if the position of a driver
    jumps.
    """
    jumps, stops, drivers = set[float](), set[float](), driving_signals(compiled)
    for k, signal in enumerate(compiled.signals):
        times = np.array(
            [t for t in signal.breaks() if t0 < t <= until] if signal is not None else [], float
        )
        if len(times):
            change = _changes(compiled, k, times)
            if k in drivers:
                _refuse_jump(drivers[k], times, change[:, 0])
            sharp = np.array(change.any(axis=1) if k in drivers else change[:, 0])
            if not isinstance(signal, Table):
                sharp[:] = True
            jumps.update(map(float, times[sharp]))
            stops.update(map(float, times[~sharp]))
    for element in compiled.model.with_states:
        jumps.update(float(t) for t in element.spec.breakpoints if t0 < t <= until)
    for controller in compiled.model.controllers.values():
        jumps.update(controller.spec.samples(t0, until))
    return jumps, stops


def at_start(compiled: CompiledModel, t0: float, close: float) -> set[float]:
    """Declared breaks at the start, so that the run begins just after them; controllers are sampled
    there anyway.
    """
    own = {
        float(t)
        for element in compiled.model.with_states
        for t in element.spec.breakpoints
        if abs(t - t0) <= close
    }
    for k, signal in enumerate(compiled.signals):
        for t in signal.breaks() if signal is not None else ():
            if abs(t - t0) <= close and (
                t > t0 or _apart(compiled, k, np.array([t], float), np.array([t], float)).any()
            ):
                own.add(float(t))
    return own


def sampled_controllers(compiled: CompiledModel) -> bool:
    """Whether any controller is sampled."""
    return any(
        controller.spec.period is not None for controller in compiled.model.controllers.values()
    )


def moving(compiled: CompiledModel) -> bool:
    """Whether any constraint depends on time, or may be one of velocities that are not zero."""
    tables = compiled.tables
    for p in tables.primitives:
        code = p["aim"] >= 0 and tables.aims[int(p["aim"])]["rows"] > 0
        if code and (tables.aims[int(p["aim"])]["runs"] > 0.0 or p["rates"][0]):
            return True
    followed = [compiled.signals[k] for k in driving_signals(compiled)]
    return any(signal is not None and signal.kind != "constant" for signal in followed)


def driving_signals(compiled: CompiledModel) -> dict[int, str]:
    """Indices of the functions that constraints follow, with the names of the constraints."""
    owner, found = compiled.row_owner, {}
    for p in compiled.tables.primitives:
        aim = compiled.tables.aims[int(p["aim"])] if p["aim"] >= 0 else None
        first, count = (
            (int(p["signal"]), int(p["signal"] >= 0))
            if aim is None
            else (int(aim["signal"]), int(aim["count"]))
        )
        found.update({k: owner[int(p["ig"])] for k in range(first, first + count)})
    return found


def _changes(compiled: CompiledModel, k: int, times: np.ndarray) -> np.ndarray:
    """(n, 3): whether f, f', f'' differ between the two sides of each time."""
    return _apart(compiled, k, np.nextafter(times, -np.inf), times)


def _apart(compiled: CompiledModel, k: int, before: np.ndarray, times: np.ndarray) -> np.ndarray:
    """(n, 3): whether f, f', f'' just after the times differ from those before."""
    values = np.zeros((2, len(times), 3))
    for side, at in zip(values, (before, np.nextafter(times, np.inf))):
        sampled(compiled.tables, k, at, side)
    size, apart = np.abs(values).max(axis=(0, 1)), 2.0 * np.spacing(np.abs(times))[:, None]
    moved = np.append(size[1:], 0.0) * apart  # what the next derivative makes of that
    return ~(np.abs(values[1] - values[0]) <= _SAME * size + 4.0 * moved)


def _refuse_jump(owner: str, times: np.ndarray, jumps: np.ndarray) -> None:
    if jumps.any():
        raise ModelError(
            f"constraint {owner!r}: the position it prescribes jumps at t = {times[jumps][0]:g} s; "
            "nothing can "
            "be in two places at once. Lead it from one to the other with a Ramp, a Table or a "
            "smooth function."
        )
