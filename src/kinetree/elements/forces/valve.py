"""The four edges of a directional valve, and the flow through an edge.

    Q = K a s(dp),    K = Cd sqrt(2 / rho),    s(d) = d / (d^2 + d_lam^2)^(1/4)

s is the signed square root of the pressure drop, smoothed where the flow becomes laminar (d_lam):
its slope at zero is finite, and at ten times d_lam it differs from the root by 0.25 %. Edges: 1
supply to chamber 1, 2 chamber 1 to tank, 3 supply to chamber 2, 4 chamber 2 to tank.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.checks import check, check_inputs
from ...core.quantities import (
    InputInSquareMetres,
    InputWithoutUnit,
    KilogramsPerCubicMetre,
    Pascals,
    Plain,
    SquareMetres,
    UserClass,
)
from ...errors import ModelError, short
from ...kernel.decorators import inline
from ..controllers.inputs import input_value

OPENINGS, SPOOL = 0, 1


@dataclass(frozen=True)
class Valve(UserClass):
    r"""Directional valve with four edges, for a hydraulic cylinder.

    Parameters
    ----------
    openings : sequence of 4 float, time function or str, optional
        Areas of the four edges (m^2): numbers, time functions, or outputs of controllers by name.
        Give these, or `spool` and `area`.
    spool : float, time function or str, optional
        Spool command between -1 and 1 (1): a number, a time function, or an output of a controller
        by name.
    area : float, optional
        Area of a fully open edge (m^2).
    dead_band : float, default 0.0
        Part of the command around zero in which the valve is closed (1).
    discharge : float, default 0.62
        Discharge coefficient Cd of the edges (1).
    density : float, default 860.0
        Density rho of the oil (kg/m^3).
    transition : float, default 100000.0
        Pressure drop below which the flow becomes laminar (Pa).

    See Also
    --------
    kt.HydraulicCylinder : Cylinder with a valve.
    kt.Pump : Supply.

    Notes
    -----
    .. math::
        Q = C_d\, a\, \sqrt{2 / \rho}\; s(\Delta p), \qquad
        s(d) = \frac{d}{(d^2 + d_{lam}^2)^{1/4}}

    :math:`Q` is the flow through an edge (m^3/s), positive in the direction of the pressure drop
    :math:`\Delta p`, :math:`a` its opening (m^2), :math:`C_d` the `discharge` coefficient,
    :math:`\rho` the `density` and :math:`d_{lam}` the pressure `transition`. Edge 1 is between
    supply and chamber 1, edge 2 between chamber 1 and tank, edge 3 between supply and chamber 2,
    edge 4 between chamber 2 and tank. A positive command opens edges 1 and 4, so that the cylinder
    extends; a negative one opens edges 2 and 3. Negative openings count as zero.

    Examples
    --------
    Half a positive command opens edges 1 and 4 by half.

    >>> import kinetree as kt
    >>> model = kt.Model("lift", gravity=(0, 0, 0))
    >>> block = model.body("block", kt.box(mass=100.0, sides=(0.2, 0.2, 0.2)))
    >>> guide = model.joint("G", kt.Translational("x"), model.ground.at(0.8, 0, 0), block)
    >>> lift = kt.HydraulicCylinder(
    ...     bore=0.05, rod=0.03, stroke=0.5, dead_volume=1e-4, supply=1e7, extension=0.2,
    ...     valve=kt.Valve(spool=0.5, area=1e-5),
    ... )
    >>> cylinder = model.force("cylinder", lift, model.ground, block)
    >>> sol = kt.simulate(model, until=1e-4)
    >>> print([f"{sol[f'cylinder.opening{k}'][0]:.1e}" for k in (1, 2, 3, 4)])
    ['5.0e-06', '0.0e+00', '0.0e+00', '5.0e-06']
    """

    _internal = ("coefficient", "lower")
    openings: (
        tuple[InputInSquareMetres, InputInSquareMetres, InputInSquareMetres, InputInSquareMetres]
        | None
    ) = None
    spool: InputWithoutUnit | None = None
    area: SquareMetres | None = None
    dead_band: Plain = 0.0
    discharge: Plain = 0.62
    density: KilogramsPerCubicMetre = 860.0
    transition: Pascals = 1e5

    def __post_init__(self) -> None:
        if (self.openings is None) == (self.spool is None):
            raise ModelError("Valve: give either four openings or a spool command with an area.")
        if self.openings is not None and (
            not isinstance(self.openings, (tuple, list)) or len(self.openings) != 4
        ):
            raise ModelError(f"Valve: openings must be four, got {short(self.openings)}.")
        check_inputs(self, "openings", "spool")
        if self.spool is not None:
            check(self, "area", positive=True)
        elif self.area is not None:
            raise ModelError(
                "Valve: area belongs to a spool command; openings are areas themselves."
            )
        check(self, "dead_band")
        if not 0.0 <= self.dead_band < 1.0:
            raise ModelError(f"Valve: dead_band must lie in [0, 1), got {short(self.dead_band)}.")
        check(self, "discharge", "density", "transition", positive=True)

    @property
    def coefficient(self) -> float:
        """Flow coefficient K = Cd sqrt(2 / rho)  (m^3/s per m^2 and square root of a pascal)."""
        return self.discharge * math.sqrt(2.0 / self.density)

    def lower(self, row, to) -> None:
        """Write the inputs into the record; area and dead band are among the numbers of the
        cylinder.
        """
        if self.openings is None:
            row["mode"], row["input"][0] = SPOOL, to.input(self.spool, "Valve: spool")
            return
        row["mode"] = OPENINGS
        for k, opening in enumerate(self.openings):
            row["input"][k] = to.input(opening, f"Valve: opening {k + 1}")


@inline
def rooted(d, transition):
    """s(d)."""
    return d / math.sqrt(math.sqrt(d * d + transition * transition))


@inline
def edges(tables, work, force, t, area, dead_band):
    """The four openings at this time."""
    if force.mode == OPENINGS:
        return (
            max(input_value(tables, work, t, force.input[0]), 0.0),
            max(input_value(tables, work, t, force.input[1]), 0.0),
            max(input_value(tables, work, t, force.input[2]), 0.0),
            max(input_value(tables, work, t, force.input[3]), 0.0),
        )
    command = input_value(tables, work, t, force.input[0])
    a = area * min(max(abs(command) - dead_band, 0.0) / (1.0 - dead_band), 1.0)
    return (a, 0.0, 0.0, a) if command > 0.0 else (0.0, a, a, 0.0)
