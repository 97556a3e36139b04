"""Studies in files: model, parameters, plan, outputs and engine in one YAML file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.checks import a_path
from ..description.files.document import parse, read_text
from ..description.files.places import where
from ..description.files.python_code import PythonCode
from ..description.files.units import measured
from ..errors import KinetreeError, ModelError, no_such, short
from .parameters.source import FileModel, Source, source_of
from .space import PLANS, Space
from .study import Study

ENTRIES = {
    "study": "name",
    "model": "model file, relative to this one",
    "make": "module:function instead of a model file",
    "parameters": "values, ranges or distributions by name",
    "plan": ", ".join(PLANS),
    "cases": "number of cases; for the plan 'list' the cases",
    "seed": "seed of random plans",
    "fixed": "values of other parameters",
    "until": "end time",
    "output_interval": "time between samples",
    "outputs": "texts such as 'max A.angle', by name",
    "run": "options of kt.simulate",
    "engine": "threads, processes, dask, or an address",
    "workers": "number of threads or processes",
    "store": "folder for the results",
}


@dataclass(frozen=True)
class StudyFile:
    """A study with the choices of its file."""

    study: Study
    engine: str
    workers: int | None
    store: Path | None


def study_of_file(path: str | os.PathLike[str], allow_python: bool = False) -> StudyFile:
    """The study of a file; errors name the line."""
    path = a_path(path, "study file")
    tree = parse(read_text(path), path.name)

    def at(name: str, function: Callable[[], Any]) -> Any:
        try:
            return function()
        except ModelError as error:
            raise ModelError(f"{where(tree, (name,))}: {error}") from None

    for name in tree:
        if name not in ENTRIES:
            error = no_such("entry", name, ENTRIES, " of a study")
            raise ModelError(f"{where(tree, (name,))}: {error}")
    for name in ("parameters", "outputs"):
        if name not in tree:
            raise ModelError(f"{path.name}: a study needs an entry {name!r}: {ENTRIES[name]}.")
    source = at("make" if "make" in tree else "model", lambda: _source(tree, path, allow_python))
    space = at("parameters", lambda: space_of_tree(tree))
    options = _plain(tree.get("run") or {})
    study = at(
        "outputs",
        lambda: Study(
            source,
            space,
            _texts(tree["outputs"]),
            None if tree.get("until") is None else _number(tree["until"]),
            fixed=_plain(tree.get("fixed") or {}),
            output_interval=_plain(tree.get("output_interval")),
            **options,
        ),
    )
    store = tree.get("store")
    return StudyFile(
        study,
        str(tree.get("engine", "threads")),
        tree.get("workers"),
        None if store is None else path.parent / str(store),
    )


def _source(tree: Mapping[str, Any], path: Path, allow_python: bool) -> Source:
    if ("model" in tree) == ("make" in tree):
        raise ModelError("give the model as  model: FILE  or as  make: module:function.")
    if "model" in tree:
        found = source_of(path.parent / str(tree["model"]))
        make = FileModel(str(path.parent / str(tree["model"])), allow_python)
        return Source(make, found.defaults, found.names, found.what, found.text)
    return source_of(PythonCode(path.parent, allow_python).find(str(tree["make"])))


def space_of_tree(tree: Mapping[str, Any]) -> Space:
    """The plan of a file."""
    plan, given = str(tree.get("plan", "grid")), _plain(tree["parameters"])
    if not isinstance(given, Mapping):
        raise ModelError(f"parameters must be a mapping of names, got {short(given)}.")
    cases, seed = tree.get("cases"), tree.get("seed", 0)
    if plan == "grid":
        return Space.grid(given)
    if plan == "list":
        return Space.table(_plain(cases) if cases is not None else given)
    samplers = {
        "latin hypercube": Space.latin_hypercube,
        "sobol": Space.sobol,
        "random": Space.random,
    }
    if plan not in samplers:
        raise no_such("plan", plan, PLANS, "")
    if not isinstance(cases, int):
        raise ModelError(f"the plan {plan!r} needs the number of cases, such as  cases: 256.")
    return samplers[plan](cases, {name: _range(one) for name, one in given.items()}, seed=seed)


def _range(given: Any) -> Any:
    """Two numbers in a list are a range."""
    return tuple(given) if isinstance(given, list) and len(given) == 2 else given


def _plain(given: Any) -> Any:
    """Values of a file, texts with units converted to SI."""
    if isinstance(given, Mapping):
        return {str(name): _plain(one) for name, one in given.items()}
    if isinstance(given, (list, tuple)):
        return [_plain(one) for one in given]
    if isinstance(given, str):
        try:
            return float(measured(given))
        except KinetreeError:
            return given
    return given


def _number(given: Any) -> float:
    found = _plain(given)
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        raise ModelError(f"until must be a time, such as 2 or '500 ms'; got {short(given)}.")
    return float(found)


def _texts(given: Any) -> Any:
    if isinstance(given, Mapping):
        return {str(name): str(one) for name, one in given.items()}
    if isinstance(given, (list, tuple)):
        return [str(one) for one in given]
    return given
