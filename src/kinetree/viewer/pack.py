"""A scene as JSON: numbers by column as 16-bit integers between the minimum and maximum of each
column; the error is half a step.
"""

from __future__ import annotations

import base64

import numpy as np

from ..description.look import Box, Cylinder, Mesh, Outline, Plate, Sphere
from .colours import STRAIN
from .labels import Place, Scene, Solid, Span, Strip
from .polygon import rounded, triangulated
from .skins import COLORS, Skin


def packed(values: np.ndarray) -> dict:
    """16 bits per number, row by row; numbers that are not finite are refused."""
    table = np.asarray(values, float).reshape(len(values), -1)
    if not np.isfinite(table).all():
        raise ValueError("a scene takes finite numbers only")
    low, span = table.min(axis=0), np.ptp(table, axis=0)
    step = np.where(span > 0.0, span / 65535.0, 0.0)
    whole = np.rint((table - low) / np.where(step > 0.0, step, 1.0)).astype("<u2")
    return {
        "data": base64.b64encode(whole.tobytes()).decode("ascii"),
        "low": short(low, 9),
        "step": short(step, 9),
    }


def packed_evenly(values: np.ndarray) -> dict:
    """The same with one minimum and one step for each entry of the last axis, for long rows: (nt,
    n, 3) or (nt, n).
    """
    table = np.asarray(values, float)
    columns = packed(table.reshape(-1, table.shape[-1] if table.ndim == 3 else 1))
    return {**columns, "row": int(np.prod(table.shape[1:]))}


def short(values, digits: int = 6) -> list[float]:
    """Numbers with few digits, which suffice for a picture."""
    return [float(f"{float(v):.{digits}g}") for v in np.ravel(values)]


def as_json(scene: Scene) -> dict:
    """A scene as plain lists and dictionaries."""
    return {
        "format": "kinetree scene",
        "version": 1,
        "title": scene.title,
        "size": short([scene.size])[0],
        "floor": None if scene.floor is None else short([scene.floor])[0],
        "view": short(scene.view),
        "follow": scene.follow,
        "times": packed(scene.times),
        "poses": [packed(pose) for pose in scene.poses],
        "things": [{"name": t.name, "note": t.note, "at": _place(t.at)} for t in scene.things],
        "ghosts": scene.ghosts,
        "hull": [short(p, 5) for p in scene.hull],
        "solids": [_solid(s) for s in scene.solids],
        "spans": [_span(s) for s in scene.spans],
        "strips": [_strip(s, scene.most_strain) for s in scene.strips],
        "skins": [_skin(s) for s in scene.skins],
        "shades": _shades(scene),
        "strain": {"most": short([scene.most_strain])[0], "colours": STRAIN}
        if scene.most_strain
        else None,
        "arrows": [
            {
                "name": a.name,
                "unit": a.unit,
                "at": _place(a.at),
                "scale": short([a.scale])[0],
                "couple": a.couple,
                "values": packed(np.nan_to_num(a.values)),
            }
            for a in scene.arrows
        ],
        "arrowsShown": scene.arrows_shown,
        "traces": [
            {"name": t.name, "at": _place(t.at), "paint": t.paint, "tail": t.tail}
            for t in scene.traces
        ],
        "channels": [
            {
                "name": c.name,
                "unit": c.unit,
                "shown": c.shown,
                "run": c.run,
                "values": packed(c.values),
            }
            for c in scene.curves
            if np.isfinite(c.values).all()
        ],
    }


def _place(place: Place) -> list:
    return [place.on, *short(place.p)]


def _solid(solid: Solid) -> dict:
    return {
        "of": solid.of,
        "on": solid.on,
        "paint": solid.paint,
        "gloss": solid.gloss,
        **form(solid.shape),
    }


def _span(span: Span) -> dict:
    numbers = {name: short([getattr(span, name)])[0] for name in ("radius", "thin", "long", "rod")}
    return {
        "of": span.of,
        "kind": span.kind,
        "a": _place(span.a),
        "b": _place(span.b),
        "paint": span.paint,
        **numbers,
    }


def _strip(strip: Strip, most: float) -> dict:
    """Points, directions and strains row by row, one row per frame."""
    found = {
        "of": strip.of,
        "paint": strip.paint,
        "sides": short(strip.sides),
        "points": packed_evenly(strip.points),
    }
    if strip.across is not None:
        found["across"] = packed_evenly(strip.across)
    if strip.strain is not None:
        found["strain"] = packed_evenly(strip.strain / most if most else strip.strain)
    return found


def _skin(skin: Skin) -> dict:
    """Nodes, triangles, shapes and stresses of the modes, and their amplitudes at the frames."""
    n = skin.shapes.shape[2]
    found = {
        "of": skin.of,
        "on": skin.on,
        "paint": skin.paint,
        "scale": short([skin.scale])[0],
        "modes": n,
        "corners": packed(skin.nodes),
        "triangles": base64.b64encode(np.ascontiguousarray(skin.triangles, "<u4").tobytes()).decode(
            "ascii"
        ),
        "shapes": packed(skin.shapes.reshape(len(skin.nodes), -1)),
        "amplitudes": packed(skin.amplitudes),
        "shaded": bool(skin.color),
    }
    if len(skin.stress):
        found["stress"] = packed(skin.stress.reshape(len(skin.nodes), -1) / 1e6)
        found["q"] = packed(skin.q)
    return found


def _shades(scene: Scene) -> dict | None:
    """The scale of the colors of surfaces."""
    titles = {COLORS[skin.color] for skin in scene.skins if skin.color}
    if not titles or not scene.most_value:
        return None
    return {"most": short([scene.most_value])[0], "colours": STRAIN, "title": " / ".join(titles)}


def form(shape: Outline) -> dict:
    """An outline as its kind and numbers."""
    if isinstance(shape, Cylinder):
        radius, top = shape.radii
        rim = shape.round if shape.round is not None else 0.12 * (radius - shape.inner)
        return {
            "kind": "cylinder",
            "a": short(shape.a),
            "b": short(shape.b),
            "r": short([radius, top, shape.inner, rim]),
        }
    if isinstance(shape, Sphere):
        return {"kind": "sphere", "at": short(shape.at), "r": short([shape.radius])}
    if isinstance(shape, Box):
        return {
            "kind": "box",
            "at": short(shape.at),
            "sides": short(shape.sides),
            "turn": short(shape.rotation.T),
        }
    if isinstance(shape, Plate):
        ring = rounded(shape)
        return {
            "kind": "plate",
            "ring": [short(p) for p in ring],
            "normal": short(shape.normal),
            "thickness": short([shape.thickness])[0],
            "lid": triangulated(ring, shape.normal).ravel().tolist(),
        }
    if isinstance(shape, Mesh):
        indices = base64.b64encode(np.ascontiguousarray(shape.triangles, "<u4").tobytes()).decode(
            "ascii"
        )
        return {"kind": "mesh", "corners": packed(shape.corners), "triangles": indices}
    raise TypeError(f"no form is known of {type(shape).__name__}")
