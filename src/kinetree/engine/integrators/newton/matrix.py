"""Matrix of an implicit step over the structure of a model: its parts, its factors, its solution.

    matrix = P + c C + c^2 K           [ M + c C + c^2 K    -c f_x       G^T ]
                                       [  ...            1 - c xdot_x     0  ]
                                       [ G + ...              0           0  ]

M is never inverted, so the matrix stays sparse. P is M, 1 and G; K and C are derivatives by
positions and by velocities. direct_differences.py fills them for the degrees of freedom of the
tree, body_equations.py for the twists of its bodies. The unknowns are velocities, states and
multipliers. Above the diagonal is the transpose of G, without its derivatives.

Rows of `run.unknowns`, each with one number per unknown:

    RIGHT     right-hand side of the linear equations, then their solution; increments
    BASE      residual at the state of the derivatives
    OTHER     residual at a perturbed state; scratch of a correction
    A         accelerations, wrenches of the joints (body_equations.py)
    LAM       multipliers of the iteration
    KEPT      multipliers of the last iteration that converged, their time in the last place
              (multipliers.py)
    W         velocities w (direct_steps.py), origins of the bodies (body_equations.py)
    INVERSE   inverse pivots or row exchanges of the factorization
    MOVED     permuted vector of a solution; members of a perturbed group
    PAD       inertia added to degrees of freedom without inertia of their own; body by body, then
              the least inertias of joint velocities, in the places of the joint reactions
    INERTIA   diagonal of M, at least PAD
    EXCHANGES rows of the matrix body by body that were exchanged (lu_of_nodes.py)
    PAST      multipliers of the last DEPTH steps, their times in the last place (multipliers.py)
"""

from ....kernel.algebra.blas1 import fill
from ....kernel.algebra.ldl import factor_lu
from ....kernel.algebra.ldl import solve_lu as solve_sparse
from ....kernel.algebra.ldl import solve_lu_twice as solve_sparse_twice
from ....kernel.algebra.lu import factorise_lu, solve_lu
from ....kernel.algebra.lu_of_nodes import factor_nodes, solve_nodes
from ....kernel.decorators import inline, internal_kernel
from .full_jacobian import ANY_RATE

RIGHT, BASE, OTHER, A, LAM, KEPT, W, INVERSE, MOVED, PAD, INERTIA, EXCHANGES, PAST = range(13)
DEPTH = 5  # steps whose multipliers are kept
VECTORS = PAST + DEPTH  # rows of `run.unknowns`
BY_POSITION, BY_VELOCITY, PRESENT = range(3)  # rows of `run.entries`: K, C, P


@inline
def groups(lists):
    """Start of each group of columns, and the members of all groups."""
    return lists[lists[0] : lists[1]], lists[lists[1] : lists[2]]


@inline
def columns(lists):
    """Start of the entries of each column, their rows, and their positions in packed M and G."""
    return lists[lists[2] : lists[3]], lists[lists[3] : lists[4]], lists[lists[4] : lists[5]]


@inline
def places(lists):
    """Positions of entries in the factors, of their mirror images, and of each unknown.

    Empty for a dense factorization.
    """
    return lists[lists[5] : lists[6]], lists[lists[6] : lists[7]], lists[lists[7] : lists[8]]


@inline
def elimination(lists):
    """Lists of the sparse factorization."""
    return (
        lists[lists[8] : lists[9]],
        lists[lists[9] : lists[10]],
        lists[lists[10] : lists[11]],
        lists[lists[11] : lists[12]],
        lists[lists[12] : lists[13]],
    )


@inline
def unknowns(lists):
    """Number of velocities, of states, and of all unknowns."""
    return lists[lists[13]], lists[lists[13] + 1], lists[lists[13] + 2]


@inline
def loops(lists):
    """Index of the first multiplier of a constraint; those of joints may precede it."""
    return lists[lists[13] + 3]


@inline
def first_speed(lists):
    """Index of the first joint velocity; twists of bodies may precede it."""
    return lists[lists[13] + 4]


@inline
def load_groups(lists):
    """Groups as in `groups`, for the derivatives of force elements alone; empty: not available."""
    return lists[lists[14] : lists[15]], lists[lists[15] : lists[16]]


@inline
def load_entries(lists):
    """Whether force elements contribute to each entry."""
    return lists[lists[16] : lists[17]]


@inline
def row_entries(lists):
    """Entries of the rows of constraints over the bodies, in the order of `store_rows`."""
    return lists[lists[17] : lists[18]]


@inline
def exchanged_nodes(lists):
    """Nodes of the factorization inside which rows are exchanged; empty: none are."""
    return lists[lists[18] : lists[19]]


@inline
def fill_dense(work, run, c, matrix):
    """Fill the matrix as a dense one; a row that is not selected gets 1 on its diagonal."""
    free, nx, size = unknowns(run.lists)
    first, row, _ = columns(run.lists)
    K, C, P = run.entries[BY_POSITION], run.entries[BY_VELOCITY], run.entries[PRESENT]
    for i in range(size):
        fill(matrix[i], 0.0)
    for j in range(free + nx):
        for e in range(first[j], first[j + 1]):
            r = row[e]
            matrix[r, j] = P[e] + c * (C[e] + c * K[e])
            if r >= free + nx:
                matrix[j, r] = P[e]
    for k in range(work.report[0].rank, work.selected.shape[0]):
        r = loops(run.lists) + work.selected[k]
        for j in range(free):
            matrix[r, j] = matrix[j, r] = 0.0
        matrix[r, r] = 1.0


