"""Entry point: write a page that computes a model."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...core.checks import flag, number, word, words
from ...description.model import Model
from ...errors import ModelError, explains_arguments
from ...kernel.language import JIT

if TYPE_CHECKING:
    from ...viewer.labels import Scene
    from ...viewer.page import Page


@explains_arguments
def playground(
    model: Model | Callable[..., Model] | str | os.PathLike[str],
    path: str | os.PathLike[str] | None = None,
    *,
    sliders: Mapping[str, Sequence[float]] | None = None,
    fixed: Mapping[str, Any] | None = None,
    channels: Sequence[str] | None = None,
    until: float = 5.0,
    playing: bool = True,
    title: str | None = None,
    **options: Any,
) -> Page:
    """Make an HTML page that computes a model in the browser.

    The page runs without a server and without Python: it contains the kernels that the model needs,
    as WebAssembly. The reader changes numbers by sliders, pulls bodies with the pointer, and sees
    the motion and the curves as they are computed.

    Parameters
    ----------
    model : Model, callable, str or path-like
        The model, a function that returns it for parameters given by name, or the path of a model
        file.
    path : str or path-like, optional
        File to write, such as "machine.html"; without it the page is shown inline in a notebook.
    sliders : dict of str to sequence of float, optional
        Lowest and highest value, and optionally the first one, of each number that the reader may
        change: parameters of the function or of the file, start values of joint coordinates
        ("hinge.angle") and of their rates ("hinge.angle.rate"), in SI units and radians.
    fixed : dict, optional
        Values of other parameters.
    channels : sequence of str, optional
        Channels to plot; by default joint coordinates, energies, lengths and forces.
    until : float, default 5.0
        Duration (s) of the motion that the first view contains.
    playing : bool, default True
        Whether the motion starts when the page is opened.
    title : str, optional
        Title of the page; by default the name of the model.
    **options
        Options of `simulate`, such as ``rtol=1e-6`` or ``integrator="switching"``.

    Returns
    -------
    Page
        The page; ``page.path`` is the file.

    Raises
    ------
    ModelError
        If the page cannot compute the model, with the reason. It cannot compute models with beams,
        generated equations, user code, events, rigid contacts or sampled controllers, and sliders
        must enter the numbers of the model as polynomials.

    See Also
    --------
    animate : A page that plays a run that was computed before.

    Notes
    -----
    The page takes the steps of `simulate`, with the same tolerances. Products are rounded before
    they are added, because WebAssembly has no fused multiply-add, so that results differ from those
    of `simulate` by rounding. A spring between the pointer and the body pulls the body.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.pendulum import pendulum
    >>> page = kt.playground(pendulum, "pendulum.html", sliders={"hinge.angle": (-2.0, 2.0)})
    >>> page.path.name
    'pendulum.html'
    """
    from ...viewer.page import Page, page_path
    from .machine import Machine
    from .page import playground_page
    from .sliders import sliders_of

    if path is not None:
        path = page_path(path)
    if title is not None:
        word(title, "playground: title")
    if channels is not None:
        channels = words(channels, "playground: channels")
    if not JIT:
        raise ModelError("a page needs compiled kernels: unset KINETREE_PLAIN.")
    found = sliders_of(model, sliders, fixed)
    machine = Machine(found, options)
    until = number(until, "playground: until", positive=True)
    scene = _scene(found.plain(), until, options, title)
    still = not flag(playing, "playground: playing")
    text = playground_page(machine, scene, channels, until=until, still=still)
    made = Page(scene, text)
    return made if path is None else made.save(path)


def _scene(model: Model, until: float, options: Mapping[str, Any], title: str | None) -> Scene:
    """The scene of a run, at its start; its view contains the run."""
    from ...simulation.simulate import simulate
    from ...viewer.scene import scene_of

    sol = simulate(model, until, output_interval=until / 100.0, progress=False, **options)
    scene = scene_of([sol], title, channels=[], traces=[], forces=[])
    scene.times, scene.poses = scene.times[:1], [pose[:1] for pose in scene.poses]
    scene.arrows, scene.traces, scene.curves = [], [], []
    return scene
