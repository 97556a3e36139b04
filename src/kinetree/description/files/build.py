"""Build a model from a parsed file, element by element; errors carry the line of the element."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...core.quantities import Input, Motion
from ...elements.forces.contact_group import ContactGroup
from ...elements.shapes.contract import Placed
from ...errors import ModelError
from ...kernel.frames import Pose
from ..arm import Arm
from ..body import Body
from ..body import Marker as BodyMarker
from ..model import Model
from .declared import kind_of
from .fields import FileElement
from .marker import Marker, place
from .mirror import sign_of
from .moving import Moving
from .places import where
from .python_code import PythonCode
from .reading import FunctionName, is_function

FAULTS = (
    ArithmeticError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    np.linalg.LinAlgError,
)
_THREE = ("push", "couple", "travel", "turning")
FUNCTIONS = ("motion", "input", "law", "line", "function")


def _is_list(hint: Any) -> bool:
    origin = typing.get_origin(hint)
    return origin in (list, tuple, Sequence) or (
        origin in (typing.Union, types.UnionType) and any(map(_is_list, typing.get_args(hint)))
    )


class Builder:
    """Add the contents of one file to a model; `moving` transforms those of an assembly."""

    def __init__(
        self,
        model: Model,
        tree: Any,
        code: PythonCode,
        files: Callable[[str], Any],
        moving: Moving | None = None,
        ground: str | None = None,
    ) -> None:
        self.model, self.tree, self.code, self.files, self.moving, self.ground = (
            model,
            tree,
            code,
            files,
            moving,
            ground,
        )

    def bodies(self, item: Any) -> None:
        for name, one in item.bodies.items():
            self._with_place(("bodies", name), self._body, name, one)

    def rest(self, item: Any) -> None:
        """Build all other sections, in the order of their dependencies."""
        for section, adding in (
            ("joints", self._joint),
            ("constraints", self._at_markers),
            ("controllers", self._controller),
            ("forces", self._at_markers),
            ("contacts", self._contact),
        ):
            for name, one in getattr(item, section).items():
                self._with_place((section, name), adding, section, name, one)
        for k, joint in enumerate(item.cut):
            self._with_place(("cut", k), self.model.cut, self._name(joint))
        for kind, weight in item.weights.items():
            self._with_place(("weights", kind), self.model.weight, kind, weight)
        for k, look in enumerate(item.surroundings):
            self._with_place(
                ("surroundings", k), lambda look=look: self.model.surround(self._thing(look))
            )

    def arm(self, item: Any, name: str) -> Model:
        """Build the model of an arm with generated equations."""
        made = self._with_place(("arm",), lambda: Arm(name, item.gravity, item.terms))
        links: dict[str, Any] = {}
        for link, one in item.links.items():
            path = ("arm", "links", link)
            options = self._arm_options(one, links, path)
            links[link] = self._with_place(path, partial(made.link, link, **options))
        for k, one in enumerate(item.payloads):
            path = ("arm", "payloads", k)
            options = self._arm_options(one, links, path)
            self._with_place(path, partial(made.payload, **options))
        for pin, one in item.closures.items():
            path = ("arm", "closures", pin)
            options = self._arm_options(one, links, path)
            self._with_place(path, partial(made.close, pin, **options))
        return self._with_place(("arm",), made.model)

    def _arm_options(self, item: FileElement, links: dict[str, Any], path: tuple) -> dict[str, Any]:
        """Options of a link, with links by their names."""
        found = {
            name: getattr(item, name)
            for name in type(item).model_fields
            if name in item.model_fields_set
        }
        for name in ("on", "link", "first", "second"):
            if found.get(name) is not None:
                if found[name] not in links:
                    raise ModelError(
                        f"{where(self.tree, (*path, name))}: there is no link {found[name]!r} "
                        "before this one. "
                        f"Links: {', '.join(links) or 'none'}."
                    )
                found[name] = links[found[name]]
        return found

    def _with_place(self, path: tuple, function: Callable, *arguments: Any) -> Any:
        """Call a function; errors get the place in the file."""
        try:
            return function(*arguments)
        except FAULTS as error:
            text = str(error).rstrip(".")
            message = text if isinstance(error, ModelError) else f"{type(error).__name__}: {text}"
            raise ModelError(f"{where(self.tree, self._nearest(path, text))}: {message}.") from None

    def _nearest(self, path: tuple, text: str) -> tuple:
        """Extend the path by the option that an error message names, if any: `rod: mass must be
        positive`.
        """
        element = self.tree
        for step in path:
            element = element[step] if isinstance(element, (dict, list)) else None
        words = re.findall(r"[A-Za-z_0-9]+", text)[:12]
        return (
            (*path, *_named_in(element, [word for word in words if word != path[-1]]))
            if element is not None
            else path
        )

    def _body(self, name: str, item: FileElement) -> None:
        declared = item.declared
        options = self._options(item, declared.options)
        if declared.name == "beam":
            if self.moving:
                self.moving.beam(options, f"beam {name!r}")
            self.model.beam(self._name(name), **self._in_world(options))
        elif declared.name == "flexible":
            if self.moving and self.moving.mirrored:
                raise ModelError("a flexible part cannot be mirrored; reduce the mirrored part.")
            self.model.flexible(self._name(name), **self._in_world(options))
        else:
            beside = self._in_world(self._options(item, declared.beside))
            self.model.body(self._name(name), declared.make(**options), **beside)

    def _joint(self, _: str, name: str, item: FileElement) -> None:
        declared = item.declared
        own, beside = (
            self._options(item, declared.options, joint=True),
            self._options(item, declared.beside),
        )
        joint, places = declared.make(**own), [beside.pop("parent"), beside.pop("child")]
        if self.moving:
            markers = [
                place.at(0.0, 0.0, 0.0) if isinstance(place, Body) else place for place in places
            ]
            joint, places = self.moving.joint(joint, markers, beside)
        self.model.joint(self._name(name), joint, *places, **beside)

    def _at_markers(self, section: str, name: str, item: FileElement) -> None:
        declared = item.declared
        if declared.make is ContactGroup:
            return self._group(name, item)
        options, markers = (
            self._options(item, declared.options),
            self._options(item, declared.beside).get("markers", []),
        )
        add = self.model.force if section == "forces" else self.model.constraint
        spec = self._make(declared, options)
        if self.moving and self.moving.mirrored:
            S, joints = self.moving.S, self.model.joints
            spec = spec.mirrored(S).counted(
                {one: sign_of(one, S, joints) for one in spec.coordinates}
            )
        add(self._name(name), spec, *markers)

    def _group(self, name: str, item: FileElement) -> None:
        placed = [self._placed(one) for one in item.shapes]  # type: ignore[attr-defined]
        rest = {key: option for key, option in item.declared.options.items() if key != "shapes"}
        self.model.contact_group(self._name(name), placed, **self._options(item, rest))

    def _contact(self, _: str, name: str, item: FileElement) -> None:
        law = self._make(item.declared, self._options(item, item.declared.options))
        self.model.contact(self._name(name), self._placed(item.a), self._placed(item.b), law)  # type: ignore[attr-defined]

    def _placed(self, item: FileElement) -> Placed:
        """A shape on its body."""
        shape, place = self._thing(item), self._place(item.on)  # type: ignore[attr-defined]
        if self.moving and self.moving.mirrored:
            shape, turn = shape.mirrored(self.moving.S)
            if turn is not None:
                place = place.at(0.0, 0.0, 0.0) if isinstance(place, Body) else place
                place = BodyMarker(place.body, place.X_Bm @ Pose(turn, np.zeros(3)))
        return shape.on(place)

    def _controller(self, _: str, name: str, item: FileElement) -> None:
        controller = self._thing(item)
        for one in controller.inputs if self.moving else ():
            if isinstance(one, str) and sign_of(one, self.moving.S, self.model.joints) < 0.0:  # type: ignore[union-attr]
                raise ModelError(
                    f"a mirror turns the sign of the input {one!r}, which Python code cannot know; "
                    "give this "
                    "controller in the file that uses the assembly."
                )
        self.model.controller(self._name(name), controller)

    def _name(self, name: str) -> str:
        return self.moving.name(name) if self.moving else name

    def _thing(self, item: FileElement) -> Any:
        """The object that a mapping with a `type` describes."""
        # turned as a whole, wherever its corners come from
        if self.moving and item.declared.name.lower() == "mesh":
            return (
                Builder(self.model, self.tree, self.code, self.files)
                ._thing(item)
                .mirrored(self.moving.S)
            )
        return self._make(item.declared, self._options(item, item.declared.options))

    @staticmethod
    def _make(declared: Any, options: dict[str, Any]) -> Any:
        several = [name for name, option in declared.options.items() if option.several]
        return (
            declared.make(*options.pop(several[0]), **options)
            if several
            else declared.make(**options)
        )

    def _options(
        self, item: FileElement, declared: Mapping[str, Any], joint: bool = False
    ) -> dict[str, Any]:
        """Convert the options given in the file."""
        values, given = item.__dict__, item.model_fields_set
        return {
            name: values[name]
            if type(values[name]) is float
            else self._value(option.hint, values[name], joint)
            for name, option in declared.items()
            if name in given and values[name] is not None
        }

    def _value(self, hint: Any, value: Any, joint: bool = False) -> Any:
        kind = kind_of(hint)
        if isinstance(value, FileElement):
            return self._thing(value)
        if isinstance(value, FunctionName) or (
            kind == "input" and isinstance(value, str) and is_function(value)
        ):
            return self.code.find(value)
        if kind == "place":
            return (
                [self._place(one) for one in value]
                if isinstance(value, list)
                else self._place(value)
            )
        if kind == "file":
            return self.files(value)
        if isinstance(value, list) and any(isinstance(one, (FileElement, str)) for one in value):
            made = [self._value(_inner(hint, kind), one) for one in value]
            return (
                self.moving.value(kind, made)
                if self.moving and kind in _THREE
                else _flat(made, kind)
            )
        if self.moving and not (joint and kind == "axis"):
            return self._moved(hint, kind, value)
        return value

    def _moved(self, hint: Any, kind: str | None, value: Any) -> Any:
        assert self.moving is not None
        if (
            _is_list(hint)
            and isinstance(value, list)
            and kind in ("vector", "reference", "rotation")
        ):
            return [self.moving.value(kind, one) for one in value]
        return self.moving.value(kind, value)

    def _in_world(self, options: dict[str, Any]) -> dict[str, Any]:
        return self.moving.world(options) if self.moving else options

    def _place(self, item: str | Marker) -> Body | BodyMarker:
        if self.moving is None:
            return place(self.model, item)
        on_ground = (item if isinstance(item, str) else item.body) == "ground"
        if isinstance(item, Marker):
            at = None if item.at is None else self.moving.value("vector", item.at)
            turned = None if item.rotation is None else self.moving.value("rotation", item.rotation)
            item = item.model_copy(update={"at": at, "rotation": turned})
        if on_ground:
            return self._on_ground(item)
        moved = (
            self.moving.name(item)
            if isinstance(item, str)
            else item.model_copy(update={"body": self.moving.name(item.body)})
        )
        return place(self.model, moved)

    def _on_ground(self, item: str | Marker) -> BodyMarker:
        """A marker on the ground of the drawing: on the ground, or on the body that takes its
        place.
        """
        assert self.moving is not None
        body = place(self.model, self.ground or "ground")
        assert isinstance(body, Body)
        marker = place(self.model, item)
        local = marker.X_Bm if isinstance(marker, BodyMarker) else Pose(np.eye(3), np.zeros(3))
        in_world = self.moving.pose @ local
        return BodyMarker(
            body, in_world if body.is_ground or body.pose is None else body.pose.inverse @ in_world
        )


def _named_in(element: Any, words: list[str]) -> tuple:
    """Path to the option that a message names: within an object whose type it names, or of the
    element itself.
    """
    if not isinstance(element, dict):
        return ()
    for key, value in element.items():
        if isinstance(value, dict) and str(value.get("type", "")).split(".")[-1] in words:
            return (key, *_named_in(value, words))
    return next(((word,) for word in words if word in element and word != "type"), ())


def _inner(hint: Any, kind: str | None) -> Any:
    """The annotation of the items of a list."""
    if kind in ("push", "couple"):
        return Input
    if kind in ("travel", "turning"):
        return Motion
    return typing.get_args(hint)[0] if _is_list(hint) and typing.get_args(hint) else hint


def _flat(made: list[Any], kind: str | None) -> list[Any]:
    """Flatten outlines that consist of several, such as a wheel."""
    return [
        one
        for item in made
        for one in (item if kind == "look" and isinstance(item, tuple) else [item])
    ]
