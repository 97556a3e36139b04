"""Anti-roll bar: two links, left and right, with opposite forces.

    F = k (l_L - l_R) + c (l_L' - l_R')     pulls the left markers together, pushes the right apart

l_L and l_R are the distances of the first two and of the last two markers: equal displacements of
both wheels need no force.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.quantities import NewtonSecondsPerMetre, NewtonsPerMetre
from ...kernel.algebra.vec3 import scale, store3
from ...kernel.decorators import inline, kernel
from ...kernel.frames import check
from .contract import Force, line, push_apart


@dataclass(frozen=True)
class AntiRollBar(Force):
    r"""Anti-roll bar between the wheels of an axle.

    Parameters
    ----------
    stiffness : float
        Force per difference of the two link lengths (N/m).
    damping : float, default 0.0
        Force per rate of that difference (N s/m).

    See Also
    --------
    kt.SpringDamper : Spring of one wheel.

    Notes
    -----
    .. math::
        F = k\,(l_L - l_R) + c\,(\dot l_L - \dot l_R)

    The four markers are the left wheel side and body, then the right wheel side and body;
    :math:`l_L` and :math:`l_R` are the distances of each pair (m), :math:`k` is the `stiffness` and
    :math:`c` the `damping`. A positive force F (N) pulls the left pair together and pushes the
    right pair apart. Equal displacements of both wheels need no force. The channel `force` is F,
    `difference` is :math:`l_L - l_R`.

    Examples
    --------
    Two wheels on vertical guides; the left one is 10 mm lower.

    >>> import kinetree as kt
    >>> model = kt.Model("axle", gravity=(0, 0, 0))
    >>> markers = []
    >>> for side, y, z in (("left", 0.7, -0.01), ("right", -0.7, 0.0)):
    ...     wheel = model.body(side, kt.sphere(mass=20.0, radius=0.3))
    ...     start = {"displacement": z}
    ...     hub = model.ground.at(0, y, 0)
    ...     guide = model.joint(f"{side} guide", kt.Translational("z"), hub, wheel, start=start)
    ...     markers += [wheel, model.ground.at(0, y, 0.5)]
    >>> bar = model.force("bar", kt.AntiRollBar(stiffness=1e4), *markers)
    >>> sol = kt.simulate(model, until=0.01)
    >>> print(f"{sol['bar.difference'][0]:.3f} m, {sol['bar.force'][0]:.1f} N")
    0.010 m, 100.0 N
    """

    stiffness: NewtonsPerMetre
    damping: NewtonSecondsPerMetre = 0.0

    kind = "anti-roll-bar"
    markers = (4, 4)
    meanings = {
        "difference": "left link length minus right link length",
        "rate": "time derivative of the difference",
        "force": "F: pulls the left markers together and pushes the right ones apart where positive",
    }
    look = "links"
    readings = (("difference", "m"), ("rate", "m/s"), ("force", "N"))

    def __post_init__(self) -> None:
        check(self, "stiffness", "damping", at_least_zero=True)

    def lower(self, row, to) -> None:
        row["first"] = to.pool([self.stiffness, self.damping])


@inline
def twisted(tables, work, force):
    """Difference of the lengths, its rate, and the force."""
    k = force.im
    left = line(tables.markers[k], tables.markers[k + 1], work.bodies)
    right = line(tables.markers[k + 2], tables.markers[k + 3], work.bodies)
    d, rate = left[3] - right[3], left[4] - right[4]
    return d, rate, tables.pool[force.first] * d + tables.pool[force.first + 1] * rate


@kernel
def apply(tables, work, force, t, q, v, x):
    pull = twisted(tables, work, force)[2]
    for side in range(2):
        a, b = tables.markers[force.im + 2 * side], tables.markers[force.im + 2 * side + 1]
        p_a, p_b, u, _, _ = line(a, b, work.bodies)
        push_apart(a, b, work.bodies, scale(-pull if side == 0 else pull, u), p_a, p_b)


@kernel
def read(tables, work, force, t, q, v, x, out):
    store3(out, twisted(tables, work, force))


@kernel
def energy(tables, work, force, t, q, x):
    d = twisted(tables, work, force)[0]
    return 0.5 * tables.pool[force.first] * d * d
