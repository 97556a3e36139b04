"""A straight block meshed with quadratic hexahedra: a part without any file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from ..core.checks import items, number, numbers, whole, word
from ..errors import ModelError, short
from .cells import HEX_CORNERS, HEX_EDGES
from .elements import Elements
from .part import Part, of_elements

MOST = 100_000  # elements


def block(
    sides: Sequence[float],
    cells: Sequence[int],
    E: float,
    poisson: float,
    density: float,
    expansion: float = 0.0,
    name: str = "block",
) -> Part:
    """Mesh a block with quadratic hexahedra.

    Parameters
    ----------
    sides : sequence of 3 floats
        Lengths (m) along x, y and z. The block begins at x = 0; y and z are centered.
    cells : sequence of 3 ints
        Number of elements along each side.
    E : float
        Young's modulus (Pa).
    poisson : float
        Poisson's ratio.
    density : float
        Density (kg/m^3).
    expansion : float, default 0
        Coefficient of thermal expansion (1/K).
    name : str, default "block"
        Name of the part.

    Returns
    -------
    Part
        The part, in meters, with the groups "x-", "x+", "y-", "y+", "z-" and "z+" of its faces.

    Examples
    --------
    >>> import kinetree as kt
    >>> bar = kt.fe.block((1.0, 0.02, 0.02), (10, 1, 1), E=2.1e11, poisson=0.3, density=7850.0)
    >>> round(bar.mass, 6)
    3.14
    """
    lengths = numbers(sides, 3, "block: sides")
    if lengths.min() <= 0.0:
        raise ModelError(f"block: sides must be positive, got {short(sides)}.")
    given = items(cells, "block: cells", "three whole numbers")
    if len(given) != 3:
        raise ModelError(f"block: cells must be three whole numbers, got {short(cells)}.")
    nx, ny, nz = (whole(c, "block: cells", least=1, most=MOST) for c in given)
    if nx * ny * nz > MOST:
        raise ModelError(f"block: {nx * ny * nz} cells are more than {MOST}; use a coarser mesh.")
    for key, value in (("E", E), ("density", density)):
        number(value, f"block: {key}", positive=True)
    if not -1.0 < number(poisson, "block: poisson") < 0.5:
        raise ModelError(f"block: poisson must be between -1 and 0.5, got {short(poisson)}.")
    count = np.array([nx, ny, nz])
    middles = [0.5 * (HEX_CORNERS[a] + HEX_CORNERS[b]) for a, b in HEX_EDGES]
    at = np.vstack([HEX_CORNERS, middles]).astype(int) + 1
    first = 2 * np.array(list(product(range(nx), range(ny), range(nz))))
    grid = first[:, None] + at  # (elements, 20, 3)
    width = 2 * count + 1
    keys = (grid[..., 0] * width[1] + grid[..., 1]) * width[2] + grid[..., 2]
    used, nodes = np.unique(keys, return_inverse=True)
    places = np.column_stack(
        [used // (width[1] * width[2]), used // width[2] % width[1], used % width[2]]
    )
    X = places / (2 * count) * lengths - np.array([0.0, 0.5, 0.5]) * lengths
    total = int(count.prod())
    expansion = number(expansion, "block: expansion")
    values = [np.full(total, float(v)) for v in (E, poisson, density, expansion)]
    kind = Elements("hexahedron20", nodes.reshape(-1, 20), X, *values)
    groups = {}
    for k, axis in enumerate("xyz"):
        groups[f"{axis}-"] = np.flatnonzero(places[:, k] == 0)
        groups[f"{axis}+"] = np.flatnonzero(places[:, k] == 2 * count[k])
    return of_elements(
        word(name, "block: name"), X, [kind], "m", np.arange(1, len(X) + 1), groups, []
    )
