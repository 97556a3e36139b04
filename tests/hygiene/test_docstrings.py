"""Docstrings of the public names: numpydoc sections, defaults, and help() without the interface of
the solver. test_docstring_examples.py runs their examples.
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
BASES = {
    "shapes.Shape",
    "roads.Obstacle",
    "tyres.TyreLaw",
    "tyres.TyreFile",
    "look.Outline",
}  # without an example
MODULES = {
    "fe": api.fe.__all__,
    "look": api.look.LOOKS,
    "roads": api.roads.__all__,
    "shapes": api.shapes.__all__,
    "tyres": api.tyres.__all__,
}


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


def methods():
    found = []
    for name in public():
        cls = thing(name)
        if isinstance(cls, type) and issubclass(cls, UserClass) and name not in BASES:
            found += [f"{name}.{one}" for one in dir(cls) if callable(getattr(cls, one, None))]
    return found


def is_result(name):
    """Whether users get such objects, or errors, from functions and do not make them."""
    cls, text = thing(name), inspect.getdoc(thing(name)) or ""
    if not isinstance(cls, type) or issubclass(cls, UserClass):
        return False
    return issubclass(cls, Exception) or "Parameters\n---" not in text


def faults(name, checks):
    return [fault for fault in validate(f"kinetree.api.{name}")["errors"] if fault[0] in checks]


def checks_of(name):
    return (
        CHECKS - ({"EX01"} if name in BASES else set()) - ({"PR01"} if is_result(name) else set())
    )


@pytest.mark.parametrize("name", public())
def test_a_public_name_has_a_complete_docstring(name):
    assert faults(name, checks_of(name)) == []


@pytest.mark.parametrize("name", methods())
def test_a_method_has_a_complete_docstring(name):
    assert faults(name, CHECKS - {"EX01"}) == []


def documented(name):
    """The texts behind the types: "optional", "default ...", or nothing for a required parameter."""
    found = NumpyDocString(inspect.getdoc(thing(name)))["Parameters"]
    texts = {label.lstrip("*"): p.type for p in found for label in p.name.split(", ")}
    return {
        label: re.search(r"(?:, (optional|default .*))?$", text)[1] for label, text in texts.items()
    }


@pytest.mark.parametrize("name", [n for n in [*public(), *methods()] if not is_result(n)])
def test_documented_defaults_are_those_of_the_signature(name):
    written, names = documented(name), {"inf": math.inf, "nan": math.nan, "Road": api.Road}
    for label, p in inspect.signature(thing(name)).parameters.items():
        variadic = p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
        if label in ("self", "cls") or variadic or "<factory>" in repr(p.default):
            continue
        if p.default is p.empty:
            assert written[label] is None, label
        elif written[label] == "optional":
            assert p.default is None or p.default in ((), ""), label
        else:
            assert written[label] is not None, label
            assert eval(written[label].removeprefix("default "), names) == p.default, label


@pytest.mark.parametrize(
    "name", [name for name in api.__all__ if UserClass in getattr(thing(name), "__mro__", ())]
)
def test_help_lists_parameters_and_hides_the_interface_of_the_solver(name):
    cls = thing(name)
    shown = re.findall(r"^ \|  (\w+)(?: =|\()", pydoc.plaintext.document(cls), re.M)
    fields = {field.name for field in dataclasses.fields(cls) if field.init}
    hidden = {"kind", "lower", "gauges", "cut", "weight", "gap_taker", "readings", "mirrored"}
    assert hidden & set(shown) <= fields
    assert not [label for label in dir(cls) if label.startswith("_")]
    assert fields - set(dir(cls)) == set()
