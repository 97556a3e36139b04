"""Flags of the command line from the declared options of a run: one flag each, nothing said twice."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

import typer

from ...options import OPTIONS, Option


def with_options(command: Any) -> Any:
    """The command with a flag per option; those given reach it as keywords, the others as None."""
    own = inspect.signature(command, eval_str=True)
    fixed = [p for p in own.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    command.__signature__ = own.replace(parameters=[*fixed, *map(_flag, OPTIONS)])
    return command


def _flag(option: Option) -> inspect.Parameter:
    words = f"{option.help[0].upper()}{option.help[1:]}{_default(option)}."
    return inspect.Parameter(
        option.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[option.type | None, typer.Option(help=words)],
    )


def _default(option: Option) -> str:
    return "" if option.default is None else f"; {str(option).partition('=')[2]}"
