"""Mass, center and inertia of solids from files, compared with closed forms."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import kinetree as kt
from kinetree.description.mesh_files import read_mesh
from kinetree.description.solids import open_edges, volume_of

CUBE = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
SIDES = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
FACES = np.array([t for a, b, c, d in SIDES for t in ((a, c, b), (a, d, c))])


def write_obj(path, corners, triangles):
    lines = ["v {!r} {!r} {!r}".format(*map(float, p)) for p in corners]
    lines += ["f {} {} {}".format(*(t + 1)) for t in triangles]
    path.write_text("\n".join(lines))
    return path


def write_stl(path, corners, triangles):
    record = np.zeros(len(triangles), [("n", "<f4", 3), ("c", "<f4", (3, 3)), ("s", "<u2")])
    record["c"] = corners[triangles]
    path.write_bytes(b" " * 80 + np.uint32(len(triangles)).tobytes() + record.tobytes())
    return path


@pytest.mark.parametrize("write", [write_obj, write_stl])
@pytest.mark.parametrize("inside_out", [False, True])
def test_a_box_far_from_the_origin_is_exact(tmp_path, write, inside_out):
    sides, at = np.array([0.5, 1.0, 2.0]), np.array([64.0, -32.0, 16.0])
    faces = FACES[:, ::-1] if inside_out else FACES
    ending = ".obj" if write is write_obj else ".stl"
    part = kt.solid(write(tmp_path / f"b{ending}", CUBE * sides + at, faces), density=8.0)
    box = kt.box(mass=8.0, sides=tuple(sides))
    assert part.mass == pytest.approx(8.0, rel=1e-14)
    np.testing.assert_allclose(part.com, at + sides / 2, rtol=1e-14)
    np.testing.assert_allclose(part.inertia, box.inertia, atol=1e-13)


def test_a_turned_and_sheared_tetrahedron_has_the_second_moment_of_the_formula():
    """int x x^T = V / 20 (sum p p^T + (sum p)(sum p)^T) of the four corners."""
    p = np.random.default_rng(1).normal(size=(4, 3))
    faces = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    found = volume_of(p, faces)
    V = np.linalg.det(p[1:] - p[0]) / 6.0
    assert found.volume == pytest.approx(V, rel=1e-12)
    np.testing.assert_allclose(found.center, p.mean(axis=0), rtol=1e-12)
    r = p - p.mean(axis=0)
    second = V / 20.0 * (r.T @ r)
    np.testing.assert_allclose(found.inertia, np.trace(second) * np.eye(3) - second, atol=1e-12)


def test_a_hollow_part_is_the_difference_of_two_boxes():
    inner = 0.5 * CUBE + 0.25
    corners, faces = np.vstack([CUBE, inner]), np.vstack([FACES, FACES[:, ::-1] + 8])
    found = volume_of(corners, faces)
    assert found.volume == pytest.approx(1.0 - 0.125, rel=1e-13)
    # of a cube: m a^2 / 6
    np.testing.assert_allclose(found.inertia, np.eye(3) * (1.0 - 0.125 * 0.25) / 6.0, atol=1e-14)


def test_the_mass_may_be_given_and_the_unit_of_the_file(tmp_path):
    path = write_obj(tmp_path / "mm.obj", 1000.0 * CUBE, FACES)
    part = kt.solid(path, mass=6.0, scale=1e-3)
    np.testing.assert_allclose(part.inertia, np.eye(3), rtol=1e-13)
    assert part.outline.corners.max() == pytest.approx(1.0)


def test_open_surfaces_are_refused_with_the_number_of_edges(tmp_path):
    path = write_obj(tmp_path / "open.obj", CUBE, FACES[1:])
    with pytest.raises(kt.ModelError, match="not closed: 3 open edges, of 11 triangles"):
        kt.solid(path, density=1.0)
    # the hole is closed by a cone towards the middle, so that a sixth of a side of the cube is
    # missing: half a side times height 1/2 / 3
    assert kt.solid(path, density=1.0, accept_open=True).mass == pytest.approx(1.0 - 0.25 / 3)


def test_a_triangle_that_is_turned_over_opens_three_edges():
    turned = FACES.copy()
    turned[0] = turned[0, ::-1]
    assert open_edges(FACES) == 0
    assert open_edges(turned) == 3


def test_corners_of_stl_files_are_merged_in_the_order_of_their_coordinates(tmp_path):
    rng = np.random.default_rng(2)
    corners = rng.integers(-2, 3, (40, 3)).astype(float) * -0.5  # also -0.0
    triangles = rng.integers(0, 40, (300, 3))
    found, index = read_mesh(write_stl(tmp_path / "x.stl", corners, triangles))
    expected = np.unique(corners[triangles].reshape(-1, 3), axis=0)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(found[index], corners[triangles])


def test_a_solid_is_a_body_and_is_saved_with_its_file(tmp_path):
    path = write_obj(tmp_path / "part.obj", CUBE, FACES)
    m = kt.Model("part")
    body = m.body("part", kt.solid(str(path), density=3.0))
    m.float(body)
    assert kt.simulate(m, until=0.1)["part.position.z"][-1] == pytest.approx(-0.5 * 9.81 * 0.01)
    again = kt.load(m.save(tmp_path / "part.yaml"))
    np.testing.assert_allclose(again.bodies["part"].properties.com, (0.5, 0.5, 0.5))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "either density= .* or mass="),
        ({"density": 1.0, "mass": 1.0}, "either density= .* or mass="),
        ({"density": -1.0}, "density"),
        ({"density": 1.0, "scale": 0.0}, "scale"),
    ],
)
def test_wrong_arguments_are_refused(tmp_path, options, message):
    with pytest.raises(kt.ModelError, match=message):
        kt.solid(write_obj(tmp_path / "c.obj", CUBE, FACES), **options)


def test_a_flat_surface_encloses_nothing(tmp_path):
    path = write_obj(tmp_path / "flat.obj", CUBE * (1, 1, 0), FACES)
    with pytest.raises(kt.ModelError, match="encloses no volume"):
        kt.solid(path, density=1.0)


def test_step_files_need_gmsh(tmp_path, monkeypatch):
    (tmp_path / "x.step").write_text("x")
    monkeypatch.setitem(sys.modules, "gmsh", None)
    with pytest.raises(kt.ModelError, match=r"kinetree\[fe-mesh\]"):
        kt.solid(tmp_path / "x.step", density=1.0)


def test_a_step_file_has_the_exact_inertia_of_curved_surfaces(tmp_path):
    gmsh = pytest.importorskip("gmsh", reason="the program gmsh is not installed")
    gmsh.initialize(interruptible=False)
    gmsh.option.setNumber("General.Terminal", 0)
    occ = gmsh.model.occ
    occ.addCylinder(1.0, 2.0, 3.0, 0.0, 0.0, 0.4, 0.1)
    occ.addBox(0.0, 0.0, 0.0, 0.1, 0.2, 0.3)  # apart from it
    occ.synchronize()
    gmsh.write(str(tmp_path / "parts.step"))
    gmsh.finalize()
    part = kt.solid(tmp_path / "parts.step", density=1000.0)
    cylinder, box = 1000.0 * np.pi * 0.01 * 0.4, 1000.0 * 0.006
    # gmsh writes its numbers as millimeters
    unit = (part.mass / (cylinder + box)) ** (1.0 / 3.0)
    assert unit == pytest.approx(1e-3, rel=1e-12) or unit == pytest.approx(1.0, rel=1e-12)
    places = np.array([(1.0, 2.0, 3.2), (0.05, 0.1, 0.15)])
    com = (cylinder * places[0] + box * places[1]) / (cylinder + box)
    np.testing.assert_allclose(part.com / unit, com, rtol=1e-10)
    spread = sum(
        m * ((p - com) @ (p - com) * np.eye(3) - np.outer(p - com, p - com))
        for m, p in zip((cylinder, box), places)
    )
    own = np.diag([cylinder * (3 * 0.01 + 0.16) / 12] * 2 + [cylinder * 0.005])
    own += box / 12 * np.diag([0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04])
    np.testing.assert_allclose(part.inertia / unit**5, spread + own, rtol=1e-9)
    assert volume_of(part.outline.corners, part.outline.triangles).volume * 1000.0 == pytest.approx(
        part.mass,
        rel=0.02,  # the drawing has 24 edges per circle
    )
