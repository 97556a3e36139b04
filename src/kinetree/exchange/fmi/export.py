"""Models as FMUs."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ...description.model import Model
from ...errors import ModelError, no_such
from ...kernel.runtime.targets import PLATFORMS
from ..image.build import image_of
from ..image.image import Image
from ..native.link import shared_library, target_of
from ..native.objects import objects_of
from ..native.platforms import OF_FMI, platforms_of
from ..native.source import c_name, header_of, source_of
from .description import description


def export_fmu(
    model: Model,
    path: str | os.PathLike[str],
    *,
    outputs: Sequence[str] = (),
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
    model : Model
        The model. Its time functions `kt.Input` become the inputs of the FMU.
    path : str or path-like
        File to write, such as "crane.fmu".
    outputs : sequence of str, optional
        Names of the channels that are outputs, such as "A.angle" or "tip.position".
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
    places, version = platforms_of(platforms, "export_fmu"), _version(version)
    image = image_of(model, until, outputs=outputs, **options)
    _check_inputs(image, inputs)
    return write_fmu(image, path, version, places)


def write_fmu(
    image: Image, path: str | os.PathLike[str], version: int, platforms: Sequence[str]
) -> Path:
    """Write an FMU of an image."""
    name, path = c_name(image.name), Path(path)
    token = hashlib.sha256(image.content.tobytes() + repr(image.header).encode()).hexdigest()[:32]
    libraries = {
        platform: _library(image, name, token, version, platform) for platform in platforms
    }
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        _write(archive, "modelDescription.xml", description(image, name, token, version))
        for platform, code in libraries.items():
            folder = OF_FMI[platform][version - 2]
            _write(archive, f"binaries/{folder}/{name}.{PLATFORMS[platform].suffix}", code)
    return path


def _write(archive: ZipFile, name: str, content: bytes) -> None:
    """Add a file without the present time, so that equal models give equal files."""
    archive.writestr(ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, ZIP_DEFLATED)


def _library(image: Image, name: str, token: str, version: int, platform: str) -> bytes:
    objects = objects_of(image, platform, target_of(platform), name)
    source = source_of(image, name).replace(f'#include "{name}.h"', header_of(image, name))
    parts = [source, _constants(image, token, version), *_texts(version)]
    return shared_library(platform, "\n".join(parts), objects.files, [f"fmi{version}"], name)


def _texts(version: int) -> list[str]:
    from importlib.resources import files

    folder = files(__package__) / "c"
    return [
        (folder / one).read_text(encoding="utf-8") for one in ("common.c", f"fmi{version}.c")
    ]


def _constants(image: Image, token: str, version: int) -> str:
    header = image.header
    nominals = ", ".join(float(x).hex() for x in [*header["nominals"], 1.0])
    model = image.name.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return "\n".join(
        [
            f'#define TOKEN "{token}"',
            f'#define MODEL_NAME "{model}"',
            f"#define RTOL {header['rtol']!r}",
            f"#define SETTLES {int(header['kinds']['constrained'])}",
            f"#define SLOPES {int(version == 3)}",
            f"static const double NOMINALS[N_STATES + 1] = {{{nominals}}};",
        ]
    )


def _version(version: int) -> int:
    if version not in (2, 3):
        raise ModelError(f"export_fmu: version must be 2 or 3 (FMI 2.0 or 3.0), got {version!r}.")
    return int(version)


def _check_inputs(image: Image, inputs: Sequence[str] | None) -> None:
    """Compare the names of the inputs with those of the model."""
    if inputs is None:
        return
    there = [one["name"] for one in image.header["inputs"]]
    for name in inputs:
        if name not in there:
            raise no_such(
                "input", name, there, f" in model {image.name!r}; write kt.Input({name!r}) there"
            )
    left = [name for name in there if name not in inputs]
    if left:
        raise ModelError(
            f"model {image.name!r} has further inputs: {', '.join(map(repr, left))}. Add them to "
            "inputs=, or omit inputs=."
        )
