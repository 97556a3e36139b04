"""Figures of the pages, drawn at every build into `_generated/figures/`, one SVG each.

A figure is a function without arguments that returns a matplotlib figure. A module of this folder
lists its figures in `FIGURES = {"name": function}`, and `MODULES` lists the modules. A page shows a
figure as `![what it shows](_generated/figures/name.svg)`.

cd docs && python -m workshop.figures FOLDER           the same without Sphinx
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable
from pathlib import Path

MODULES: tuple[str, ...] = (
    "frames",
    "signs",
    "linkages",
    "methods",
    "charts",
    "papers",
    "joints",
    "point_joints",
    "marker_forces",
    "joint_forces",
    "hydraulics",
    "vehicles",
    "beams",
    "flexible",
    "constraints",
    "gears",
    "cams_and_gears",
    "signals",
    "tasks",
    "lessons",
)


def figures() -> dict[str, Callable]:
    """Return all figures by name."""
    found: dict[str, Callable] = {}
    for name in MODULES:
        for key, draw in importlib.import_module(f".{name}", __package__).FIGURES.items():
            if key in found:
                raise ValueError(f"two figures are named {key!r}")
            found[key] = draw
    return found


def write(folder: Path) -> None:
    """Draw all figures; none if the package and this folder have not changed."""
    stamp, now = folder / "figures.stamp", _fingerprint()
    if stamp.exists() and stamp.read_text() == now:
        return
    import matplotlib

    folder.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context({"svg.hashsalt": "kinetree", "svg.fonttype": "none"}):
        for name, draw in figures().items():
            save(draw(), folder / f"{name}.svg")
    stamp.write_text(now)


def save(figure, path: Path) -> None:
    """Write one figure, without a date so that the same figure has the same bytes."""
    import matplotlib.pyplot as plt

    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)


def _fingerprint() -> str:
    import kinetree

    package, here = Path(kinetree.__file__).parent, Path(__file__).parent
    files = sorted([*package.rglob("*.py"), *here.glob("*.py")])
    return hashlib.sha256(b"".join(p.read_bytes() for p in files)).hexdigest()
