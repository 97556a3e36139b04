"""Read triangles from STL (text or binary) and OBJ files. Vertices that coincide are merged."""

from __future__ import annotations

import os

import numpy as np

from ..core.checks import a_path
from ..core.regular_files import read_regular
from ..errors import ModelError

MOST_BYTES = 64 * 1024 * 1024  # more than a million triangles
# of a binary STL, 50 bytes
_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("spare", "<u2")])


def read_mesh(path: str | os.PathLike) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) and triangles (m, 3) of a file, by its extension."""
    readers = {".stl": _stl, ".obj": _obj}
    path = a_path(path, "mesh: path")
    ending = path.suffix.lower()
    if ending not in readers:
        raise ModelError(f"mesh {os.fspath(path)!r}: the ending must be .stl or .obj.")
    data = read_regular(path, MOST_BYTES, f"mesh {os.fspath(path)!r}")
    try:
        corners, triangles = readers[ending](data)
    except (ValueError, IndexError, OverflowError) as reason:
        raise ModelError(
            f"mesh {os.fspath(path)!r} is not a valid {ending[1:].upper()} file: {reason}."
        ) from None
    if not np.isfinite(corners).all():
        raise ModelError(f"mesh {os.fspath(path)!r} has corners that are not finite.")
    if not len(triangles):
        raise ModelError(f"mesh {os.fspath(path)!r} has no triangles.")
    return corners, triangles


def _stl(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Read binary STL if the file length matches the count in its header (both kinds may begin with
    "solid"), otherwise text.
    """
    count = int.from_bytes(data[80:84], "little")
    if len(data) >= 84 and len(data) == 84 + 50 * count:
        return _merged(np.frombuffer(data, _RECORD, count, 84)["corners"].astype(float))
    if b"\0" in data:
        raise ValueError(
            f"{len(data)} bytes long, where its head promises {count} triangles in "
            f"{84 + 50 * count}"
        )
    words = [line.split() for line in data.decode("utf-8", "replace").splitlines()]
    points = [[float(x) for x in w[1:4]] for w in words if w and w[0].lower() == "vertex"]
    if (
        len(points) % 3
        or any(len(p) != 3 for p in points)
        or not data.lstrip()[:5].lower() == b"solid"
    ):
        raise ValueError("neither the text nor the binary form of STL")
    return _merged(np.array(points, float).reshape(-1, 3, 3))


def _obj(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Read lines `v x y z` and `f a b c ...`; polygons are split into fans, texture and normal
    indices are ignored.
    """
    corners, triangles = [], []
    for words in (line.split() for line in data.decode("utf-8", "replace").splitlines()):
        if words and words[0] == "v":
            corners.append([float(x) for x in words[1:4]])
        elif words and words[0] == "f":
            ring = [int(w.split("/")[0]) for w in words[1:]]
            # counted from one, or back from the last
            ring = [k - 1 if k > 0 else len(corners) + k for k in ring]
            triangles += [[ring[0], b, c] for b, c in zip(ring[1:], ring[2:])]
    return np.array(corners, float).reshape(-1, 3), np.array(triangles, int).reshape(-1, 3)


def _merged(faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct corners in the order of their coordinates, and their indices in the triangles."""
    points = faces.reshape(-1, 3) + 0.0  # no negative zeros
    order = np.lexsort(points.T[::-1])
    ordered = points[order]
    new = np.ones(len(points), bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    index = np.empty(len(points), int)
    index[order] = np.cumsum(new) - 1
    return ordered[new], index.reshape(-1, 3)
