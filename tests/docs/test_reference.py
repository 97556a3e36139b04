"""The reference holds all that the catalogues and the public names need."""

import re
import sys
from functools import cache
from pathlib import Path

import pytest

import kinetree.api as api
from kinetree.elements.constraints.catalogue import CONSTRAINTS, COUPLINGS
from kinetree.elements.forces.catalogue import FORCES
from kinetree.elements.joints.catalogue import JOINTS
from kinetree.elements.signals.catalogue import SIGNALS
from kinetree.engine.formulations.catalogue import FORMULATIONS
from kinetree.engine.integrators.catalogue import INTEGRATORS
from kinetree.models import vehicles

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))

from workshop import channels, docstrings, figures, reference  # noqa: E402
from workshop.arguments import arguments_of  # noqa: E402
from workshop.entries import entry  # noqa: E402

JOINT_CLASSES = [e.joint for e in JOINTS]
FORCE_CLASSES = [e.force for e in FORCES]
SIGNED = [*JOINT_CLASSES, *FORCE_CLASSES, *CONSTRAINTS]
ELEMENTS = [*SIGNED, *(signal for signal, _ in SIGNALS)]
LAWS = [api.Characteristic, api.Polynomial, api.Valve]


def named(thing):
    return thing.__name__


@cache
def pages():
    return reference.pages()


def described(element):
    """Channels of an element: label and description."""
    if element in JOINT_CLASSES:
        found = channels.channels_of_joint(element)
    elif element in FORCE_CLASSES:
        found = channels.channels_of_force(element)
    else:
        found = channels.channels_of_constraint(element) if element in CONSTRAINTS else {}
    return {label: about for label, (_, about) in found.items()}


def words(text):
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


# --- elements


@pytest.mark.parametrize("element", ELEMENTS, ids=named)
def test_an_element_has_a_page_of_its_own(element):
    group = element.__module__.split(".")[2]
    assert f"# kt.{element.__name__}\n" in pages()[f"{group}/{element.kind}"]


@pytest.mark.parametrize("element", [*ELEMENTS, *COUPLINGS, *LAWS], ids=named)
def test_an_element_has_a_typeset_equation(element):
    notes = docstrings.markdown(docstrings.read(element).notes)
    assert re.search(r"```\{math\}\n.+?\n```", notes, re.DOTALL)


@pytest.mark.parametrize("element", SIGNED, ids=named)
def test_an_element_states_its_signs(element):
    text = docstrings.read(element)
    stated = " ".join([text.prose, text.notes, *text.arguments.values()])
    if element is not api.Fixed:  # nothing of it has a sign
        assert re.search(r"\b(positive|negative|sign|outward|inward|apart)\b", stated)


@pytest.mark.parametrize("element", [*ELEMENTS, *COUPLINGS, *LAWS], ids=named)
def test_an_element_has_an_example(element):
    assert ">>> " in docstrings.read(element).examples


@pytest.mark.parametrize("element", [*ELEMENTS, *COUPLINGS, *LAWS], ids=named)
def test_see_also_of_an_element_leads_to_names_that_exist(element):
    names = [name.removeprefix("kt.") for name, _ in docstrings.read(element).see_also]
    assert names
    assert [name for name in names if not exists(name)] == []


def exists(name):
    found = api
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is not None


@pytest.mark.parametrize("element", SIGNED, ids=named)
def test_channels_have_a_meaning_that_is_not_their_name(element):
    assert [
        (label, about)
        for label, about in described(element).items()
        if words(about).removeprefix("coordinate ").removeprefix("state ")
        in {words(part) for part in re.split(r"[,(]", label)} | {""}
    ] == []


@pytest.mark.parametrize("element", SIGNED, ids=named)
def test_an_element_has_a_figure(element):
    kinds = {"joints": "joint", "forces": "force", "constraints": "constraint"}
    name = f"{kinds[element.__module__.split('.')[2]]}-{element.kind}"
    assert name in figures.figures()


@pytest.mark.parametrize("element", [*ELEMENTS, *COUPLINGS, *LAWS], ids=named)
def test_every_argument_has_a_text_of_its_own(element):
    texts = {a.name: a.text for a in arguments_of(element)}
    assert [name for name, text in texts.items() if words(text) in ("", words(name))] == []
    shared = [name for name, text in texts.items() if list(texts.values()).count(text) > 1]
    assert shared == []


# --- pages


def test_no_formula_stands_in_a_block_of_code():
    """Blocks are calls and examples; whatever else is indented in a docstring is a formula."""
    assert [path for path, text in pages().items() if "```text\n" in text] == []


def test_no_page_has_double_blanks_in_a_sentence():
    prose = {
        path: re.sub(r"```.*?```", "", text, flags=re.DOTALL) for path, text in pages().items()
    }
    assert [
        (path, found[0])
        for path, text in prose.items()
        if (found := re.search(r"[^\s|]  +[^\s|].{0,40}", text))
    ] == []


def test_no_page_refers_to_a_file_of_the_source():
    source = re.compile(r"see the module|see docs/|\b[\w/]+\.py\b")
    prose = {
        path: re.sub(r"```.*?```", "", text, flags=re.DOTALL) for path, text in pages().items()
    }
    found = {(path, match[0]) for path, text in prose.items() for match in source.finditer(text)}
    assert {
        (path, file) for path, file in found if not path.startswith("command-line")
    } == set()  # commands of the terminal may take files


@pytest.mark.parametrize("name", api.__all__)
def test_a_public_name_has_an_entry(name):
    assert any(f"```{{api}} kt.{name} " in text for text in pages().values())


@pytest.mark.parametrize("method", [*FORMULATIONS, *INTEGRATORS], ids=lambda m: m.name)
def test_a_method_has_a_page_with_equation_source_and_options(method):
    group = "formulations" if method in FORMULATIONS else "integrators"
    text = pages()[f"{group}/{method.name}"]
    assert "```{math}" in text and "When to use." in text and "Source: [" in text
    assert [o.name for o in method.options if f"\n`{o.name}` " not in text] == []


@pytest.mark.parametrize("name", vehicles.__all__)
def test_a_name_of_the_vehicles_toolbox_is_documented(name):
    thing = getattr(vehicles, name)
    text = docstrings.read(thing)
    assert any(f"```{{api}} kinetree.models.vehicles.{name} " in page for page in pages().values())
    parameters = set() if text.attributes else {a.name for a in arguments_of(thing)}
    assert parameters == {name for name, about in text.arguments.items() if about}
    assert text.arguments or text.attributes
    hard_points = [a for a in arguments_of(thing) if "Point" in str(a.hint) or a.hint is float]
    assert [a.name for a in hard_points if a.text and not a.unit] == []


def test_a_raised_error_is_named_by_its_class():
    raised = entry("kt.linearize", api.linearize).partition("## Raises")[2].partition("##")[0]
    assert re.findall(r"^`(kt\.\w+)` *$", raised, re.M) == ["kt.ModelError", "kt.NameNotFound"]


@pytest.mark.parametrize("name", api.__all__)
def test_no_entry_has_an_empty_name(name):
    assert re.findall(r"^`` .*", entry(f"kt.{name}", getattr(api, name)), re.M) == []
