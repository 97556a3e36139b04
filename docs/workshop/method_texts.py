"""What the reference adds to the catalogues of formulations and integrators: the method in one or two
sentences, its equation, and when to use it.
"""

from __future__ import annotations

from typing import NamedTuple


class Text(NamedTuple):
    """About one method."""

    method: str
    equation: str
    use: str


NULL_SPACE = (
    r"N^T M N\, \ddot z = N^T (f - M a), \qquad \dot v = a + N \ddot z, \qquad G a = \gamma, "
    r"\quad G N = 0"
)
AUGMENTED = (
    r"\begin{bmatrix} M & G^T \\ G & 0 \end{bmatrix}"
    r"\begin{bmatrix} \dot v \\ \lambda \end{bmatrix} ="
    r"\begin{bmatrix} f \\ \gamma \end{bmatrix}"
)
PARTITION = (
    r"v = \begin{bmatrix} v_d \\ v_i \end{bmatrix}, \qquad "
    r"v_d = G_d^{-1} (\nu - G_i v_i), \qquad G = [\, G_d \;\; G_i \,]"
)
PRINTED = "Use it only to reproduce the paper."

FORMULATIONS = {
    "augmented": Text(
        "Solves for accelerations and Lagrange multipliers together. After each step, positions "
        "and velocities are projected onto the constraints with the smallest change in the mass "
        "norm. One factorized matrix serves both.",
        AUGMENTED,
        "The default for models with closed loops, in both kinds of coordinates.",
    ),
    "tree": Text(
        "Computes the accelerations of an open tree body by body, with the articulated-body "
        "algorithm. The cost grows linearly with the number of bodies.",
        r"\dot v = M(q)^{-1} f(t, q, v), \quad \text{without forming } M",
        "The default for models without closed loops and without constraints.",
    ),
    "projection": Text(
        "Reduces the equations to a basis of the null space of G. The basis comes from the "
        "pseudo-inverse of G and is carried from step to step by projection.",
        NULL_SPACE,
        "A null-space method at about the cost of `augmented` in relative coordinates.",
    ),
    "qr": Text(
        "Reduces the equations to a basis of the null space of G, from a Householder QR "
        "factorization of the transposed Jacobian.",
        NULL_SPACE,
        "To compare null-space methods.",
    ),
    "svd": Text(
        "Reduces the equations to a basis of the null space of G, from a singular value "
        "decomposition at every evaluation.",
        NULL_SPACE,
        "To compare null-space methods; it is the most expensive of them.",
    ),
    "svd-velocity": Text(
        "As `svd`, but the decomposition is kept as long as the old basis spans 90 % of the "
        "velocity.",
        NULL_SPACE,
        "To compare null-space methods.",
    ),
    "svd-update": Text(
        "As `svd`, with one decomposition at the start. Afterwards the basis is updated by "
        "orthogonal projection onto the null space.",
        NULL_SPACE,
        "To compare null-space methods.",
    ),
    "partitioning": Text(
        "Chooses independent coordinates by Gaussian elimination with full pivoting. The dependent "
        "ones follow from the constraints; the choice is renewed as the basis grows.",
        PARTITION,
        "To compare with the classical coordinate partitioning.",
    ),
    "partitioning-qr": Text(
        "As `partitioning`, with the independent coordinates from a QR factorization with column "
        "pivoting.",
        PARTITION,
        "To compare with the classical coordinate partitioning.",
    ),
    "baumgarte": Text(
        "Adds a spring and a damper to each constraint equation. Violations decay during the "
        "integration, and states are not projected.",
        r"M \dot v + G^T \lambda = f, \qquad "
        r"G \dot v = \gamma - 2 \alpha (G v - \nu) - \beta^2 g, \quad \alpha = \beta",
        "Where loops need not close to rounding. Choose `stabilisation` for the time scale of the "
        "model.",
    ),
    "overdetermined": Text(
        "Projects positions and velocities together by least squares after each step, so that a "
        "correction of the position accounts for its effect on the velocity.",
        r"\begin{bmatrix} G & 0 \\ (G v)_q / s & G \end{bmatrix}"
        r"\begin{bmatrix} \Delta q \\ \Delta v / s \end{bmatrix} ="
        r"- \begin{bmatrix} g \\ (G v - \nu) / s \end{bmatrix}",
        "To compare projections; it costs more than `augmented`.",
    ),
    "projection-literal": Text(
        "The projection method as printed: reduced rates are integrated in a basis that shrinks "
        "from step to step, which damps the motion.",
        r"P_{NT} = P_N(q)\, P_T(q_\text{previous})",
        PRINTED,
    ),
    "projection-literal-drive": Text(
        "As `projection-literal` with a renormalized basis, but without the term of prescribed "
        "motions.",
        r"M_{11} \ddot z = P_{NT}^T (f - M I_R a)",
        PRINTED,
    ),
    "augmented-printed": Text(
        "As `augmented`, with the mass-weighted projection iterated to its minimum.",
        r"\min \tfrac12 (q - q^*)^T M (q - q^*) \quad \text{subject to} \quad g(q) = 0",
        "Use it to reproduce the paper; `augmented` gives the same motion at lower cost.",
    ),
    "qr-update": Text(
        "As `qr`, with one factorization at the start. Afterwards the basis is updated by an "
        "inverse, so that the reduced rates keep their directions.",
        NULL_SPACE,
        "To compare null-space methods.",
    ),
    "partitioning-printed": Text(
        "As `partitioning`, but only the independent coordinates are integrated. The choice is "
        "renewed by the number of corrections.",
        PARTITION,
        PRINTED,
    ),
    "svd-printed": Text(
        "Integrates the reduced rates in the basis of each decomposition. The rotation of this "
        "basis is ignored, so that the motion is wrong unless the basis is constant.",
        r"\dot q = V_2 \dot z",
        PRINTED,
    ),
}

