"""Arrays of `Work` for packed M and G with sparse factors, and for null-space bases by fronts."""

import numpy as np

from .records import Tables

PACKED = (
    *("M_packed", "G_packed", "inertia", "A", "lower", "pivots", "squared_size", "in_use", "pad"),
    *("slot_row", "best_pivot", "solution", "residual", "gram"),
    *("joint_wrenches", "twists", "u_velocity", "u_force"),
)
FRONTS = (
    *("bases", "previous_bases", "row_fill", "coordinates", "y", "front_matrices", "front_order"),
    *("coordinate_unit", "reduced", "z_matrix", "z_lower", "z_pivots", "z"),
)
_MATRICES = ("gram", "joint_wrenches", "twists", "front_matrices", "front_order")
_INTEGERS = ("in_use", "slot_row", "front_order")


def _empty(names: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Arrays without entries, of the right types."""
    return {
        name: np.zeros(
            (0, 0) if name in _MATRICES else 0, np.int64 if name in _INTEGERS else np.float64
        )
        for name in names
    }


def packed_arrays(tables: Tables, wanted: bool) -> dict[str, np.ndarray]:
    """Arrays of packed M and G and of their factors; empty arrays if not wanted."""
    if not wanted:
        return _empty(PACKED)
    n = len(tables.kind)
    size = n + len(tables.row)
    tallest = int(np.diff(tables.group_first).max(initial=0))
    slots = len(tables.slot_place)
    return {
        "M_packed": np.zeros(int(tables.m_first[-1])),
        "G_packed": np.zeros(int(tables.g_first[-1])),
        "inertia": np.zeros(len(tables.u_dof)),
        "A": np.zeros(size),
        "lower": np.zeros(size),
        "pivots": np.zeros(n),
        "squared_size": np.zeros(n),
        "in_use": np.ones(n, np.int64),
        "pad": tables.pad.copy(),
        "slot_row": np.zeros(slots, np.int64),
        "best_pivot": np.zeros(slots),
        "solution": np.zeros(n),
        "residual": np.zeros(n),
        "gram": np.zeros((tallest, tallest)),
        **_anchor_arrays(tables),
    }


def _anchor_arrays(tables: Tables) -> dict[str, np.ndarray]:
    """Arrays of bodies whose twist is an unknown (engine/dynamics/anchors.py)."""
    count = int(tables.anchor.max(initial=-1)) + 1
    nu = len(tables.u_dof) if count else 0
    return {
        "joint_wrenches": np.zeros((6 * count + 1, 6)),
        "twists": np.zeros((len(tables.anchor), 6)),
        "u_velocity": np.zeros(nu),
        "u_force": np.zeros(nu),
    }


def front_arrays(tables: Tables, wanted: bool) -> dict[str, np.ndarray]:
    """Arrays of null-space bases by fronts (engine/sparsity/reduction.py); empty if not wanted."""
    if not wanted:
        return _empty(FRONTS)
    f = tables.fronts.view(np.ndarray)
    size, free, count = f["width"], f["width"] - f["rank"], f["n_rows"]
    coordinates, entries = int(tables.settings[0]["nv"] + free.sum()), int((size**2).sum())
    widest = int(np.maximum(size, np.maximum(count, f["others"])).max(initial=0))
    reduced = int(tables.m_first[-1] + (free * (free + 1) // 2 + free * f["others"]).sum())
    matrix = len(tables.z_ids) + len(tables.z_row)
    return {
        "bases": np.zeros(entries),
        "previous_bases": np.zeros(entries),
        "row_fill": np.zeros(int((count * f["n_fill"]).sum())),
        "coordinates": np.zeros(coordinates),
        "coordinate_unit": np.ones(coordinates),
        "y": np.zeros(int(f["rank"].sum())),
        "front_matrices": np.zeros((6, int((size * np.maximum(widest, 1)).max(initial=0)))),
        "front_order": np.zeros((2, widest), np.int64),
        "reduced": np.zeros(reduced),
        "z_matrix": np.zeros(matrix),
        "z_lower": np.zeros(matrix),
        "z_pivots": np.zeros(len(tables.z_ids)),
        "z": np.zeros(len(tables.z_ids)),
    }
