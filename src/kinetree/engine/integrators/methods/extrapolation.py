"""One step of any even order from the modified midpoint rule and extrapolation [Gragg1965;
Hairer1993, sec. II.9].

    z_0 = y,  z_1 = y + s f(y),  z_{m+1} = z_{m-1} + 2 s f(z_m),  s = h / n;     z_n has an error
              series in s^2
    T_{j0} = z_n for n = n_j = 2 j,     T_{jl} = T_{j,l-1} + (T_{j,l-1} - T_{j-1,l-1}) / ((n_j /
                                        n_{j-l})^2 - 1)

With `columns` values of n the order is 2 columns. It starts the fixed-step Adams methods and ends
them on short steps.
"""

from ....kernel.decorators import inline
from ..measures import copy
from ..memory import YDOT, Y
from ..stepping import OK, evaluate


@inline
def midpoint(tables, work, rhs, run, h, n, z, before, slope):
    """z = the modified midpoint value after n (even) sub-steps over h."""
    memory, y, ydot = run.memory[0], run.vectors[Y], run.vectors[YDOT]
    s = h / n
    for i in range(len(y)):
        before[i], z[i] = y[i], y[i] + s * ydot[i]
    for m in range(1, n):
        status = evaluate(tables, work, rhs, memory, memory.t + m * s, z, slope)
        if status != OK:
            return status
        for i in range(len(y)):
            before[i], z[i] = z[i], before[i] + 2.0 * s * slope[i]
    return OK


@inline
def extrapolate(tables, work, rhs, run, h, columns, T, before, slope, out):
    """out = the state at t + h; T has a row per column."""
    for j in range(columns):
        status = midpoint(tables, work, rhs, run, h, 2 * (j + 1), T[j], before, slope)
        if status != OK:
            return status
        for l in range(j - 1, -1, -1):
            factor = 1.0 / (((j + 1.0) / (l + 1.0)) ** 2 - 1.0)
            for i in range(len(out)):
                T[l, i] = T[l + 1, i] + factor * (T[l + 1, i] - T[l, i])
    copy(T[0], out)
    return OK
