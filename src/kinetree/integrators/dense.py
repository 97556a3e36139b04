"""Samples inside a step of a one-step or fixed-step method from the cubic that matches y and f at both ends (Hermite).

    y(t + s h) = (1 - s) y + s Y + s (s - 1) ((1 - 2 s)(Y - y) + (s - 1) h f + s h F)       [Hairer1993, sec. II.6]
"""

from ..num.jit import inline
from .memory import YDOT, Y


@inline
def hermite(s, h, y, f, y_end, f_end, out):
    for i in range(len(out)):
        bend = (1.0 - 2.0 * s) * (y_end[i] - y[i]) + (s - 1.0) * h * f[i] + s * h * f_end[i]
        out[i] = (1.0 - s) * y[i] + s * y_end[i] + s * (s - 1.0) * bend


@inline
def sample_cubic(run, t_end, h, y_end, f_end):
    """Fill the samples up to t_end, before the step is made the present."""
    memory, times = run.memory[0], run.samples_t
    while memory.sample < len(times) and times[memory.sample] <= t_end:
        s = min((times[memory.sample] - memory.t) / h, 1.0)
        hermite(s, h, run.vectors[Y], run.vectors[YDOT], y_end, f_end, run.samples_y[memory.sample])
        memory.sample += 1
