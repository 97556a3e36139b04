"""Docstrings of the public names: numpydoc sections, defaults, examples that run, and help() without
the interface of the solver.
"""

import dataclasses
import inspect
import math
import pydoc
import re
import types

import pytest
from numpydoc.docscrape import NumpyDocString
from numpydoc.validate import validate

import kinetree.api as api
from kinetree.core.quantities import UserClass

CHECKS = {
    *("GL02", "GL03", "GL05", "GL06", "GL07", "GL08", "GL10"),  # a docstring, sections in order
    *("SS01", "SS02", "SS03", "SS04", "SS05", "SS06"),  # the summary is one line
    *("PR01", "PR02", "PR03", "PR04", "PR05", "PR06", "PR07", "PR08", "PR09", "PR10"),  # parameters
    *("RT01", "RT02", "RT03", "RT04", "RT05", "YD01"),  # results
    *("SA02", "SA03", "SA04", "EX01"),  # See Also with descriptions, and an example
}
BASES = {"roads.Obstacle", "tyres.TyreLaw", "tyres.TyreFile", "look.Outline"}  # without an example
RESULTS = {result.__name__ for result in api.RESULTS}  # not constructed by users
ERRORS = {name for name in api.__all__ if name.endswith(("Error", "NotFound", "Argument"))}
MODULES = {"look": api.look.LOOKS, "roads": api.roads.__all__, "tyres": api.tyres.__all__}


def thing(name):
    found = api
    for part in name.split("."):
        found = getattr(found, part)
    return found


def public():
    """Public names; of a module, its members, and of an element its public methods."""
    names = [name for name in api.__all__ if not isinstance(getattr(api, name), types.ModuleType)]
    for module, members in MODULES.items():
        names += [f"{module}.{getattr(one, '__name__', one)}" for one in members]
    return names


def callables():
    """Public names that users call, and the methods of the main classes."""
    names = [name for name in public() if name not in RESULTS | ERRORS]
    main = {"Model": api.Model, "Arm": api.Arm, "Solution": api.Solution, "Body": api.Body}
    for name, cls in main.items():
        names += [
            f"{name}.{one}"
            for one, member in inspect.getmembers(cls, inspect.isfunction)
            if not one.startswith("_")
        ]
    return names


def methods():
    found = []
    for name in public():
        cls = thing(name)
        if isinstance(cls, type) and issubclass(cls, UserClass) and name not in BASES:
            found += [f"{name}.{one}" for one in dir(cls) if callable(getattr(cls, one, None))]
    return found


def faults(name, checks):
    return [fault for fault in validate(f"kinetree.api.{name}")["errors"] if fault[0] in checks]


@pytest.mark.parametrize("name", public())
def test_a_public_name_has_a_complete_docstring(name):
    less = {"EX01"} if name in BASES else {"PR01"} if name in RESULTS else set()
    assert faults(name, CHECKS - less) == []


@pytest.mark.parametrize("name", methods())
def test_a_method_has_a_complete_docstring(name):
    assert faults(name, CHECKS - {"EX01"}) == []


def documented(name):
    """Defaults of the docstring as source text; nothing where a parameter is required."""
    found = NumpyDocString(inspect.getdoc(thing(name)))["Parameters"]
    types_ = {label.lstrip("*"): p.type for p in found for label in p.name.split(", ")}
    return {
        label: "None" if text.endswith(", optional") else text.partition(", default ")[2]
        for label, text in types_.items()
    }


@pytest.mark.parametrize("name", [*callables(), *methods()])
def test_documented_defaults_are_those_of_the_signature(name):
    written, names = documented(name), {"inf": math.inf, "Road": api.Road}
    for label, p in inspect.signature(thing(name)).parameters.items():
        if label == "self" or "<factory>" in repr(p.default):
            continue
        assert bool(written[label]) == (p.default is not p.empty), label
        assert not written[label] or eval(written[label], names) == p.default, label


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in public()
        if isinstance(thing(name), type) and issubclass(thing(name), UserClass) and "." not in name
    ],
)
def test_help_lists_parameters_and_hides_the_interface_of_the_solver(name):
    cls = thing(name)
    shown = re.findall(r"^ \|  (\w+)(?: =|\()", pydoc.plaintext.document(cls), re.M)
    fields = {field.name for field in dataclasses.fields(cls)}
    hidden = {"kind", "lower", "gauges", "cut", "weight", "gap_taker", "readings", "mirrored"}
    assert hidden & set(shown) <= fields
    assert not [label for label in dir(cls) if label.startswith("_")]
    assert fields - set(dir(cls)) == set()
