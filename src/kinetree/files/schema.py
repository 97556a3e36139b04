"""A model file as a whole, and its JSON Schema for editors."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from ..joints.catalogue import KIND
from ..model.model import Model
from ..symbolic.arm import Arm
from .declared import Declared, options_of
from .fields import Number, Said, Text, Vector, _read, family, field, parts_of
from .reading import a_rotation

FORMAT = 1


@cache
def model_file() -> Any:
    """What a model file may say."""
    gravity = options_of(Model.__init__)["gravity"]
    outlines = parts_of(options_of(Model.body)["look"].hint)["list"]
    return create_model(
        "ModelFile", __base__=Said, __doc__="A model file of Kinetree.",
        kinetree=(Literal[1], FORMAT), model=(Text, None), gravity=(field(gravity.hint), None),
        parameters=(dict[str, Any], {}), include=(list[Text], []), assemblies=(dict[str, assembly()], {}),
        arm=(arm() | None, None), bodies=(dict[str, family("body")], {}), joints=(dict[str, family("joint")], {}),
        constraints=(dict[str, family("constraint")], {}), controllers=(dict[str, family("controller")], {}),
        forces=(dict[str, family("force")], {}), cut=(list[Text], []),
        weights=(dict[Literal[tuple(KIND)], Number], {}), surroundings=(outlines, []))


@cache
def assembly() -> Any:
    """A part of the machine in a file of its own, with a prefix before its names, placed, and mirrored where that is said."""
    return create_model(
        "Assembly", __base__=Said, __doc__=assembly.__doc__, file=(Text, ...), prefix=(Annotated[str, Field(strict=True)], None),
        ground=(Text, None), position=(Vector | None, None), rotation=(_read(a_rotation, {"type": "array"}), None),
        mirror=(Literal["x", "y", "z"] | None, None), parameters=(dict[str, Any], {}))


@cache
def arm() -> Any:
    """A planar arm with generated equations (kt.Arm): links by name, payloads, and pins that close loops."""
    link, payload, close = (_like(f"Arm.{method.__name__}", method, without) for method, without in (
        (Arm.link, ("name",)), (Arm.payload, ()), (Arm.close, ("name",))))
    return create_model("Arm", __base__=Said, __doc__=arm.__doc__, gravity=(Number, 9.81), links=(dict[str, link], ...),
                        payloads=(list[payload], []), closures=(dict[str, close], {}))


def _like(name: str, method: Any, without: tuple[str, ...]) -> Any:
    options = options_of(method, without)
    made = create_model(name, __base__=Said, **{
        o.name: (field(o.hint, o.default is None), ... if o.required else None) for o in options.values()})
    made.declared = Declared(name, method, options, {}, "")
    return made


@cache
def json_schema() -> dict[str, Any]:
    """The JSON Schema of model files."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema",
            **_loosened(model_file().model_json_schema()), "title": "Kinetree model file"}


def _loosened(schema: Any) -> Any:
    """The same with `anyOf` for `oneOf`: a text may be both a name and a number with a unit."""
    if isinstance(schema, list):
        return [_loosened(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {"anyOf" if key == "oneOf" else key: _loosened(value) for key, value in schema.items()}
