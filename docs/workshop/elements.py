"""Pages of the elements of a model: joints, forces, constraints, time functions, roads, tires."""

from __future__ import annotations

import types

from . import channels, docstrings, figures
from .entries import declared, element_entry
from .groups import Item, Pages, group, item, module_items, summary

LAWS = ("Characteristic", "Polynomial", "Valve")


def _figure(kind: str, name: str, about: str, up: str, width: int | None = None) -> str:
    """Return the figure of an element in its own size or another width, or nothing if none is
    drawn.
    """
    drawn = f"{kind}-{name}"
    if drawn not in figures.figures():
        return ""
    size = f"{{width={width}px}}" if width else ""
    return f"![{about}]({up}figures/{drawn}.svg){size}"


def _element(folder: str, kind: str, cls: type, found: str, cells: tuple[str, ...]) -> Item:
    name = f"kt.{cls.__name__}"
    about = f"{name}: axes and positive directions"
    text = element_entry(name, cls, _figure(kind, cls.kind, about, "../../"), found)
    return Item(
        name,
        {f"{folder}/{cls.kind}": text},
        summary(cls),
        _figure(kind, cls.kind, name, "../", 96),
        cells,
    )


def _channels(name: str, found: channels.Channels) -> str:
    raised = {label: (docstrings.unbroken(unit), about) for label, (unit, about) in found.items()}
    return f"## Channels\n\n{channels.channel_table(name, raised)}"


def joints() -> Pages:
    from kinetree.elements.joints.catalogue import JOINTS

    items = []
    for joint in (e.joint for e in JOINTS):
        counts = (
            f"Degrees of freedom: {joint.nv}. Constraint equations where a loop is cut at it: "
            f"{6 - joint.nv}. Coordinates: {', '.join(joint.labels) or 'none'}; velocities: "
            f"{', '.join(joint.speeds) or 'none'}. They describe the motion of the child (named "
            "second) relative to the parent (named first)."
        )
        found = _channels("A", channels.channels_of_joint(joint))
        about = f"{found}\n\nThe joint is named A here. {counts}"
        items.append(_element("joints", "joint", joint, about, cells=(str(joint.nv),)))
    lead = (
        "A joint links a parent (named first) and a child (named second), see `model.joint`. In "
        "the tree it has coordinates; where a loop is cut at it, it has constraint equations. "
        "Both give the same motion."
    )
    return group("joints", "Joints", lead, items, ("degrees of freedom",))


def forces() -> Pages:
    import kinetree.api as api
    from kinetree.description.names import how_many
    from kinetree.elements.forces.catalogue import FORCES

    items = []
    for force in (e.force for e in FORCES):
        found = _channels("F", channels.channels_of_force(force))
        about = f"{found}\n\nThe element is named F here. Markers: {how_many(force.markers)}."
        items.append(_element("forces", "force", force, about, cells=(how_many(force.markers),)))
    laws = [item("forces", f"kt.{n}", getattr(api, n)) for n in LAWS]
    items += [one._replace(cells=("law of an element",)) for one in laws]
    lead = (
        "Force elements act at markers or on joint coordinates, see `model.force`. Gravity is a "
        "property of the model, see `kt.Model`."
    )
    return group("forces", "Forces", lead, items, ("markers",))


def constraints() -> Pages:
    from kinetree.description.names import how_many
    from kinetree.elements.constraints.catalogue import CONSTRAINTS, COUPLINGS

    items = []
    for cls in CONSTRAINTS:
        found = _channels("C", channels.channels_of_constraint(cls))
        about = f"{found}\n\nThe constraint is named C here. Markers: {how_many(cls.markers)}."
        items.append(_element("constraints", "constraint", cls, about, cells=("class",)))
    for function in COUPLINGS:
        made = item("constraints", f"kt.{function.__name__}", function)
        items.append(made._replace(cells=("makes a `kt.Coupling`",)))
    lead = "Equations between markers or joint coordinates, besides those of joints; see `model.constraint`."
    return group("constraints", "Constraints", lead, items, ("kind",))


def signals() -> Pages:
    from kinetree.elements.signals.catalogue import SIGNALS

    items = [_element("signals", "signal", s, "", cells=()) for s, _ in SIGNALS]
    lead = (
        "An element that accepts a time function also accepts a number or a Python function of "
        "time. Values have the unit of the driven quantity."
    )
    return group("signals", "Time functions", lead, items)


def roads() -> Pages:
    import kinetree.api as api

    names = [n for n in api.roads.__all__ if n != "Road"]
    items = [
        item("roads", "kt.Road", api.Road),
        *module_items("roads", "kt.roads", api.roads, names),
    ]
    return group("roads", "Roads", _module("kt.roads", api.roads), items)


def contact_shapes() -> Pages:
    import kinetree.api as api

    items = module_items("contact-shapes", "kt.shapes", api.shapes, api.shapes.__all__)
    return group("contact-shapes", "Shapes for contact", _module("kt.shapes", api.shapes), items)


def finite_elements() -> Pages:
    import kinetree.api as api

    items = module_items("finite-elements", "kt.fe", api.fe, api.fe.__all__)
    return group("finite-elements", "Parts from finite elements", _module("kt.fe", api.fe), items)


def tyres() -> Pages:
    import kinetree.api as api

    items = module_items("tyres", "kt.tyres", api.tyres, api.tyres.__all__)
    return group("tyres", "Tire laws and tire files", _module("kt.tyres", api.tyres), items)


def _module(name: str, module: types.ModuleType) -> str:
    return f"{declared(name, module)}\n\n{docstrings.markdown(module.__doc__ or '')}"
