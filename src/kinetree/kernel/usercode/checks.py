"""Error messages about a user's function: its arguments, its result, why it is not compiled."""

from __future__ import annotations

import dis
import inspect
import linecache
import re
import types
from collections.abc import Callable
from pathlib import Path

from ...errors import ModelError, short
from ..compiler.values import KernelError
from .fingerprint import all_names, named_globals, well_known
from .shapes import python_of

_PACKAGE = str(Path(__file__).resolve().parents[2])
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_PREAMBLE = (
    "Failed in ",
    "During: ",
    "Internal error",
    "Unknown attribute",
    "Rejected as",
    "There are ",
    "- of which",
    "[",
)


def name_of(function: Callable) -> str:
    return getattr(function, "__name__", type(function).__name__)


def must_fill(function: Callable, filled: tuple[str, ...]) -> str:
    names = " and ".join(filled)
    return (
        f"function {name_of(function)!r} returns a value, which nobody reads: it must fill "
        f"{names}. Write {filled[0]}[:] = ... instead of return ..."
    )


def check_arguments(function: Callable, names: tuple[str, ...], filled: int) -> None:
    """Raise ModelError if a function cannot be called with these arguments or does not fill the
    last `filled` ones.
    """
    wanted = f"function {name_of(function)!r} must take ({', '.join(names)})"
    try:
        signature = inspect.signature(python_of(function))
    except (TypeError, ValueError):
        return  # builtins have no signature
    try:
        signature.bind(*names)
    except TypeError as reason:
        raise ModelError(f"{wanted}: {reason}.") from None
    code = getattr(python_of(function), "__code__", None)
    if not isinstance(code, types.CodeType):
        return
    if not filled and _returns_nothing(code):
        raise ModelError(
            f"function {name_of(function)!r} returns nothing; end it with 'return ...' and a "
            "number."
        )
    for own in (
        code.co_varnames[len(names) - filled : len(names)]
        if filled and code.co_argcount >= len(names)
        else ()
    ):
        if _rebinds(code, own):
            raise ModelError(
                f"function {name_of(function)!r} gives the name {own!r} to something else, which "
                f"fills nothing: write {own}[:] = ... instead of {own} = ..."
            )


def _returns_nothing(code: types.CodeType) -> bool:
    """Whether every return statement returns None."""
    steps = [
        s for s in dis.get_instructions(code) if s.opname not in ("CACHE", "NOP", "EXTENDED_ARG")
    ]
    given = [
        s if s.opname == "RETURN_CONST" else before
        for before, s in zip(steps, steps[1:])
        if s.opname.startswith("RETURN_") and s.opname != "RETURN_GENERATOR"
    ]
    return bool(given) and all(
        s.opname in ("LOAD_CONST", "RETURN_CONST") and s.argval is None for s in given
    )


def _rebinds(code: types.CodeType, name: str) -> bool:
    """Whether the name is assigned, other than by += and similar operators."""
    steps = [
        s for s in dis.get_instructions(code) if s.opname not in ("CACHE", "NOP", "EXTENDED_ARG")
    ]
    return any(
        s.opname.startswith("STORE_FAST")
        and s.argval == name
        and not (before.opname == "BINARY_OP" and before.argrepr.endswith("="))
        and not before.opname.startswith("INPLACE")
        for before, s in zip(steps, steps[1:])
    )


def may_not_return(function: Callable, above: tuple[Callable, ...] = ()) -> bool:
    """Whether the function, or one that it calls, has a loop or calls itself."""
    f = python_of(function)
    if not isinstance(f, types.FunctionType) or well_known(f):
        return False
    if f in above or _loops(f.__code__):
        return True
    called = [*named_globals(f).values(), *(cell.cell_contents for cell in f.__closure__ or ())]
    for module in [
        value for value in called if isinstance(value, types.ModuleType) and not well_known(value)
    ]:
        called += [vars(module)[name] for name in all_names(f.__code__) if name in vars(module)]
    return any(may_not_return(value, (*above, f)) for value in called)


def _loops(code: types.CodeType) -> bool:
    return any("BACKWARD" in step.opname for step in dis.get_instructions(code)) or any(
        _loops(inner) for inner in code.co_consts if isinstance(inner, types.CodeType)
    )


def compile_error(reason: Exception, function: Callable) -> str:
    """Cause and line of a refusal to compile."""
    if isinstance(reason, KernelError) and reason.path:
        shown = linecache.getline(reason.path, reason.line).strip()
        return f"line {reason.line} of {Path(reason.path).name}{f' ({shown})' if shown else ''}: {reason.reason}"
    text = _COLOUR.sub("", str(reason))
    lines = [line.strip() for line in text.splitlines()]
    causes = [line for line in lines if line and not line.startswith(_PREAMBLE)]
    cause = causes[0] if causes else type(reason).__name__
    if cause.endswith(":") and len(causes) > 1:
        cause = f"{cause} {causes[1].removeprefix('>>> ')}"
    code = python_of(function).__code__
    path, line = next(
        ((path, int(line)) for path, line in _PLACE.findall(text) if not _ours(path)),
        (code.co_filename, code.co_firstlineno),
    )
    shown = linecache.getline(path, line).strip()
    return f"line {line} of {Path(path).name}{f' ({shown})' if shown else ''}: {cause}"


def _ours(path: str) -> bool:
    return path.startswith("<user") or str(Path(path).resolve()).startswith(_PACKAGE)


def raised(reason: BaseException) -> str:
    """Text of an exception: "IndexError: index 7 is out of bounds .. (line 5 of machine.py)"."""
    frame, place = reason.__traceback__, ""
    while frame is not None:
        path = frame.tb_frame.f_code.co_filename
        if not _ours(path):
            place = f" (line {frame.tb_lineno} of {Path(path).name})"
        frame = frame.tb_next
    try:
        text = str(reason)
    except Exception:
        text = ""
    return f"{type(reason).__name__}{': ' if text else ''}{text}{place}"


def check_gap(gap: object, what: str) -> None:
    """Raise ModelError unless `gap` is None, the name of a channel or a function."""
    if gap is not None and not callable(gap) and not (isinstance(gap, str) and gap):
        raise ModelError(
            f"{what}: gap must be the name of a channel, like 'A.angle', or a function of the "
            f"distance or of a state, got {short(gap)}."
        )
