"""Inputs of an element while it acts: a time function or the output of a controller, by one index.

index >= 0    the signal of that index at time t
index < 0     output -1 - index of the controllers, computed at the beginning of this evaluation
"""

from ...kernel.decorators import inline
from ...kernel.tables.fault import checked
from ..signals.catalogue import KIND, signal_value
from ..signals.function import value_alone

_FUNCTION = KIND["function"]


@inline
def input_value(tables, work, t, index):
    if index < 0:
        return work.outputs[-1 - index]
    signal = tables.signals[index]
    if signal.kind == _FUNCTION:
        return checked(work.report[0], value_alone(signal, t))
    return signal_value(tables.signal_kernels[signal.kind], signal, tables.pool, t)[0]
