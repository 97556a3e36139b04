"""Cable through any number of eyes, without friction: one tension along its whole length.

l = sum |p_k+1 - p_k|,    T = max(k (l - L) + c ldot, 0)  where l > L, else 0
T pulls each marker along the lines to its neighbors
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.checks import check
from ...core.quantities import Metres, NewtonSecondsPerMetre, NewtonsPerMetre
from ...kernel.algebra.vec3 import scale, store3
from ...kernel.decorators import inline, kernel
from .contract import Force, line, push_apart


@dataclass(frozen=True)
class Cable(Force):
    r"""Cable through two or more markers, with one tension along its whole length.

    Parameters
    ----------
    stiffness : float
        Stiffness of the whole cable (N/m).
    damping : float, default 0.0
        Damping coefficient of the whole cable while it is taut (N s/m).
    length : float, optional
        Free length (m). By default the cable is just taut in the initial position.

    See Also
    --------
    kt.SpringDamper : Pulls and pushes.
    kt.Distance : Rigid rod.

    Notes
    -----
    .. math::
        l = \sum_k |p_{k+1} - p_k|, \qquad
        T = \begin{cases} \max\bigl(k\,(l - l_0) + c\,\dot l,\; 0\bigr) & l > l_0 \\
        0 & l \le l_0 \end{cases}

    :math:`p_k` are the positions of the markers, :math:`l` the length of the path through them (m),
    :math:`k` is the `stiffness`, :math:`c` the `damping` and :math:`l_0` the free `length`. The
    cable passes its markers in order, without friction; a slack cable has no force. The channel
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
    length: Metres | None = None

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
        check(self, "length", at_least_zero=True, optional=True)

    def lower(self, row, to) -> None:
        row["first"] = to.pool([self.stiffness, self.damping])
        row["rest"] = to.initial_distance() if self.length is None else self.length


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
def tension(force, pool, length, rate):
    s = length - force.rest
    return max(pool[force.first] * s + pool[force.first + 1] * rate, 0.0) if s > 0.0 else 0.0


@kernel
def apply(tables, work, force, t, q, v, x):
    length, rate = stretched(tables, force, work.bodies)
    pull = tension(force, tables.pool, length, rate)
    for m in range(force.im, force.im + force.nm - 1):
        a, b = tables.markers[m], tables.markers[m + 1]
        p_a, p_b, u, _, _ = line(a, b, work.bodies)
        push_apart(a, b, work.bodies, scale(-pull, u), p_a, p_b)


@kernel
def read(tables, work, force, t, q, v, x, out):
    length, rate = stretched(tables, force, work.bodies)
    pull = tension(force, tables.pool, length, rate)
    store3(out, (length, rate, -pull))
    out[3] = pull


@kernel
def energy(tables, work, force, t, q, x):
    s = max(stretched(tables, force, work.bodies)[0] - force.rest, 0.0)
    return 0.5 * tables.pool[force.first] * s * s
