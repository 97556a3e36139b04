"""Provenance of a result: the data to run it again and to compare the models of two files."""

from __future__ import annotations

import json
import platform
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..solution import Solution


def provenance(sol: Solution) -> dict[str, str | int]:
    """Provenance as flat texts and numbers, for any file format."""
    return {
        "model": sol.model.name,
        "model_hash": sol.compiled.hash,
        "outcome": sol.message,
        "success": int(sol.success),
        "options": json.dumps(sol.options),
        "statistics": json.dumps(sol.statistics),
        "kinetree": _version("kinetree"),
        "numpy": _version("numpy"),
        "llvmlite": _version("llvmlite"),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "conventions": "SI units, radians, world axes",
    }


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # slow to import

    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def as_json(content: Any) -> str:
    """JSON text of plain values and NumPy values."""
    return json.dumps(content, default=_plain)


def _plain(value: Any) -> Any:
    return (
        value.tolist()
        if hasattr(value, "tolist")
        else list(value)
        if isinstance(value, (tuple, set))
        else str(value)
    )
