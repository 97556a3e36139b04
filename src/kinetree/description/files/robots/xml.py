"""Elements and numbers of robot files in XML, with errors that name the element."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from ....core.regular_files import read_regular
from ....errors import ModelError, short
from ....kernel.frames import IDENTITY, Pose, euler_matrix

MOST_BYTES = 16 * 1024 * 1024
Xml = ElementTree.Element


def parse(path: Path, kind: str) -> Xml:
    """Root element of an XML file; entity declarations are refused, so that no text can expand."""
    name = os.fspath(path)
    data = read_regular(path, MOST_BYTES, f"{name}: the file")
    if b"<!ENTITY" in data or b"<!DOCTYPE" in data:
        raise ModelError(f"{name}: a robot file must not declare a document type or entities.")
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        hint = " Expand it with xacro first." if path.suffix == ".xacro" else ""
        raise ModelError(f"{name}: the file is not valid XML: {error}.{hint}") from None
    if root.tag != kind:
        raise ModelError(f"{name}: the file begins with <{root.tag}>, expected <{kind}>.")
    return root


def by_name(elements: Iterable[Xml], what: str) -> dict[str, Xml]:
    found: dict[str, Xml] = {}
    for e in elements:
        name = e.get("name")
        if not name:
            raise ModelError(f"{what}: an element has no name.")
        if name in found:
            raise ModelError(f"{what} {name!r} is defined twice.")
        found[name] = e
    return found


def value(e: Xml | None, key: str, default: float, what: str) -> float:
    """Finite number of an attribute."""
    text = e.get(key) if e is not None else None
    if text is None:
        return default
    return vector(text, 1, f"{what}: {key}")[0]


def vector(text: str, n: int, what: str) -> list[float]:
    """n finite numbers of an attribute."""
    try:
        found = [float(word) for word in text.split()]
    except ValueError:
        found = []
    if len(found) != n or not all(map(math.isfinite, found)):
        count = "a finite number" if n == 1 else f"{n} finite numbers"
        raise ModelError(f"{what} must be {count}, got {short(text)}.")
    return found


def pose_of(e: Xml | None, what: str) -> Pose:
    """Pose of the <origin> of an element."""
    origin = e.find("origin") if e is not None else None
    if origin is None:
        return IDENTITY
    p = np.array(vector(origin.get("xyz") or "0 0 0", 3, f"{what}: xyz"))
    angles = np.array(vector(origin.get("rpy") or "0 0 0", 3, f"{what}: rpy"))
    return Pose(euler_matrix("xyz", angles, what), p)
