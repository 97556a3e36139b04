"""Writes the file of an FMU."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ...core.atomic_write import failing, replacing
from ...core.checks import words
from ...errors import ModelError, no_such, short
from ...kernel.runtime.targets import PLATFORMS
from ..image.image import Image
from ..native.link import shared_library, target_of
from ..native.objects import objects_of
from ..native.platforms import OF_FMI
from ..native.source import c_name, header_of, source_of
from .description import description


def write_fmu(image: Image, path: Path, version: int, platforms: Sequence[str]) -> Path:
    """Write an FMU of an image."""
    name = c_name(image.name)
    token = hashlib.sha256(image.content.tobytes() + repr(image.header).encode()).hexdigest()[:32]
    libraries = {
        platform: _library(image, name, token, version, platform) for platform in platforms
    }
    with failing(path), replacing(path) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
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
    folder = files(__package__) / "c"
    return [(folder / one).read_text(encoding="utf-8") for one in ("common.c", f"fmi{version}.c")]


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


def checked_version(version: int) -> int:
    if type(version) is not int or version not in (2, 3):
        raise ModelError(
            f"export_fmu: version must be 2 or 3 (FMI 2.0 or 3.0), got {short(version)}."
        )
    return version


def check_inputs(image: Image, inputs: Sequence[str] | None) -> None:
    """Compare the names of the inputs with those of the model."""
    if inputs is None:
        return
    inputs = words(inputs, "export_fmu: inputs", "push")
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
