"""Terms of an arm as [LeeJoo] prints them: the entries that change, and the effect on the
energy.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.description.arm import TERMS

SPEEDS = {"A.rate": 0.3, "B.rate": -2.0, "one_mode1.rate": 1.0, "two_mode1.rate": 1.5}
START = {
    "A.angle": 0.3,
    "B.angle": 0.8,
    "one_mode1.displacement": 0.01,
    "two_mode1.displacement": 0.01,
}


def arm(terms: str, gravity: float = 0.0, slope: bool = False) -> kt.Arm:
    """Two slender links on hinges, two modes each."""
    made = kt.Arm("arm", gravity=gravity, terms=terms)
    how = {"length": 2.0, "density": 5.0, "EI": 2e4, "modes": 2}
    one = made.link("one", "A", slope=slope, **how)
    made.link("two", "B", on=one, **how)
    return made


def symbols(terms: str) -> np.ndarray:
    e = arm(terms).equations()
    return np.array(e.relative_C, dtype=object)


def test_half_of_the_coupling_of_joint_and_modal_speeds_is_lost():
    exact, printed = symbols("exact"), symbols("half-coriolis")
    for i, j, k in np.ndindex(exact.shape):
        assert printed[i, j, k] * (2 if (j < 2) != (k < 2) else 1) == exact[i, j, k]


def test_derivatives_of_the_elastic_block_are_lost():
    """C_jk(i) minus the contribution of dD/dq, for D = M between modal coordinates."""
    e, printed = arm("exact").equations(), symbols("constant-elastic")
    n = range(6)

    def d(i, j, k):
        return e.diff(e.relative_M[i][j], k) if min(i, j) >= 2 else e.field.zero

    lost = [(i, j, k) for i in n for j in n for k in n if d(i, j, k) + d(i, k, j) - d(j, k, i)]
    assert lost
    for i in n:
        for j in n:
            for k in n:
                assert e.relative_C[i][j][k] - printed[i, j, k] == e.field.half * (
                    d(i, j, k) + d(i, k, j) - d(j, k, i)
                )


def energy(terms: str) -> np.ndarray:
    sol = kt.simulate(arm(terms).model(), 0.02, state={**START, **SPEEDS}, rtol=1e-10)
    return sol.energy.total / sol.energy.total[0]


@pytest.mark.parametrize("terms", ["half-coriolis", "constant-elastic"])
def test_velocity_terms_as_printed_do_work(terms):
    assert_allclose(energy("exact"), 1.0, atol=1e-7)
    assert np.abs(energy(terms) - 1.0).max() > 0.01


def test_gravity_as_printed_neglects_the_deflection():
    straight = {**START, "one_mode1.displacement": 0.0, "two_mode1.displacement": 0.0}
    loads = {}
    for terms in ("exact", "undeflected-gravity"):
        weighs, light = arm(terms, 9.81).model(), arm(terms, 0.0).model()
        bent, flat = (
            [kt.equations(m, state=s).f for m in (weighs, light)] for s in (START, straight)
        )
        # contribution of the deflection to the weight
        loads[terms] = np.abs((bent[0] - bent[1]) - (flat[0] - flat[1])).max()
    assert loads["exact"] > 0.1 and loads["undeflected-gravity"] < 1e-9


@pytest.mark.parametrize("terms", TERMS)
def test_terms_do_not_change_the_mass_matrix_and_are_saved_in_files(terms, tmp_path):
    model = arm(terms, 9.81).model()
    found, exact = (
        kt.equations(m, state={**START, **SPEEDS}) for m in (model, arm("exact", 9.81).model())
    )
    assert_allclose(found.M, exact.M, rtol=1e-12)
    assert np.allclose(found.f, exact.f, rtol=1e-9) == (terms == "exact")
    model.save(tmp_path / "arm.yaml")
    again = kt.equations(kt.load(tmp_path / "arm.yaml"), state={**START, **SPEEDS})
    assert_allclose(again.f, found.f, rtol=1e-12)
    assert ("terms" in (tmp_path / "arm.yaml").read_text()) == (terms != "exact")


def test_unknown_terms_are_refused():
    with pytest.raises(kt.ModelError, match="terms must be one of 'exact', 'half-coriolis'"):
        kt.Arm("arm", terms="half")
    with pytest.raises(kt.ModelError, match="links on hinges that do not turn with the slope"):
        arm("half-coriolis", slope=True).equations()
