"""C source of an image: its data as arrays, and the fixed functions of `c/core.c` about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any

import numpy as np

from ...engine.integrators.memory import ATOL
from ...errors import ModelError
from ...kernel.tables.status import Status
from ...release import VERSION
from ...results.causes import CAUSES
from ..image.image import Image

BACKWARD, NOT_A_NUMBER, NO_SUCH, OUT_OF_RANGE = 200, 201, 202, 203
_OWN = {
    Status.OK: "no error",
    Status.MORE: "the budget of steps is used up: call again",
    Status.RATE_JUMP: "the rate that a driver prescribes jumps where no breakpoint is declared",
    Status.POSITION_JUMP: "the position that a driver prescribes jumps",
    Status.MOVED: "a step was too long for the constraints. Use a smaller tolerance",
    BACKWARD: "the time lies before the present time: set the state, or load a saved one",
    NOT_A_NUMBER: "the time is not a number",
    NO_SUCH: "there is no input or parameter with this number",
    OUT_OF_RANGE: "the value is outside of the range for which the parameter was exported",
}
_ENTRIES = ("advance", "observe", "outputs", "rates", "settle")
_PASSED = ("start", "step", "dense", "rhs", "project", "still")
_ROWS = (
    "tables",
    "work",
    "run",
    "session",
    "seen",
    "seen_work",
    "frames",
    "view",
    "record",
    "outputs",
)


def text_of(name: str) -> str:
    """A file of the package."""
    return (files(__package__) / "c" / name).read_text(encoding="utf-8")


def c_name(name: str) -> str:
    """The name of a model as an identifier of C."""
    found = re.sub(r"\W", "_", name, flags=re.ASCII).strip("_") or "model"
    return found if found[0].isalpha() else f"m_{found}"


def header_of(image: Image, prefix: str) -> str:
    """The C header of an image."""
    given = {
        "NAME": image.name.replace("*/", ""),
        "VERSION": VERSION,
        "P": prefix,
        "STATES": len(image.header["states"]),
        "INPUTS": len(image.header["inputs"]),
        "OUTPUTS": len(image.header["outputs"]),
        "PARAMETERS": len(image.header["parameters"]),
        "LISTS": _lists(image, prefix),
    }
    return re.sub(r"@([A-Z]+)@", lambda m: str(given[m[1]]), text_of("machine.h"))


def source_of(image: Image, prefix: str) -> str:
    """The C source of an image: its data, then the functions of its header."""
    return "\n".join([f'#include "{prefix}.h"', *_data(image, prefix), text_of("core.c")])


def _lists(image: Image, prefix: str) -> str:
    """Comments with the numbers of inputs, outputs and parameters."""
    lines = []
    for what in ("inputs", "outputs", "parameters"):
        rows = [
            f"     {k:4d}  {one['name']}  ({one['unit']})"
            for k, one in enumerate(image.header[what])
        ]
        if rows:
            lines += [f"/* {what}, by number:", *rows, "*/"]
    return "\n".join(lines).replace("@", "at")


def _data(image: Image, prefix: str) -> list[str]:
    header, numbers = image.header, image.header["numbers"]
    places, records = header["places"], header["records"]
    words = np.zeros(-(-header["filled"] // 8), np.uint64)
    words.view(np.uint8)[: header["filled"]] = image.content

    def field(array: str, record: str, name: str) -> int:
        return places[array] + records[record][name][0]

    at = {name: places[name] for name in _ROWS} | {
        "now": field("session.state", "session", "now"),
        "restart": field("session.state", "session", "restart"),
        "next_break": field("session.state", "session", "next_break"),
        "y": places["session.y"],
        "accepted": field("run.memory", "memory", "accepted"),
        "evaluations": field("run.memory", "memory", "evaluations"),
        "view_t": places["view.t"],
        "view_y": places["view.y"],
        "view_ydot": places["view.ydot"],
        "values": places["outputs.values"],
        "breaks": places["session.breaks"],
        "drivers": field("session.state", "session", "drivers"),
        "until": field("session.state", "session", "until"),
        "rtol": field("run.control", "control", "rtol"),
        "atol": places["run.vectors"] + 8 * numbers["width"] * ATOL,
        "factorisations": field("work.report", "report", "factorisations"),
    }
    inputs = [one["places"] for one in header["inputs"]]
    first = np.cumsum([0, *map(len, inputs)]).tolist()
    lines = [
        f"#define NAME {prefix}",
        f"#define F(name) {prefix}_##name",
        f"#define KERNELS {prefix}_kernels",
        "enum {",
        *(f"    AT_{name.upper()} = {place}," for name, place in at.items()),
        *(f"    K_{name.upper()} = {header['entries'][name]}," for name in (*_ENTRIES, *_PASSED)),
        *(f"    SIGNAL_{k.upper()} = {records['signal'][k][0] // 8}," for k in ("a", "b", "begin")),
        f"    ARENA_BYTES = {header['size']}, OBSERVED = {header['what']},",
        f"    N_STATES = {numbers['n']}, N_INPUTS = {len(inputs)}, N_OUTPUTS = {len(header['outputs'])},",
        f"    N_WIDTH = {numbers['width']}, N_BREAKS = {_count(image, 'session.breaks')},",
        f"    N_MOVES = {len(image.moves)}, N_CALLS = {len(image.calls)},",
        f"    BACKWARD = {BACKWARD}, NOT_A_NUMBER = {NOT_A_NUMBER}, NO_SUCH = {NO_SUCH},",
        f"    OUT_OF_RANGE = {OUT_OF_RANGE}",
        "};",
        _array("uint64_t", "ARENA_WORDS[]", (f"0x{w:x}u" if w else "0" for w in words.tolist())),
        _pairs("MOVES", image.moves),
        _pairs("CALLS", image.calls),
        _array("int32_t", "INPUT_FIRST[]", map(str, first)),
        _array(
            "uint32_t", "INPUT_PLACES[]", (str(p) for own in inputs for p in own) if inputs else "0"
        ),
        *_parameters(header["parameters"], header["patches"]),
        "static const struct { int status; const char *text; } MESSAGES[] = {",
        *(f"    {{{status}, {_text(text)}}}," for status, text in messages().items()),
        "};",
        *_names(image, prefix),
    ]
    return lines


def _count(image: Image, array: str) -> int:
    """Number of elements of a row of numbers."""
    return image.header["arrays"].get(array, (0, "", [0]))[2][0]


def messages() -> dict[int, str]:
    """A sentence for each status."""
    found = {int(status): cause.short for status, cause in CAUSES.items() if "{" not in cause.short}
    return found | {int(status): text for status, text in _OWN.items()}


def _names(image: Image, prefix: str) -> list[str]:
    header = image.header
    lists: dict[str, Sequence[str]] = {"state": header["states"]}
    for what in ("input", "output", "parameter"):
        lists[what] = [one["name"] for one in header[f"{what}s"]]
    return [
        f"const char *const {prefix}_{what}_names[] = {{{', '.join([*map(_text, own), 'NULL'])}}};"
        for what, own in lists.items()
    ]


def _parameters(parameters: Sequence[dict[str, Any]], patches: Sequence[Any]) -> list[str]:
    """Arrays of the parameters and of the numbers that depend on them."""
    count = len(parameters)
    rows, terms = list[tuple[int, ...]](), list[tuple[float, list[int]]]()
    for place, start, own in patches:
        rows.append((place, int(start), len(terms), len(own)))
        terms += own
    first = np.cumsum([0, *(len(powers) for _, powers in terms)]).tolist()
    columns = {
        "STARTS": [one["start"] for one in parameters],
        "LOW": [one["low"] for one in parameters],
        "HIGH": [one["high"] for one in parameters],
        "MIDDLE": [0.5 * (one["low"] + one["high"]) for one in parameters],
        "HALF": [0.5 * (one["high"] - one["low"]) or 1.0 for one in parameters],
    }
    found = [f"enum {{ N_PARAMETERS = {count}, N_PATCHES = {len(rows)} }};"]
    found += [
        _array("double", f"PARAMETER_{name}[N_PARAMETERS + 1]", (_number(x) for x in [*own, 0.0]))
        for name, own in columns.items()
    ]
    flat = (f"{{{', '.join(map(str, row))}}}" for row in rows or [(0, 0, 0, 0)])
    return [
        *found,
        _array("uint32_t", "PATCHES[][4]", flat),
        _array("double", "TERM_FACTORS[]", [_number(c) for c, _ in terms] or ["0"]),
        _array("int32_t", "TERM_FIRST[]", map(str, first)),
        _array("int32_t", "TERM_PARAMETERS[]", [str(k) for _, own in terms for k in own] or ["0"]),
    ]


def _array(kind: str, name: str, items: Iterable[str]) -> str:
    text, line = [], ""
    for item in items:
        line += f"{item},"
        if len(line) > 110:
            text.append(line)
            line = ""
    return f"static const {kind} {name} = {{\n" + "\n".join([*text, line]) + "\n};"


def _pairs(name: str, pairs: np.ndarray) -> str:
    return _array("uint32_t", f"{name}[][2]", (f"{{{a},{b}}}" for a, b in pairs.tolist()))


def _number(x: float) -> str:
    if not np.isfinite(x):
        raise ModelError(f"a parameter of an exported model is {x}; give finite numbers.")
    return float(x).hex()


def _text(text: str) -> str:
    """A string of C."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?")
    return f'"{escaped}"'
