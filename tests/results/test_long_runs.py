"""Of a long run only the states are kept; everything else is found again when it is asked for, and
is the same.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import kinetree as kt
from kinetree.models.catalogue import model_entry
from kinetree.results import completion as complete
from kinetree.results import observe

from .machines import four_bar, rssr


def driven() -> kt.Model:
    """A four-bar with redundant equations, a driven crank, and a spring."""
    m = four_bar()
    m.constraint("drive", kt.Driver("A.angle", kt.Ramp(3.0)))
    m.force(
        "spring",
        kt.SpringDamper(50.0, 1.0),
        m.ground.at(1.3, 0.0, 1.0),
        m.bodies["coupler"].end("+"),
    )
    return m


@pytest.fixture
def long(monkeypatch):
    """As if runs of any length were long, and blocks of a few samples large."""
    for room in (complete, observe):
        monkeypatch.setattr(room, "KEPT", 0)
        monkeypatch.setattr(room, "_BLOCK", 2000)


@pytest.mark.parametrize("build", [rssr, driven, model_entry("excavator").build])
def test_every_channel_of_a_long_run_is_that_of_a_short_one(build, request):
    short = kt.simulate(build(), 0.05, output_interval=0.002, rtol=1e-8)
    kept = {name: short[name] for name in short.names()}
    request.getfixturevalue("long")
    sol = kt.simulate(build(), 0.05, output_interval=0.002, rtol=1e-8)
    assert short.solved.vdot is not None and sol.solved.vdot is None
    assert_array_equal(sol.y, short.y)
    for name, values in kept.items():
        # states found again start from settled ones: their last digits, magnified by stiff elements
        assert_allclose(
            sol[name],
            values,
            rtol=1e-7,
            atol=1e-7 * (1.0 + np.abs(values).max(initial=0.0)),
            err_msg=name,
        )
    for name in ("vdot", "lam"):
        scale = np.abs(getattr(short, name)).max()
        assert_allclose(
            getattr(sol, name), getattr(short, name), rtol=0.0, atol=1e-8 * scale
        )  # as above


def test_a_channel_computes_nothing_of_others(long):
    sol = kt.simulate(rssr(), 0.1)
    assert sol["crank.position.z"].shape == (501,) and not sol.record._kept
    assert_array_equal(
        sol["crank.position.z"], sol.record.position[:, sol.compiled.body_index("crank"), 2]
    )


def test_channels_that_are_written_share_their_passes_over_the_samples(long, tmp_path, monkeypatch):
    """A pass per part of the record, and not one per channel."""
    sol, passes, real = kt.simulate(driven(), 0.1), [], observe.Observed._seen
    monkeypatch.setattr(
        observe.Observed,
        "_seen",
        lambda self, what, asked: passes.append(what) or real(self, what, asked),
    )
    sol.save(tmp_path / "run.nc")
    assert len(sol.names()) > 100 and len(passes) < 20
    assert not sol.record._near and not sol.record._kept
    again = kt.open_solution(tmp_path / "run.nc")
    assert all(np.array_equal(again[name], sol[name], equal_nan=True) for name in sol.names())


def test_rows_are_chosen_once_for_all_samples():
    sol = kt.simulate(four_bar(), 0.2)
    work, y = sol.compiled.workspace(sol.method.storage), sol.y.copy()
    complete.complete_run(sol.method, sol.compiled, work, sol.t, y)
    assert work.report["selections"][0] == 1


def test_the_first_sample_without_accelerations_is_the_one_told_of(long):
    def gap(t):
        return np.nan if 5.0 < t < 5.07 else 0.0

    m = kt.Model("slide", gravity=(0, 0, 0))
    m.joint(
        "A",
        kt.Translational(axis="x"),
        m.ground,
        m.body("mass", kt.mass(1.0)),
        speed={"displacement": 1.0},
    )
    m.force("push", kt.PointForce((kt.Function(gap), 0.0, 0.0)), m.bodies["mass"])
    with pytest.raises(kt.SimulationError, match="3 of 501 samples") as caught:
        kt.simulate(m, 10.0, max_step=1.0)  # shorter steps would end in the gap
    assert caught.value.t == pytest.approx(5.02)
    assert_allclose(caught.value.solution.incomplete, [5.02, 5.04, 5.06])
    assert np.isnan(caught.value.solution["A.acceleration"]).sum() == 3
