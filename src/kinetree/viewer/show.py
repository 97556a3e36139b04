"""Entry points of the viewer: pages of models and of solutions. Other modules are loaded on
demand.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.checks import flag, whole, word
from ..description.model import Model
from ..errors import ModelError, explains_arguments, short
from ..results.solution import Solution

if TYPE_CHECKING:
    from .page import Page


@explains_arguments
def animate(
    solutions: Solution | Sequence[Solution],
    path: str | os.PathLike[str] | None = None,
    *,
    channels: Sequence[str] | None = None,
    traces: Sequence[str] | None = None,
    forces: Sequence[str] | None = None,
    frames: int | None = None,
    title: str | None = None,
    color: str | None = "stress",
    scale: float = 1.0,
) -> Page:
    """Make an HTML page that plays one solution, or several over each other.

    Parameters
    ----------
    solutions : Solution or sequence of Solution
        The solutions; the page uses the times of the first one.
    path : str or path-like, optional
        File to write, such as "run.html"; without it the page is shown inline in a notebook.
    channels : sequence of str, optional
        Channels to plot below the picture; by default a selection.
    traces : sequence of str, optional
        Points whose path is drawn, such as "bucket.tip", or bodies; by default those that move
        farthest.
    forces : sequence of str, optional
        Joints and force elements whose forces are drawn as arrows; by default all, switched off.
    frames : int, optional
        Largest number of samples to keep; by default 600.
    title : str, optional
        Title of the page; by default the name of the model.
    color : {"stress", "displacement"} or None, default "stress"
        What the colors of flexible bodies show: von Mises stress or displacement.
    scale : float, default 1.0
        Factor on the displacements of flexible bodies.

    Returns
    -------
    Page
        The page; ``page.path`` is the file.

    Raises
    ------
    ModelError
        If an argument is not a solution, or a name does not exist.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.four_bar import four_bar
    >>> sol = kt.simulate(four_bar(), 0.2)
    >>> kt.animate(sol, "four-bar.html", frames=20).path.name
    'four-bar.html'
    """
    from .page import Page, page_path
    from .scene import scene_of

    if path is not None:
        path = page_path(path)
    runs = list(solutions) if isinstance(solutions, (list, tuple)) else [solutions]
    if not runs or not all(isinstance(sol, Solution) for sol in runs):
        raise ModelError(
            f"animate: give a solution or a list of solutions, got {short(solutions)}."
        )
    if title is not None:
        word(title, "animate: title")
    if frames is not None:
        frames = whole(frames, "animate: frames", least=2)
    made = Page(scene_of(runs, title, channels, traces, forces, frames, color, scale))
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
    """Whether this code runs in a notebook."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return shell is not None and hasattr(shell, "kernel")
