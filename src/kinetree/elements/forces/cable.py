"""Cable through any number of eyes, without friction: one tension along its whole length.

l = sum |p_k+1 - p_k|,    T = max(k (l - L) + c (ldot - Ldot), 0)  where l > L, else 0
T pulls each marker along the lines to its neighbors. A winch changes L in time.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.checks import check, check_inputs, is_number
from ...core.quantities import InputInMetres, NewtonSecondsPerMetre, NewtonsPerMetre
from ...kernel.algebra.vec3 import scale, store3
from ...kernel.decorators import inline, kernel
from ...kernel.tables.fault import checked
from ..signals.catalogue import signal_value
from .contract import Force, line, push_apart

WOUND = 1  # mode of a cable whose length changes in time


@dataclass(frozen=True)
class Cable(Force):
    r"""Cable through two or more markers, with one tension along its whole length.

    Parameters
    ----------
    stiffness : float
        Stiffness of the whole cable (N/m).
    damping : float, default 0.0
        Damping coefficient of the whole cable while it is taut (N s/m).
    length : float, time function or str, optional
        Free length (m): a number, a time function of a winch, or the output of a controller by
        name, such as "winch.length". By default the cable is just taut in the initial position.

    See Also
    --------
    kt.SpringDamper : Pulls and pushes.
    kt.Distance : Rigid rod.

    Notes
    -----
    .. math::
        l = \sum_k |p_{k+1} - p_k|, \qquad
        T = \begin{cases} \max\bigl(k\,(l - l_0) + c\,(\dot l - \dot l_0),\; 0\bigr) & l > l_0 \\
        0 & l \le l_0 \end{cases}

    :math:`p_k` are the positions of the markers, :math:`l` the length of the path through them (m),
    :math:`k` is the `stiffness`, :math:`c` the `damping` and :math:`l_0` the free `length`. The
    cable passes its markers in order, without friction; a slack cable has no force. The rate
    :math:`\dot l_0` of an output of a controller is not known and counts as zero. The winch that
    changes :math:`l_0` puts the power :math:`-T\,\dot l_0` into the model. The channel
    `tension` is T (N), never negative; `force` is -T, since a force is positive where an element
    pushes its ends apart.

    Examples
    --------
    A weight hangs on a cable over a pulley, stretched by 10 mm.

    >>> import kinetree as kt
    >>> model = kt.Model("hoist", gravity=(0, 0, 0))
    >>> load = model.body("load", kt.sphere(mass=10.0, radius=0.1), position=(1, 0, -1.01))
    >>> free = model.float(load)
    >>> pulley = model.ground.at(1, 0, 0)
    >>> rope = kt.Cable(stiffness=1e4, length=2.0)
    >>> cable = model.force("cable", rope, model.ground, pulley, load)
    >>> sol = kt.simulate(model, until=1e-3)
    >>> print(f"{sol['cable.tension'][0]:.1f} N")
    100.0 N
    """

    stiffness: NewtonsPerMetre
    damping: NewtonSecondsPerMetre = 0.0
    length: InputInMetres | None = None

    kind = "cable"
    markers = (2, None)
    meanings = {
        "length": "length of the whole path through the markers",
        "rate": "time derivative of the length, positive when the cable is stretched",
        "force": "minus the tension, since a force is positive where it pushes apart",
        "tension": "pull T along the whole cable, zero while it is slack, never negative",
    }
    look = "rope"
    readings = (("length", "m"), ("rate", "m/s"), ("force", "N"), ("tension", "N"))

    def __post_init__(self) -> None:
        check(self, "stiffness", "damping", at_least_zero=True)
        if is_number(self.length):
            check(self, "length", at_least_zero=True)
        elif self.length is not None:
            check_inputs(self, "length")

    def lower(self, row, to) -> None:
        row["first"] = to.pool([self.stiffness, self.damping])
        if self.length is None:
            row["rest"] = to.initial_distance()
        elif is_number(self.length):
            row["rest"] = self.length
        else:
            row["mode"], row["input"][0] = WOUND, to.input(self.length, "length")


@inline
def stretched(tables, force, bodies):
    """Length of the cable and its rate."""
    length, rate = 0.0, 0.0
    for m in range(force.im, force.im + force.nm - 1):
        _, _, _, part, part_rate = line(tables.markers[m], tables.markers[m + 1], bodies)
        length += part
        rate += part_rate
    return length, rate


@inline
def free_length(tables, work, force, t):
    """L and its rate; that of a controller's output is not known."""
    if force.mode != WOUND:
        return force.rest, 0.0
    if force.input[0] < 0:
        return work.outputs[-1 - force.input[0]], 0.0
    signal = tables.signals[force.input[0]]
    f = signal_value(tables.signal_kernels[signal.kind], signal, tables.pool, t)
    checked(work.report[0], f[0] + f[1])
    return f[0], f[1]


@inline
def tension(tables, work, force, t, length, rate):
    free, winding = free_length(tables, work, force, t)
    s, k, c = length - free, tables.pool[force.first], tables.pool[force.first + 1]
    return max(k * s + c * (rate - winding), 0.0) if s > 0.0 else 0.0


@kernel
def apply(tables, work, force, t, q, v, x):
    length, rate = stretched(tables, force, work.bodies)
    pull = tension(tables, work, force, t, length, rate)
    for m in range(force.im, force.im + force.nm - 1):
        a, b = tables.markers[m], tables.markers[m + 1]
        p_a, p_b, u, _, _ = line(a, b, work.bodies)
        push_apart(a, b, work.bodies, scale(-pull, u), p_a, p_b)


@kernel
def read(tables, work, force, t, q, v, x, out):
    length, rate = stretched(tables, force, work.bodies)
    pull = tension(tables, work, force, t, length, rate)
    store3(out, (length, rate, -pull))
    out[3] = pull


@kernel
def energy(tables, work, force, t, q, x):
    free = free_length(tables, work, force, t)[0]
    s = max(stretched(tables, force, work.bodies)[0] - free, 0.0)
    return 0.5 * tables.pool[force.first] * s * s
