"""The arrays of `Work` that local bases need (engine/sparsity/reduction.py)."""

import numpy as np

from .records import Tables

LOCAL = (
    "bases",
    "kept",
    "fill",
    "along",
    "across",
    "local",
    "picked",
    "natural",
    "reduced",
    "z_matrix",
    "z_lower",
    "z_pivots",
    "z",
)


def local_bases(tables: Tables, wanted: bool) -> dict[str, np.ndarray]:
    """The arrays of local bases, or none."""
    if not wanted:
        return {
            name: np.zeros((0, 0), np.int64 if name == "picked" else float)
            if name in ("local", "picked")
            else np.zeros(0)
            for name in LOCAL
        }
    f = tables.fronts.view(np.ndarray)
    size, free, count = f["wide"], f["wide"] - f["rank"], f["count"]
    ids, numbers = int(tables.settings[0]["nv"] + free.sum()), int((size**2).sum())
    widest = int(np.maximum(size, np.maximum(count, f["others"])).max(initial=0))
    reduced = int(tables.m_first[-1] + (free * (free + 1) // 2 + free * f["others"]).sum())
    matrix = len(tables.z_ids) + len(tables.z_row)
    return {
        "bases": np.zeros(numbers),
        "kept": np.zeros(numbers),
        "fill": np.zeros(int((count * f["filled"]).sum())),
        "along": np.zeros(ids),
        "natural": np.ones(ids),
        "across": np.zeros(int(f["rank"].sum())),
        "local": np.zeros((6, int((size * np.maximum(widest, 1)).max(initial=0)))),
        "picked": np.zeros((2, widest), np.int64),
        "reduced": np.zeros(reduced),
        "z_matrix": np.zeros(matrix),
        "z_lower": np.zeros(matrix),
        "z_pivots": np.zeros(len(tables.z_ids)),
        "z": np.zeros(len(tables.z_ids)),
    }
