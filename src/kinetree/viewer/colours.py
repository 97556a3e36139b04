"""Colors of bodies, runs, traces and forces, for both painters."""

from __future__ import annotations

import numpy as np

from ..description.look import PAINTS

BODIES = (
    "#2f6fb0",
    "#e58a1f",
    "#2c9c84",
    "#c8463c",
    "#7d5bb0",
    "#d9b23a",
    "#4fa6d8",
    "#5d6670",
    "#9a6a43",
)
RUNS = ("#d6337f", "#2fae5f", "#8d5bd6", "#e0a526")  # of the second and further runs
TRACES = ("#e58a1f", "#2f6fb0", "#2c9c84", "#c8463c")
FORCE, COUPLE = "#d6278a", "#7d3fc4"
STEEL, DARK, CHROME, POST, COIL, ROAD, LINE = (
    PAINTS[name] for name in ("steel", "dark", "chrome", "grey", "red", "asphalt", "white")
)


# from zero to the largest strain; darker for larger strain, so that it is visible to color-blind
# readers
STRAIN = (
    "#d3dde6",
    "#efcf74",
    "#ee9440",
    "#cc4038",
    "#6f1640",
)


def strained(share: np.ndarray) -> np.ndarray:
    """Screen colors (n, 3), from 0 to 1, of strains relative to the largest one."""
    stops = np.array([rgb(paint) for paint in STRAIN])
    at = np.clip(share, 0.0, 1.0) * (len(stops) - 1)
    return np.column_stack([np.interp(at, np.arange(len(stops)), column) for column in stops.T])


def body_colour(k: int) -> str:
    return BODIES[k % len(BODIES)]


def run_colour(run: int) -> str:
    return RUNS[(run - 1) % len(RUNS)]


def rgb(paint: str) -> np.ndarray:
    """Screen color, from 0 to 1."""
    return np.array([int(paint[k : k + 2], 16) for k in (1, 3, 5)]) / 255.0
