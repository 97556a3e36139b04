"""Track of a tracked vehicle as a load on its road wheels: tension to the end wheels, and bending
stiffness between neighboring wheels.

    E = T (l_idler + l_sprocket) + s/2 sum |d_k|^2,     d_k = p_k - (p_k-1 + p_k+1) / 2
                                                        over the wheels between others

A wheel that is pushed up lifts its neighbors, as a beam over them would: the band distributes
ground forces. Markers: idler on the hull, wheels from front to rear, sprocket on the hull.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.quantities import Newtons, NewtonsPerMetre
from ...kernel.algebra.vec3 import add, dot, scale, sub
from ...kernel.decorators import inline, kernel
from ...kernel.frames import check
from .contract import ZERO, Force, line, point_motion, push, push_apart


@dataclass(frozen=True)
class TrackBand(Force):
    r"""Track band of a tracked vehicle over its road wheels.

    Parameters
    ----------
    tension : float, default 0.0
        Tension of the band towards idler and sprocket (N).
    bridging : float, default 0.0
        Bending stiffness between neighboring wheels (N/m).

    See Also
    --------
    kt.Wheel : Road wheel.
    kt.HydropneumaticUnit : Suspension unit.

    Notes
    -----
    .. math::
        E = T\,(l_{idler} + l_{sprocket}) + \tfrac12\, s \sum_k |d_k|^2, \qquad
        d_k = p_k - \tfrac12\,(p_{k-1} + p_{k+1})

    :math:`E` is the energy (J), :math:`T` the `tension`, :math:`s` the stiffness `bridging`,
    :math:`l_{idler}` and :math:`l_{sprocket}` are the distances of idler and sprocket from their
    next wheels (m), and :math:`p_k` the positions of the wheels. The markers are the idler on the
    hull, the wheels from front to rear, and the sprocket on the hull. A positive tension pulls the
    outer wheels towards idler and sprocket; a wheel that is pushed up lifts its neighbors. The
    channel `bent` is the largest :math:`|d_k|`.

    Examples
    --------
    Three wheels in a row; the middle one is 20 mm above its neighbors.

    >>> import kinetree as kt
    >>> model = kt.Model("track", gravity=(0, 0, 0))
    >>> markers = [model.ground.at(1.5, 0, 0.3)]
    >>> for k, z in enumerate((0.0, 0.02, 0.0)):
    ...     wheel = model.body(f"wheel {k}", kt.sphere(mass=50.0, radius=0.3))
    ...     hub = model.ground.at(0.5 - 0.5 * k, 0, 0)
    ...     guide = kt.Translational("z")
    ...     joint = model.joint(f"guide {k}", guide, hub, wheel, start={"displacement": z})
    ...     markers.append(wheel)
    >>> markers.append(model.ground.at(-1.5, 0, 0.3))
    >>> band = model.force("band", kt.TrackBand(bridging=1e5), *markers)
    >>> sol = kt.simulate(model, until=1e-4)
    >>> print(f"{sol['band.bent'][0]:.3f} m, {sol['band.energy'][0]:.1f} J")
    0.020 m, 20.0 J
    """

    tension: Newtons = 0.0
    bridging: NewtonsPerMetre = 0.0

    kind = "track-band"
    markers = (5, None)
    meanings = {
        "bent": "largest distance of a wheel from the middle between its two neighbors",
    }
    look = "track"
    readings = (("bent", "m"),)  # most that a wheel is off the middle of its neighbours

    def __post_init__(self) -> None:
        check(self, "tension", "bridging", at_least_zero=True)

    def lower(self, row, to) -> None:
        row["first"] = to.pool([self.tension, self.bridging])


@inline
def off(tables, work, k):
    """d_k of the wheel at marker k."""
    before = point_motion(tables.markers[k - 1], work.bodies)[0]
    p, behind = (
        point_motion(tables.markers[k], work.bodies)[0],
        point_motion(tables.markers[k + 1], work.bodies)[0],
    )
    return sub(p, scale(0.5, add(before, behind)))


@inline
def draw(tables, work, a, b, tension):
    """Apply the tension between two markers."""
    p_a, p_b, u, _, _ = line(tables.markers[a], tables.markers[b], work.bodies)
    push_apart(tables.markers[a], tables.markers[b], work.bodies, scale(-tension, u), p_a, p_b)


@kernel
def apply(tables, work, force, t, q, v, x):
    n, last = tables.pool[force.first :], force.im + force.nm - 1
    draw(tables, work, force.im, force.im + 1, n[0])
    draw(tables, work, last, last - 1, n[0])
    for k in range(force.im + 2, last - 1):
        d = off(tables, work, k)
        for j, share in ((k - 1, 0.5), (k, -1.0), (k + 1, 0.5)):
            marker = tables.markers[j]
            push(
                marker,
                work.bodies,
                ZERO,
                scale(share * n[1], d),
                point_motion(marker, work.bodies)[0],
            )


@kernel
def read(tables, work, force, t, q, v, x, out):
    most = 0.0
    for k in range(force.im + 2, force.im + force.nm - 2):
        d = off(tables, work, k)
        most = max(most, dot(d, d))
    out[0] = most**0.5


@kernel
def energy(tables, work, force, t, q, x):
    n, last = tables.pool[force.first :], force.im + force.nm - 1
    m = tables.markers
    total = n[0] * (
        line(m[force.im], m[force.im + 1], work.bodies)[3]
        + line(m[last], m[last - 1], work.bodies)[3]
    )
    for k in range(force.im + 2, last - 1):
        d = off(tables, work, k)
        total += 0.5 * n[1] * dot(d, d)
    return total
