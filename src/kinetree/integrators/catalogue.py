"""All integrators, in the order in which they were added (append only)."""

from ..errors import no_such
from ..options import CALIBRATE, THRESHOLD
from . import adams, adams_differences, adams_fixed, bdf, bdf_differences, dopri5, euler, lipschitz, rk4, switching
from .contract import FIXED, VARIABLE, Integrator, up_to

INTEGRATORS: tuple[Integrator, ...] = (
    Integrator("adams", "Adams-Bashforth-Moulton PECE, variable step and order 1 to 12", 12,
               (*VARIABLE, up_to(12, default=12)), "Shampine1975",
               adams.advance, adams_differences.ROWS, adams_differences.coefficients),
    Integrator("adams-fixed", "Adams-Bashforth-Moulton PECE, fixed step, chosen order 1 to 8", 4,
               (*FIXED, up_to(8, default=4)), "Hairer1993",
               adams_fixed.advance, adams_fixed.ROWS, adams_fixed.coefficients),
    Integrator("euler", "explicit Euler, fixed step", 1, FIXED, "Hairer1993",
               euler.advance, euler.ROWS),
    Integrator("rk4", "classical Runge-Kutta, fixed step", 4, FIXED, "Kutta1901",
               rk4.advance, rk4.ROWS),
    Integrator("dopri5", "Dormand-Prince 5(4), variable step", 5, VARIABLE, "Dormand1980",
               dopri5.advance, dopri5.ROWS),
    Integrator("bdf", "backward differentiation for stiff systems, variable step and order 1 to 5", 5,
               (*VARIABLE, up_to(5, default=5)), "Shampine1997",
               bdf.advance, bdf_differences.ROWS, bdf_differences.coefficients, matrices=2),
    Integrator("switching", "Adams or BDF, by the Lipschitz constant and the cost", 12,
               (*VARIABLE, THRESHOLD, CALIBRATE), "Han1994",
               switching.advance, bdf_differences.ROWS + lipschitz.ROWS, bdf_differences.coefficients, matrices=2),
)


def find(name: str) -> Integrator:
    """The integrator of that name."""
    for entry in INTEGRATORS:
        if entry.name == name:
            return entry
    raise no_such("integrator", name, [entry.name for entry in INTEGRATORS])
