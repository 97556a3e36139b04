"""The formulations by name. Entries are only appended."""

from __future__ import annotations

from ...errors import no_such
from ...kernel.decorators import pointer
from ...kernel.tables.signatures import signatures
from ...kernel.tables.workspace import NODES, NULL_SPACE, ROWS, TOGETHER
from ...options import CLOSURE, SPARSE, STABILISATION
from . import augmented, baumgarte, overdetermined, projection_literal, reduced, tree, variants
from . import nodal as nodes
from .contract import Formulation

CLOSED = (CLOSURE, SPARSE)  # options of formulations that project states onto the constraints

FORMULATIONS: tuple[Formulation, ...] = (
    Formulation(
        "augmented",
        "augmented equations, mass-weighted projection with one factorized matrix",
        augmented.rhs,
        augmented.project,
        True,
        "Lee1994",
        options=CLOSED,
        storage=ROWS,
    ),
    Formulation(
        "tree",
        "open trees by the articulated-body algorithm",
        tree.rhs,
        tree.project,
        False,
        "Featherstone1983",
        storage=(),
    ),
    Formulation(
        "projection",
        "null space by pseudo-inverse and projection, parallel transport of the basis",
        reduced.rhs,
        reduced.project,
        True,
        "Kim1997",
        variants.PROJECTION,
        options=CLOSED,
        storage=NULL_SPACE,
    ),
    Formulation(
        "qr",
        "null space by Householder QR of the Jacobian",
        reduced.rhs,
        reduced.project,
        True,
        "Kim1986",
        variants.QR,
        options=CLOSED,
        storage=NULL_SPACE,
    ),
    Formulation(
        "svd",
        "null space by singular values, renewed at every evaluation",
        reduced.rhs,
        reduced.project,
        True,
        "LeeJoo",
        variants.SVD,
        options=CLOSED,
        storage=NULL_SPACE,
    ),
    Formulation(
        "svd-velocity",
        "null space by singular values, renewed when the old basis no longer spans the velocity",
        reduced.rhs,
        reduced.project,
        True,
        "Mani1985",
        variants.SVD_VELOCITY,
        options=CLOSED,
        storage=NULL_SPACE,
    ),
    Formulation(
        "svd-update",
        "null space by singular values once, then updated by orthogonal projection",
        reduced.rhs,
        reduced.project,
        True,
        "Kim1986",
        variants.SVD_UPDATE,
        options=CLOSED,
        storage=NULL_SPACE,
    ),
    Formulation(
        "partitioning",
        "coordinate partitioning by elimination with full pivoting, renewed as its basis grows",
        reduced.rhs,
        reduced.project,
        True,
        "Han1994",
        variants.PARTITION_LU,
        options=CLOSED,
        storage=NULL_SPACE,
    ),
    Formulation(
        "partitioning-qr",
        "coordinate partitioning by pivoted QR, renewed as its basis grows",
        reduced.rhs,
        reduced.project,
        True,
        "Han1994",
        variants.PARTITION_QR,
        options=CLOSED,
        storage=NULL_SPACE,
    ),
    Formulation(
        "baumgarte",
        "constraint stabilization without projection",
        baumgarte.rhs,
        baumgarte.project,
        True,
        "Baumgarte1972",
        exact=False,
        options=(STABILISATION, SPARSE),
        storage=ROWS,
    ),
    Formulation(
        "overdetermined",
        "positions and velocities projected together by least squares",
        overdetermined.rhs,
        overdetermined.project,
        True,
        "Fuehrer1991",
        options=(CLOSURE,),
        storage=TOGETHER,
    ),
    Formulation(
        "projection-literal",
        "the projection method as printed: the basis shrinks (to show the erratum)",
        projection_literal.rhs,
        projection_literal.project,
        True,
        "Kim1997",
        projection_literal.LITERAL,
        exact=False,
        options=(CLOSURE,),
        storage=NULL_SPACE,
    ),
    Formulation(
        "projection-literal-drive",
        "renormalized, but without the term of drivers (to show the erratum)",
        projection_literal.rhs,
        projection_literal.project,
        True,
        "Kim1997",
        projection_literal.RHEONOMIC,
        exact=False,
        options=(CLOSURE,),
        storage=NULL_SPACE,
    ),
    Formulation(
        "augmented-printed",
        "augmented equations, the mass-weighted projection iterated to its minimum as printed",
        augmented.rhs,
        augmented.project,
        True,
        "Lee1994",
        augmented.PRINTED,
        options=CLOSED,
        storage=ROWS,
    ),
    Formulation(
        "qr-update",
        "null space by QR once, then updated by an inverse so that the reduced rates keep their "
        "directions",
        reduced.rhs,
        reduced.project,
        True,
        "Kim1986",
        variants.QR_UPDATE,
        options=CLOSED,
        storage=NULL_SPACE,
    ),
    Formulation(
        "partitioning-printed",
        "only independent coordinates are integrated, renewed by the number of corrections",
        reduced.rhs,
        reduced.project,
        True,
        "Han1994",
        variants.PARTITION_PRINTED,
        options=CLOSED,
        storage=NULL_SPACE,
    ),
    Formulation(
        "svd-printed",
        "integration of the reduced rates as printed, whose basis rotates (to show the erratum)",
        projection_literal.rhs,
        projection_literal.project,
        True,
        "LeeJoo",
        projection_literal.SVD_PRINTED,
        exact=False,
        options=(CLOSURE,),
        storage=NULL_SPACE,
    ),
)
NODE_COORDINATES = Formulation(
    "nodes",
    "free bodies and sparse block elimination, for the structural integrators",
    nodes.rhs,
    nodes.project,
    True,
    "Yun2005",
    storage=NODES,
)


def formulation(name: str, contacts: bool = False) -> Formulation:
    """The formulation of that name, with the `contacts` of a model that has some."""
    for entry in (*FORMULATIONS, NODE_COORDINATES):
        if isinstance(name, str) and entry.name == name:
            return entry.with_contacts() if contacts else entry
    raise no_such("formulation", name, [f.name for f in FORMULATIONS])


def compile_kernels(kernels: str) -> None:
    """Compile or load the kernels of a module of formulations."""
    entry = next(f for f in (*FORMULATIONS, NODE_COORDINATES) if f.kernels == kernels)
    _, _, rhs, project = signatures()
    pointer(entry.rhs, rhs)
    pointer(entry.project, project)