@inline
def fill_sparse(work, run, c, used, both):
    """Fill the sparse matrix: entries below the diagonal, then those to the right of it.

    There is no exchange of rows, so a degree of freedom without inertia of its own, which
    constraints hold, gets a little. Its effect on the multipliers vanishes with the corrections.

    Writes  both, the matrix; used, zero for rows that are not selected
    """
    free, nx, _ = unknowns(run.lists)
    pad = run.unknowns[PAD]
    first, row, _ = columns(run.lists)
    at, across, place = places(run.lists)
    K, C, P = run.entries[BY_POSITION], run.entries[BY_VELOCITY], run.entries[PRESENT]
    fill(both, 0.0)
    fill(used, 1.0)
    for k in range(work.report[0].rank, work.selected.shape[0]):
        r = loops(run.lists) + work.selected[k]
        used[r], both[place[r]] = 0.0, 1.0
    for j in range(free + nx):
        for e in range(first[j], first[j + 1]):
            r = row[e]
            if used[r] != 0.0:
                both[at[e]] = P[e] + c * (C[e] + c * K[e]) + (pad[j] if r == j else 0.0)
                if r >= free + nx:
                    both[across[e]] = P[e]


@internal_kernel
def factorize_structure(work, run, c):
    """Factorize the matrix for steps with c; False if it is singular."""
    memory, size, space = run.memory[0], unknowns(run.lists)[2], run.factors
    memory.c, memory.rate, memory.factorizations = c, ANY_RATE, memory.factorizations + 1
    if places(run.lists)[2].shape[0] == 0:
        matrix = space[: size * size].reshape((size, size))
        fill_dense(work, run, c, matrix)
        return factorise_lu(matrix, run.unknowns[INVERSE])
    fill_sparse(work, run, c, run.unknowns[MOVED], space)
    return factorize_sparse(run) < 0


@inline
def factorize_sparse(run):
    """The position of a zero pivot, or -1."""
    space, inverse, nodes = run.factors, run.unknowns[INVERSE], exchanged_nodes(run.lists)
    lower, upper = space[: space.shape[0] // 2], space[space.shape[0] // 2 :]
    first, row, run_first, run_at, run_count = elimination(run.lists)
    if nodes.shape[0] == 0:
        return factor_lu(first, row, run_first, run_at, run_count, lower, upper, inverse)
    return factor_nodes(
        first,
        row,
        run_first,
        run_at,
        run_count,
        nodes,
        lower,
        upper,
        inverse,
        run.unknowns[EXCHANGES],
    )


@internal_kernel
def solve_structure(run, x):
    """x <- matrix^-1 x, in the order of the unknowns."""
    size = x.shape[0]
    space, inverse, place = run.factors, run.unknowns[INVERSE], places(run.lists)[2]
    if place.shape[0] == 0:
        solve_lu(space[: size * size].reshape((size, size)), inverse, x)
        return
    moved, half = run.unknowns[MOVED], space.shape[0] // 2
    for i in range(size):
        moved[place[i]] = x[i]
    first, row = elimination(run.lists)[:2]
    nodes, exchanges = exchanged_nodes(run.lists), run.unknowns[EXCHANGES]
    if nodes.shape[0] == 0:
        solve_sparse(first, row, space[:half], space[half:], inverse, moved)
    else:
        solve_nodes(first, row, nodes, space[:half], space[half:], inverse, exchanges, moved)
    for i in range(size):
        x[i] = moved[place[i]]


@internal_kernel
def solve_structure_twice(run, x, y):
    """x <- matrix^-1 x and y <- matrix^-1 y.

    Overwrites  rows MOVED and BASE
    """
    place = places(run.lists)[2]
    if place.shape[0] == 0 or exchanged_nodes(run.lists).shape[0] > 0:
        solve_structure(run, x)
        solve_structure(run, y)
        return
    first, second, half = run.unknowns[MOVED], run.unknowns[BASE], run.factors.shape[0] // 2
    for i in range(x.shape[0]):
        first[place[i]], second[place[i]] = x[i], y[i]
    begin, below = elimination(run.lists)[:2]
    solve_sparse_twice(
        begin,
        below,
        run.factors[:half],
        run.factors[half:],
        run.unknowns[INVERSE],
        first,
        second,
    )
    for i in range(x.shape[0]):
        x[i], y[i] = first[place[i]], second[place[i]]


@internal_kernel
def multiply_present(run, x, out):
    """out <- P x over all rows, for x over the velocities."""
    free = unknowns(run.lists)[0]
    first, row, _ = columns(run.lists)
    P = run.entries[PRESENT]
    fill(out, 0.0)
    for j in range(free):
        if x[j] != 0.0:
            for e in range(first[j], first[j + 1]):
                out[row[e]] += P[e] * x[j]
