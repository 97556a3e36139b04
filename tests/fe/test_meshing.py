"""Drawings that Gmsh meshes: STEP and STL files."""

import numpy as np
import pytest

import kinetree as kt

try:
    import gmsh
except (ImportError, OSError) as error:
    pytest.skip(f"needs Gmsh: {error}", allow_module_level=True)

STEEL = {"E": 2.1e11, "poisson": 0.3, "density": 7850.0}


@pytest.fixture(scope="module")
def drawings(tmp_path_factory):
    """A plate with a hole, 60 x 30 x 10 mm, as STEP and STL; and two separate boxes."""
    folder = tmp_path_factory.mktemp("drawings")
    gmsh.initialize(interruptible=False)
    gmsh.option.setNumber("General.Terminal", 0)
    occ = gmsh.model.occ
    plate = occ.addBox(0, 0, 0, 60, 30, 10)
    occ.cut([(3, plate)], [(3, occ.addCylinder(15, 15, -1, 0, 0, 12, 6))])
    occ.synchronize()
    gmsh.write(str(folder / "plate.step"))
    gmsh.option.setNumber("Mesh.MeshSizeMax", 8)
    gmsh.model.mesh.generate(2)
    gmsh.write(str(folder / "plate.stl"))
    text = (folder / "plate.stl").read_text().split("endfacet\n")
    (folder / "open.stl").write_text("endfacet\n".join(text[:5] + text[6:]))
    gmsh.clear()
    occ.addBox(0, 0, 0, 1, 1, 1)
    occ.addBox(3, 0, 0, 1, 1, 1)
    occ.synchronize()
    gmsh.write(str(folder / "two.step"))
    gmsh.finalize()
    return folder


def test_a_step_file_becomes_quadratic_tetrahedra_with_curved_holes(drawings):
    part = kt.fe.mesh(drawings / "plate.step", size=8.0, **STEEL)
    volume = 60 * 30 * 10 - np.pi * 36 * 10
    # parabolas follow a circle of 12 arcs to 1e-4 of its radius
    assert part.volume * 1e9 == pytest.approx(volume, rel=1e-4)
    hole = part.select(kt.fe.cylinder((15, 15, 0), "z", 6.0))
    assert len(hole) > 30 and part.unit == "mm"
    assert any(set(part.numbers[rows]) == set(hole) for rows in part.groups.values())
    rod = part.reduce(
        {"hole": kt.fe.cylinder((15, 15, 0), "z", 6.0), "edge": kt.fe.plane((60, 0, 0), "x")},
        upto=2000.0,
    )
    np.testing.assert_allclose(rod.origin, [0.015, 0.015, 0.005], atol=1e-9)


def test_a_closed_stl_file_is_filled(drawings):
    part = kt.fe.mesh(drawings / "plate.stl", size=8.0, **STEEL)
    assert part.volume * 1e9 == pytest.approx(60 * 30 * 10 - np.pi * 36 * 10, rel=1e-2)


def test_drawings_that_are_no_single_closed_solid_are_refused(drawings):
    with pytest.raises(kt.ModelError, match="is not closed: 3 edges"):
        kt.fe.mesh(drawings / "open.stl", size=8.0, **STEEL)
    with pytest.raises(kt.ModelError, match="contains 2 solids; expected 1"):
        kt.fe.mesh(drawings / "two.step", size=8.0, **STEEL)
    (drawings / "bad.step").write_text("nothing")
    with pytest.raises(kt.ResultError, match="Gmsh cannot read"):
        kt.fe.mesh(drawings / "bad.step", size=8.0, **STEEL)
    with pytest.raises(kt.ModelError, match="is no drawing"):
        kt.fe.mesh(__file__, size=8.0, **STEEL)
