"""Rigid contact of every shape of a group with every other, for integrator "time-stepping".

The integrator finds the contacts and their impulses in each step. It writes the mean force and torque
on every shape into the states of the group, so that accelerations and reactions at the samples
contain them; `apply` only passes them on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.checks import check
from ...core.quantities import Plain
from ...errors import ModelError, short
from ...kernel.decorators import kernel
from ..controllers.contract import State
from ..shapes.catalogue import SHAPES, pair_of, stored
from ..shapes.contract import Shape
from ..shapes.half_space import HalfSpace
from .contract import Force, point_motion, push

FRICTION, RESTITUTION, SHAPE = range(3)  # in the pool; from SHAPE on, kind and first number of each
TOTALS = ("count", "normal", "friction", "gap")  # states before those of the shapes
WRENCH = 6  # states per shape: torque and force about its origin, world axes


@dataclass(frozen=True)
class ContactGroup(Force):
    r"""Rigid contact with friction of all shapes of a group, made by `Model.contact_group`.

    Parameters
    ----------
    shapes : sequence of Shape
        Shapes on the markers, in their order.
    friction : float, default 0.0
        Coefficient of friction of all contacts.
    restitution : float, default 0.0
        Ratio of the normal speeds after and before an impact, from 0 to 1.

    See Also
    --------
    kt.Model.contact_group : Adds a group to a model.
    kt.Contact : Compliant contact of two shapes.

    Notes
    -----
    In each step of length h the velocities are those that minimize

    .. math::
        \tfrac12\,|V - V^*|_M^2 + \sum_c \tfrac12\,|P_K(y_c)|_R^2, \qquad
        y = R^{-1} (b - u), \qquad K = \{\gamma : |\gamma_t| \le \mu\,\gamma_n\}

    where :math:`V^*` are the velocities without contact and :math:`u` those at the contacts
    [Anitescu2006]. The friction force of a sliding contact is exact, but the body is lifted by
    :math:`\mu\,|u_t|\,h`; ``exact_friction=True`` removes this. Bodies that are connected by a joint do
    not touch each other.

    The channels `count`, `normal` (N), `friction` (N) and `gap` (m) are the number of contacts, the
    sums of the magnitudes of their forces, and the smallest gap, which is positive apart and negative
    where shapes overlap. The states `force1_x` to `torque1_z`
    are the mean force and torque on the first shape over the last step, about the origin of its
    marker in world axes, and so on for all shapes.

    Examples
    --------
    Two balls fall on a floor; the second one lands on the first.

    >>> import kinetree as kt
    >>> m = kt.Model("two balls")
    >>> shapes = [kt.shapes.HalfSpace().on(m.ground)]
    >>> for k in range(2):
    ...     ball = m.body(f"ball{k}", kt.sphere(mass=1.0, radius=0.1), position=(0, 0, 0.1 + 0.3 * k))
    ...     free = m.float(ball)
    ...     shapes.append(kt.shapes.Ball(0.1).on(ball))
    >>> group = m.contact_group("pile", shapes, friction=0.5)
    >>> sol = kt.simulate(m, until=1.0, integrator="time-stepping", step=2e-3)
    >>> print(f"{sol['pile.normal'][-1]:.2f} N on {sol['pile.count'][-1]:.0f} contacts")
    29.43 N on 2 contacts
    """

    shapes: tuple[Shape, ...]
    friction: Plain = 0.0
    restitution: Plain = 0.0

    kind = "contact-group"
    markers = (2, None)

    def __post_init__(self) -> None:
        check(self, "friction", "restitution", at_least_zero=True)
        if self.restitution > 1.0:
            raise ModelError(
                f"ContactGroup: restitution must lie between 0 and 1, got {short(self.restitution)}."
            )
        if not isinstance(self.shapes, (list, tuple)) or not all(
            isinstance(shape, Shape) for shape in self.shapes
        ):
            raise ModelError(
                "ContactGroup: shapes must be a sequence of shapes such as kt.shapes.Ball(0.1), got "
                f"{short(self.shapes)}."
            )
        object.__setattr__(self, "shapes", tuple(self.shapes))
        kinds = list({type(shape): shape for shape in self.shapes}.values())
        for k, a in enumerate(kinds):
            for b in kinds[k:]:
                if not isinstance(a, HalfSpace) or not isinstance(b, HalfSpace):
                    pair_of(a, b)

    def own_states(self) -> tuple[State, ...]:
        units = {"count": "1", "normal": "N", "friction": "N", "gap": "m"}
        found = [State(name, 0.0, 1.0, unit) for name, unit in units.items()]
        for k in range(1, len(self.shapes) + 1):
            found += [State(f"torque{k}_{axis}", 0.0, 1.0, "N m") for axis in "xyz"]
            found += [State(f"force{k}_{axis}", 0.0, 1.0, "N") for axis in "xyz"]
        return tuple(found)

    def meaning(self, label: str) -> str:
        told = {
            "count": "number of contacts",
            "normal": "sum of the magnitudes of the normal forces",
            "friction": "sum of the magnitudes of the friction forces",
            "gap": "smallest gap at the start of a step, negative where shapes overlap; 0 if none are near",
        }
        if label in told:
            return told[label]
        what, axis = label.split("_")
        part = "torque" if what.startswith("torque") else "force"
        return f"mean {part} on shape {what.removeprefix(part)} over a step, along world {axis}"

    def mirrored(self, S: np.ndarray) -> ContactGroup:
        return self

    def lower(self, row, to) -> None:
        if len(self.shapes) != int(row["nm"]):
            raise ModelError(
                f"ContactGroup: {len(self.shapes)} shapes for {int(row['nm'])} markers; give one "
                "marker per shape."
            )
        head = [self.friction, self.restitution]
        for shape in self.shapes:
            head += [SHAPES.index(type(shape)), to.pool(stored(shape)) + 1, min(shape.reach, 1e300)]
        row["first"], row["count"] = to.pool(head), len(self.shapes)


@kernel
def apply(tables, work, force, t, q, v, x):
    for k in range(force.nm):
        marker, at = tables.markers[force.im + k], force.ix + 4 + 6 * k
        couple, f = (x[at], x[at + 1], x[at + 2]), (x[at + 3], x[at + 4], x[at + 5])
        push(marker, work.bodies, couple, f, point_motion(marker, work.bodies)[0])


@kernel
def energy(tables, work, force, t, q, x):
    return 0.0
