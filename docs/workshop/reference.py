"""The reference pages, written at every build from the catalogues, the declarations and the docstrings
of the public names.

A new entry of a catalogue, or a new public name, appears without further work: functions without a
page of their own go to the analyses, classes to the page of the model.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from pathlib import Path

from . import docstrings
from .commands import command_pages
from .entries import constraint_entry, entry, force_entry, joint_entry, members
from .literature import bibliography

LAWS = ("Characteristic", "Polynomial", "Valve")
FLEXIBLE = ("Section", "Arm", "Bending", "derive", "deflect", "vibrations", "buckling")
CONTROL = ("Controller", "Event", "kinks", "State")
ROADS = ("Road", "roads", "tyres")
SHAPES = ("box", "cylinder", "mass", "rod", "rotor", "sphere", "tube", "look")
LEFT_OUT = {"look": ("Outline", "Mesh", "outlines"), "roads": ("Road",)}


def write(folder: Path) -> None:
    """Write all pages; unchanged files are left alone, so that a second build is quick."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {name: make() for name, make in PAGES.items()}
    made["index"] = _index(made)
    for name, text in made.items():
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def public() -> dict[str, object]:
    """Return the public names in their order."""
    import kinetree.api as api

    return {name: getattr(api, name) for name in api.__all__}


def _page(title: str, lead: str, entries: list[str]) -> str:
    return "\n\n".join([f"# {title}", lead, *entries]) + "\n"


def _named(*names: str) -> list[str]:
    return [_thing(name, public()[name]) for name in names]


def _thing(name: str, thing) -> str:
    """Return the entry of a public name; of a module, with its members."""
    if not isinstance(thing, types.ModuleType):
        return entry(f"kt.{name}", thing)
    offered = getattr(thing, "__all__", None) or [
        n for n, v in vars(thing).items() if _own(thing, n, v)
    ]
    inside = [
        entry(f"kt.{name}.{n}", getattr(thing, n), level=3)
        for n in offered
        if n not in LEFT_OUT.get(name, ())
    ]
    return "\n\n".join([f"## kt.{name}", docstrings.markdown(thing.__doc__ or ""), *inside])


def _own(module, name: str, value) -> bool:
    return (
        not name.startswith("_")
        and callable(value)
        and getattr(value, "__module__", "") == module.__name__
    )


def _joints() -> str:
    from kinetree.elements.joints.catalogue import JOINTS

    return _page(
        "Joints",
        "A joint links a parent (named first) and a child (named second). In the tree it has "
        "coordinates; where a loop is cut at it, it has constraint equations. Both give the same "
        "motion.",
        [joint_entry(e.joint) for e in JOINTS],
    )


def _forces() -> str:
    from kinetree.elements.forces.catalogue import FORCES

    return _page(
        "Forces",
        "Force elements act at markers or on joint coordinates. Gravity is a property of the model.",
        [*(force_entry(e.force) for e in FORCES), *_named(*LAWS)],
    )


def _constraints() -> str:
    from kinetree.elements.constraints.catalogue import CONSTRAINTS

    gears = [
        name
        for name, thing in public().items()
        if getattr(thing, "__module__", "").startswith("kinetree.elements.constraints.")
        and not isinstance(thing, type)
    ]
    return _page(
        "Constraints",
        "Equations between markers or joint coordinates, besides those of joints.",
        [*(constraint_entry(c) for c in CONSTRAINTS), *_named(*gears)],
    )


def _signals() -> str:
    from kinetree.elements.signals.catalogue import SIGNALS

    return _page(
        "Time functions",
        "An element that accepts a time function also accepts a number or a Python function of "
        "time. Values have the unit of the driven quantity.",
        [entry(f"kt.{s.__name__}", s) for s, _ in SIGNALS],
    )


def _control() -> str:
    return _page(
        "Controllers, events, states",
        "User code during a run, and states of a model.",
        _named(*CONTROL),
    )


def _formulations() -> str:
    from kinetree.engine.formulations.catalogue import FORMULATIONS

    rows = [
        (
            f"`{f.name}`",
            f.summary,
            "yes" if f.loops else "no",
            ", ".join(f"`{o}`" for o in f.options),
            f"[{f.source}]",
        )
        for f in FORMULATIONS
    ]
    return _page(
        "Formulations",
        "Treatment of the constraints: `kt.simulate(model, until, formulation=...)`. By default "
        "`tree` "
        "without loops, `augmented` with them. [How to choose](../../how-to-choose.md) compares "
        "them.",
        [docstrings.table(("formulation", "description", "loops", "options", "source"), rows)],
    )


