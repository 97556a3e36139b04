"""Parts from the matrices K and M of another finite element program."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from ..core.checks import instance, whole, word
from ..core.checks import points as rows_of_three
from ..core.regular_files import existing
from ..errors import ModelError, ResultError, no_such, short
from .checks import asymmetry
from .matrix_files import Numbered, matrix_of
from .part import LENGTHS, Part
from .reading import LARGE

ASYMMETRIC = 1e-6  # programs write at least six digits
ALIKE = 1e-6  # the three directions of a mass matrix
UNITS = {"m": "N, m, kg", "mm": "N, mm, tonne"}


def matrices(
    K: Any,
    M: Any,
    nodes: Any = None,
    dofs: Any = None,
    mesh: Part | None = None,
    unit: str | None = None,
    name: str = "part",
) -> Part:
    """Make a part of the stiffness and mass matrices of a finite element program.

    Parameters
    ----------
    K, M : path, sparse matrix or array
        Stiffness and mass, both triangles or one of them. Files: Matrix Market (.mtx, .mm), CalculiX
        (.sti, .mas), Abaqus (.mtx of ``*MATRIX GENERATE``) and Nastran DMIG (.pch).
    nodes : array_like (N, 3), mapping of int to 3 floats, or path, optional
        Positions of the nodes, by rows or by number, or a mesh file that meshio reads. Not needed
        with `mesh`.
    dofs : path or sequence of (int, int), optional
        Node and direction (1, 2, 3) of each row, where the matrices do not state them: the .dof file
        of CalculiX. By default rows are 3 i, 3 i + 1, 3 i + 2 for node i.
    mesh : Part, optional
        The same nodes with elements (`kt.fe.read` of the input file). Stiffening, stresses, pictures
        and pressures need it, since K and M alone do not contain them.
    unit : {"m", "mm"}, optional
        "m": the matrices are in N/m and kg. "mm": in N/mm and tonnes. By default guessed from the
        size of the part, and stated in its report.
    name : str, default "part"
        Name of the part.

    Returns
    -------
    Part
        The part.

    Raises
    ------
    ModelError
        If a matrix is not symmetric, sizes do not match, nodes have rotations, or K is not that of a
        free part.

    Examples
    --------
    >>> import kinetree as kt
    >>> bar = kt.fe.block((1.0, 0.1, 0.1), (4, 1, 1), E=2.1e11, poisson=0.3, density=7850.0)
    >>> again = kt.fe.matrices(bar.K, bar.M, nodes=bar.X, unit="m")
    >>> round(again.mass, 6)
    78.5
    """
    word(name, "matrices: name")
    if mesh is not None:
        instance(mesh, Part, "matrices: mesh", "a part of kt.fe.read")
    stiff, mass = matrix_of(K, "K"), matrix_of(M, "M")
    order = _order(stiff, mass, dofs)
    numbers, X, notes = _nodes(nodes, mesh, order, stiff.matrix.shape[0])
    unit = _unit_of(unit, mesh, X, notes)
    own, K3, M3 = _sorted(stiff, mass, order, numbers)
    scale = LENGTHS[unit]
    for what, A in (("K", K3), ("M", M3)):
        if not abs(A).max() > 0.0:
            raise ModelError(f"{what} is zero. Give the material data before exporting.")
        if asymmetry(A) > ASYMMETRIC:
            raise ModelError(
                f"{what} is not symmetric: entries differ from their mirror images by {asymmetry(A):.1e} of the "
                "largest. Export the elastic matrices without friction, follower loads or damping."
            )
    Ms = M3[0::3][:, 0::3].tocsr()
    _same_in_all_directions(M3, Ms)
    in_si = unit == "mm"  # N/mm and tonnes
    part = Part(
        name,
        X * scale,
        (0.5 * (K3 + K3.T)).tocsr() * (1e3 if in_si else 1.0),
        (0.5 * (Ms + Ms.T)).tocsr() * (1e3 if in_si else 1.0),
        unit,
        own,
        {} if mesh is None else mesh.groups,
        () if mesh is None else mesh.elements,
        notes,
    )
    if mesh is not None:
        _compare(part, mesh)
    return part


def _order(stiff: Numbered, mass: Numbered, dofs: Any) -> np.ndarray | None:
    """(rows, 2) node and direction (from 1) of each row; None for rows in the order of the nodes."""
    if stiff.matrix.shape != mass.matrix.shape:
        raise ModelError(
            f"K has {stiff.matrix.shape[0]} rows and M has {mass.matrix.shape[0]}. Export both from the same "
            "model."
        )
    if dofs is None:
        if (
            stiff.dofs is not None
            and mass.dofs is not None
            and not np.array_equal(stiff.dofs, mass.dofs)
        ):
            raise ModelError(
                "K and M list different nodes or directions. Export both from the same model."
            )
        found = stiff.dofs if stiff.dofs is not None else mass.dofs
    elif isinstance(dofs, (str, os.PathLike)):
        found = _pairs(existing(dofs, "matrices: dofs"))
    else:
        try:
            found = np.array([[whole(x, "") for x in pair] for pair in dofs])
        except Exception:  # not pairs, or no whole numbers
            raise ModelError(
                f"matrices: dofs must be pairs of node and direction, or a file, got {short(dofs)}."
            ) from None
    if found is None:
        return None
    if found.shape != (stiff.matrix.shape[0], 2):
        raise ModelError(
            f"there are {len(found)} degrees of freedom for matrices of {stiff.matrix.shape[0]} rows."
        )
    turning = found[(found[:, 1] < 1) | (found[:, 1] > 3)]
    if len(turning):
        raise ModelError(
            f"node {turning[0, 0]} has the degree of freedom {turning[0, 1]}, a rotation. Nodes of shells and beams "
            "with rotations are not supported: mesh the part with solid elements."
        )
    return found


def _pairs(path: Path) -> np.ndarray:
    """Lines `node.direction` of CalculiX."""
    try:
        lines = path.read_text(errors="replace").split()
        return np.array([[int(x) for x in line.split(".")] for line in lines]).reshape(-1, 2)
    except (OSError, ValueError):
        raise ResultError(
            f"cannot read {path.name!r} as degrees of freedom: expected lines such as 17.3 (node.direction)."
        ) from None


def _nodes(
    nodes: Any, mesh: Part | None, order: np.ndarray | None, rows: int
) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Numbers and positions (in the unit of the matrices) of the nodes."""
    if nodes is None:
        if mesh is None:
            raise ModelError(
                "matrices: give the positions of the nodes, nodes=, or the mesh, mesh=."
            )
        return mesh.numbers, mesh.X / mesh.scale, []
    if isinstance(nodes, (str, os.PathLike)):
        from .reading import library

        path = existing(nodes, "matrices: nodes")
        try:
            X = np.asarray(library().read(path).points, float)
        except (SystemExit, Exception) as error:  # meshio exits on unknown files
            raise ResultError(f"cannot read {path.name!r} as a mesh: {short(str(error))}") from None
        numbers = np.arange(1, len(X) + 1)
    elif hasattr(nodes, "items"):
        numbers = np.array([whole(k, "matrices: number of a node") for k in nodes])
        X = rows_of_three(list(nodes.values()), "matrices: nodes")
    else:
        X = rows_of_three(nodes, "matrices: nodes")
        numbers = np.arange(1, len(X) + 1)
    if order is None and 3 * len(X) != rows:
        six = rows == 6 * len(X)
        raise ModelError(
            f"matrices of {rows} rows do not belong to {len(X)} nodes with three directions each."
            + (
                " Six per node are those of shells or beams, whose rotations are not supported: mesh the "
                "part with solid elements."
                if six
                else " Give the node and direction of each row with dofs=."
            )
        )
    return numbers, X, []


