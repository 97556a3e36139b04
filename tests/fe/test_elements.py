"""Elements against closed forms and against the assembly of scikit-fem."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.fe.cells import CELLS, points_of, shape_functions
from kinetree.fe.ties import rigid_shape
from support.meshes import box

STEEL = {"E": 2.1e11, "poisson": 0.3, "density": 7850.0}
SIDES = (0.06, 0.03, 0.02)


def part_of(kind, bend=0.0, cells=(2, 1, 1), **more):
    return kt.fe.read(box(kind, SIDES, cells, bend), unit="m", **STEEL, **more)


@pytest.mark.parametrize("kind", CELLS)
def test_shape_functions_are_one_at_their_node_and_sum_to_one(kind):
    points, _ = points_of(kind, 5)
    N, dN = shape_functions(kind, points)
    np.testing.assert_allclose(N.sum(1), 1.0, atol=1e-14)
    h = 1e-6
    for c in range(3):
        step = np.eye(3)[c] * h
        more, less = (shape_functions(kind, points + s)[0] for s in (step, -step))
        # central difference, h = 1e-6: rounding of 1e-16 / h
        np.testing.assert_allclose(dN[:, :, c], (more - less) / (2 * h), atol=1e-8)


@pytest.mark.parametrize("kind, degree", [("tetra10", 2), ("tetra10", 5), ("hexahedron20", 5)])
def test_integration_points_are_exact_for_their_degree(kind, degree):
    """int x^a y^b z^c over the tetrahedron is a! b! c! / (a + b + c + 3)!."""
    from math import factorial as f

    points, weights = points_of(kind, degree)
    for a in range(degree + 1):
        for b in range(degree + 1 - a):
            c = degree - a - b
            wanted = f(a) * f(b) * f(c) / f(degree + 3)
            if kind.startswith("hex"):
                wanted = np.prod([0.0 if k % 2 else 2 / (k + 1) for k in (a, b, c)])
            found = (weights * points[:, 0] ** a * points[:, 1] ** b * points[:, 2] ** c).sum()
            assert found == pytest.approx(wanted, abs=1e-14)


@pytest.mark.parametrize("kind", ["tetra10", "hexahedron20", "hexahedron27"])
def test_mass_center_and_inertia_of_a_box(kind):
    part = part_of(kind)
    mass = 7850.0 * np.prod(SIDES)
    squares = np.array(SIDES) ** 2
    assert part.mass == pytest.approx(mass, rel=1e-13)
    np.testing.assert_allclose(part.com, np.array(SIDES) / 2, rtol=1e-12)
    wanted = np.diag(mass / 12 * (squares.sum() - squares))
    np.testing.assert_allclose(part.inertia, wanted, atol=1e-12 * wanted.max())


@pytest.mark.parametrize("kind", ["tetra10", "hexahedron20", "hexahedron27"])
def test_rigid_motions_strain_nothing_in_curved_elements(kind):
    part = part_of(kind, bend=0.2)
    R = rigid_shape(part.X, part.com)
    assert abs(part.K @ R).max() < 1e-13 * abs(part.K).max()  # rounding


@pytest.mark.parametrize("kind", ["tetra10", "hexahedron20", "hexahedron27"])
def test_a_linear_displacement_has_the_same_strain_in_curved_elements(kind):
    """Patch test: nodal forces of a uniform stress vanish inside."""
    part = part_of(kind, bend=0.2, cells=(2, 2, 2))
    strain = np.array([[1e-3, 2e-4, 0], [2e-4, -5e-4, 1e-4], [0, 1e-4, 3e-4]])
    force = (part.K @ (part.X @ strain).ravel()).reshape(-1, 3)
    inside = np.ones(len(part.X), bool)
    for e in part.elements:
        faces, counts = np.unique(np.sort(e.faces(), axis=1), axis=0, return_counts=True)
        inside[faces[counts == 1]] = False
    assert inside.any()
    # tetrahedra are integrated with four points, which is exact only for straight edges
    scale = 1e-13 if kind != "tetra10" else 1e-4
    assert np.abs(force[inside]).max() < scale * np.abs(force).max()


@pytest.mark.parametrize("kind", ["tetra10", "hexahedron27"])
def test_matrices_equal_those_of_another_assembly(kind):
    skfem = pytest.importorskip("skfem")
    from skfem.helpers import ddot, eye, sym_grad, trace

    mesh = box(kind, SIDES, (2, 1, 1))
    part = kt.fe.read(mesh, unit="m", **STEEL)
    corners = np.unique(mesh.cells[0].data[:, : CELLS[kind].corners])
    row = {int(k): i for i, k in enumerate(corners)}
    cells = mesh.cells[0].data[:, : CELLS[kind].corners]
    t = np.array([[row[int(k)] for k in cell] for cell in cells])
    if kind == "tetra10":
        theirs = skfem.MeshTet(mesh.points[corners].T.copy(), t.T.copy())
        element = skfem.ElementTetP2()
    else:
        vtk = t[:, [6, 5, 7, 2, 4, 1, 3, 0]]  # another numbering of corners
        theirs = skfem.MeshHex(mesh.points[corners].T.copy(), vtk.T.copy())
        element = skfem.ElementHex2()
    vector = skfem.Basis(theirs, skfem.ElementVector(element), intorder=5)
    scalar = skfem.Basis(theirs, element, intorder=5)
    lam, mu = 2.1e11 * 0.3 / (1.3 * 0.4), 2.1e11 / 2.6

    def stress(u):
        return lam * eye(trace(sym_grad(u)), 3) + 2 * mu * sym_grad(u)

    K = skfem.asm(skfem.BilinearForm(lambda u, v, w: ddot(stress(u), sym_grad(v))), vector)
    M = 7850.0 * skfem.asm(skfem.BilinearForm(lambda u, v, w: u * v), scalar)
    places = {tuple(np.round(x, 9)): i for i, x in enumerate(part.X)}
    same = np.array([places[tuple(np.round(x, 9))] for x in scalar.doflocs.T])
    unknowns = (3 * same[:, None] + np.arange(3)).ravel()
    ours = part.K.tocsr()[unknowns][:, unknowns]
    assert abs(ours - K).max() < 1e-12 * abs(K).max()
    assert abs(part.Ms.tocsr()[same][:, same] - M).max() < 1e-12 * abs(M).max()


def test_elements_of_the_other_orientation_are_turned():
    mesh = box("tetra10", SIDES, (1, 1, 1))
    cells = mesh.cells[0].data.copy()
    mesh.cells[0].data[:2] = cells[:2][:, [0, 2, 1, 3, 6, 5, 4, 7, 9, 8]]
    part = kt.fe.read(mesh, unit="m", **STEEL)
    whole = kt.fe.read(box("tetra10", SIDES, (1, 1, 1)), unit="m", **STEEL)
    assert abs(part.K - whole.K).max() < 1e-12 * abs(whole.K).max()


def test_several_materials_by_groups():
    mesh = box("hexahedron20", SIDES, (2, 1, 1))
    mesh.cell_sets = {"left": [np.array([0])], "right": [np.array([1])]}
    densities = {"left": 1000.0, "right": 3000.0}
    part = kt.fe.read(mesh, E={"left": 1e9, "right": 2e9}, poisson=0.3, density=densities, unit="m")
    assert part.mass == pytest.approx(2000.0 * np.prod(SIDES))
    with pytest.raises(kt.NameNotFound, match="no group of elements named 'rigth'"):
        kt.fe.read(mesh, E=1e9, poisson=0.3, density={"left": 1e3, "rigth": 1e3}, unit="m")
    with pytest.raises(kt.ModelError, match="1 elements are in none of the groups"):
        kt.fe.read(mesh, E=1e9, poisson=0.3, density={"left": 1e3}, unit="m")
