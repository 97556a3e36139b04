"""Parts from meshes: files that meshio reads, units, materials and groups."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.checks import number, word
from ..core.regular_files import existing
from ..errors import ModelError, ResultError, no_such, short
from .cells import CELLS
from .elements import Elements
from .part import LENGTHS, Part, of_elements

Material = float | Mapping[str, float]
FLAT = ("triangle", "triangle6", "quad", "quad8", "quad9")
LARGE = 10.0  # a part of more than ten meters is rather one in millimeters


class DoubtfulMesh(UserWarning):
    """The mesh has linear elements, which are too stiff, or a size that is unlikely.

    Examples
    --------
    >>> import kinetree as kt
    >>> issubclass(kt.fe.DoubtfulMesh, UserWarning)
    True
    """


def read(
    mesh: Any,
    E: Material,
    poisson: Material,
    density: Material,
    unit: str | None = None,
    expansion: Material = 0.0,
    name: str | None = None,
) -> Part:
    """Read a meshed part from a file of a mesh generator or a finite element program.

    Parameters
    ----------
    mesh : path or meshio.Mesh
        A file that meshio reads (.msh, .inp, .bdf, .vtk, .vtu, .med, ...) with quadratic tetrahedra
        or hexahedra. Linear elements are read with a warning.
    E : float or mapping of str to float
        Young's modulus (Pa); for several materials, one per named group of elements.
    poisson : float or mapping of str to float
        Poisson's ratio.
    density : float or mapping of str to float
        Density (kg/m^3).
    unit : {"m", "mm", "cm", "in"}, optional
        Unit of length of the mesh. By default it is guessed from the size, and the report of the
        part states the guess.
    expansion : float or mapping of str to float, default 0
        Coefficient of thermal expansion (1/K), for `kt.fe.heating`.
    name : str, optional
        Name of the part; the name of the file by default.

    Returns
    -------
    Part
        The assembled part.

    Raises
    ------
    ModelError
        If the mesh has no volume elements, or if elements are folded.

    Notes
    -----
    Elements are isoparametric, so that curved edges are kept. meshio is in the extra `fe`:
    ``pip install kinetree[fe]``.

    Examples
    --------
    >>> import numpy as np, kinetree as kt
    >>> import meshio
    >>> corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    >>> middles = [(corners[i] + corners[j]) / 2 for i, j in [(0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)]]
    >>> mesh = meshio.Mesh(np.vstack([corners, middles]), {"tetra10": [range(10)]})
    >>> part = kt.fe.read(mesh, E=2.1e11, poisson=0.3, density=6000.0, unit="m")
    >>> round(part.mass, 9)
    1000.0
    """
    found, own = _opened(mesh)
    sets = _cell_groups(found)
    points = np.asarray(found.points, float)
    if points.shape[1] != 3:
        raise ModelError(f"the mesh has points in {points.shape[1]} dimensions; expected 3.")
    _volume_kinds(found)
    used = np.unique(
        np.concatenate([c.data.ravel() for c in found.cells if c.type in CELLS]).astype(int)
    )
    row = np.full(len(points), -1)
    row[used] = np.arange(len(used))
    notes: list[str] = []
    unit = _unit(unit, points[used], notes)
    X = points[used] * LENGTHS[unit]
    kinds = []
    given = {"E": E, "poisson": poisson, "density": density, "expansion": expansion}
    for k, block in enumerate(found.cells):
        if block.type not in CELLS or not len(block.data):
            continue
        values = {
            key: _per_element(value, key, k, len(block.data), sets) for key, value in given.items()
        }
        _check_material(values)
        kinds.append(Elements(block.type, row[np.asarray(block.data, int)], X, **values))
    _warn_of_linear(kinds, notes)
    groups = _node_groups(found, sets, row)
    return of_elements(
        name or own, X, _merged(kinds, X), unit, _numbers(found, used), groups, notes
    )


def _opened(mesh: Any) -> tuple[Any, str]:
    if hasattr(mesh, "points") and hasattr(mesh, "cells"):
        return mesh, "part"
    path = existing(mesh, "read: mesh")
    if path.suffix.lower() in (".step", ".stp", ".iges", ".igs", ".stl", ".brep"):
        raise ModelError(
            f"{path.name} is a shape without a mesh of its volume. Use kt.fe.mesh({path.name!r}, size=...), or "
            "mesh it elsewhere."
        )
    meshio = library()
    try:
        return meshio.read(path), path.stem
    except (SystemExit, Exception) as error:  # meshio exits on unknown files
        raise ResultError(
            f"cannot read {os.fspath(path)!r} as a mesh: {short(str(error))} Formats: .msh, .inp, "
            ".bdf, .vtk, .vtu, .med and others that meshio reads."
        ) from None


def library() -> Any:
    try:
        import meshio
    except ImportError:
        raise ModelError(
            "reading meshes needs meshio. Install it with: pip install kinetree[fe]"
        ) from None
    return meshio


def _volume_kinds(mesh: Any) -> None:
    kinds = sorted({block.type for block in mesh.cells})
    if any(kind in CELLS for kind in kinds):
        other = [k for k in kinds if k.startswith(("wedge", "pyramid"))]
        if other:
            raise ModelError(
                f"the mesh contains {' and '.join(other)} cells, which are not supported. Mesh with "
                "tetrahedra or hexahedra alone."
            )
        return
    flat = [k for k in kinds if k in FLAT]
    what = (
        f"faces only ({', '.join(flat)})" if flat else f"no cells with volume ({', '.join(kinds)})"
    )
    raise ModelError(
        f"the mesh has {what}. Kinetree needs solid elements: {', '.join(CELLS)}. Shells and beams are "
        'not supported; a closed surface can be filled with kt.fe.mesh("part.stl", size=...).'
    )


def _unit(unit: str | None, points: np.ndarray, notes: list[str]) -> str:
    diagonal = float(np.linalg.norm(np.ptp(points, axis=0)))
    if unit is None:
        unit = "mm" if diagonal > LARGE else "m"
        notes.append(
            f"unit of the mesh guessed from its size {diagonal:.4g}: {unit}; set it with unit="
        )
    elif word(unit, "read: unit") not in LENGTHS:
        raise no_such("unit", unit, LENGTHS)
    elif diagonal * LENGTHS[unit] > 100.0 or diagonal * LENGTHS[unit] < 1e-4:
        notes.append(
            f"the part is {diagonal * LENGTHS[unit]:.4g} m large in unit {unit!r}: is the unit right?"
        )
        warnings.warn(notes[-1], DoubtfulMesh, stacklevel=3)
    return unit


def _check_material(values: Mapping[str, np.ndarray]) -> None:
    for key, low, high in (("E", 0.0, np.inf), ("density", 0.0, np.inf), ("poisson", -1.0, 0.5)):
        bad = values[key][~((values[key] > low) & (values[key] < high))]
        if len(bad):
            raise ModelError(
                f"{key} must be {'positive' if low == 0.0 else 'between -1 and 0.5'}, got {bad[0]:g}."
            )
    for key, least, unit, example in (("E", 1e4, "Pa", 2.1e11), ("density", 1.0, "kg/m^3", 7850.0)):
        if values[key].min() < least:
            raise ModelError(
                f"{key} = {values[key].min():g} {unit} is too small for a solid. Give it in SI units also "
                f"for a mesh in millimeters: steel has {example:g} {unit}."
            )


def _per_element(
    value: Material, key: str, block: int, count: int, sets: Mapping[str, Mapping[int, np.ndarray]]
) -> np.ndarray:
    if not isinstance(value, Mapping):
        return np.full(count, number(value, f"read: {key}"))
    out = np.full(count, np.nan)
    for group, one in value.items():
        if group not in sets:
            raise no_such("group of elements", group, sets)
        out[sets[group].get(block, np.zeros(0, int))] = number(one, f"read: {key} of {group!r}")
    missing = int(np.isnan(out).sum())
    if missing:
        raise ModelError(
            f"{missing} elements are in none of the groups that {key} lists "
            f"({', '.join(map(str, value))}). Groups of elements: {', '.join(sets)}."
        )
    return out


def _cell_groups(mesh: Any) -> dict[str, dict[int, np.ndarray]]:
    """Elements of the named groups, per block of cells."""
    found: dict[str, dict[int, np.ndarray]] = {}
    for name, blocks in mesh.cell_sets.items():
        if name.startswith("gmsh:"):
            continue
        found[name] = {
            k: np.asarray(rows, int)
            for k, rows in enumerate(blocks)
            if rows is not None and len(rows)
        }
    tags = mesh.cell_data.get("gmsh:physical", [])
    for name, (tag, dimension) in ((n, d) for n, d in mesh.field_data.items() if len(d) == 2):
        for k, values in enumerate(tags):
            rows = np.flatnonzero(np.asarray(values) == tag)
            if len(rows) and mesh.cells[k].dim == dimension:
                found.setdefault(name, {})[k] = rows
    return found


def _node_groups(mesh: Any, sets: Mapping[str, Any], row: np.ndarray) -> dict[str, np.ndarray]:
    groups = {name: np.asarray(nodes, int) for name, nodes in mesh.point_sets.items()}
    for name, blocks in sets.items():
        cells = [np.asarray(mesh.cells[k].data, int)[rows].ravel() for k, rows in blocks.items()]
        if cells:
            groups.setdefault(name, np.unique(np.concatenate(cells)))
    kept = {name: row[nodes][row[nodes] >= 0] for name, nodes in groups.items()}
    return {name: rows for name, rows in kept.items() if len(rows)}


def _numbers(mesh: Any, used: np.ndarray) -> np.ndarray:
    """Numbers of nodes as in the file where meshio keeps them; else counted from 1."""
    return used + 1


def _merged(kinds: list[Elements], X: np.ndarray) -> list[Elements]:
    """One object per kind of cell: meshes of several volumes have many blocks."""
    found = []
    for name in dict.fromkeys(kind.cell.name for kind in kinds):
        same = [kind for kind in kinds if kind.cell.name == name]
        first = same[0]
        for key in ("nodes", "density", "expansion", "lam", "mu"):
            setattr(first, key, np.concatenate([getattr(kind, key) for kind in same]))
        found.append(first)
    return found


def _warn_of_linear(kinds: list[Elements], notes: list[str]) -> None:
    linear = sorted({kind.cell.words for kind in kinds if kind.cell.order == 1})
    if linear:
        notes.append(
            f"{' and '.join(linear)} are far too stiff in bending (9 to 140 % in frequency were measured); "
            "mesh with quadratic elements"
        )
        warnings.warn(notes[-1], DoubtfulMesh, stacklevel=3)
