"""Input that cannot be used is refused in words."""

import numpy as np
import pytest

import kinetree as kt
from support.meshes import box

STEEL = {"E": 2.1e11, "poisson": 0.3, "density": 7850.0}
SIDES = (0.06, 0.03, 0.02)


def mesh(kind="tetra10", sides=SIDES):
    return box(kind, sides, (2, 1, 1))


@pytest.fixture(scope="module")
def part():
    return kt.fe.block(SIDES, (2, 1, 1), **STEEL)


@pytest.mark.parametrize("kind", ["tetra", "hexahedron"])
def test_linear_elements_cause_a_warning(kind):
    with pytest.warns(kt.fe.DoubtfulMesh, match=r"linear .* are far too stiff in bending"):
        kt.fe.read(mesh(kind), unit="m", **STEEL)


def test_meshes_without_volume_are_refused():
    import meshio

    skin = meshio.Mesh(np.eye(3), {"triangle": [[0, 1, 2]]})
    with pytest.raises(kt.ModelError, match=r"faces only \(triangle\).*kt.fe.mesh"):
        kt.fe.read(skin, **STEEL)
    wedge = meshio.Mesh(
        np.random.default_rng(0).normal(size=(10, 3)), {"tetra10": [range(10)], "wedge": [range(6)]}
    )
    with pytest.raises(kt.ModelError, match="wedge cells, which are not supported"):
        kt.fe.read(wedge, **STEEL)


def test_folded_elements_are_refused():
    folded = mesh()
    folded.points[0] += 0.2
    with pytest.raises(kt.ModelError, match="folded or flat"):
        kt.fe.read(folded, unit="m", **STEEL)


def test_the_unit_is_guessed_from_the_size_and_stated():
    large = kt.fe.read(mesh(sides=(60.0, 30.0, 20.0)), **STEEL)
    assert large.unit == "mm" and "guessed from its size 70: mm" in str(large)
    assert large.mass == pytest.approx(7850.0 * 36e-6)
    assert kt.fe.read(mesh(), **STEEL).unit == "m"
    with pytest.warns(kt.fe.DoubtfulMesh, match="is the unit right"):
        kt.fe.read(mesh(sides=(600.0, 300.0, 200.0)), unit="m", **STEEL)
    with pytest.raises(kt.NameNotFound, match="no unit named 'km'"):
        kt.fe.read(mesh(), unit="km", **STEEL)


@pytest.mark.parametrize(
    "wrong, match",
    [
        ({"E": 210000.0, "density": 7.85e-9}, "density = 7.85e-09 kg/m.3 is too small"),
        ({"E": 210.0}, "E = 210 Pa is too small for a solid"),
        ({"poisson": 0.5}, "poisson must be between -1 and 0.5"),
        ({"E": -1.0}, "E must be positive"),
        ({"density": "heavy"}, "density must be a number"),
    ],
)
def test_materials_in_wrong_units_are_refused(wrong, match):
    with pytest.raises(kt.ModelError, match=match):
        kt.fe.read(mesh(), unit="m", **{**STEEL, **wrong})


def test_files_that_are_no_meshes_are_refused(tmp_path):
    with pytest.raises(kt.ResultError, match="there is no such file"):
        kt.fe.read(tmp_path / "none.msh", **STEEL)
    (tmp_path / "rod.step").write_text("ISO-10303-21;")
    with pytest.raises(kt.ModelError, match=r"Use kt.fe.mesh\('rod.step', size=...\)"):
        kt.fe.read(tmp_path / "rod.step", **STEEL)
    (tmp_path / "rod.msh").write_text("nothing")
    with pytest.raises(kt.ResultError, match="as a mesh"):
        kt.fe.read(tmp_path / "rod.msh", **STEEL)


