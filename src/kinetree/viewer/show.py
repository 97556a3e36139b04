"""The doors of the viewer: pages of models and of solutions. All else is loaded when one of them is
used.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.checks import flag, whole, word
from ..description.model import Model
from ..errors import ModelError, short
from ..results.solution import Solution

if TYPE_CHECKING:
    from .page import Page


def animate(
    solutions: Solution | Sequence[Solution],
    path: str | os.PathLike[str] | None = None,
    *,
    channels: Sequence[str] | None = None,
    traces: Sequence[str] | None = None,
    forces: Sequence[str] | None = None,
    frames: int | None = None,
    title: str | None = None,
) -> Page:
    """One page that plays a run, or several laid over each other at the times of the first.

    path       file to write, like "run.html"; without it the page is only shown, inline in a
               notebook
    channels   plotted below the picture; by default what usually tells most, to choose from on the
               page
    traces     points whose path is drawn, like "bucket.tip", or bodies; by default those that
               travel farthest
    forces     joints and force elements whose forces are shown as arrows; by default all, switched
               off
    frames     most samples to keep (default 600)
    """
    from .page import Page, page_path
    from .scene import scene_of

    if path is not None:
        path = page_path(path)
    runs = list(solutions) if isinstance(solutions, (list, tuple)) else [solutions]
    if not runs or not all(isinstance(sol, Solution) for sol in runs):
        raise ModelError(f"animate: give a solution or several, got {short(solutions)}.")
    if title is not None:
        word(title, "animate: title")
    if frames is not None:
        frames = whole(frames, "animate: frames", least=2)
    made = Page(scene_of(runs, title, channels, traces, forces, frames))
    return made if path is None else made.save(path)


def show(
    model: Model, path: str | os.PathLike[str] | None = None, opened: bool | None = None
) -> Page:
    """A page of the assembled model, opened in the browser; in a notebook it is shown inline
    instead.
    """
    import tempfile
    import webbrowser

    from .page import Page, page_path
    from .scene import scene_of_model

    if path is not None:
        path = page_path(path)
    opened = None if opened is None else flag(opened, "show: opened")
    made = Page(scene_of_model(model))
    if path is None and not in_notebook():
        folder = Path(tempfile.mkdtemp(prefix="kinetree-"))
        made.save(folder / "model.html")
    elif path is not None:
        made.save(path)
    if made.path is not None and (not in_notebook() if opened is None else opened):
        webbrowser.open(made.path.resolve().as_uri())
    return made


def in_notebook() -> bool:
    """Whether a notebook's kernel runs this code."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return shell is not None and hasattr(shell, "kernel")