def _integrators() -> str:
    from kinetree.engine.integrators.catalogue import INTEGRATORS

    rows = [
        (
            f"`{i.name}`",
            i.summary,
            "variable" if i.adaptive else "fixed",
            i.order,
            ", ".join(f"`{o}`" for o in i.options),
            f"[{i.reference}]",
        )
        for i in INTEGRATORS
    ]
    return _page(
        "Integrators",
        "Integration over time: `kt.simulate(model, until, integrator=...)`. By default `adams`, and "
        "`energy-conserving` of machines with beams. [How to choose](../../how-to-choose.md) "
        "compares them.",
        [
            docstrings.table(
                ("integrator", "description", "step", "order", "options", "source"), rows
            )
        ],
    )


def _options() -> str:
    from kinetree.apps.cli.listing import LISTS

    columns, rows = LISTS["options"]()
    return _page(
        "Options",
        "Options of formulations and integrators: keywords of `kt.simulate`, flags of `kinetree "
        "run` "
        "(`--max-step`). Options that the chosen methods do not have raise an error.",
        [docstrings.table(columns, [(f"`{first}`", *rest) for first, *rest in rows])],
    )


def _shapes() -> str:
    return _page(
        "Shapes and looks",
        "Mass properties of bodies, and their appearance in pictures.",
        _named(*SHAPES),
    )


def _flexible() -> str:
    section = public()["Section"]
    return _page(
        "Flexible bodies",
        "Sections of beams, arms with assumed modes, and their analyses. Beams themselves are "
        "added "
        "by `model.beam`.",
        [*_named(*FLEXIBLE), "## Sections by shape", members(section, "kt.Section")],
    )


def _roads() -> str:
    return _page(
        "Roads and tyres",
        "Roads, obstacles and tyre laws. The elements are `kt.Wheel` and `kt.Tyre`, see [forces](forces.md).",
        [*_named(*ROADS), "## Methods of a road", members(public()["Road"], "road")],
    )


def _rest(wanted: Callable[[object], bool]) -> list[str]:
    """Return the public names that are on no other page."""
    elsewhere = "".join(make() for name, make in PAGES.items() if name not in ("model", "analyses"))
    return [
        _thing(name, thing)
        for name, thing in public().items()
        if wanted(thing) and f"## kt.{name}\n" not in elsewhere
    ]


def _is_result(thing) -> bool:
    """Whether users get such objects from functions and do not make them."""
    text = docstrings.read(thing)
    return isinstance(thing, type) and bool(text.attributes) and not text.arguments


def _model() -> str:
    from kinetree.description.body import Body

    model = public()["Model"]

    def is_model_class(thing) -> bool:
        return isinstance(thing, type) and thing is not model and not _is_result(thing)

    return _page(
        "Model and errors",
        "The description of a mechanism, and the errors that Kinetree raises.",
        [
            entry("kt.Model", model, members(model, "model", ("with_markers", "with_states"))),
            "## Bodies",
            members(Body, "body"),
            *_rest(is_model_class),
        ],
    )


def _analyses() -> str:
    from kinetree.results.solution import Solution

    return _page(
        "Analyses and results",
        "Functions of a model, and the results of a run.",
        [
            *_rest(lambda thing: not isinstance(thing, type) or _is_result(thing)),
            "## Methods of a solution",
            members(Solution, "sol"),
        ],
    )


def _index(made: dict[str, str]) -> str:
    return _page(
        "Reference",
        "These pages are made from the code at every build.",
        ["```{toctree}\n:maxdepth: 2\n\n" + "\n".join(name for name in made) + "\n```"],
    )


PAGES: dict[str, Callable[[], str]] = {
    "model": _model,
    "shapes": _shapes,
    "joints": _joints,
    "constraints": _constraints,
    "forces": _forces,
    "signals": _signals,
    "control": _control,
    "flexible": _flexible,
    "roads": _roads,
    "analyses": _analyses,
    "formulations": _formulations,
    "integrators": _integrators,
    "options": _options,
    "command-line": command_pages,
    "literature": bibliography,
}
