"""The pages build offline without a warning; reference and gallery hold all that the catalogues and
the public names hold.
"""

import re
import sys
import types
from pathlib import Path

import pytest

import kinetree as kt
import kinetree.api
from kinetree.elements.constraints.catalogue import CONSTRAINTS
from kinetree.elements.forces.catalogue import FORCES
from kinetree.elements.joints.catalogue import JOINTS
from kinetree.elements.signals.catalogue import SIGNALS
from kinetree.models.catalogue import model_entry

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))

from workshop import channels, docstrings  # noqa: E402
from workshop.arguments import arguments_of  # noqa: E402

NAMED = (
    [e.joint for e in JOINTS]
    + [e.force for e in FORCES]
    + list(CONSTRAINTS)
    + [s for s, _ in SIGNALS]
)
BESIDE = [
    kt.Gear,
    kt.RackAndPinion,
    kt.Valve,
    kt.Characteristic,
    kt.Polynomial,
    kt.Section,
    kt.Road,
    kt.Controller,
    kt.box,
    kt.cylinder,
    kt.mass,
    kt.rod,
    kt.rotor,
    kt.sphere,
    kt.tube,
    kt.roads.HalfRound,
    kt.roads.Block,
    kt.tyres.Fiala,
    kt.tyres.Linear,
]


def test_nothing_on_a_page_comes_from_elsewhere(site):
    loaded = re.compile(
        r"<(?:script|img|iframe|source|link)\b[^>]*?\b(?:src|href)=\"((?:https?:)?//[^\"]*)\""
    )
    styled = re.compile(r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^'\")\s]+)")
    found = [
        (page.name, place)
        for page in site.rglob("*.html")
        for place in loaded.findall(page.read_text())
    ]
    found += [
        (page.name, place)
        for page in site.rglob("*.css")
        for place in styled.findall(page.read_text())
    ]
    assert len(list(site.rglob("*.html"))) > 40
    assert found == []


def test_every_public_name_has_an_entry_in_the_reference(site):
    pages = (site / "_generated" / "reference").rglob("*.html")
    text = "".join(page.read_text() for page in pages)
    entries = set(re.findall(r"<h[12]>kt\.(\w+)<", text)) | {
        "fe",
        "gym",
        "look",
        "roads",
        "shapes",
        "tyres",
    }
    assert [name for name in kinetree.api.__all__ if name not in entries] == []


def test_methods_options_and_commands_are_in_the_reference(site):
    from kinetree.apps.cli.main import app
    from kinetree.engine.formulations.catalogue import FORMULATIONS
    from kinetree.engine.integrators.catalogue import INTEGRATORS
    from kinetree.options import OPTIONS

    folder = site / "_generated" / "reference"
    pages = [f"formulations/{f.name}" for f in FORMULATIONS]
    pages += [f"integrators/{i.name}" for i in INTEGRATORS]
    pages += [f"command-line/{c.name}" for c in app.registered_commands]
    assert [page for page in pages if not (folder / f"{page}.html").exists()] == []
    options = (folder / "options.html").read_text()
    assert [o.name for o in OPTIONS if o.name not in options] == []


@pytest.mark.parametrize("element", [*NAMED, *BESIDE], ids=lambda e: e.__name__)
def test_every_physical_argument_says_what_it_is_and_its_unit(element):
    assert [a.name for a in arguments_of(element) if a.measured and not (a.text and a.unit)] == []


@pytest.mark.parametrize("element", NAMED, ids=lambda e: e.__name__)
def test_units_of_docstrings_are_those_that_are_declared(element):
    """Annotations have units, by which model files are checked; what the reader is told must be one
    of them.
    """
    same = {"Hz": "1/s", "%": "1"}
    assert [
        (a.name, a.unit, a.declared)
        for a in arguments_of(element)
        if a.declared
        and a.text
        and not any(a.unit.startswith((unit, same.get(unit, unit))) for unit in a.declared)
    ] == []


@pytest.mark.parametrize("element", NAMED, ids=lambda e: e.__name__)
def test_every_element_says_what_it_is_and_describes_no_argument_that_it_has_not(element):
    said = docstrings.read(element)
    assert said.summary and said.summary[-1] in ".:"
    assert set(said.arguments) <= {a.name for a in arguments_of(element)}


def test_every_element_has_channels():
    assert all(channels.channels_of_joint(e.joint) for e in JOINTS)
    assert all(channels.channels_of_force(e.force) for e in FORCES)
    assert all(channels.channels_of_constraint(c) for c in CONSTRAINTS)


@pytest.mark.parametrize("name", ["excavator", "car", "tracked-vehicle", "heavy-top", "rssr"])
def test_the_channels_of_the_reference_are_those_of_a_run(name):
    sol = kt.simulate(model_entry(name).build(), until=1e-4)
    kinds = {
        **{n: channels.channels_of_force(type(e.spec)) for n, e in sol.model.forces.items()},
        **{n: channels.channels_of_joint(type(j.joint)) for n, j in sol.model.joints.items()},
        **{
            n: channels.channels_of_constraint(type(c.spec))
            for n, c in sol.model.constraints.items()
        },
    }
    for element, known in kinds.items():
        labels = {
            part.strip() for label in known for part in re.split(r"[,()]", label) if part.strip()
        }
        shown = {
            channel.removeprefix(f"{element}.")
            for channel in sol.names()
            if channel.startswith(f"{element}.")
        }
        shown = {
            label for label in shown if not re.match(r"(deflection|element)\d|.*\.[xyzw]$", label)
        }
        assert shown and shown <= labels, (element, shown - labels)


def test_the_names_of_the_modules_are_entries_too():
    modules = [
        name
        for name in kinetree.api.__all__
        if isinstance(getattr(kinetree.api, name), types.ModuleType)
    ]
    assert modules == ["fe", "gym", "look", "roads", "shapes", "tyres"]
