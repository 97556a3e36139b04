"""Constraint by a user function of time and of two markers, or of joint coordinates.

The function is written once; its derivatives are exact (kernel/jet_function.py). `user_rows.py` has
the equations between markers, `user_relation.py` those between joint coordinates.
"""

from __future__ import annotations

import dis
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...core.checks import a_function, check_flags, check_rows, whole
from ...core.quantities import Reference
from ...errors import ModelError
from ...kernel.frames import IDENTITY
from ...kernel.usercode.registry import address_of
from ...kernel.usercode.shapes import ARGUMENTS, MARKER, python_of
from ..joints.contract import check_coordinate
from .contract import Constraint, Effort, Loads
from .user_check import check_equation, coordinate_jets, marker_jets

MOST_ROWS = 6


@dataclass(frozen=True)
class UserConstraint(Constraint):
    r"""Equation by a Python function of time and of two markers, or of joint coordinates.

    Parameters
    ----------
    function : callable
        Function(t, a, b, parameters) that returns the value that must be zero; with `coordinates`
        function(t, s, parameters), or function(t, s, sdot, parameters) if `velocity` is True. It is
        compiled once, with its derivatives.
    parameters : tuple of float, default ()
        Numbers that are passed to the function.
    coordinates : tuple of str, default ()
        Names of joint coordinates, such as ("A.angle", "B.displacement"), instead of markers.
    rows : int, default 1
        Number of equations: the function returns a tuple of this size if there are several.
    velocity : bool, default False
        Whether the equation is one of velocities alone (non-holonomic). It must be linear in them.
    angle : bool, default False
        Whether the value is an angle (rad) instead of a length (m), for tolerances and units.

    See Also
    --------
    kt.UserForce : Force by user code.
    kt.Coupling : Linear relation between joint coordinates.
    kt.CamFollower : Cam with a follower.
    kt.Rolling : Wheel that rolls without slipping.

    Notes
    -----
    .. math::
        g(t, X_1, X_2) = 0, \qquad\text{or}\qquad g(t, s) = 0, \qquad\text{or}\qquad
        h(t, X, V) = 0

    The function receives

    - `t`, the time (s);
    - `a` and `b`, the two markers, each with `position` (m) and `rotation` (3x3, from marker to
      world axes), and with `velocity=True` also `velocity` (m/s) and `angular_velocity` (rad/s) in
      world axes; with one marker, b is that marker and a the ground at the origin;
    - or `s` and `sdot`, arrays of the joint coordinates and their rates;
    - `parameters`, an array of the numbers above.

    The derivatives of first and second order are computed by Taylor arithmetic of the same
    function, exact up to rounding, also through branches, tables and iterations. A function that
    cannot be compiled runs as plain Python, and its derivatives are differences of order 6. Both
    are compared once, if the equation holds as drawn. The function must have two derivatives. The
    multiplier is the channel `force`: the generalized force on the value (N if the value is a
    length), positive where it acts to increase it. With several rows the channels are `force1`, `force2`, and so on.

    Examples
    --------
    A bead on a parabola.

    >>> import kinetree as kt
    >>> def parabola(t, a, b, parameters):
    ...     return b.position[2] - parameters[0] * b.position[0] ** 2
    >>> model = kt.Model("bead")
    >>> bead = model.body("bead", kt.sphere(0.1, 0.01), position=(0.5, 0, 0.25))
    >>> plane = model.joint("plane", kt.PlanarTranslational("x", "z"), model.ground, bead)
    >>> wire = model.constraint("wire", kt.UserConstraint(parabola, parameters=(1.0,)), bead)
    >>> sol = kt.simulate(model, until=1.0, rtol=1e-9)
    >>> x, z = sol["bead.position.x"], sol["bead.position.z"]
    >>> print(f"{abs(z - x**2).max() < 1e-10}")
    True
    """

    function: Callable
    parameters: tuple[float, ...] = ()
    coordinates: tuple[Reference, ...] = ()
    rows: int = 1
    velocity: bool = False
    angle: bool = False

    kind = "user-constraint"
    markers = (0, 2)

    def __post_init__(self) -> None:
        a_function(self.function, "UserConstraint: function", f"({', '.join(self._arguments)})")
        check_rows(self, parameters=None)
        check_flags(self, "velocity", "angle")
        if isinstance(self.coordinates, str):
            object.__setattr__(self, "coordinates", (self.coordinates,))
        object.__setattr__(self, "coordinates", tuple(self.coordinates))
        for name in self.coordinates:
            check_coordinate(name, "UserConstraint: coordinates")
        object.__setattr__(self, "rows", whole(self.rows, "UserConstraint: rows", 1, MOST_ROWS))

    @property
    def shape(self) -> str:
        """Shape of the function (kernel/usercode/curves.py)."""
        if self.coordinates:
            return "rates" if self.velocity else "coordinates"
        return "motions" if self.velocity else "poses"

    @property
    def _arguments(self) -> tuple[str, ...]:
        return ARGUMENTS[self.shape]

    @property
    def restricts_velocities(self) -> bool:  # type: ignore[override]
        return self.velocity

    @property
    def driven(self) -> bool:
        """Whether the function reads the time."""
        code = getattr(python_of(self.function), "__code__", None)
        if code is None or not code.co_argcount:
            return True
        time = code.co_varnames[0]
        return time in code.co_cellvars or any(
            "FAST" in step.opname and time in _names(step.argval)
            for step in dis.get_instructions(code)
        )

    def mirrored(self, S: np.ndarray) -> UserConstraint:
        raise ModelError(
            "the result of a Python function cannot be mirrored; give this constraint in the file "
            "that uses the assembly."
        )

    def lower(self, to, name, markers) -> None:
        if bool(markers) == bool(self.coordinates):
            raise ModelError(
                "a UserConstraint needs one or two markers, or coordinates=, "
                f"not {'both' if markers else 'neither of them'}."
            )
        if not self.velocity and not self.coordinates:
            _refuse_velocities(self.function)
        address = address_of(self.function, self.shape)
        self._check(address, markers)
        for row in range(self.rows):
            p = self._equation(to, name, markers, row)
            p["aim"] = to.user_aim(address, self.parameters, self.rows, self.driven)

    def _check(self, address: tuple[int, int], markers) -> None:
        """Check the function near the position as drawn."""
        if self.coordinates:
            n = len(self.coordinates)
            check_equation(address, self, coordinate_jets(n), np.arange(n, 2 * n))
            return
        poses = [(marker.body.pose or IDENTITY) @ marker.X_Bm for marker in markers]
        speeds = np.concatenate([np.arange(12, MARKER), np.arange(MARKER + 12, 2 * MARKER)])
        check_equation(address, self, marker_jets([IDENTITY, *poses][-2:]), speeds)

    def _equation(self, to, name, markers, row: int) -> np.void:
        """A new record for one row of the function."""
        if self.coordinates:
            p = to.relation(name, *((to.sensor(one), 1.0) for one in self.coordinates))
            p["first"] = row
        else:
            first, second = (to.model.ground.at(0, 0, 0), *markers)[-2:]
            p = to.between_markers("user-constraint", name, (first, second))
            turns = [to.placed(marker)[1].R for marker in (first, second)]
            p["first"], p["term"] = to.pool(np.concatenate([R.ravel() for R in turns])), row
        if self.velocity:
            p["rates"][0] = 1
        to.row_scale[p["ig"]] = {
            (False, False): 1.0,
            (False, True): 0.0,
            (True, False): 2.0,
            (True, True): -1.0,
        }[self.velocity, self.angle]
        return p

    def effort(self, name: str, units: tuple[str, ...]) -> Effort | None:
        if self.rows > 1:
            return None
        about = f"generalized force of {name}, positive where it acts to increase its value"
        return Effort("N m" if self.angle else "N", about)

    def loads(self, name: str) -> tuple[Loads, ...]:
        unit = "N m" if self.angle else "N"
        about = f"generalized force of {name}, positive where it acts to increase value"
        return tuple(
            Loads(f"force{k + 1}", unit, f"{about} {k + 1}", k, 1)
            for k in range(self.rows if self.rows > 1 else 0)
        )


def _refuse_velocities(function: Callable) -> None:
    """Raise ModelError if an equation of positions reads velocities."""
    code = getattr(python_of(function), "__code__", None)
    for name in ("velocity", "angular_velocity"):
        if code is not None and name in code.co_names:
            raise ModelError(
                f"the function reads {name!r}, but an equation of positions has none; give "
                "velocity=True for an equation of velocities."
            )


def _names(argument: object) -> tuple:
    return argument if isinstance(argument, tuple) else (argument,)
