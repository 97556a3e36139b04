"""Where a result comes from: enough to run it again and to know whether two files mean the same machine."""

from __future__ import annotations

import json
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .solution import Solution


def provenance(sol: Solution) -> dict[str, str | int]:
    """Flat, text and numbers only, so that any file format can hold it."""
    return {
        "model": sol.model.name, "model_hash": sol.compiled.hash, "outcome": sol.message, "success": int(sol.success),
        "options": json.dumps(sol.options), "statistics": json.dumps(sol.statistics),
        "kinetree": _version("kinetree"), "numpy": _version("numpy"), "numba": _version("numba"),
        "python": platform.python_version(), "platform": platform.platform(),
        "conventions": "SI units, radians, world axes",
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
