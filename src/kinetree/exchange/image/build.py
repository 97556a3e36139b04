"""From a model to its image."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

import numpy as np

from ...core.checks import instance, mapping, words
from ...description.model import Model
from ...engine.integrators.integrate import loop, no_projection
from ...engine.integrators.integrate import signature as loop_signature
from ...engine.integrators.memory import CONTROL
from ...errors import ModelError, short
from ...kernel.decorators import JIT, pointer
from ...kernel.frames import number
from ...kernel.intrinsics import KERNELS_AT
from ...kernel.tables.records import ADDRESSES
from ...kernel.tables.signatures import signatures
from ...kernel.usercode.registry import WITH_CODE, Code, code_at
from ...simulation.prepared import Prepared, prepare
from ...studies.parameters.source import source_of
from .arena import Arena
from .image import Image, KernelOf, new_header
from .kernels import OF_ALL, signature_of
from .names import names_of
from .parameters import Words, parameters_of, with_parameters, words_of
from .prepare import Blocks, blocks_of
from .readings import Reading, Readings
from .run_here import compare

SHORT, SAMPLES = 0.02, 4  # duration (s) and samples of the run that readings are compared with


def image_of(
    model: Model, until: float = 1.0, *, outputs: Sequence[str] = (), **options: Any
) -> Image:
    """Make the image of a model.

    Parameters
    ----------
    model : Model
        The model.
    until : float, default 1.0
        Duration (s) for which tolerances and breaks are prepared, as `until` of `simulate`. A run of
        an image may go on after it.
    outputs : sequence of str
        Names of channels that the image computes.
    **options
        Options of `simulate`, such as ``integrator="bdf"`` or ``rtol=1e-8``.

    Returns
    -------
    Image
        The image at the assembled initial state.
    """
    instance(model, Model, "image_of: model")
    if not JIT:
        raise ModelError(
            "an image names compiled kernels, and KINETREE_PLAIN is set. Unset this variable."
        )
    return _image_and_words(
        model, number(until, "image_of: until", positive=True), outputs, options
    )[0]


def exported(
    model: Model | Callable[..., Model] | str | os.PathLike[str],
    until: float,
    outputs: Sequence[str],
    parameters: Mapping[str, Any] | None,
    options: Mapping[str, Any],
    what: str,
) -> Image:
    """The image for an export; with parameters, `model` is a function or a model file."""
    until, outputs = (
        number(until, f"{what}: until", positive=True),
        words(outputs, f"{what}: outputs"),
    )
    if parameters is not None:
        parameters = mapping(parameters, f"{what}: parameters", '{"mass": (1.0, 2.0)}')
    if isinstance(model, Model):
        if parameters:
            raise ModelError(
                f"{what}: parameters= needs a function that returns the model, such as "
                "def make(mass=1.0): ..., or a model file with parameters, and got a model."
            )
        return image_of(model, until, outputs=outputs, **options)
    if not (isinstance(model, (str, Path)) or callable(model)):
        raise ModelError(
            f"{what}: model must be a kt.Model, a function that returns one, or the path of a model "
            f"file, got {short(model)}."
        )
    source = source_of(model)
    if not parameters:
        return image_of(source({}), until, outputs=outputs, **options)
    return with_parameters(
        lambda values: _image_and_words(source(values), until, outputs, options),
        parameters_of(source, parameters, what),
    )


def _image_and_words(
    model: Model, until: float, outputs: Sequence[str], options: Mapping[str, Any]
) -> tuple[Image, Words]:
    prepared = prepare(model, **options)
    readings = checked_readings(prepared, until, outputs)
    blocks = blocks_of(prepared._plan, until, readings)
    image = image_of_blocks(blocks, until, readings)
    return image, words_of(blocks, image.header["places"])


def checked_readings(prepared: Prepared, until: float, outputs: Sequence[str]) -> list[Reading]:
    """The readings of channels, each compared with the channel in a short run."""
    outputs = words(outputs, "outputs", "A.angle")
    if not outputs:
        return []
    plan, t0 = prepared._plan, prepared.start.t
    blocks_of(plan, until)  # refuses the model before it runs
    short = min(until - t0, SHORT)
    sol = prepared.run(t0 + short, output_interval=short / SAMPLES, progress=False)
    readings = Readings(sol).of(outputs)
    compare(blocks_of(plan, until, readings), readings, sol)
    return readings


def image_of_blocks(blocks: Blocks, until: float, readings: Sequence[Reading] = ()) -> Image:
    """The image of prepared blocks."""
    found = _Calls()
    arena = Arena()
    arena.add_blocks(blocks.by_name)
    entries = _entries(blocks, found)
    calls = _calls(arena, blocks, found)
    moves = [*arena.moves, *_numbers_of_user_code(arena, blocks)]
    content = arena.bytes()
    words = content.view(np.int64)
    for place, _ in [*moves, *calls]:
        words[place // 8] = 0
    filled = int(np.flatnonzero(content).max()) + 1
    pairs = [np.array(sorted(pair), np.uint32).reshape(-1, 2) for pair in (moves, calls)]
    header = new_header(
        blocks.assembly.compiled.model.name,
        size=arena.size,
        filled=filled,
        pairs=[len(one) for one in pairs],
        places=arena.places,
        kernels=found.symbols,
        entries=entries,
        t0=blocks.assembly.t,
        until=until,
        outputs=[{"name": one.name, "unit": one.unit} for one in readings],
        what=reduce(or_, (one.parts for one in readings), 0),
        **names_of(blocks, arena.places),
    )
    return Image(header, content[:filled], pairs[0], pairs[1], tuple(found.sources))


class _Calls:
    """The kernels of an image, each once."""

    def __init__(self) -> None:
        self.sources: list[KernelOf | Code] = []
        self.symbols: list[str] = []

    def number(self, source: KernelOf | Code) -> int:
        symbol = _symbol(source)
        if symbol not in self.symbols:
            self.symbols.append(symbol)
            self.sources.append(source)
        return self.symbols.index(symbol)


def _symbol(source: KernelOf | Code) -> str:
    if isinstance(source, Code):
        return f"user.{source.shape}.{source.digest[:16]}"
    return f"kt.{source.function.name}"


def _entries(blocks: Blocks, found: _Calls) -> dict[str, int]:
    """Numbers of the kernels that the program calls or passes."""
    _, _, rhs, project = signatures()
    kernels: Any = blocks.integrator.kernels
    loop(kernels)
    _, step, dense = loop_signature()
    own: list[tuple[str, Any, Any]] = [
        (name, kernel, signature_of(name)) for name, kernel in OF_ALL
    ]
    own += [
        ("start", kernels.start, step),
        ("step", kernels.step, step),
        ("dense", kernels.dense, dense),
        ("rhs", blocks.method.rhs, rhs),
        ("project", blocks.method.project, project),
        ("still", no_projection, project),
    ]
    for _, kernel, signature in own:
        pointer(kernel, signature)
    return {
        name: found.number(KernelOf(kernel, tuple(signature.args)))
        for name, kernel, signature in own
    }


def _calls(arena: Arena, blocks: Blocks, found: _Calls) -> list[tuple[int, int]]:
    """The words that are addresses of kernels or of user code."""
    calls = []
    for block in ("tables", "seen"):
        tables = getattr(blocks, block)
        for name in ADDRESSES:
            words = getattr(tables, name).ravel()
            for k in np.flatnonzero(words):
                kernel, signature = KERNELS_AT[int(words[k])]
                place = arena.places[f"{block}.{name}"] + 8 * int(k)
                calls.append((place, found.number(KernelOf(kernel, tuple(signature.args)))))
    control = blocks.run.control
    if address := int(control[0]["structure"]):
        kernel, signature = KERNELS_AT[address]
        place = arena.places["run.control"] + CONTROL.fields["structure"][1]  # type: ignore[index]
        calls.append((place, found.number(KernelOf(kernel, tuple(signature.args)))))
    calls += [(place, found.number(code)) for place, code in _user_code(arena, blocks)]
    return list(dict.fromkeys(calls))


def _user_code(arena: Arena, blocks: Blocks) -> list[tuple[int, Code]]:
    """Places of pairs of addresses of user code."""
    found = []
    for block in ("tables", "seen"):
        for name in WITH_CODE:
            rows = np.asarray(getattr(getattr(blocks, block), name))
            offset = rows.dtype.fields["address"][1]  # type: ignore[index]
            for k, row in enumerate(rows):
                for m, pair in enumerate(row["address"].reshape(-1, 2)):
                    if pair[0]:
                        place = arena.places[f"{block}.{name}"] + k * rows.dtype.itemsize
                        code = code_at(pair)
                        assert code is not None, "user code of a lowered model is alive"
                        found.append((place + offset + 16 * m, code))
    return found


def _numbers_of_user_code(arena: Arena, blocks: Blocks) -> list[tuple[int, int]]:
    """The words that are addresses of the floats of user code, which become part of the arena."""
    return list(
        dict.fromkeys(
            (place + 8, arena.add(code.values)) for place, code in _user_code(arena, blocks)
        )
    )
