"""Output for an arm: the report, LaTeX, and C code that gives the same numbers."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

import kinetree as kt
from kinetree.errors import ModelError
from kinetree.models import ralf
from kinetree.symbolic.field import Field

from .arms import everything, plain

DOUBLES = ctypes.POINTER(ctypes.c_double)


@pytest.fixture(scope="module")
def derived():
    return kt.derive(ralf.ralf())


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize("arm", [ralf.arm, everything], ids=["ralf", "everything"])
def test_the_functions_in_c_give_the_same_numbers(arm, tmp_path):
    made = arm()
    scope, p, n = plain(made)
    rows = 2 * len(made.closures)
    (tmp_path / "arm.c").write_text(kt.derive(made.model()).c())
    subprocess.run(
        [
            "cc",
            "-O1",
            "-std=c99",
            "-Wall",
            "-Werror",
            "-shared",
            "-fPIC",
            "arm.c",
            "-o",
            "arm.so",
            "-lm",
        ],
        check=True,
        cwd=tmp_path,
    )
    library = ctypes.CDLL(str(tmp_path / "arm.so"))
    library.potential.restype = ctypes.c_double
    stored = (ctypes.c_double * len(p)).in_dll(library, "parameters")
    np.testing.assert_array_equal(np.array(stored), p)
    rng = np.random.default_rng(0)
    q, v = rng.normal(size=n), rng.normal(size=n)

    def at(*arrays):
        return [a.ctypes.data_as(DOUBLES) for a in arrays]

    shapes = {
        "whole": [(n, n), (n,), (rows, n), (rows,)],
        **({"gaps": [(rows,)], "slopes": [(rows, n)]} if rows else {}),
    }
    for name, wanted in shapes.items():
        ours, theirs = ([np.zeros(shape) for shape in wanted] for _ in range(2))
        given = (p, q, v) if name == "whole" else (p, q)
        scope[name](*given, *ours)
        getattr(library, name)(*at(*given, *theirs))
        for a, b in zip(ours, theirs):
            np.testing.assert_allclose(b, a, rtol=1e-12, atol=1e-12 * np.abs(a).max(initial=1.0))
    assert library.potential(*at(p, q)) == pytest.approx(scope["potential"](p, q), rel=1e-13)


def test_rigid_and_elastic_blocks_make_up_all_velocity_terms(derived):
    """sum P th' th' + sum Q th' xi' + sum R xi' xi' = sum C v v: Q includes both of its mixed
    products.
    """
    report, field = derived.report, derived.machine.equations.field
    r, v = derived.machine.equations.rigid, [field.of[speed] for speed in field.speeds]
    for i, C in enumerate(derived.machine.equations.relative_C):
        P, Q, R = report.blocks(i)
        whole = sum(
            (C[j][k] * v[j] * v[k] for j in range(len(v)) for k in range(len(v))), field.zero
        )
        parts = sum(
            (c * v[j] * v[k] for j, row in enumerate(P) for k, c in enumerate(row)), field.zero
        )
        parts += sum(
            (c * v[j] * v[r + k] for j, row in enumerate(Q) for k, c in enumerate(row)), field.zero
        )
        parts += sum(
            (c * v[r + j] * v[r + k] for j, row in enumerate(R) for k, c in enumerate(row)),
            field.zero,
        )
        assert whole == parts


def test_the_report_lists_the_zeros(derived):
    e, text = derived.machine.equations, str(derived.report)
    zeros = sum(not entry for row in e.relative_M for entry in row)
    assert zeros == 40 and "40 of 100 entries are zero" in text
    assert (
        "It does not depend on th1, th3." in text
        and "(34) C_ji(i) = 1/2 dM_ii/dq_j is zero for all j <= i" in text
    )
    C, fails = e.relative_C, derived.report.reflection_fails
    assert len(fails) > 6 and all(
        C[i - 1][j - 1][k - 1] + C[k - 1][j - 1][i - 1] for i, j, k in fails
    )


def test_latex_is_well_formed_and_complete(derived):
    text = derived.latex()
    assert text.count("{") == text.count("}") and text.count(r"\begin{") == text.count(r"\end{")
    assert all(f"M_{{{i + 1},{j + 1}}} &=" in text for i, j in derived.report.depends if i <= j)
    assert r"\cos{\left(\theta_{2} \right)}" in text and r"\xi_{41}" in text


def test_python_of_the_same_arm_is_the_same_text(derived):
    assert derived.python() == kt.derive(ralf.ralf()).python()
    # numbers are not part of the code
    assert kt.derive(ralf.arm(stiffer=2.0).model()).python() == derived.python()


def test_symbols_never_mean_two_things():
    with pytest.raises(ModelError, match="S2 would mean two things"):
        Field(["1"], [], [], ["S2", "S2"])


def test_only_models_can_be_derived():
    with pytest.raises(ModelError, match=r"must be a kt\.Model"):
        kt.derive("ralf")
