"""Matrices of CalculiX, Abaqus, Nastran and Matrix Market files.

`data/bracket.*` was written by CalculiX 2.20 (`SOLVER=MATRIXSTORAGE`) for the mesh in bracket.inp.
"""

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import kinetree as kt
from kinetree.fe.matrix_files import read_matrix

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="module")
def bracket():
    pytest.importorskip("meshio")
    return kt.fe.read(DATA / "bracket.inp", E=2.1e11, poisson=0.3, density=7850.0)


@pytest.fixture(scope="module")
def files():
    return DATA / "bracket.sti", DATA / "bracket.mas", DATA / "bracket.dof"


def test_stiffness_equals_that_of_calculix_on_the_same_curved_tetrahedra(bracket, files):
    part = kt.fe.matrices(*files[:2], dofs=files[2], mesh=bracket)
    assert part.unit == "mm"
    assert abs(part.K - bracket.K).max() < 1e-12 * abs(bracket.K).max()  # 14 digits in the file
    assert part.mass == pytest.approx(bracket.mass, rel=1e-6)  # four points in curved elements


def abaqus(A, order):
    rows = sp.tril(A).tocoo()
    return "\n".join(
        f"{order[i][0]},{order[i][1]}, {order[j][0]},{order[j][1]}, {v:.16e}"
        for i, j, v in zip(rows.row, rows.col, rows.data)
    )


def nastran(A, order, name, wide):
    """Columns of the lower triangle; 16 or, with few digits, 8 characters per field."""
    lines = [f"DMIG    {name:<8}       0       6       2       0"]
    A = sp.tril(A).tocsc()
    for j in range(A.shape[1]):
        column = range(A.indptr[j], A.indptr[j + 1])
        star = "*" if wide else ""
        width = 16 if wide else 8
        head = f"{'DMIG' + star:<8}{name:<{width}}{order[j][0]:>{width}}{order[j][1]:>{width}}"
        lines.append(head)
        for k in column:
            g, c = order[A.indices[k]]
            value = f"{A.data[k]:.9E}".replace("E", "D") if wide else f"{A.data[k]:.1E}"
            lines.append(f"{'*' if wide else '+':<8}{g:>{width}}{c:>{width}}{value:>{width}}")
    return "\n".join(lines)


@pytest.fixture(scope="module")
def block():
    return kt.fe.block((40.0, 10.0, 10.0), (1, 1, 1), E=2.1e11, poisson=0.3, density=7850.0)


def test_matrices_of_abaqus_are_read(block, tmp_path):
    order = [(10 * (i + 1), c + 1) for i in range(len(block.X)) for c in range(3)]
    for name, A in (("K", block.K), ("M", block.M)):
        (tmp_path / f"{name}.mtx").write_text(abaqus(A, order))
    nodes = {10 * (i + 1): x for i, x in enumerate(block.X)}
    part = kt.fe.matrices(tmp_path / "K.mtx", tmp_path / "M.mtx", nodes=nodes, unit="m")
    assert abs(part.K - block.K).max() < 1e-14 * abs(block.K).max()
    assert part.numbers.tolist() == list(nodes)


@pytest.mark.parametrize("wide, digits", [(True, 1e-9), (False, 0.05)])
def test_punch_files_of_nastran_are_read(block, tmp_path, wide, digits):
    order = [(i + 1, c + 1) for i in range(len(block.X)) for c in range(3)]
    (tmp_path / "K.pch").write_text(nastran(block.K, order, "KAAX", wide))
    found = read_matrix(tmp_path / "K.pch")
    assert abs(found.matrix - block.K).max() < digits * abs(block.K).max()  # digits of a field
    assert found.dofs.tolist() == [list(pair) for pair in order]


def test_numbers_of_nastran_without_the_letter_of_the_exponent_are_read(tmp_path):
    text = "DMIG    KAAX           0       6       2       0\n"
    text += "DMIG*   KAAX                           1               1\n"
    text += "*                      1               1          1.5+10\n"
    (tmp_path / "K.pch").write_text(text)
    assert read_matrix(tmp_path / "K.pch").matrix[0, 0] == 1.5e10


def test_matrix_market_files_are_read(block, tmp_path):
    from scipy.io import mmwrite

    for name, A in (("K", block.K), ("M", block.M)):
        mmwrite(tmp_path / f"{name}.mtx", A, symmetry="symmetric", precision=17)
    part = kt.fe.matrices(tmp_path / "K.mtx", tmp_path / "M.mtx", nodes=block.X, unit="m")
    assert abs(part.K - block.K).max() < 1e-15 * abs(block.K).max()


def test_matrices_in_newtons_millimeters_and_tonnes_are_converted(block):
    part = kt.fe.matrices(block.K * 1e-3, block.M * 1e-3, nodes=block.X * 1e3, unit="mm")
    assert abs(part.K - block.K).max() < 1e-14 * abs(block.K).max()
    assert part.mass == pytest.approx(block.mass) and part.size == pytest.approx(block.size)


def test_the_guessed_unit_is_stated(block):
    part = kt.fe.matrices(block.K, block.M, nodes=block.X)  # 42 units long
    assert "guessed from the size 42.43 of the part: N, mm, tonne" in str(part)


def test_a_part_without_elements_is_reduced_without_stiffening(block):
    part = kt.fe.matrices(block.K, block.M, nodes=block.X, unit="m")
    ends = {"left": kt.fe.plane((0, 0, 0), "x"), "right": kt.fe.plane((40, 0, 0), "x")}
    own, same = (p.reduce(ends, upto=20.0) for p in (part, block))
    np.testing.assert_allclose(own.frequencies, same.frequencies, rtol=1e-6)
    assert own.stiffened == 0 and "NO geometric stiffening" in str(own)


def test_matrices_that_do_not_fit_are_refused_in_words(block, tmp_path):
    K, M, X = block.K, block.M, block.X

    def refused(match, K=K, M=M, nodes=X, error=kt.ModelError, **more):
        with pytest.raises(error, match=match):
            kt.fe.matrices(K, M, nodes=nodes, unit="m", **more)

    skew = K.tolil()
    skew[0, 1] *= 1.1
    refused("K is not symmetric", K=skew.tocsr())
    refused("K has 60 rows and M has 57", M=M[:57, :57])
    refused("do not belong to 19 nodes", nodes=X[:19])
    refused("Six per node are those of shells", nodes=X[:10])
    refused("differs between the directions", M=M + sp.diags(np.arange(60) * 1e-3 * M.max()))
    refused("M is zero", M=0 * M)
    rotations = [(i + 1, c + 2) for i in range(20) for c in range(3)]
    refused("node 1 has the degree of freedom 4, a rotation", dofs=rotations)
    (tmp_path / "bad.mtx").write_text("some words\n")
    refused("cannot read .*bad.mtx", K=tmp_path / "bad.mtx", error=kt.ResultError)
    refused("there is no such file", K=tmp_path / "missing.mtx", error=kt.ResultError)
    refused("K must be a matrix or a file", K="a b c".split())
