"""Studies in files: model, parameters, plan, outputs and engine in one YAML file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.checks import a_path
from ..description.files.dimensions import Measured
from ..description.files.document import parse, read_text
from ..description.files.places import where
from ..description.files.python_code import PythonCode
from ..description.files.units import in_words, measured, quantity
from ..errors import KinetreeError, ModelError, no_such, short
from .parameters.source import FileModel, Source, source_of
from .space import PLANS, Space
from .study import Study, checked_options

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
    space = at("parameters", lambda: space_of_tree(tree, units_of(tree, path)))
    at("parameters", lambda: source.check(space.names))
    fixed = at("fixed", lambda: _mapping(tree, "fixed"))
    at("fixed", lambda: source.check(tuple(fixed)))
    options = at("run", lambda: checked_options(_mapping(tree, "run")))
    until = at("until", lambda: _time(tree, "until"))
    interval = at("output_interval", lambda: _time(tree, "output_interval"))
    study = at(
        "outputs",
        lambda: Study(
            source,
            space,
            _texts(tree["outputs"]),
            until,
            fixed=fixed,
            output_interval=interval,
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


def space_of_tree(tree: Mapping[str, Any], units: Mapping[str, Measured]) -> Space:
    """The plan of a file; `units` are values of the parameters of its model."""
    for name, one in tree["parameters"].items() if isinstance(tree["parameters"], Mapping) else ():
        _check_units(one, str(name), units)
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


def _mapping(tree: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = _plain(tree.get(name) or {})
    if not isinstance(found, dict):
        raise ModelError(f"{name} must be a mapping of names to values, got {short(found)}.")
    return found


def _time(tree: Mapping[str, Any], name: str) -> float | None:
    """A time in seconds."""
    given = tree.get(name)
    if given is None:
        return None
    if isinstance(given, str):
        return quantity(given, ("s",))
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        raise ModelError(f"must be a time, such as 2 or '500 ms'; got {short(given)}.")
    return float(given)


def units_of(tree: Mapping[str, Any], path: Path) -> dict[str, Measured]:
    """Values with units of the parameters of the model file."""
    if "model" not in tree:
        return {}
    file = path.parent / str(tree["model"])
    given = parse(read_text(file), file.name).get("parameters") or {}
    found = {}
    for name, one in given.items():
        try:
            found[str(name)] = measured(one)
        except (KinetreeError, TypeError):  # a number without a unit, or a formula
            continue
    return found


def _check_units(given: Any, name: str, units: Mapping[str, Measured]) -> None:
    """Refuse a value of a parameter whose unit is that of another quantity than in the model."""
    if isinstance(given, Mapping):
        given = list(given.values())
    if isinstance(given, (list, tuple)):
        for one in given:
            _check_units(one, name, units)
        return
    if not isinstance(given, str) or name not in units:
        return
    expected = units[name].dimension
    if not measured(given).dimension.fits(expected):
        raise ModelError(
            f"parameter {name!r} is {in_words(expected)} in the model, and {given!r} is "
            f"{in_words(measured(given).dimension)}."
        )


def _texts(given: Any) -> Any:
    if isinstance(given, Mapping):
        return {str(name): str(one) for name, one in given.items()}
    if isinstance(given, (list, tuple)):
        return [str(one) for one in given]
    return given
