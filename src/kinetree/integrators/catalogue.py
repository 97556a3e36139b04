"""All integrators, in the order in which they were added (append only)."""

from ..errors import no_such
from . import adams, adams_differences, adams_fixed, bdf, bdf_differences, dopri5, euler, lipschitz, rk4, switching
from .contract import Integrator

INTEGRATORS: tuple[Integrator, ...] = (
    Integrator("adams", "Adams-Bashforth-Moulton PECE, variable step and order 1 to 12", 12, True, "Shampine1975",
               adams.advance, adams_differences.ROWS, adams_differences.coefficients, orders=tuple(range(1, 13))),
    Integrator("adams-fixed", "Adams-Bashforth-Moulton PECE, fixed step, chosen order 1 to 8", 4, False, "Hairer1993",
               adams_fixed.advance, adams_fixed.ROWS, adams_fixed.coefficients, orders=tuple(range(1, 9))),
    Integrator("euler", "explicit Euler, fixed step", 1, False, "Hairer1993",
               euler.advance, euler.ROWS),
    Integrator("rk4", "classical Runge-Kutta, fixed step", 4, False, "Kutta1901",
               rk4.advance, rk4.ROWS),
    Integrator("dopri5", "Dormand-Prince 5(4), variable step", 5, True, "Dormand1980",
               dopri5.advance, dopri5.ROWS),
    Integrator("bdf", "backward differentiation for stiff systems, variable step and order 1 to 5", 5, True, "Shampine1997",
               bdf.advance, bdf_differences.ROWS, bdf_differences.coefficients, matrices=2, orders=tuple(range(1, 6))),
    Integrator("switching", "Adams or BDF, by the Lipschitz constant and the cost", 12, True, "Han1994",
               switching.advance, bdf_differences.ROWS + lipschitz.ROWS, bdf_differences.coefficients, matrices=2),
)


def find(name: str) -> Integrator:
    """The integrator of that name."""
    for entry in INTEGRATORS:
        if entry.name == name:
            return entry
    raise no_such("integrator", name, [entry.name for entry in INTEGRATORS])
