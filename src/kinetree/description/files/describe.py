"""Convert a model to plain dicts, lists, texts and numbers for a file, which loads to the same
tables, bit by bit.

Options with their default value are left out. Elements that a file cannot describe raise an error
that names the element and the remedy.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...elements.controllers.controller import Controller
from ...elements.forces.contact_group import ContactGroup
from ...elements.sections import Section
from ...elements.signals.constant import Constant
from ...errors import ModelError
from ..arm import EXACT, Arm
from ..beam import Beam
from ..body import Body, Marker
from ..element import Element, JointSpec
from ..flexible_body import FlexibleBody
from ..model import Model
from ..shapes import SHAPES, MassProperties
from ..solids import solid
from .declared import Declared, families, options_of
from .python_code import name_of

MAKERS = {shape.__name__: shape for shape in (*SHAPES, solid)}


def beside(source: str, folder: Path) -> str:
    """The path of a part in a file in that folder; one that lies outside is copied into it."""
    path = os.path.relpath(source, folder)
    return os.path.basename(source) if path.startswith("..") else path


def described(model: Model, folder: Path) -> dict[str, Any]:
    """Contents of a file of the model in that folder."""
    return Description(model, folder).whole()


class Description:
    """Convert a model to plain values, element by element."""

    def __init__(self, model: Model, folder: Path) -> None:
        self.model, self.folder = model, folder
        self.types = {
            one.make: (family, one)
            for family, members in families().items()
            for one in members.values()
        }

    def whole(self) -> dict[str, Any]:
        m, arm, made = self.model, self._arm(), self._of_arm()
        parts: dict[str, Any] = {"kinetree": 1, "model": m.name}
        if arm is not None:
            parts["arm"] = arm
        elif m.gravity.tolist() != [0.0, 0.0, -9.81]:
            parts["gravity"] = m.gravity.tolist()
        for section, convert, known in (
            ("bodies", self._body, made.bodies if made else {}),
            ("joints", self._joint, made.joints if made else {}),
            ("constraints", self._at_markers, {}),
            ("controllers", self._controller, {}),
            ("forces", self._at_markers, m.contacts),
            ("contacts", self._contact, {}),
        ):
            parts[section] = {
                name: self._with_place(
                    f"{section[:-1] if section != 'bodies' else 'body'} {name!r}", convert, one
                )
                for name, one in getattr(m, section).items()
                if name not in known
            }
        cuts = [name for name in m.cuts if made is None or name not in made.cuts]
        parts.update(
            cut=cuts,
            weights=dict(m.weights),
            surroundings=[self.thing(look) for look in m.surroundings],
        )
        return {key: value for key, value in parts.items() if value not in ({}, [])}

    def _with_place(self, what: str, convert: Any, one: Any) -> Any:
        try:
            return convert(one)
        except ModelError as error:
            raise ModelError(
                f"model {self.model.name!r} cannot be saved: {what}: {error}"
            ) from None

    def _body(self, body: Body) -> dict[str, Any]:
        if isinstance(body, Beam):
            entry = self._beam(body)
        elif isinstance(body, FlexibleBody):
            entry = self._flexible(body)
        else:
            entry = self._shape(body.properties)
        if body.pose is not None:
            if body.placed:
                entry["position"] = self.value(body.pose.p)
            if not body.placed or not np.array_equal(body.pose.R, np.eye(3)):
                entry["rotation"] = self.value(body.pose.R)
        for name, value in (
            ("velocity", body.velocity),
            ("angular_velocity", body.angular_velocity),
        ):
            if value is not None:
                entry[name] = self.value(value)
        if body.points:
            entry["points"] = self.value(body.points)
        looks = body.look or self._outline(body.properties)
        if looks:
            entry["look"] = [self.thing(look) for look in looks]
        return entry

    def _shape(self, properties: MassProperties) -> dict[str, Any]:
        """The shape as the user gave it, if that still gives the same mass properties; otherwise
        its numbers.
        """
        if self._as_said(properties):
            entry = properties.arguments or {}
            order = ["type", *self.types[MAKERS[entry["type"]]][1].options]
            return self.value({name: entry[name] for name in order if name in entry})
        I, com = properties.inertia, properties.com
        whole = np.count_nonzero(I - np.diag(np.diag(I)))
        entry = {
            "type": "mass",
            "mass": properties.mass,
            "inertia": self.value(I if whole else np.diag(I)),
        }
        return {**entry, "com": self.value(com)} if com.any() else entry

    @staticmethod
    def _as_said(properties: MassProperties) -> bool:
        if properties.arguments is None:
            return False
        options = dict(properties.arguments)
        again = MAKERS[options.pop("type")](**options)
        return (
            again.mass == properties.mass
            and np.array_equal(again.inertia, properties.inertia)
            and np.array_equal(again.com, properties.com)
            and again.ends == properties.ends
        )

    def _outline(self, properties: MassProperties) -> list[Any]:
        """The outline of a shape that is given by numbers."""
        return (
            [] if properties.outline is None or self._as_said(properties) else [properties.outline]
        )

    def _beam(self, beam: Beam) -> dict[str, Any]:
        options = _unusual(beam.arguments, Model.beam)
        line = options.pop("line")
        return {
            "type": "beam",
            "line": self.value(line),
            "section": self.thing(beam.section),
            **self.value(options),
        }

    def _flexible(self, body: FlexibleBody) -> dict[str, Any]:
        """A flexible body by the file of its part."""
        if body.source is None:
            raise ModelError(
                "its part is in no file; write it with part.save('rod.h5') and give m.flexible the "
                "path."
            )
        given = {
            "start": body.start,
            "speed": body.speed,
            "nodes": {name: int(body.part.numbers[row]) for name, row in body.nodes.items()},
        }
        return {
            "type": "flexible",
            "part": beside(body.source, self.folder),
            **{name: self.value(value) for name, value in given.items() if value},
        }

    def _joint(self, spec: JointSpec) -> dict[str, Any]:
        assert spec.places is not None
        parent, child = spec.places
        entry = {**self.thing(spec.joint), "parent": self.place(parent), "child": self.place(child)}
        if spec.at is not None:
            entry.update(parent=parent.body.name, child=child.body.name, at=self.value(spec.at))
        return {
            **entry,
            **{
                label: dict(given)
                for label, given in (
                    ("start", spec.start),
                    ("speed", spec.speed),
                    ("inertia", spec.inertia),
                )
                if given
            },
        }

    def _at_markers(self, element: Element[Any]) -> dict[str, Any]:
        if isinstance(element.spec, ContactGroup):
            shapes = zip(element.spec.shapes, element.markers)
            own = [{**self.thing(shape), "on": self.place(marker)} for shape, marker in shapes]
            return {**self.thing(element.spec), "shapes": own}
        markers = (
            {"markers": [self.place(marker) for marker in element.markers]}
            if element.markers
            else {}
        )
        return {**self.thing(element.spec), **markers}

    def _contact(self, element: Element[Any]) -> dict[str, Any]:
        shapes = {
            side: {**self.thing(shape), "on": self.place(marker)}
            for side, shape, marker in zip("ab", element.spec.shapes, element.markers)
        }
        return {**self.thing(element.spec), **shapes}

    def _controller(self, element: Element[Controller]) -> dict[str, Any]:
        return {name: value for name, value in self.thing(element.spec).items() if name != "type"}

    def place(self, marker: Marker) -> Any:
        """A marker, by the name of an end or a point where it has one."""
        body, (R, p) = marker.body, marker.X_Bm
        at = tuple(p.tolist())
        if not np.array_equal(R, np.eye(3)):
            return {
                "body": body.name,
                **({"at": list(at)} if any(at) else {}),
                "rotation": self.value(R),
            }
        if not any(at):
            return body.name
        ends = (
            body.properties.ends if self._as_said(body.properties) or isinstance(body, Beam) else {}
        )
        if isinstance(body, FlexibleBody):
            ends = {
                name: tuple(p.tolist()) for name, p in zip(body.part.markers, body.part.positions)
            }
        names = [
            name
            for name, point in {**body.points, **ends}.items()
            if tuple(map(float, point)) == at
        ]
        return f"{body.name}.{names[-1]}" if names else {"body": body.name, "at": list(at)}

    def thing(self, one: Any) -> dict[str, Any]:
        """An object of a catalogue, as its type and options."""
        if type(one) not in self.types:
            raise ModelError(f"files do not know a {type(one).__name__}.")
        declared = self.types[type(one)][1]
        options = {
            name: self.option(declared, name, value)
            for name, value in self._given(one, declared).items()
        }
        return {"type": declared.name, **options}

    @staticmethod
    def _given(one: Any, declared: Declared) -> dict[str, Any]:
        """Options without those that have their default value; diagonal matrices as their diagonal."""
        found = {}
        for name, option in declared.options.items():
            value = getattr(one, name)
            if (
                isinstance(one, Section)
                and name in ("stiffness", "inertia")
                and not np.count_nonzero(value - np.diag(np.diag(value)))
            ):
                value = np.diag(value)
            nothing = isinstance(value, (dict, tuple, list)) and not len(value)
            identity = name == "rotation" and np.array_equal(value, np.eye(3))
            if not (nothing or identity or (not option.required and _same(value, option.default))):
                found[name] = value
        return found

    def option(self, declared: Declared, name: str, value: Any) -> Any:
        try:
            return self.value(value)
        except ModelError as error:
            raise ModelError(f"{name}: {error}") from None

    def value(self, value: Any) -> Any:
        """Convert numbers, texts, lists, mappings, and objects of a catalogue."""
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, float) and not np.isfinite(value):
            raise ModelError(f"{value} is not finite, and files hold finite numbers only.")
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, np.ndarray):
            return self.value(value.tolist())
        if isinstance(value, (list, tuple)):
            return [self.value(one) for one in value]
        if isinstance(value, Mapping):
            return {str(name): self.value(one) for name, one in value.items()}
        if isinstance(value, Constant):
            return self.value(value.value)
        if type(value) in self.types:
            return self.thing(value)
        return self._function(value)

    def _function(self, value: Any) -> str:
        if not callable(value):
            raise ModelError(f"{value!r} cannot be written to a file.")
        name = name_of(value, self.folder)
        if name is None:
            shown = getattr(value, "__qualname__", None) or repr(value)
            raise ModelError(
                f"its Python function {shown} cannot be named in a file. Write it as a function of "
                "a module in the "
                f"folder {self.folder}, which a file names as module:function, or use a time "
                "function such as "
                "kt.Sine, kt.Table or kt.SmoothStep."
            )
        return name

    def _of_arm(self) -> Model | None:
        """The model that the arm alone defines."""
        if self.model.generated is None:
            return None
        arm = getattr(self.model.generated, "arm", None)
        if arm is None:
            raise ModelError(
                f"model {self.model.name!r} cannot be saved: its equations were generated from "
                "another model; save "
                "that one."
            )
        return arm.model()

    def _arm(self) -> dict[str, Any] | None:
        if self.model.generated is None or getattr(self.model.generated, "arm", None) is None:
            return None
        arm = self.model.generated.arm  # type: ignore[attr-defined]
        payloads = [
            {
                "link": link.name,
                "mass": lump.mass,
                **({"inertia": lump.inertia} if lump.inertia else {}),
                "at": lump.at,
            }
            for link in arm.links
            for lump in link.lumps[1 if link.arguments["hub"] else 0 :]
        ]
        closures = {
            pin.name: {
                "first": pin.first.name,
                **({"second": pin.second.name} if pin.second else {}),
                "at_first": list(pin.p_first),
                "at_second": list(pin.p_second),
            }
            for pin in arm.closures
        }
        links = {
            link.name: self._with_place(f"link {link.name!r}", self._link, link)
            for link in arm.links
        }
        terms = {} if arm.terms == EXACT else {"terms": arm.terms}
        return {
            "gravity": arm.gravity,
            **terms,
            "links": links,
            **({"payloads": payloads} if payloads else {}),
            **({"closures": closures} if closures else {}),
        }

    def _link(self, link: Any) -> dict[str, Any]:
        entry = _unusual(link.arguments, Arm.link)
        if "on" in entry:
            entry["on"] = entry["on"].name
        return self.value(entry)


def _unusual(entry: Mapping[str, Any], method: Any) -> dict[str, Any]:
    """Arguments of a method call without those that have their default value."""
    usual = options_of(method)
    return {
        name: value
        for name, value in entry.items()
        if usual[name].required or not _same(value, usual[name].default)
    }


def _same(value: Any, default: Any) -> bool:
    many = [isinstance(one, (np.ndarray, list, tuple)) for one in (value, default)]
    if any(many):
        return all(many) and len(value) == len(default) and all(map(_same, value, default))
    if isinstance(value, Constant) and isinstance(default, float):
        return value.value == default
    return isinstance(value, bool) is isinstance(default, bool) and bool(value == default)
