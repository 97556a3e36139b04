"""`kt.export_fmu`: models as FMUs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core.checks import a_path
from ...description.model import Model


def export_fmu(
    model: Model | Callable[..., Model] | str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    outputs: Sequence[str] = (),
    parameters: Mapping[str, tuple[float, float]] | None = None,
    inputs: Sequence[str] | None = None,
    version: int = 2,
    platforms: Sequence[str] | None = None,
    until: float = 1.0,
    **options: Any,
) -> Path:
    """Export a model as an FMU for Model Exchange and Co-Simulation.

    The FMU contains machine code and no Python: it runs in Simulink, Modelica tools, test benches and
    other importers of the Functional Mock-up Interface.

    Parameters
    ----------
    model : Model, callable or path
        The model; with `parameters`, a function that returns it or a model file. Its time
        functions `kt.Input` become the inputs of the FMU.
    path : str or path-like
        File to write, such as "crane.fmu".
    outputs : sequence of str, optional
        Names of the channels that are outputs, such as "A.angle" or "tip.position".
    parameters : dict of str to (float, float), optional
        Parameters that can be changed in the exported model, with their ranges: names of arguments
        of the function, or of parameters of the file. They start at their defaults. Numbers of the
        model must be polynomials of them: masses, stiffnesses, dampings, forces, gains and most
        lengths of open chains.
    inputs : sequence of str, optional
        Names of the inputs; an error explains if the model has others. By default they are not
        checked.
    version : {2, 3}, default 2
        Version of FMI: 2.0 or 3.0.
    platforms : sequence of str, optional
        Platforms for which the FMU contains machine code: "linux64", "win64", "darwin64",
        "aarch64-linux", "aarch64-darwin". By default the platform of this computer. Others need the
        package `ziglang`.
    until : float, default 1.0
        Default stop time (s).
    **options
        Options of `simulate`, such as ``integrator="bdf"`` or ``rtol=1e-8``, for Co-Simulation.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ModelError
        If the model, an option or a name is wrong, or if the model cannot be exported.

    See Also
    --------
    export_c : Export a model as a C library.
    Input : Input of a model.

    Notes
    -----
    Co-Simulation has the integrator of `simulate`. Inputs are straight lines in time: importers give
    the derivatives of inputs in FMI 2 (``fmi2SetRealInputDerivatives``), and the variables
    ``<input>.slope`` in FMI 3. In Model Exchange the importer integrates the states; closed loops are
    moved back onto their constraints after its steps.

    Examples
    --------
    >>> import tempfile, kinetree as kt
    >>> from kinetree.models.pendulum import pendulum
    >>> folder = tempfile.mkdtemp()
    >>> path = kt.export_fmu(pendulum(), f"{folder}/pendulum.fmu", outputs=["hinge.angle"])
    >>> path.name
    'pendulum.fmu'
    """
    # imported here, because simulations do not need the compiler
    from ..image.build import exported
    from ..native.platforms import platforms_of
    from .write import check_inputs, checked_version, write_fmu

    file = a_path(path, "export_fmu: path")
    places, version = platforms_of(platforms, "export_fmu"), checked_version(version)
    image = exported(model, until, outputs, parameters, options, "export_fmu")
    check_inputs(image, inputs)
    return write_fmu(image, file, version, places)
