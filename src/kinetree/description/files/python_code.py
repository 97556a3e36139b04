"""Python functions that a file names as `module:function`: only from modules beside the file, and
only if allowed.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from ...errors import ModelError, no_such


class PythonCode:
    """Find functions in modules beside a model file."""

    def __init__(self, folder: Path, allowed: bool) -> None:
        self.folder, self.allowed = folder, allowed
        self.modules: dict[str, ModuleType] = {}

    def find(self, name: str) -> Callable:
        """Return the function, or raise a ModelError."""
        if not self.allowed:
            raise ModelError(
                f"{name!r} is a Python function. Code of a file is run only where you allow it: "
                "kt.load(path, allow_python=True), or --allow-python on the command line."
            )
        module, function = name.split(":")
        loaded = self.modules.get(module) or self._load(module)
        self.modules[module] = loaded
        found = getattr(loaded, function, None)
        if not callable(found):
            raise no_such(
                "function",
                function,
                [n for n, v in vars(loaded).items() if callable(v) and not n.startswith("_")],
                f" in module {module!r}",
            )
        return found

    def _load(self, name: str) -> ModuleType:
        path = self.folder.joinpath(*name.split(".")).with_suffix(".py")
        if not os.path.isfile(path) or self.folder.resolve() not in path.resolve().parents:
            raise ModelError(f"there is no module {path.name!r} beside the file, in {self.folder}.")
        known = sys.modules.get(name)
        if (
            known is not None
            and getattr(known, "__file__", None)
            and Path(str(known.__file__)).resolve() == path.resolve()
        ):
            return known
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        if known is None:
            sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            if known is None:
                del sys.modules[name]
            raise ModelError(
                f"module {path.name!r} cannot be loaded: {type(error).__name__}: {error}."
            ) from error
        return module


def name_of(function: Callable, folder: Path) -> str | None:
    """`module:function` of a function of a module in that folder; None if it cannot be named."""
    name, module = (
        getattr(function, "__qualname__", ""),
        sys.modules.get(getattr(function, "__module__", "") or ""),
    )
    file = getattr(module, "__file__", None)
    if not name.isidentifier() or file is None or getattr(module, name, None) is not function:
        return None
    try:
        relative = Path(file).resolve().relative_to(folder.resolve())
    except ValueError:
        return None
    parts = relative.with_suffix("").parts
    return f"{'.'.join(parts)}:{name}" if all(part.isidentifier() for part in parts) else None
