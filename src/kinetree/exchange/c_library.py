"""`kt.export_c`: models as C libraries."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.checks import a_path
from ..description.model import Model
from ..errors import ModelError, short


def export_c(
    model: Model | Callable[..., Model] | str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    outputs: Sequence[str] = (),
    parameters: Mapping[str, tuple[float, float]] | None = None,
    name: str | None = None,
    platforms: Sequence[str] | None = None,
    until: float = 1.0,
    **options: Any,
) -> Path:
    """Export a model as a C library.

    The folder gets a header, a C source file, a static library of machine code for each platform, an
    example program and a CMake file. The library needs the C library only, allocates no memory by
    itself, and contains no Python.

    Parameters
    ----------
    model : Model, callable or path
        The model; with `parameters`, a function that returns it or a model file. Its time
        functions `kt.Input` become the inputs of the library.
    folder : str or path-like
        Folder to write to; it is created if it does not exist.
    outputs : sequence of str, optional
        Names of the channels that are outputs, such as "A.angle" or "tip.position".
    parameters : dict of str to (float, float), optional
        Parameters that can be changed in the exported model, with their ranges: names of arguments
        of the function, or of parameters of the file. They start at their defaults. Numbers of the
        model must be polynomials of them: masses, stiffnesses, dampings, forces, gains and most
        lengths of open chains.
    name : str, optional
        Prefix of the functions; by default the name of the model.
    platforms : sequence of str, optional
        Platforms for which machine code is written: "linux64", "win64", "darwin64",
        "aarch64-linux", "aarch64-darwin". By default the platform of this computer.
    until : float, default 1.0
        Duration (s) for which tolerances are prepared, as `until` of `simulate`.
    **options
        Options of `simulate`, such as ``integrator="rk4"``, ``step=1e-3``.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    ModelError
        If the model, an option or a name is wrong, or if the model cannot be exported.

    See Also
    --------
    export_fmu : Export a model for Simulink, Modelica tools and test benches.
    Input : Input of a model.

    Notes
    -----
    A run from the initial state to `until` in one call of ``<name>_advance_exactly`` gives the bits of
    `simulate` with the same options. For real-time use choose a method with fixed steps, and call
    ``<name>_step`` with a number of steps: their time hardly varies.

    Examples
    --------
    >>> import tempfile, kinetree as kt
    >>> from kinetree.models.pendulum import pendulum
    >>> folder = kt.export_c(pendulum(), tempfile.mkdtemp(), outputs=["hinge.angle"])
    >>> sorted(path.name for path in folder.iterdir())
    ['CMakeLists.txt', 'example.c', 'lib', 'pendulum.c', 'pendulum.h']
    """
    # imported here, because simulations do not need the compiler
    from .image.build import exported
    from .native.c_files import write_c
    from .native.platforms import platforms_of
    from .native.source import c_name

    place = a_path(folder, "export_c: folder")
    places = platforms_of(platforms, "export_c")
    if name is not None and not (
        isinstance(name, str) and re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII)
    ):
        raise ModelError(f"export_c: name must be an identifier of C, got {short(name)}.")
    image = exported(model, until, outputs, parameters, options, "export_c")
    return write_c(image, place, name or c_name(image.name), places)
