"""Mass, center of mass and inertia of a homogeneous solid from a file of its surface.

A closed surface of triangles a, b, c is a sum of tetrahedra with their tips at one point, whose
volumes have signs. With s = a + b + c and D = a . (b x c):

    V = sum D / 6,    V c = sum D s / 24,    int x x^T dV = sum D (s s^T + a a^T + b b^T + c c^T) / 120

The sums do not depend on the tip if the surface has no boundary: if every edge is passed as often in
one direction as in the other.  [Lien1984]
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..core.checks import a_path, flag
from ..core.quantities import File, Kilograms, KilogramsPerCubicMetre, Plain
from ..errors import ModelError, counted
from ..kernel.frames import number
from ..kernel.linalg import product
from .look import Mesh
from .mesh_files import read_mesh
from .shapes import MassProperties, shape

STEP = (".step", ".stp")
_FINE = 10.0  # edges of the triangles that draw a part, along its longest side, at least
_ROUND = 24.0  # and along a circle


class Volume(NamedTuple):
    """Volume, center, and inertia about the center, of density one."""

    volume: float
    center: np.ndarray
    inertia: np.ndarray


@shape
def solid(
    path: File,
    density: KilogramsPerCubicMetre | None = None,
    mass: Kilograms | None = None,
    scale: Plain = 1.0,
    accept_open: bool = False,
) -> MassProperties:
    r"""Describe a homogeneous solid by a file of its surface (STL, OBJ) or a CAD file (STEP).

    Parameters
    ----------
    path : str or path-like
        The file. STEP files are read by Gmsh (``pip install kinetree[fe-mesh]``).
    density : float, optional
        Density (kg/m^3).
    mass : float, optional
        Mass instead of the density (kg).
    scale : float, default 1.0
        Factor from the unit of an STL or OBJ file to meters (1), such as 1e-3 for millimeters. STEP
        files have their unit in them.
    accept_open : bool, default False
        Whether a surface with open edges is used. Its holes are then closed by cones towards the
        middle of the corners, so that mass and inertia are approximate.

    Returns
    -------
    MassProperties
        Mass, center of mass and inertia, in the axes and from the origin of the file. The outline is
        the surface, a `kt.look.Mesh`.

    Raises
    ------
    ModelError
        If the file cannot be read, or if the surface has open edges; the message has their number.

    See Also
    --------
    kt.mass : Body given by mass, center of mass and inertia.
    kt.look.mesh : Surface for pictures alone.
    kt.shapes.Hull : Shape for contacts, the convex hull of points.

    Notes
    -----
    .. math::

        m = \varrho V, \qquad V = \sum \frac{a \cdot (b \times c)}{6}, \qquad
        I = \varrho \int_V \bigl(|x|^2 1 - x x^T\bigr)\, dV

    The sum is over the triangles with corners a, b, c, counterclockwise from outside. Surfaces that are inside
    out are turned. Volume and inertia are exact for the triangles, and for STEP files those of the
    curved surfaces.

    Examples
    --------
    A cube with sides of 1 m, whose corner is the origin of the file. The same corners make the shape
    for contacts.

    >>> import pathlib
    >>> import kinetree as kt
    >>> corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    >>> sides = [(1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)]
    >>> lines = ["v {} {} {}".format(*p) for p in corners] + ["f {} {} {} {}".format(*f) for f in sides]
    >>> written = pathlib.Path("cube.obj").write_text("\n".join(lines))
    >>> cube = kt.solid("cube.obj", density=600.0)
    >>> print(f"{cube.mass:.1f} kg, center {cube.com}")
    600.0 kg, center [0.5 0.5 0.5]
    >>> hull = kt.shapes.Hull(kt.look.mesh("cube.obj").corners)
    """
    path = a_path(path, "solid: path")
    if (density is None) == (mass is None):
        raise ModelError("solid: give either density= (kg/m^3) or mass= (kg).")
    size = number(scale, "solid: scale", positive=True)
    if path.suffix.lower() in STEP:
        if size != 1.0:
            raise ModelError("solid: a STEP file has its unit in it; omit scale=.")
        volume, mesh = _step(path)
    else:
        corners, triangles = read_mesh(path)
        volume, mesh = _of_surface(
            size * corners, triangles, path, flag(accept_open, "solid: accept_open")
        )
    rho = (
        number(mass, "solid: mass", positive=True) / volume.volume
        if density is None
        else number(density, "solid: density", positive=True)
    )
    return MassProperties(rho * volume.volume, rho * volume.inertia, volume.center, outline=mesh)


def open_edges(triangles: np.ndarray) -> int:
    """Number of edges that are not passed as often in one direction as in the other."""
    ends = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    ends = ends[ends[:, 0] != ends[:, 1]]
    key = ends.min(axis=1) * (int(triangles.max()) + 1) + ends.max(axis=1)
    way = np.where(ends[:, 0] < ends[:, 1], 1, -1)
    _, index = np.unique(key, return_inverse=True)
    return int(np.count_nonzero(np.bincount(index, way)))


def volume_of(corners: np.ndarray, triangles: np.ndarray) -> Volume:
    """Volume, center and inertia inside a surface of triangles."""
    tip = corners[np.unique(triangles)].mean(axis=0)
    a, b, c = ((corners - tip)[triangles[:, k]] for k in range(3))
    s, D = a + b + c, (a * np.cross(b, c)).sum(axis=1)
    V = float(D.sum()) / 6.0
    if V == 0.0:
        return Volume(0.0, tip, np.zeros((3, 3)))
    center = (D[:, None] * s).sum(axis=0) / (24.0 * V)
    second = np.sum([product((D[:, None] * x).T, x) for x in (s, a, b, c)], axis=0) / 120.0
    central = second - V * np.outer(center, center)
    return Volume(V, tip + center, np.trace(central) * np.eye(3) - central)


def _of_surface(
    corners: np.ndarray, triangles: np.ndarray, path: Path, accept_open: bool
) -> tuple[Volume, Mesh]:
    file, n = os.fspath(path), open_edges(triangles)
    if n and not accept_open:
        raise ModelError(
            f"solid: the surface in {file!r} is not closed: {counted(n, 'open edge')}, of "
            f"{counted(len(triangles), 'triangle')}. Repair it in the program that made it, or give "
            "accept_open=True for an approximate mass and inertia."
        )
    found = volume_of(corners, triangles)
    if found.volume < 0.0:  # inside out
        triangles = triangles[:, ::-1]
        found = Volume(-found.volume, found.center, -found.inertia)
    extent = float(np.ptp(corners, axis=0).max())
    if not found.volume > 1e-12 * extent**3:
        raise ModelError(f"solid: the surface in {file!r} encloses no volume.")
    return found, Mesh(corners, triangles)


def _step(path: Path) -> tuple[Volume, Mesh]:
    """Exact volume and inertia of the solids of a STEP file, and triangles that draw them."""
    file = os.fspath(path)
    if not path.is_file():
        raise ModelError(f"solid: there is no file {file!r}.")
    try:
        import gmsh
    except ImportError:
        raise ModelError(
            f"solid: {file!r} is read by the package gmsh, which is not installed. Install it with: "
            "pip install 'kinetree[fe-mesh]'."
        ) from None
    began = not gmsh.isInitialized()
    if began:
        gmsh.initialize(interruptible=False)
    terminal = gmsh.option.getNumber("General.Terminal")
    try:
        gmsh.model.add("kinetree solid")
        gmsh.option.setNumber("General.Terminal", 0)
        gmsh.option.setString("Geometry.OCCTargetUnit", "M")
        return _read_step(gmsh, file)
    finally:
        gmsh.model.remove()
        gmsh.option.setNumber("General.Terminal", terminal)
        if began:
            gmsh.finalize()


def _read_step(gmsh: Any, file: str) -> tuple[Volume, Mesh]:
    occ = gmsh.model.occ
    try:
        parts = [tag for dim, tag in occ.importShapes(file) if dim == 3]
    except Exception as error:  # Gmsh raises Exception itself
        raise ModelError(f"solid: Gmsh cannot read {file!r}: {error}") from None
    occ.synchronize()
    if not parts:
        raise ModelError(f"solid: {file!r} has no solid, only surfaces or curves.")
    return _sum([_part(occ, tag) for tag in parts]), _drawn(gmsh)


def _part(occ: Any, tag: int) -> Volume:
    matrix = np.array(occ.getMatrixOfInertia(3, tag)).reshape(3, 3)
    return Volume(occ.getMass(3, tag), np.array(occ.getCenterOfMass(3, tag)), matrix)


def _sum(parts: list[Volume]) -> Volume:
    """Several solids as one, by the parallel axis theorem."""
    V = sum(part.volume for part in parts)
    center = np.sum([part.volume * part.center for part in parts], axis=0) / V
    total = np.zeros((3, 3))
    for part in parts:
        r = part.center - center
        total += part.inertia + part.volume * (product(r, r) * np.eye(3) - np.outer(r, r))
    return Volume(V, center, total)


def _drawn(gmsh: Any) -> Mesh:
    """Triangles of the surface."""
    box = np.array(gmsh.model.getBoundingBox(-1, -1))
    gmsh.option.setNumber("Mesh.MeshSizeMax", float((box[3:] - box[:3]).max()) / _FINE)
    gmsh.option.setNumber("Mesh.MeshSizeFromCurvature", _ROUND)
    gmsh.model.mesh.generate(2)
    tags, points, _ = gmsh.model.mesh.getNodes()
    place = np.zeros(int(max(tags)) + 1, int)
    place[tags.astype(int)] = np.arange(len(tags))
    _, faces = gmsh.model.mesh.getElementsByType(2)
    return Mesh(points.reshape(-1, 3), place[faces.astype(int)].reshape(-1, 3))
