"""Meshes of drawings: STEP, IGES, BREP and STL files by Gmsh."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ..core.checks import number, whole, word
from ..core.regular_files import existing
from ..errors import ModelError, ResultError, counted, no_such
from .cells import CELLS, points_of, shape_functions
from .elements import Elements
from .part import LENGTHS, Part, of_elements

TET10 = 11  # the kind of Gmsh
ORDER = [0, 1, 2, 3, 4, 5, 6, 7, 9, 8]  # of its nodes, as in VTK
FLAT = 0.02  # smallest volume at a point of an element, relative to the largest
SOLID = (".step", ".stp", ".iges", ".igs", ".brep")


def mesh(
    drawing: str | os.PathLike[str],
    size: float,
    E: float,
    poisson: float,
    density: float,
    unit: str = "mm",
    expansion: float = 0.0,
    curvature: int = 12,
    name: str | None = None,
) -> Part:
    """Mesh a drawing with quadratic tetrahedra.

    Parameters
    ----------
    drawing : path
        A STEP, IGES or BREP file of one solid, or an STL file of a closed surface.
    size : float
        Size of the elements, in `unit`. Two to three elements through each wall are needed.
    E : float
        Young's modulus (Pa).
    poisson : float
        Poisson's ratio.
    density : float
        Density (kg/m^3).
    unit : {"m", "mm", "cm", "in"}, default "mm"
        Unit of `size` and of selections. STEP and IGES files state their own unit and are converted;
        coordinates of STL and BREP files are taken to be in this unit.
    expansion : float, default 0
        Coefficient of thermal expansion (1/K).
    curvature : int, default 12
        Number of elements around a full circle, at least.
    name : str, optional
        Name of the part; the name of the file by default.

    Returns
    -------
    Part
        The part. Its groups "face 1", "face 2", ... are the faces of the drawing.

    Raises
    ------
    ModelError
        If Gmsh is not installed, or the drawing is not one closed solid.

    Notes
    -----
    Gmsh has the license GPL; this function alone imports it. ``pip install kinetree[fe-mesh]``
    installs it. A mesh that another program makes is read with `kt.fe.read`.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.fe.mesh("no-such-part.step", size=4.0, E=2.1e11, poisson=0.3, density=7850.0)
    Traceback (most recent call last):
        ...
    kinetree.errors.ResultError: cannot read 'no-such-part.step': there is no such file.
    """
    path = existing(drawing, "mesh: drawing")
    size = number(size, "mesh: size", positive=True)
    curvature = whole(curvature, "mesh: curvature", least=1)
    if word(unit, "mesh: unit") not in LENGTHS:
        raise no_such("unit", unit, LENGTHS)
    if path.suffix.lower() not in (*SOLID, ".stl"):
        raise ModelError(
            f"mesh: {path.name} is no drawing. Expected {', '.join(SOLID)} or .stl; use kt.fe.read for meshes."
        )
    with _gmsh() as gmsh:
        X, nodes, faces = _meshed(gmsh, path, size, unit, curvature)
    used, nodes = np.unique(nodes, return_inverse=True)
    row = np.full(len(X), -1)
    row[used] = np.arange(len(used))
    notes: list[str] = []
    places = straightened(nodes.reshape(-1, 10), X[used], notes) * LENGTHS[unit]
    count = len(nodes.reshape(-1, 10))
    values = [
        np.full(count, number(v, f"mesh: {key}", positive=key in ("E", "density")))
        for key, v in (
            ("E", E),
            ("poisson", poisson),
            ("density", density),
            ("expansion", expansion),
        )
    ]
    kind = Elements("tetra10", nodes.reshape(-1, 10), places, *values)
    groups = {key: row[rows][row[rows] >= 0] for key, rows in faces.items()}
    numbers = np.arange(1, len(used) + 1)
    return of_elements(name or path.stem, places, [kind], unit, numbers, groups, notes)


def straightened(nodes: np.ndarray, X: np.ndarray, notes: list[str]) -> np.ndarray:
    """Nodes with straight edges around the elements that their curved edges would fold.

    The optimization of Gmsh ends the whole process where it fails.
    """
    X, count = X.copy(), 0
    _, derivatives = shape_functions("tetra10", points_of("tetra10", 5)[0])
    corners, edges = np.arange(4), np.array(CELLS["tetra10"].edges)
    places = np.vstack(
        [np.eye(4)[corners], 0.5 * (np.eye(4)[edges[:, 0]] + np.eye(4)[edges[:, 1]])]
    )
    _, at_nodes = shape_functions("tetra10", places[:, 1:])
    for _ in range(10):
        det = np.linalg.det(
            np.einsum("eai,qaj->eqij", X[nodes], np.vstack([derivatives, at_nodes]))
        )
        bad = nodes[det.min(1) < FLAT * np.abs(det).max(1)]
        if not len(bad):
            break
        count += len(bad)
        X[bad[:, 4:]] = 0.5 * (X[bad[:, edges[:, 0]]] + X[bad[:, edges[:, 1]]])
    if count:
        notes.append(f"edges of {counted(count, 'element')} were made straight to unfold them")
    return X


@contextmanager
def _gmsh() -> Iterator[Any]:
    try:
        import gmsh
    except (ImportError, OSError):  # OSError: a library of the system that Gmsh needs
        raise ModelError(
            "meshing needs Gmsh. Install it with: pip install kinetree[fe-mesh] (license GPL), or mesh "
            "elsewhere and use kt.fe.read."
        ) from None
    gmsh.initialize(interruptible=False)
    gmsh.option.setNumber("General.Terminal", 0)
    try:
        yield gmsh
    finally:
        gmsh.finalize()


def _meshed(
    gmsh: Any, path: Path, size: float, unit: str, curvature: int
) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """Points, tetrahedra with ten nodes, and the nodes of each face."""
    try:
        if path.suffix.lower() == ".stl":
            _fill(gmsh, path)
        else:
            if path.suffix.lower() != ".brep":
                gmsh.option.setString(
                    "Geometry.OCCTargetUnit", "INCH" if unit == "in" else unit.upper()
                )
            gmsh.model.occ.importShapes(os.fspath(path))
            gmsh.model.occ.synchronize()
    except ModelError:
        raise
    except Exception as error:
        raise ResultError(f"Gmsh cannot read {os.fspath(path)!r}: {error}.") from None
    solids = gmsh.model.getEntities(3)
    if len(solids) != 1:
        raise ModelError(
            f"{path.name} contains {len(solids)} solids; expected 1. "
            + (
                "Its faces do not close a volume."
                if not solids
                else "Fuse them, or mesh them one by one."
            )
        )
    for option, value in (
        ("Mesh.MeshSizeMax", size),
        ("Mesh.MeshSizeMin", size / 5),
        ("Mesh.MeshSizeFromCurvature", curvature),
        ("Mesh.ElementOrder", 2),
        ("General.NumThreads", 1),
    ):
        gmsh.option.setNumber(option, value)
    try:
        gmsh.model.mesh.generate(3)
    except Exception as error:
        raise ModelError(
            f"Gmsh cannot mesh {path.name} with size {size:g} {unit}: {error}. Try another size, or repair the drawing."
        ) from None
    tags, points, _ = gmsh.model.mesh.getNodes()
    where = np.zeros(int(tags.max()) + 1, int)
    where[tags.astype(int)] = np.arange(len(tags))
    kinds, _, nodes = gmsh.model.mesh.getElements(3)
    rows = where[np.asarray(nodes[list(kinds).index(TET10)], int)].reshape(-1, 10)[:, ORDER]
    faces = {}
    for _, tag in gmsh.model.getEntities(2):
        on_face = gmsh.model.mesh.getNodes(2, tag, includeBoundary=True)[0]
        faces[f"face {tag}"] = np.unique(where[on_face.astype(int)])
    return points.reshape(-1, 3), rows, faces


def _fill(gmsh: Any, path: Path) -> None:
    """The volume inside a triangulated surface, whose faces meet at edges of more than 40 degrees."""
    gmsh.merge(os.fspath(path))
    _, _, nodes = gmsh.model.mesh.getElements(2)
    triangles = (
        np.sort(np.concatenate(nodes).reshape(-1, 3).astype(int), axis=1) if len(nodes) else None
    )
    if triangles is None:
        raise ModelError(f"{path.name} has no triangles.")
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [0, 2]]])
    _, counts = np.unique(edges, axis=0, return_counts=True)
    if (counts != 2).any():
        raise ModelError(
            f"the surface of {path.name} is not closed: {(counts != 2).sum()} edges belong to one triangle or to more "
            "than two. Repair it, or export STEP."
        )
    try:
        gmsh.model.mesh.classifySurfaces(40 * np.pi / 180, True, True, np.pi)
        gmsh.model.mesh.createGeometry()
    except (
        Exception
    ):  # shapes that Gmsh cannot unfold: the triangles of the file become the surface
        gmsh.clear()
        gmsh.merge(os.fspath(path))
    loop = gmsh.model.geo.addSurfaceLoop([tag for _, tag in gmsh.model.getEntities(2)])
    gmsh.model.geo.addVolume([loop])
    gmsh.model.geo.synchronize()
