"""Detection of jumps of drivers: user functions of time are checked over every accepted step.

A smooth f agrees with its own rates over a step of length h:

    f(b) = f(a) + h/2 (f'(a) + f'(b)) - h^2/12 (f''(b) - f''(a))   up to h^5 f^(5) / 720

Where it does not, bisection towards the larger change distinguishes a jump, whose size does not
change, from fast motion, whose change shrinks with the interval. A jump of position is refused, and
so is a jump of a rate that the user supplies: it is an impulse and needs a step that ends there. A
kink of f whose rate is differenced is a rate that changes within 2 d: longer steps are refused,
shorter ones follow it.
"""

from ...elements.signals.catalogue import KIND
from ...elements.signals.function import H, motion
from ...kernel.decorators import inline, kernel
from ...kernel.intrinsics import call_time
from ...kernel.tables.records import Tables
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import Work

_OK, _POSITION, _RATE = int(Status.OK), int(Status.POSITION_JUMP), int(Status.RATE_JUMP)
_FUNCTION = KIND["function"]
LEAST = 1e-6  # tolerated disagreement, relative to f and to a radian or the length of the model
# number of differences d within which a differenced rate cannot be distinguished from a jump
_WINDOW = 4.0


@inline
def jumps(address, a, b, least):
    """(whether the function changes by `least` between neighboring numbers of [a, b], where)."""
    fa, fb = call_time(address, (a,)), call_time(address, (b,))
    while abs(fb - fa) >= least:
        m = 0.5 * (a + b)
        if not a < m < b:
            return True, b
        fm = call_time(address, (m,))
        if abs(fm - fa) >= abs(fb - fm):
            b, fb = m, fm
        else:
            a, fa = m, fm
    return False, b


@inline
def bends(signal, pool, a, b, least):
    """(whether the differenced rate changes by `least` more than f'' allows in [a, b], where)."""
    (_, ra, sa), (_, rb, sb) = motion(signal, pool, a), motion(signal, pool, b)
    while b - a > _WINDOW * signal.a and abs(rb - ra) >= least:
        m = 0.5 * (a + b)
        _, rm, sm = motion(signal, pool, m)
        if abs(rm - ra) >= abs(rb - rm):
            b, rb, sb = m, rm, sm
        else:
            a, ra, sa = m, rm, sm
    return abs(rb - ra - 0.5 * (b - a) * (sa + sb)) >= least, 0.5 * (a + b)


@inline
def driver_is_continuous(signal, pool, a, b, size):
    """(Status, time) of one function over the step from a to b.

    `size` is a radian, or the length of the model.
    """
    h = b - a
    (fa, ra, sa), (fb, rb, sb) = motion(signal, pool, a), motion(signal, pool, b)
    left = abs(fb - fa - 0.5 * h * (ra + rb) + h * h / 12.0 * (sb - sa))
    least = LEAST * (size + abs(fa) + abs(fb))
    if left > least:
        found, t = jumps(signal.address[0], a, b, least)
        if found:
            return _POSITION, t
    left = abs(rb - ra - 0.5 * h * (sa + sb))
    least = LEAST * (size * H / signal.a + abs(ra) + abs(rb))  # per second where d is H
    if left > least:
        sm = motion(signal, pool, 0.5 * (a + b))[2]
        left = abs(rb - ra - h / 6.0 * (sa + 4.0 * sm + sb))
    if left > least:
        found, t = False, b
        if signal.address[1, 0] != 0:
            found, t = jumps(signal.address[1], a, b, least)
        elif h > _WINDOW * signal.a:
            found, t = bends(signal, pool, a, b, least)
        if found:
            return _RATE, t
    return _OK, b


@kernel
def drivers_are_continuous(tables, work, a, b):
    """Status of all drivers over the step from a to b.

    The row of a driver that jumps is report.index, the time report.jump.
    """
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        first, count = p.signal, 1 if p.signal >= 0 else 0
        if p.aim >= 0:
            first, count = tables.aims[p.aim].signal, tables.aims[p.aim].count
        size = tables.settings[0].length if tables.row_scale[p.ig] > 0.0 else 1.0
        for k in range(first, first + count):
            signal = tables.signals[k]
            if signal.kind == _FUNCTION:
                status, t = driver_is_continuous(signal, tables.pool, a, b, size)
                if status != _OK:
                    work.report[0].index, work.report[0].jump = p.ig, t
                    return status
    return _OK


def jumps_near(tables: Tables, work: Work, t: float) -> bool:
    """Whether the position of a driver jumps within reach of the differences at t.

    The report then has its row and the time.
    """
    functions = tables.signals["kind"] == _FUNCTION
    reach = 3.0 * float(tables.signals["a"][functions].max(initial=0.0))
    return drivers_are_continuous(tables, work, t - reach, t + reach) == Status.POSITION_JUMP
