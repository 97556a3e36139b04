"""The reference pages, written at every build from the catalogues, the declarations and the docstrings
of the public names.

A new entry of a catalogue, or a new public name, appears without further work: functions without a
group of their own go to the analyses, classes to the page of the model.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path

from . import attributes, docstrings, elements, methods, vehicles
from .commands import command_pages
from .entries import declared, entry, joined
from .groups import Item, Pages, group, item, methods_of, module_items
from .literature import bibliography

BEAMS = ("Section", "Arm", "Bending")
CONTROL = ("Controller", "Event", "kinks", "State")
SHAPES = ("box", "cylinder", "mass", "rod", "rotor", "solid", "sphere", "tube")
LOOKS = ("Box", "Cylinder", "Plate", "Sphere", "mesh", "wheel")


def write(folder: Path) -> None:
    """Write all pages; unchanged files are left alone, so that a second build is quick."""
    made = pages()
    for path in folder.rglob("*.md"):
        if str(path.relative_to(folder).with_suffix("")) not in made:
            path.unlink()
    for name, text in made.items():
        path = folder / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def pages() -> Pages:
    """Return all pages by their path."""
    made: Pages = {"index": ""}
    for make in GROUPS.values():
        made |= make()
    made["index"] = _index(made)
    return made


def public() -> dict[str, object]:
    """Return the public names in their order."""
    import kinetree.api as api

    return {name: getattr(api, name) for name in api.__all__}


def _items(folder: str, *names: str) -> list[Item]:
    return [item(folder, f"kt.{name}", public()[name]) for name in names]


def _model() -> Pages:
    parts = _items("parts", "Body", "Beam", "Marker", "Link", "MassProperties")
    made = item("", "kt.Model", public()["Model"])
    return made.pages | group("parts", "Bodies and markers", PARTS, parts)


PARTS = "Objects that the methods of `kt.Model` and the shapes return."


def _shapes() -> Pages:
    lead = "Mass properties of bodies, for `model.body`."
    return group("shapes", "Shapes", lead, _items("shapes", *SHAPES))


def _looks() -> Pages:
    module = public()["look"]
    lead = joined(declared("kt.look", module), LOOK)
    return group("look", "Appearance", lead, module_items("look", "kt.look", module, LOOKS))


def _gym() -> Pages:
    module = public()["gym"]
    about = "Models as environments of reinforcement learning, with the interface of gymnasium."
    lead = joined(declared("kt.gym", module), about)
    return group(
        "gym", "Reinforcement learning", lead, module_items("gym", "kt.gym", module, ("Env",))
    )


LOOK = (
    "Outlines of a body in body axes, for pictures only: `model.body(..., look=[...])`. The mass is "
    'given separately. Every outline takes `paint`, a color such as `"#2f6fb0"` or a name such as '
    '`"steel"`. By default the outline has the color of its body.'
)


def _control() -> Pages:
    lead = "User code during a run, and states of a model."
    return group("control", "Controllers, events, states", lead, _items("control", *CONTROL))


def _flexible() -> Pages:
    lead = (
        "Sections of beams, and arms with assumed modes. Beams are added by `model.beam`; "
        "`kt.deflect`, `kt.vibrations` and `kt.buckling` analyze them."
    )
    return group("flexible", "Flexible bodies", lead, _items("flexible", *BEAMS))


def _analyses() -> Pages:
    functions = [
        name
        for name, thing in public().items()
        if inspect.isfunction(thing) and name[0].islower() and name not in (*SHAPES, *CONTROL)
    ]
    lead = (
        "Functions of a model. Each page states what the function returns; [results](results.md) "
        "lists the objects."
    )
    items = _items("analyses", *functions, "Stepper", "Study")
    return group("analyses", "Analyses", lead, items, (), "## Which analysis returns what", _made())


def _results() -> Pages:
    items = [
        item("results", attributes.shown_name(name), cls)
        for name, cls in attributes.result_classes().items()
        if name not in ("Body", "Beam", "Marker", "Link", "MassProperties", "State")
    ]
    return group("results", "Results", RESULTS, items)


RESULTS = (
    "Objects that analyses return, and the parts of these objects. Every page lists the attributes "
    "with type, unit, shape and meaning."
)


def _made() -> str:
    """Return the table of functions and methods with the classes that they return."""
    public_ = public()
    functions = {f"kt.{n}": f for n, f in public_.items() if inspect.isfunction(f)}
    for cls in ("Model", "Solution"):
        functions |= {f"kt.{cls}.{n}": f for n, f in methods_of(public_[cls]).items()}
    rows = [
        (f"`{name}`", f"`{attributes.shown_name(found.__name__)}`")
        for name, f in functions.items()
        if (found := attributes.returned_class(f)) and name not in _shapes_and_bodies()
    ]
    return docstrings.table(("function", "returns"), rows)


def _shapes_and_bodies() -> set[str]:
    return {f"kt.{name}" for name in SHAPES} | {"kt.Model.body", "kt.Model.beam"}


def _errors() -> Pages:
    errors = [
        entry(f"kt.{name}", thing, level=2)
        for name, thing in public().items()
        if isinstance(thing, type) and issubclass(thing, Exception)
    ]
    return {
        "errors": joined(
            "# Errors", "Errors that Kinetree raises; all are `kt.KinetreeError`.", *errors
        )
    }


def _index(made: Pages) -> str:
    lists = [
        (f"[{made[path].partition(chr(10))[0].removeprefix('# ')}]({path}.md)", about)
        for path, about in CONTENTS.items()
    ]
    rows = "\n".join(f"| {link} | {about} |" for link, about in lists)
    tree = "```{toctree}\n:hidden:\n\n" + "\n".join(CONTENTS) + "\n```"
    lead = "These pages are made from the code at every build. Units are SI, angles in rad."
    return joined("# Reference", lead, f"| page | contents |\n|---|---|\n{rows}", tree)


CONTENTS = {
    "model": "the description of a mechanism, and its methods",
    "parts": "bodies, beams, markers, links",
    "shapes": "mass properties of rods, boxes, cylinders ...",
    "look": "outlines for pictures",
    "joints": "one page per joint",
    "constraints": "distances, drivers, gears",
    "forces": "springs, dampers, hydraulics, wheels ...",
    "signals": "functions of time",
    "control": "controllers, events, initial states",
    "flexible": "sections of beams, flexible arms",
    "finite-elements": "parts from meshes and matrices, and their reduction",
    "contact-shapes": "shapes that can touch",
    "roads": "roads and obstacles",
    "tyres": "slip laws and property files",
    "vehicles": "suspensions from hard points, standard tests",
    "analyses": "simulate, equilibrium, modes, studies and others, with what they return",
    "gym": "environments of reinforcement learning",
    "results": "solutions and other results, with all attributes",
    "formulations": "treatments of the constraints",
    "integrators": "integration over time",
    "options": "options of formulations and integrators",
    "errors": "errors that Kinetree raises",
    "command-line": "the commands of `kinetree`",
    "literature": "sources by their keys",
}
GROUPS: dict[str, Callable[[], Pages]] = {
    "model": _model,
    "shapes": _shapes,
    "look": _looks,
    "joints": elements.joints,
    "constraints": elements.constraints,
    "forces": elements.forces,
    "signals": elements.signals,
    "control": _control,
    "flexible": _flexible,
    "finite-elements": elements.finite_elements,
    "contact-shapes": elements.contact_shapes,
    "roads": elements.roads,
    "tyres": elements.tyres,
    "vehicles": vehicles.pages,
    "analyses": _analyses,
    "gym": _gym,
    "results": _results,
    "methods": methods.pages,
    "errors": _errors,
    "command-line": command_pages,
    "literature": lambda: {"literature": bibliography()},
}
