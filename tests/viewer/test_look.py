"""Looks given by users, and triangles from files."""

import struct

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.errors import ModelError
from kinetree.viewer.scene import scene_of_model

CUBE = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
# outward
QUADS = [
    (0, 1, 3, 2),
    (4, 6, 7, 5),
    (0, 4, 5, 1),
    (2, 3, 7, 6),
    (0, 2, 6, 4),
    (1, 5, 7, 3),
]
FACES = np.array([CUBE[[q[0], b, c]] for q in QUADS for b, c in zip(q[1:], q[2:])])


def binary_stl(faces) -> bytes:
    rows = b"".join(struct.pack("<12fH", 0, 0, 0, *face.ravel(), 0) for face in faces)
    return b"solid of a liar".ljust(80) + struct.pack("<I", len(faces)) + rows


def text_stl(faces) -> bytes:
    loops = ["".join(f"  vertex {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in face) for face in faces]
    facets = "".join(
        f"facet normal 0 0 0\n outer loop\n{loop} endloop\nendfacet\n" for loop in loops
    )
    return f"solid cube\n{facets}endsolid\n".encode()


def obj() -> bytes:
    lines = [f"v {x} {y} {z}" for x, y, z in CUBE]
    lines += ["f " + " ".join(f"{k + 1}/1/1" for k in quad) for quad in QUADS[:3]]
    # counted back from the last
    lines += ["f " + " ".join(str(k - 8) for k in quad) for quad in QUADS[3:]]
    return ("# a cube\n" + "\n".join(lines) + "\n").encode()


def volume(corners, triangles) -> float:
    """By the divergence theorem: sum of a . (b x c) / 6."""
    a, b, c = (corners[triangles[:, k]] for k in range(3))
    return float(np.einsum("ni,ni->", a, np.cross(b, c)) / 6.0)


@pytest.mark.parametrize(
    "name, data", [("a.stl", binary_stl(FACES)), ("b.STL", text_stl(FACES)), ("c.obj", obj())]
)
def test_a_cube_is_read_from_every_format(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    mesh = kt.look.mesh(tmp_path / name, scale=2.0, at=(1, 0, 0), rotation=("z", [0.3]))
    assert mesh.triangles.shape == (12, 3)
    assert len(mesh.corners) == 8  # coincident corners are merged
    # single precision of the file
    assert_allclose(volume(mesh.corners, mesh.triangles), 8.0, rtol=1e-6)
    assert_allclose(mesh.corners.min(axis=0)[2], 0.0, atol=1e-7)


@pytest.mark.parametrize(
    "name, data, word",
    [
        ("a.stl", b"solid x\nvertex 1 2\n", "valid STL"),
        ("a.stl", b"", "valid STL"),
        ("a.stl", binary_stl(FACES)[:-7], "valid STL"),
        ("a.stl", b"solid x\nendsolid\n", "no triangles"),
        ("a.obj", b"v 0 0 z\n", "valid OBJ"),
        ("a.obj", b"v 0 0 0\nf 1 2 9\n", "corner"),
        ("a.ply", b"", "ending must be"),
    ],
)
def test_a_broken_file_is_named(tmp_path, name, data, word):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ModelError, match=word):
        kt.look.mesh(tmp_path / name)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ModelError, match=r"part\.stl.*cannot be read"):
        kt.look.mesh(tmp_path / "part.stl")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: kt.look.Box((1, 1, 0)),
        lambda: kt.look.Sphere(-1.0),
        lambda: kt.look.Cylinder((0, 0, 0), (0, 0, 0), 1.0),
        lambda: kt.look.Cylinder((0, 0, 0), (0, 0, 1), 1.0, inner=1.0),
        lambda: kt.look.Plate([(0, 0, 0), (1, 0, 0)], 0.1),
        lambda: kt.look.Sphere(1.0, paint="pink-ish"),
        lambda: kt.look.Mesh(CUBE, [[0, 1, 8]]),
        lambda: kt.Model().body("b", kt.mass(1.0), look="a box"),
        lambda: kt.Model().surround(3),
    ],
)
def test_an_impossible_outline_is_refused(wrong):
    with pytest.raises(ModelError):
        wrong()


def test_a_look_replaces_the_shape():
    m = kt.Model()
    body = m.body(
        "b",
        kt.box(1.0, (1, 1, 1)),
        look=[kt.look.Sphere(0.3, paint="#123456"), kt.look.wheel(0.5, 0.2)],
    )
    m.joint("j", kt.Spherical(), m.ground, body)
    drawn = [s for s in scene_of_model(m).solids if s.on == 1]
    assert not any(isinstance(s.shape, kt.look.Box) for s in drawn)
    assert drawn[0].paint == "#123456"
    assert len(drawn) == 1 + len(kt.look.wheel(0.5, 0.2))


def test_a_tube_is_a_cylinder_without_its_core():
    # the same density
    outer, core = (kt.cylinder(m, r, 0.7, along="y") for m, r in ((4.0, 0.2), (1.0, 0.1)))
    tube = kt.tube(3.0, 0.2, 0.1, 0.7, along="y")
    assert_allclose(tube.inertia, outer.inertia - core.inertia, rtol=1e-14)
    assert tube.ends == outer.ends