DISCRETE = (
    r"M \frac{v_f - v_i}{h} = \bar f - \bar G^T \lambda, \qquad "
    r"\frac{q_f - q_i}{h} = \frac{v_f + v_i}{2}, \qquad g(q_f) = 0"
)
INTEGRATORS = {
    "adams": Text(
        "Adams-Bashforth predictor, Adams-Moulton corrector, two evaluations per step. Step and "
        "order follow from the estimated error.",
        r"y_{n+1} = y_n + h \sum_{i=0}^{k} \beta_i f_{n+1-i}",
        "The default. It needs the fewest evaluations in smooth motions at tight tolerances.",
    ),
    "adams-fixed": Text(
        "Adams-Bashforth-Moulton with a fixed step and a chosen order.",
        r"y_{n+1} = y_n + h \sum_{i=0}^{k} \beta_i f_{n+1-i}",
        "Where a fixed step of high order is needed.",
    ),
    "euler": Text(
        "Explicit Euler method.",
        r"y_{n+1} = y_n + h f(t_n, y_n)",
        "For teaching only.",
    ),
    "rk4": Text(
        "The classical Runge-Kutta method, four evaluations per step.",
        r"y_{n+1} = y_n + \tfrac{h}{6} (k_1 + 2 k_2 + 2 k_3 + k_4)",
        "Where fixed steps are needed, for example with a sampled controller.",
    ),
    "dopri5": Text(
        "Dormand and Prince's Runge-Kutta pair of orders 5 and 4.",
        r"y_{n+1} = y_n + h \sum_{i=1}^{7} b_i k_i, \qquad "
        r"e = h \sum_{i=1}^{7} (b_i - \hat b_i) k_i",
        "Loose tolerances (rtol 1e-7 or larger), and models with many events.",
    ),
    "bdf": Text(
        "Backward differentiation formulas. Each step solves a nonlinear system by Newton's method "
        "and then projects the state onto the constraints.",
        r"\sum_{i=0}^{k} \alpha_i y_{n+1-i} = h f(t_{n+1}, y_{n+1})",
        "Stiff models: oil under pressure, bushings, strong dampers.",
    ),
    "switching": Text(
        "Estimates the stiffness L during the run and uses `adams` or `bdf`, whichever costs less. "
        "The history is transferred at a change.",
        r"\begin{gathered} L = \rho(f_y) \\ L < L_\text{crit} \Rightarrow \text{Adams}, \qquad "
        r"L \ge L_\text{crit} \Rightarrow \text{BDF} \end{gathered}",
        "Models that are stiff for a part of the run, or of unknown stiffness.",
    ),
    "heun": Text(
        "Heun's method, two evaluations per step.",
        r"y_{n+1} = y_n + \tfrac{h}{2} (k_1 + k_2)",
        "For teaching and for comparisons.",
    ),
    "dop853": Text(
        "Dormand and Prince's Runge-Kutta method of order 8 with error estimates of orders 5 and 3.",
        r"y_{n+1} = y_n + h \sum_{i=1}^{12} b_i k_i",
        "Tight tolerances (rtol 1e-10 or smaller) with many events.",
    ),
    "bdf-direct": Text(
        "Backward differentiation of the constrained equations themselves. Positions, velocities "
        "and multipliers at the end of the step are the unknowns of one sparse system.",
        r"\dot q = N v - G^T \mu, \qquad M \dot v = f - G^T \lambda, \qquad g = 0, \quad G v = \nu",
        "Stiff models with many bodies.",
    ),
    "energy-conserving": Text(
        "Steps with discrete gradients of the forces and discrete derivatives of the joints. Energy "
        "and momentum balance exactly at any step size.",
        DISCRETE,
        "The default for models with beams.",
    ),
    "midpoint": Text(
        "Forces at the middle of the step, discrete derivatives of the joints.",
        DISCRETE,
        "To compare structural integrators; energy is not conserved exactly.",
    ),
    "trapezoidal": Text(
        "Mean of the forces at both ends of the step.",
        r"M \frac{v_f - v_i}{h} = \frac{f_i + f_f}{2} - \bar G^T \lambda",
        "To compare structural integrators; energy is not conserved exactly.",
    ),
    "generalized-alpha": Text(
        "Second-order method with adjustable damping of fast oscillations. The equations hold at "
        "the end of the step, so that the reactions are smooth.",
        r"(1 - \alpha_m)\, a_{n+1} + \alpha_m a_n = (1 - \alpha_f)\, \dot v_{n+1} + \alpha_f \dot v_n",
        "Flexible models in which fast vibrations are of no interest.",
    ),
    "time-stepping": Text(
        "Velocities at the end of a step of fixed length from a convex problem with all contacts of "
        "`Model.contact_group`, then positions with these velocities. Forces of other elements are "
        "those at the start of the step. First order.",
        r"v_{n+1} = \arg\min_v \tfrac12 |v - v_n - h \dot v_n|_M^2 "
        r"+ \sum_c \tfrac12 |P_K(R^{-1} (b - u_c(v)))|_R^2, \qquad q_{n+1} = q_n \oplus h\, v_{n+1}",
        "Stacks, walls and heaps with rigid contact and friction, also with machines in them.",
    ),
}
