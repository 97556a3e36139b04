"""The state of a studio: the file, the last two runs, and what there is to say about them."""

from __future__ import annotations

import hashlib
import threading
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...core.checks import number
from ...errors import KinetreeError, NameNotFound
from ...exchange.playground.make import playground
from ...results.solution import Solution
from ...simulation.simulate import simulate
from ...viewer.show import animate
from .source import Loaded, loaded

WATCH, PATIENCE = 0.2, 20.0  # s: between two looks at the file; of a request for its next version
LEAST, MOST = 0.2, 2.0  # of a value: the ends of its slider
UNTIL = 5.0  # s


class Session:
    """One file in one studio. Requests come from several threads; one of them computes at a time."""

    def __init__(self, path: Path, until: float = UNTIL, allow_python: bool = False) -> None:
        self.path, self.until, self._allow = path, until, allow_python
        self._lock = threading.Lock()
        self._loaded: Loaded | None = None
        self._digest, self.version, self.message, self.topology = "", 0, "", ""
        self._runs: list[Solution] = []
        self._pages: dict[str, str] = {}
        self.refresh()

    def refresh(self) -> int:
        """Read the file if it has changed; returns its version."""
        with self._lock:
            digest = self._content()
            if digest and digest != self._digest:
                self._digest, self.version = digest, self.version + 1
                self._read()
        return self.version

    def _content(self) -> str:
        try:
            return hashlib.sha256(self.path.read_bytes()).hexdigest()
        except OSError:  # an editor replaces it at this moment
            return ""

    def _read(self) -> None:
        try:
            self._loaded = loaded(self.path, self._allow)
            self.topology = str(self._loaded.model({}).topology())
            self.message = ""
        except Exception as error:  # also what the user's Python file raises
            self.message = reason(error)

    def state(self, after: int) -> dict[str, Any]:
        """The parameters, the topology and the message of the file, once it is newer than `after`."""
        end = time.monotonic() + PATIENCE
        while self.refresh() == after and time.monotonic() < end:
            time.sleep(WATCH)
        known = self._loaded.parameters if self._loaded else {}
        return {
            "version": self.version,
            "name": self.path.name,
            "until": self.until,
            "parameters": [{"name": name, "value": v, **_range(v)} for name, v in known.items()],
            "topology": self.topology,
            "message": self.message,
        }

    def run(self, values: Mapping[str, float], until: float, compare: bool) -> dict[str, Any]:
        """Simulate the model for these values; the page of the run has a number."""
        with self._lock:
            if self._loaded is None:
                return {"page": None, "message": self.message}
            try:
                until = number(until, "until", positive=True)
                sol = simulate(self._loaded.model(values), until, progress=False)
                kept = self._runs[-1:] if compare else []
                page = animate([sol, *_alike(kept, sol)])
            except Exception as error:  # also what the user's functions raise
                return {"page": None, "message": reason(error)}
            self._runs, self.until = [sol], until
            return {"page": self._keep("run", page.text), "message": "", "summary": str(sol)}

    def live(self, values: Mapping[str, float], until: float) -> dict[str, Any]:
        """The page that computes the model, with a slider for each parameter."""
        with self._lock:
            if self._loaded is None:
                return {"page": None, "message": self.message}
            known = self._loaded.parameters
            sliders = {
                name: (*sorted((min(r["low"], v), max(r["high"], v))), v)
                for name, value in known.items()
                for r, v in [(_range(value), values.get(name, value))]
            }
            try:
                page = playground(_Make(self._loaded), sliders=sliders, until=until)
            except Exception as error:
                return {"page": None, "message": reason(error)}
            return {"page": self._keep("live", page.text), "message": ""}

    def _keep(self, kind: str, text: str) -> str:
        """Name of a page; the one before it of its kind is forgotten."""
        old = next((name for name in self._pages if name.startswith(kind)), f"{kind}-0")
        self._pages.pop(old, None)
        name = f"{kind}-{int(old.rpartition('-')[2]) + 1}"
        self._pages[name] = text
        return name

    def page(self, name: str) -> str | None:
        """The text of a page."""
        return self._pages.get(name)


class _Make:
    """The function of a file with its parameters as defaults."""

    def __init__(self, found: Loaded) -> None:
        import inspect

        self._found = found
        self.__signature__ = inspect.Signature(
            [
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value)
                for name, value in found.parameters.items()
            ]
        )

    def __call__(self, **values: float) -> Any:
        return self._found.model(values)


def _range(value: float) -> dict[str, float]:
    """The range of the slider of a value; -1 to 1 for zero."""
    ends = (LEAST * value, MOST * value) if value else (-1.0, 1.0)
    return {"low": min(ends), "high": max(ends)}


def _alike(runs: list[Solution], sol: Solution) -> list[Solution]:
    """The runs of models with the same bodies, which can be drawn over this one."""
    return [one for one in runs if list(one.model.bodies) == list(sol.model.bodies)]


def reason(error: BaseException) -> str:
    """An error as text: a sentence of Kinetree, or the last lines of a traceback."""
    if isinstance(error, NameNotFound):
        return str(error.args[0])
    if isinstance(error, KinetreeError):
        return str(error)
    return "".join(traceback.format_exception(error)[-2:]).strip()
