"""Flags of the command line, one for each declared option of a run."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

import typer

from ...options import OPTIONS, Option


def with_options(command: Any) -> Any:
    """Add a flag per option to a command; it receives an option as a keyword, None if not given."""
    own = inspect.signature(command, eval_str=True)
    fixed = [p for p in own.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    command.__signature__ = own.replace(parameters=[*fixed, *map(_flag, OPTIONS)])
    return command


def _flag(option: Option) -> inspect.Parameter:
    return inspect.Parameter(
        option.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[option.type | None, typer.Option(help=option.description)],
    )