def test_markers_without_nodes_are_refused_with_the_extent_of_the_part(part):
    with pytest.raises(
        kt.ModelError,
        match=r"marker 'hole' .* has no nodes: none is on the cylinder .*extends from \(0, ",
    ):
        part.reduce({"hole": kt.fe.cylinder((0, 0, 0), "z", 25.0)}, upto=100.0)
    with pytest.raises(kt.NameNotFound, match=r"no group named 'x--' .* Did you mean 'x-'"):
        part.reduce({"end": "x--"}, upto=100.0)
    with pytest.raises(kt.ModelError, match="has no node 4711"):
        part.reduce({"end": [4711]}, upto=100.0)
    with pytest.raises(kt.ModelError, match="tied to 2 nodes on one line"):
        part.reduce({"end": [1, 2]}, upto=100.0)
    with pytest.raises(kt.ModelError, match="at least one marker"):
        part.reduce({}, upto=100.0)
    with pytest.raises(kt.ModelError, match=r"expected kt\.fe\.cylinder"):
        part.reduce({"end": 5.0}, upto=100.0)


def test_rigid_markers_that_share_nodes_are_refused(part):
    with pytest.raises(kt.ModelError, match=r"markers 'a' and 'b' .* share node .*tie=\"mean\""):
        part.reduce({"a": "x-", "b": "y-"}, upto=100.0)


def test_options_with_wrong_names_are_refused(part):
    for options, match in (
        ({"basis": "craig-bamton"}, "Did you mean 'craig-bampton'"),
        ({"frame": "rigth"}, "Did you mean 'right'"),
        ({"damping": [0.1]}, "pairs"),
        ({"damping": [(100, 0.1), (50, 0.2)]}, "must rise"),
        ({"upto": -1.0}, "upto must be positive"),
    ):
        with pytest.raises(kt.ModelError, match=match):
            part.reduce({"left": "x-", "right": "x+"}, **{"upto": 100.0, **options})


def changed(part, K=None, M=None):
    return kt.fe.matrices(
        part.K if K is None else K, part.M if M is None else M, nodes=part.X, unit="m"
    )


def test_a_stiffness_without_six_rigid_motions_is_refused(part):
    K = part.K.tolil()
    K[0, 0] *= 2.0
    with pytest.raises(kt.ModelError, match="not that of a free part: a travel along x"):
        changed(part, K=K.tocsr()).reduce({"left": "x-"} and {"left": [1, 2, 3, 4]}, upto=100.0)


def test_an_indefinite_stiffness_is_refused(part):
    with pytest.raises(kt.ModelError, match="indefinite"):
        changed(part, K=-1.0 * part.K).reduce({"left": kt.fe.plane((0, 0, 0), "x")}, upto=100.0)


def test_a_negative_mass_is_refused(part):
    with pytest.raises(kt.ModelError, match=r"the mass of node .* is -"):
        changed(part, M=-1.0 * part.M).reduce({"left": kt.fe.plane((0, 0, 0), "x")}, upto=100.0)


def test_a_mesh_of_two_pieces_is_refused():
    import meshio

    one = mesh("hexahedron20")
    two = meshio.Mesh(
        np.vstack([one.points, one.points + [0.2, 0, 0]]),
        {"hexahedron20": np.vstack([one.cells[0].data, one.cells[0].data + len(one.points)])},
    )
    apart = kt.fe.read(two, unit="m", **STEEL)
    with pytest.raises(kt.ModelError, match="singular beyond its six rigid motions"):
        apart.reduce({"left": kt.fe.plane((0, 0, 0), "x")}, upto=100.0)


def test_a_basis_that_misses_its_error_causes_a_warning(part):
    with pytest.warns(kt.fe.LargeError, match="1e-12 was asked for"):
        rod = part.reduce({"left": "x-", "right": "x+"}, upto=2000.0, error=1e-12, modes=1)
    assert "NOT MET" in str(rod)


def test_unknown_names_of_the_module_are_refused_with_the_nearest():
    with pytest.raises(AttributeError, match="Did you mean 'cylinder'"):
        kt.fe.cylindre  # noqa: B018
