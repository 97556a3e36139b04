"""Rope between two markers: of fixed length when it is tight, without force when it is slack.

l - |p_b - p_a| >= 0,     a tension that only pulls
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.checks import check
from ...core.quantities import Metres, MetresPerSecond, Plain
from ...kernel.algebra.vec3 import dot, neg, norm, scale, sub
from ...kernel.decorators import kernel
from ..controllers.contract import State
from .contract import Force, ends, line, point_motion
from .rigid_contact import check_impact, set_impact
from .unilateral import (
    APART,
    is_loaded,
    limit_step,
    meaning_of_state,
    mode_of,
    push_rows,
    states_of,
    write_direction,
)

SHORT = 1e-3  # of the length: the way that a step may pass beyond half of the gap


@dataclass(frozen=True)
class Rope(Force):
    r"""Inextensible rope between two markers, which can go slack.

    Parameters
    ----------
    length : float
        Length of the rope (m).
    restitution : float, default 0.0
        Ratio of the speeds after and before the rope becomes tight, from 0 to 1.
    rest_speed : float, default 1e-05
        Speed (m/s) below which a rope that becomes tight stays tight.

    See Also
    --------
    kt.Cable : Elastic cable over pulleys.
    kt.Distance : Massless rod, which also pushes.

    Notes
    -----
    .. math::
        |p_b - p_a| \le l, \qquad T \ge 0, \qquad (l - |p_b - p_a|)\,T = 0

    :math:`l` is the `length`, :math:`p_a` and :math:`p_b` are the positions of the markers and T is
    the tension. When the rope becomes tight, an impact removes the speed along it. The channel
    `gap` is the slack (m), `tension` the force (N), positive where it pulls, and `closed` is 1 while
    the rope is tight.

    Examples
    --------
    A ball on a rope of 1 m falls freely from the height of the hook.

    >>> import kinetree as kt
    >>> model = kt.Model("rope")
    >>> ball = model.body("ball", kt.sphere(mass=1.0, radius=0.05))
    >>> free = model.float(ball)
    >>> rope = model.force("rope", kt.Rope(1.0), model.ground.at(0, 0, 0), ball)
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['ball.position.z'][-1]:.3f} m, {sol['rope.tension'][-1]:.2f} N")
    -1.000 m, 9.81 N
    """

    length: Metres
    restitution: Plain = 0.0
    rest_speed: MetresPerSecond = 1e-5

    kind = "rope"
    markers = (2, 2)
    look = "rope"
    meanings = {
        "gap": "slack: length of the rope minus the distance of its ends",
        "tension": "force in the rope, never negative",
        "closed": "1 while the rope is tight",
    }
    readings = (("gap", "m"), ("tension", "N"), ("closed", "1"))

    def __post_init__(self) -> None:
        check(self, "length", "rest_speed", positive=True)
        check(self, "restitution", at_least_zero=True)
        check_impact(self)

    def own_states(self) -> tuple[State, ...]:
        return states_of(1, False)

    def meaning(self, label: str) -> str:
        return self.meanings[label] if label in self.meanings else meaning_of_state(label)

    def lower(self, row, to) -> None:
        place = to.place_row(row, 1, 1)
        set_impact(place, self)
        place["i"] = to.rows["markers"][row["im"]]["body"]
        place["j"] = to.rows["markers"][row["im"] + 1]["body"]
        row["first"], row["count"] = to.pool([self.length]), 1


@kernel
def meet(tables, work, force, k, t, q, v, x, out):
    a, b = ends(tables, force)
    (p_a, v_a), (p_b, v_b) = point_motion(a, work.bodies), point_motion(b, work.bodies)
    d, w = sub(p_b, p_a), sub(v_b, v_a)
    distance = norm(d)
    inverse = 1.0 / distance if distance > 0.0 else 0.0
    u = scale(inverse, d)
    rate = scale(inverse, sub(w, scale(dot(u, w), u)))
    place = tables.places[int(force.input[0])]
    out[0] = tables.pool[force.first] - distance
    i, j = work.bodies[place.i], work.bodies[place.j]
    write_direction(out, 0, i, j, neg(u), p_b, v_b, neg(rate))


@kernel
def apply(tables, work, force, t, q, v, x):
    place = tables.places[int(force.input[0])]
    if mode_of(x, place) == APART:
        a, b = ends(tables, force)
        _, _, _, distance, _ = line(a, b, work.bodies)
        w = sub(point_motion(b, work.bodies)[1], point_motion(a, work.bodies)[1])
        length, down = tables.pool[force.first], tables.settings[0].gravity
        fall = norm((down[0], down[1], down[2])) if (a.body == 0) != (b.body == 0) else 0.0
        limit_step(work.report[0], max(length - distance, 0.0), norm(w), fall, SHORT * length)
    if is_loaded(work, place):
        push_rows(tables, work, force, place, t, q, v, x, meet)


@kernel
def read(tables, work, force, t, q, v, x, out):
    a, b = ends(tables, force)
    place = tables.places[int(force.input[0])]
    out[0] = tables.pool[force.first] - line(a, b, work.bodies)[3]
    out[1] = work.place_loads[place.row]
    out[2] = 0.0 if mode_of(x, place) == APART else 1.0
