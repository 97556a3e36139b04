"""Markers in files: `crank` is its origin, `crank.+` an end, `hull.seat` a point, `{body: arm, at:
[x, y, z]}` any point.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, PlainValidator, WithJsonSchema

from ...errors import ModelError, no_such, short
from .. import body as bodies
from ..beam import Beam
from ..flexible_body import FlexibleBody
from ..model import Model
from .reading import a_number, a_rotation, a_text, a_whole


def _vector(value: Any) -> list[float]:
    if not isinstance(value, list) or len(value) != 3:
        raise ModelError(f"must be three numbers, got {short(value)}")
    return [a_number(x, ("m",)) for x in value]


class Marker(BaseModel):
    """A place on a body: `at` in its axes and turned by `rotation`, or an `end`, a `point` or a
    `node` by name.
    """

    model_config = ConfigDict(extra="forbid")
    body: Annotated[Any, PlainValidator(a_text), WithJsonSchema({"type": "string"})]
    at: Annotated[
        Any,
        PlainValidator(_vector),
        WithJsonSchema({"type": "array", "minItems": 3, "maxItems": 3}),
    ] = None
    rotation: Annotated[Any, PlainValidator(a_rotation), WithJsonSchema({"type": "array"})] = None
    end: Annotated[Any, PlainValidator(a_text), WithJsonSchema({"type": "string"})] = None
    point: Annotated[Any, PlainValidator(a_text), WithJsonSchema({"type": "string"})] = None
    node: Annotated[Any, PlainValidator(a_whole), WithJsonSchema({"type": "integer"})] = None


def place(model: Model, given: str | Marker) -> bodies.Body | bodies.Marker:
    """The body or marker that a file names."""
    if isinstance(given, str):
        return _short(model, given)
    body = _body(model, given.body)
    ways = [way for way in ("at", "end", "point", "node") if getattr(given, way) is not None]
    if len(ways) > 1 or (given.rotation is not None and ways not in ([], ["at"])):
        raise ModelError(
            f"a place on body {given.body!r} is given by one of at, end, point, node (and a "
            "rotation with at), "
            f"got {', '.join([*ways, *(['rotation'] if given.rotation is not None else [])])}."
        )
    if given.end is not None:
        return body.end(given.end)
    if given.point is not None:
        return body.point(given.point)
    if given.node is not None:
        if not isinstance(body, Beam):
            raise ModelError(f"body {given.body!r} is no beam and has no nodes.")
        return body.node(given.node)
    x, y, z = given.at or (0.0, 0.0, 0.0)
    return body.at(x, y, z, given.rotation)


def _short(model: Model, text: str) -> bodies.Body | bodies.Marker:
    """The marker `body`, `body.end` or `body.point`."""
    if text in model.bodies or text == "ground":
        return _body(model, text)
    name, dot, rest = text.rpartition(".")
    if not dot:
        return _body(model, text)
    body = _body(model, name)
    if isinstance(body, FlexibleBody):
        return body.at(rest)
    if rest in body.properties.ends:
        return body.end(rest)
    if rest in body.points:
        return body.point(rest)
    raise no_such("place", rest, [*body.properties.ends, *body.points], f" on body {name!r}")


def _body(model: Model, name: str) -> bodies.Body:
    if name == "ground":
        return model.ground
    if name not in model.bodies:
        raise no_such("body", name, ["ground", *model.bodies], f" in model {model.name!r}")
    return model.bodies[name]
