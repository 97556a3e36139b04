"""All integrators, in the order in which they were added (append only)."""

from ...errors import no_such
from ...options import (
    CALIBRATE,
    CONVECTED,
    HISTORY,
    LINEARIZE_EVERY,
    PRINTED,
    SPARSE,
    SPECTRAL_RADIUS,
    THRESHOLD,
)
from .contract import FIXED, VARIABLE, Integrator, Kernels, Problem, up_to
from .methods import (
    adams,
    adams_fixed,
    adams_formulas,
    bdf,
    bdf_direct,
    bdf_formulas,
    dop853,
    dopri5,
    energy_conserving,
    euler,
    generalized_alpha,
    heun,
    lipschitz,
    midpoint,
    rk4,
    switching,
    trapezoidal,
)
from .newton import pattern as newton_pattern

INTEGRATORS: tuple[Integrator, ...] = (
    Integrator(
        "adams",
        "Adams-Bashforth-Moulton PECE, variable step and order 1 to 12",
        12,
        (*VARIABLE, up_to(12, default=12)),
        "Shampine1975",
        Kernels(adams.start, adams.step, adams.dense),
        adams_formulas.ROWS,
        adams_formulas.coefficients,
    ),
    Integrator(
        "adams-fixed",
        "Adams-Bashforth-Moulton PECE, fixed step, chosen order 1 to 8",
        4,
        (*FIXED, up_to(8, default=4)),
        "Hairer1993",
        Kernels(adams_fixed.start, adams_fixed.step, adams_fixed.dense),
        adams_fixed.ROWS,
        adams_fixed.coefficients,
    ),
    Integrator.runge_kutta("euler", "explicit Euler, fixed step", euler.TABLEAU, "Hairer1993"),
    Integrator.runge_kutta("rk4", "classical Runge-Kutta, fixed step", rk4.TABLEAU, "Kutta1901"),
    Integrator.runge_kutta(
        "dopri5", "Dormand-Prince 5(4), variable step", dopri5.TABLEAU, "Dormand1980"
    ),
    Integrator(
        "bdf",
        "backward differentiation for stiff systems, variable step and order 1 to 5, 6 on request",
        5,
        (*VARIABLE, up_to(6, default=5), SPARSE),
        "Shampine1997",
        Kernels(bdf.start, bdf.step, bdf.dense),
        bdf_formulas.ROWS,
        bdf_formulas.coefficients,
        matrices=2,
        layout=newton_pattern.reduced_layout,
        layout_after=newton_pattern.layout_after,
    ),
    Integrator(
        "switching",
        "Adams or BDF, by the Lipschitz constant and the cost",
        12,
        (*VARIABLE, THRESHOLD, CALIBRATE, LINEARIZE_EVERY, SPARSE),
        "Han1994",
        Kernels(switching.start, switching.step, switching.dense),
        bdf_formulas.ROWS + lipschitz.ROWS,
        bdf_formulas.coefficients,
        matrices=2,
        layout=newton_pattern.reduced_layout,
        layout_after=newton_pattern.layout_after,
    ),
    Integrator.runge_kutta("heun", "Heun's method, fixed step", heun.TABLEAU, "Hairer1993"),
    Integrator.runge_kutta(
        "dop853", "Dormand-Prince 8(5, 3), variable step", dop853.TABLEAU, "Hairer1993"
    ),
    Integrator(
        "bdf-direct",
        "backward differentiation of the constrained equations, sparse, variable step and order 1 "
        "to 5",
        5,
        (*VARIABLE, up_to(5, default=5)),
        "Gear1985",
        Kernels(bdf_direct.start, bdf_direct.step, bdf.dense),
        bdf_formulas.ROWS,
        bdf_formulas.coefficients,
        handles=frozenset({Problem.MACHINE}),
        layout=newton_pattern.direct_layout,
        layout_after=newton_pattern.direct_layout_after,
        storage=("M", "G"),
        formulations=("augmented", "tree"),
    ),
    Integrator.structural(
        "energy-conserving",
        "exact energy and momentum, models with beams, fixed or variable step",
        energy_conserving.step,
        "Yun2005",
        PRINTED,
        HISTORY,
        CONVECTED,
    ),
    Integrator.structural(
        "midpoint",
        "midpoint rule, models with beams, fixed or variable step",
        midpoint.step,
        "Hairer2006",
    ),
    Integrator.structural(
        "trapezoidal",
        "trapezoidal rule, models with beams, fixed or variable step",
        trapezoidal.step,
        "Newmark1959",
        PRINTED,
    ),
    Integrator.structural(
        "generalized-alpha",
        "generalized alpha, smooth reactions, models with beams, fixed or variable step",
        generalized_alpha.step,
        "Arnold2007",
        SPECTRAL_RADIUS,
        own_reactions=True,
    ),
)


def find(name: str) -> Integrator:
    """The integrator with this name."""
    for entry in INTEGRATORS:
        if isinstance(name, str) and entry.name == name:
            return entry
    raise no_such("integrator", name, [entry.name for entry in INTEGRATORS])
