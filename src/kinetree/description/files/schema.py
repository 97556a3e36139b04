"""A model file as a whole, and its JSON Schema for editors."""

from __future__ import annotations

import types
from functools import cache
from typing import Annotated, Any, Literal, cast

from pydantic import Field, create_model

from ...elements.joints.catalogue import KIND
from ..arm import EXACT, TERMS, Arm
from ..model import Model
from .declared import Declared, options_of, summary_of
from .fields import FileElement, Number, Text, by_name, family, field, number_in, parts_of, several

FORMAT = 1
SECTIONS = {
    "bodies": "body",
    "joints": "joint",
    "constraints": "constraint",
    "controllers": "controller",
    "forces": "force",
    "contacts": "contact",
}


@cache
def model_file() -> Any:
    """The pydantic model of a model file."""
    gravity = options_of(Model.__init__)["gravity"]
    outlines = parts_of(options_of(Model.body)["look"].hint)["list"]
    weighted = types.GenericAlias(dict, (Literal[tuple(KIND)], Number))
    return _model(
        "ModelFile",
        "A model file of Kinetree.",
        {
            "kinetree": (Literal[1], FORMAT),
            "model": (Text, None),
            "gravity": (field(gravity.hint), None),
            "parameters": (dict[str, Any], {}),
            "include": (several(Text), []),
            "assemblies": (by_name(assembly()), {}),
            "arm": (arm() | None, None),
            **{section: (by_name(family(kind)), {}) for section, kind in SECTIONS.items()},
            "cut": (several(Text), []),
            "weights": (weighted, {}),
            "surroundings": (outlines, []),
        },
    )


@cache
def assembly() -> Any:
    """A part of the model in its own file, with a prefix for its names, a pose, and optionally a
    mirror.
    """
    moved = options_of(Model.body)
    return _model(
        "Assembly",
        assembly.__doc__,
        {
            "file": (Text, ...),
            "prefix": (Annotated[str, Field(strict=True)], None),
            "ground": (Text, None),
            "position": (field(moved["position"].hint, True), None),
            "rotation": (field(moved["rotation"].hint, True), None),
            "mirror": (Literal["x", "y", "z", None], None),
            "parameters": (dict[str, Any], {}),
        },
    )


@cache
def arm() -> Any:
    """A planar arm with generated equations (kt.Arm): links by name, payloads, and pins that close
    loops.
    """
    link, payload, close = (
        _like(f"Arm.{method.__name__}", method, without)
        for method, without in ((Arm.link, ("name",)), (Arm.payload, ()), (Arm.close, ("name",)))
    )
    return _model(
        "Arm",
        arm.__doc__,
        {
            "gravity": (number_in(("m/s^2",)), 9.81),
            "terms": (Literal[*TERMS], EXACT),
            "links": (by_name(link), ...),
            "payloads": (several(payload), []),
            "closures": (by_name(close), {}),
        },
    )


def _like(name: str, method: Any, without: tuple[str, ...]) -> Any:
    options = options_of(method, without)
    made = _model(
        name,
        summary_of(method),
        {
            o.name: (field(o.hint, o.default is None), ... if o.required else None)
            for o in options.values()
        },
    )
    made.declared = Declared(name, method, options, {}, "")
    return made


def _model(name: str, about: str | None, fields: dict[str, Any]) -> Any:
    return cast(Any, create_model)(name, __base__=FileElement, __doc__=about, **fields)


@cache
def json_schema() -> dict[str, Any]:
    """The JSON Schema of model files."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_loosened(model_file().model_json_schema()),
        "title": "Kinetree model file",
    }


def _loosened(schema: Any) -> Any:
    """The same with `anyOf` for `oneOf`: a text may be both a name and a number with a unit."""
    if isinstance(schema, list):
        return [_loosened(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {"anyOf" if key == "oneOf" else key: _loosened(value) for key, value in schema.items()}
