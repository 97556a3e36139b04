"""Rule of the switching method: the cheaper one of two methods [Han1994, sec. 4.5].

    L < L_crit  =>  Adams (PECE),        L >= L_crit  =>  BDF,        back to Adams below 0.7 L_crit

L_crit = 1500 1/s belongs to one program and one computer; the cost per second of motion decides.
Unless `calibrate` is off, the threshold only favors one method, and costs decide: those of the
present method are measured, those of the other one are predicted from the steps that it could take,

    BDF     accuracy:   CAREFUL ERROR_q h nabla^q f <= 1 of the best order q, from the differences
                        of the Adams method
    Adams   stability:  h L <= 0.5 (Adams is left where this limits it)
            accuracy:   longer steps than BDF, the more so the tighter the tolerance
"""

from ....kernel.decorators import inline
from ..error_norm import norm
from . import bdf
from .adams_formulas import PHI, WEIGHT
from .bdf_formulas import ERROR, USUAL
from .switching_transfer import STABLE

WATCH = 25  # Adams steps between estimates of L, which then cost four percent
BACK = 0.7  # hysteresis of L, and of predicted against measured costs
AGAIN = 1.5  # change of L after which a reversed change of method is tried again
EDGE = 0.1  # h L below which stability does not limit Adams steps
# Adams steps are about rtol^LONGER times those of BDF where accuracy limits both
LONGER = -1.0 / 13.0
PER_STEP, PER_ADAMS_STEP = 1.6, 2.0  # evaluations of a step
PER_JACOBIAN = 25.0  # steps a Jacobian serves, about
FURTHEST = 100.0  # Adams steps: longest predicted BDF step


@inline
def cost(run):
    """Work so far, in evaluations."""
    return run.memory[0].evaluations + run.control[0].per_factors * run.memory[0].factorizations


@inline
def open_window(run):
    """Start the measurement of the cost."""
    memory = run.memory[0]
    memory.window_t, memory.window_cost = memory.t, cost(run)


@inline
def measured_cost(run):
    """Cost per second of motion since the start of the measurement."""
    memory = run.memory[0]
    return (cost(run) - memory.window_cost) / max(memory.t - memory.window_t, 1e-300)


@inline
def predicted_bdf_cost(memory, control, vectors):
    """Cost per second of motion with BDF, from the step that its accuracy allows."""
    best = 0.0
    for q in range(1, min(USUAL, memory.order_used) + 1):
        e = bdf.CAREFUL * ERROR[q] * memory.h_used * norm(vectors[PHI + q + 1], vectors[WEIGHT])
        best = max(best, e ** (-1.0 / (q + 1)) if e > 0.0 else bdf.LARGEST)
    h = min(bdf.SAFETY * min(best, FURTHEST) * memory.h_used, control.h_max, memory.longest)
    return (PER_STEP + control.per_jacobian / PER_JACOBIAN + control.per_factors / USUAL) / h


@inline
def predicted_adams_cost(memory, control):
    """Cost per second of motion with Adams, from its stability and accuracy."""
    return PER_ADAMS_STEP * max(memory.L / STABLE, 1.0 / (control.rtol**LONGER * memory.h_used))


@inline
def wants_bdf(memory, control, vectors, here):
    """Whether to leave Adams, which costs `here`."""
    stiff = memory.L >= memory.threshold
    if control.calibrate == 0:
        return stiff
    bound = memory.L * (memory.t - memory.window_t) / WATCH
    if memory.L <= AGAIN * memory.bdf_failed_L or bound < EDGE:
        return False
    return (
        bound > STABLE
        or predicted_bdf_cost(memory, control, vectors) < (1.0 if stiff else BACK) * here
    )


@inline
def wants_adams(memory, control, here):
    """Whether to leave BDF, which costs `here`."""
    easy = memory.L < BACK * memory.threshold
    if control.calibrate == 0:
        return easy
    if memory.L * AGAIN >= memory.adams_failed_L:
        return False
    return predicted_adams_cost(memory, control) < (1.0 if easy else BACK) * here
