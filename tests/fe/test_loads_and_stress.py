"""Loads on a part and stresses at its nodes against closed forms."""

import numpy as np
import pytest

import kinetree as kt
from support.meshes import box

E, RHO, SIDE = 2e11, 7850.0, 0.02


def bar(poisson=0.0, cells=(10, 2, 2), **more):
    return kt.fe.block((1.0, SIDE, SIDE), cells, E=E, poisson=poisson, density=RHO, **more)


def ends(tie="rigid"):
    return {k: kt.fe.interface(f"x{s}", tie=tie) for k, s in (("left", "-"), ("right", "+"))}


def test_stress_of_a_cantilever_under_a_tip_load_and_under_its_weight():
    """Navier's M c / I at half length. The weight is right too, since the static response to an
    acceleration is in the basis: six constraint modes alone are wrong by a third.
    """
    rod = bar(cells=(20, 2, 2)).reduce(ends(), upto=100.0, stiffening=False)
    at = np.argmin(np.linalg.norm(rod.nodes - [0.5, 0, SIDE / 2], axis=1))
    inertia = SIDE**4 / 12
    q = rod.P[1].T @ [0, 0, 10.0] / rod.K
    stress = rod.stress[at, 0] @ q
    assert stress == pytest.approx(-10.0 * 0.5 * SIDE / 2 / inertia, rel=1e-6)
    q = rod.a.T @ [0, 0, 9.81] / rod.K
    stress = rod.stress[at, 0] @ q
    wanted = -RHO * SIDE**2 * 9.81 / 8 * SIDE / 2 / inertia
    assert stress == pytest.approx(wanted, rel=4e-3)  # a parabola of moments by linear fields
    poor = bar(cells=(20, 2, 2)).reduce(ends(), upto=5.0, modes=1, basis="craig-bampton", error=1e3)
    stress = poor.stress[at, 0] @ (poor.a.T @ [0, 0, 9.81] / poor.K)
    assert abs(stress / wanted - 1) > 0.05


def test_pressure_on_an_end_stretches_a_bar_and_has_the_stress_of_minus_one():
    rod = bar().reduce(ends(), upto=100.0, loads={"gas": kt.fe.pressure("x+")}, error=1.0)
    np.testing.assert_allclose(rod.load_wrench[0], [-(SIDE**2), 0, 0, 0, 0, 0], atol=1e-15)
    q = rod.load_modes[0] / rod.K
    assert (rod.P[1] @ q)[0] == pytest.approx(-1.0 / E, rel=1e-9)
    np.testing.assert_allclose(rod.stress[:, 0] @ q, -1.0, rtol=1e-6)


@pytest.mark.parametrize("kind", ["tetra10", "hexahedron20", "hexahedron27", "tetra", "hexahedron"])
@pytest.mark.filterwarnings("ignore::kinetree.fe.DoubtfulMesh")
def test_pressure_on_the_whole_surface_has_no_resultant(kind):
    part = kt.fe.read(
        box(kind, (2.0, 1, 1), (2, 1, 1), 0.2), E=E, poisson=0.3, density=RHO, unit="m"
    )
    everywhere = kt.fe.pressure(part.numbers.tolist())
    from kinetree.fe.loads import nodal_loads
    from kinetree.fe.ties import rigid_shape

    force = nodal_loads(part, {"sea": everywhere})[:, 0]
    assert np.abs(force).max() > 0.01
    assert np.abs(rigid_shape(part.X, part.com).T @ force).max() < 1e-14
    # a uniform pressure does work on the change of volume: int u . n with u = X is three volumes
    assert -(part.X.ravel() @ force) == pytest.approx(3 * part.volume, rel=1e-12)


def test_a_heated_bar_that_is_free_to_expand_has_no_stress():
    part = bar(poisson=0.3, expansion=12e-6)
    rod = part.reduce(ends("mean"), upto=100.0, loads={"hot": kt.fe.heating()}, error=1.0)
    q = 50.0 * rod.load_modes[0] / rod.K
    assert (rod.P[1] @ q)[0] == pytest.approx(50.0 * 12e-6, rel=1e-8)
    stress = np.einsum("nck,k->nc", rod.stress, q) + 50.0 * rod.load_stress[0]
    assert np.abs(stress).max() < 1e-6 * E * 12e-6 * 50.0


@pytest.mark.parametrize("kind", ["tetra10", "hexahedron20", "hexahedron27"])
def test_the_estimated_error_of_the_mesh_is_that_of_refinement(kind):
    """First frequencies of a short thick bar, with a mesh that has eight times the elements."""
    rods = [
        kt.fe.read(
            box(kind, (0.2, 0.05, 0.05), cells), E=E, poisson=0.3, density=RHO, unit="m"
        ).reduce({"left": kt.fe.plane((0, 0, 0), "x")}, upto=2000.0, stiffening=False)
        for cells in ((6, 2, 2), (12, 4, 4))
    ]
    error = rods[0].frequencies[:3] / rods[1].frequencies[:3] - 1
    ratio = np.array(rods[0].facts["mesh_error"]) / error
    assert (ratio > 0.4).all() and (ratio < 2.5).all()  # an estimate


def test_loads_that_cannot_act_are_refused_in_words():
    part = bar()
    for loads, match in (
        ({"hot": kt.fe.heating()}, "coefficient of expansion of part 'block' is zero"),
        ({"gas": kt.fe.pressure([1, 2])}, "no face of the surface has all its nodes"),
        ({"gas": 5.0}, "load 'gas' must be kt.fe.pressure"),
    ):
        with pytest.raises(kt.ModelError, match=match):
            part.reduce(ends(), upto=100.0, loads=loads)
