"""From a model to its image."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.checks import instance
from ...description.model import Model
from ...engine.integrators.integrate import loop, no_projection
from ...errors import ModelError
from ...kernel.decorators import JIT, pointer
from ...kernel.frames import number
from ...kernel.intrinsics import KERNELS_AT
from ...kernel.tables.records import ADDRESSES
from ...kernel.tables.signatures import signatures
from ...kernel.usercode.registry import WITH_CODE, Code, code_at
from ...simulation.prepared import prepare
from .arena import Arena
from .image import Image, KernelOf, new_header
from .kernels import OF_ALL, signature_of
from .names import names_of
from .prepare import Blocks, blocks_of


def image_of(model: Model, until: float = 1.0, **options: Any) -> Image:
    """Make the image of a model.

    Parameters
    ----------
    model : Model
        The model.
    until : float, default 1.0
        Duration (s) for which tolerances and breaks are prepared, as `until` of `simulate`. A run of
        an image may go on after it.
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
    plan = prepare(model, **options)._plan
    until = number(until, "image_of: until")
    return image_of_blocks(blocks_of(plan, until), until)


def image_of_blocks(blocks: Blocks, until: float) -> Image:
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
        **names_of(blocks, arena.places),
    )
    return Image(header, content[:filled], *pairs, tuple(found.sources))


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
    kernels = blocks.integrator.kernels
    loop(kernels)
    _, step, dense = _loop_signature()
    own = [(name, kernel, signature_of(name)) for name, kernel in OF_ALL]
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


def _loop_signature() -> tuple:
    from ...engine.integrators.integrate import signature

    return signature()


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
        place = arena.places["run.control"] + control.dtype.fields["structure"][1]
        calls.append((place, found.number(KernelOf(kernel, tuple(signature.args)))))
    calls += [(place, found.number(code)) for place, code in _user_code(arena, blocks)]
    return list(dict.fromkeys(calls))


def _user_code(arena: Arena, blocks: Blocks) -> list[tuple[int, Code]]:
    """Places of pairs of addresses of user code."""
    found = []
    for block in ("tables", "seen"):
        for name in WITH_CODE:
            rows = np.asarray(getattr(getattr(blocks, block), name))
            offset = rows.dtype.fields["address"][1]
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
