"""The reference lists what analyses return, and every attribute that the pages use."""

import dataclasses
import inspect
import re
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

import kinetree.api as api

from .attribute_use import Uses

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))

from workshop import attributes, docstrings, reference  # noqa: E402
from workshop.arguments import arguments_of  # noqa: E402
from workshop.groups import methods_of  # noqa: E402
from workshop.run import all_pages, blocks_of  # noqa: E402

RESULTS = attributes.result_classes()
ANALYSES = [
    *("simulate", "assemble", "equilibrium", "modes", "linearize", "inverse_dynamics"),
    *("kinematics", "compare", "deflect", "vibrations", "buckling", "calibrate", "equations"),
    *("solve_ode", "open_solution", "velocity_transformation"),
]


def named(thing):
    return thing.__name__


@cache
def pages():
    return reference.pages()


def words(text):
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


@pytest.mark.parametrize("name", ANALYSES)
def test_an_analysis_lists_the_attributes_of_what_it_returns(name):
    found = attributes.returned_class(getattr(api, name))
    assert found is not None
    text = pages()[f"analyses/{name.replace('_', '-')}"].partition("## Returns")[2]
    assert f"`kt.{found.__name__}`" in text
    main = [a.name for a in attributes.split(found)[0]]
    assert main and [a for a in main if f"\n`{a}` " not in text] == []
    assert f"`kt.{name}` | `kt.{found.__name__}`" in pages()["analyses"]


@pytest.mark.parametrize("cls", RESULTS.values(), ids=named)
def test_every_attribute_of_a_result_is_in_the_reference(cls):
    public = {name for name, member in inspect.getmembers(cls) if attributes.is_property(member)}
    public |= {f.name for f in dataclasses.fields(cls)} if dataclasses.is_dataclass(cls) else set()
    public |= set(getattr(cls, "_fields", ()))
    public -= set(docstrings.read(cls).arguments)  # of a class that users make
    known = {a.name for a in attributes.attributes_of(cls)}
    assert {name for name in public if not name.startswith("_")} - known == set()


@pytest.mark.parametrize("cls", RESULTS.values(), ids=named)
def test_attributes_of_results_say_more_than_their_names(cls):
    found = attributes.attributes_of(cls)
    assert [a.name for a in found if words(a.text) in ("", words(a.name)) or not a.type] == []
    texts = [a.text for a in found]
    assert [text for text in texts if texts.count(text) > 1] == []


def documented(cls):
    """Names that the pages of a class have entries for, and those of Python's own containers."""
    known = {a.name for a in attributes.attributes_of(cls)} | set(methods_of(cls))
    return known | {a.name for a in arguments_of(cls)} | set(dir(Mapping))


def attributes_on(page):
    classes = {n: getattr(api, n) for n in api.__all__ if isinstance(getattr(api, n), type)}
    uses = Uses({**RESULTS, **classes})
    for block in blocks_of(page.read_text()):
        if block.language == "python":
            uses.read(block.body)
    return uses.found


def test_every_attribute_on_the_pages_is_in_the_reference():
    found = set()
    for page in all_pages():
        if page.name != "extending.md":  # its blocks are parts of files
            found |= attributes_on(page)
    assert {cls.__name__ for cls, _ in found} >= {"Solution", "Modes", "EnergyLedger", "Model"}
    assert [f"{cls.__name__}.{name}" for cls, name in found if name not in documented(cls)] == []


@pytest.mark.parametrize(
    ("code", "used"),
    [
        ("sol = kt.simulate(m, 1.0)\nsol.energy.driift", ("EnergyLedger", "driift")),
        ("kt.modes(m).frequency", ("Modes", "frequency")),
        ("r = kt.simulate(m, 1.0).reactions['A']\nr.forces", ("Reaction", "forces")),
        ("m = kt.Model('a')\nm.joints_of", ("Model", "joints_of")),
    ],
)
def test_the_test_of_attributes_sees_one_that_is_not_in_the_reference(code, used):
    uses = Uses(RESULTS)
    uses.read(code)
    (cls,) = {cls for cls, name in uses.found if (cls.__name__, name) == used}
    assert used[1] not in documented(cls)