def _unit_of(unit: str | None, mesh: Part | None, X: np.ndarray, notes: list[str]) -> str:
    if unit is not None and word(unit, "matrices: unit") not in UNITS:
        raise no_such("unit", unit, UNITS)
    if unit is None and mesh is not None and mesh.unit in UNITS:
        unit = mesh.unit
        notes.append(f"unit of the matrices assumed as that of the mesh: {UNITS[unit]}")
    elif unit is None:
        diagonal = float(np.linalg.norm(np.ptp(X, axis=0)))
        unit = "mm" if diagonal > LARGE else "m"
        notes.append(
            f"unit of the matrices guessed from the size {diagonal:.4g} of the part: {UNITS[unit]}; set it "
            "with unit="
        )
    return unit


def _sorted(
    stiff: Numbered, mass: Numbered, order: np.ndarray | None, numbers: np.ndarray
) -> tuple[np.ndarray, Any, Any]:
    """Numbers of the nodes, and the matrices with rows 3 i + c."""
    K, M = stiff.matrix.tocsr(), mass.matrix.tocsr()
    if order is None:
        return numbers, K, M
    row = {int(k): i for i, k in enumerate(numbers)}
    strange = [int(k) for k in order[:, 0] if int(k) not in row]
    if strange:
        raise ModelError(f"the matrices have node {strange[0]}, whose position is not given.")
    place = np.array([3 * row[int(k)] + c - 1 for k, c in order])
    missing = np.setdiff1d(np.arange(3 * len(numbers)), place)
    if len(missing):
        node, c = divmod(int(missing[0]), 3)
        raise ModelError(
            f"the matrices lack direction {c + 1} of node {numbers[node]}, and {len(missing)} in all. Export them "
            "without supports, and give the positions of their nodes only."
        )
    back = np.argsort(place)
    return numbers, K[back][:, back], M[back][:, back]


def _same_in_all_directions(M: Any, Ms: Any) -> None:
    """M must be Ms kron 1_3, as that of solid elements is."""
    import scipy.sparse as sp

    off = abs(M - sp.kron(Ms, sp.identity(3))).max() / abs(M).max()
    if off > ALIKE:
        raise ModelError(
            f"the mass matrix differs between the directions x, y and z by {off:.1e} of its largest entry. Solid "
            "elements have the same mass in all three; rotations, shells, beams and concentrated inertias are "
            "not supported."
        )


def _compare(part: Part, mesh: Part) -> None:
    if len(part.X) != len(mesh.X):
        raise ModelError(
            f"the mesh has {len(mesh.X)} nodes and the matrices have {len(part.X)}. Read the mesh that was exported."
        )
    off = abs(part.K - mesh.K).max() / abs(mesh.K).max()
    part.notes.append(f"K differs from that of the elements by {off:.1e} of the largest entry")
    if off > 0.05:
        raise ModelError(
            f"K differs from that of the elements of the mesh by {off:.1e} of its largest entry. Check E and "
            f"poisson of the mesh, the unit of the matrices ({UNITS[part.unit]}), and the numbers of the nodes "
            f"({short(mesh.name)})."
        )
