"""Starts and runs of patched cases against `kt.simulate` of the same models."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.analysis.assemble import assemble
from kinetree.studies.cases.finder import CaseFinder
from kinetree.studies.cases.rows import DONE, NOT_ASSEMBLED, RowMaker
from kinetree.studies.outputs import outputs_of

from . import machines

RANGES = {
    machines.four_bar: {
        "crank": (0.42, 0.58),
        "coupler": (1.1, 1.3),
        "m2": (0.5, 1.5),
        "angle": (1.0, 1.4),
    },
    machines.rssr: {"crank": (0.48, 0.52), "coupler": (1.0, 1.08), "x": (0.55, 0.65)},
    machines.sprung: {"length": (0.4, 0.6), "stiffness": (200.0, 800.0), "angle": (0.3, 0.9)},
    machines.driven: {"crank": (0.25, 0.35), "amplitude": (0.4, 1.0)},
    machines.moving_four_bar: {"crank": (0.42, 0.58), "rate": (1.0, 3.0)},
    machines.tilted: {"tilt": (0.1, 0.9), "mass": (0.5, 2.0)},
}


def finder(make, options=None):
    low = {name: one[0] for name, one in RANGES[make].items()}
    high = {name: one[1] for name, one in RANGES[make].items()}
    return CaseFinder(make, low, high, options)


def values(f, count, seed=3):
    return np.random.default_rng(seed).uniform(f._low, f._high, (count, len(f.names)))


@pytest.mark.parametrize("make", RANGES, ids=lambda make: make.__name__)
def test_patched_starts_are_those_of_an_assembly(make):
    f = finder(make)
    assert not f.obstacle
    for p in values(f, 4):
        case, direct = f.case(p), assemble(f.model(p))
        assert case.way in ("patched", "built")
        # both close the loops to 1e-13 of the size, along the same iteration
        assert np.abs(case.assembly.q - direct.q).max() < 1e-11
        assert np.abs(case.assembly.v - direct.v).max(initial=0.0) < 1e-10
        assert np.abs(case.assembly.x - direct.x).max(initial=0.0) < 1e-10


@pytest.mark.parametrize("make", RANGES, ids=lambda make: make.__name__)
def test_rows_have_the_values_of_simulate_within_the_tolerance_of_the_run(make):
    f, until = finder(make), 0.4
    outputs = outputs_of(
        {
            "end": "final A.angle",
            "most": "max A.angle",
            "mid": "A.angle at 0.2",
            "speed": "rms A.rate",
        }
    )
    maker = RowMaker(f, outputs, until, None)
    for p in values(f, 2):
        row = maker.row(p)
        assert row.status == DONE, row.reason
        sol = kt.simulate(f.model(p), until, progress=False)
        # both runs have rtol 1e-8 per step; 1e-6 leaves room for the growth of errors in 0.4 s
        for name, exact in {
            "end": sol["A.angle"][-1],
            "most": sol["A.angle"].max(),
            "mid": sol["A.angle"][250],
        }.items():
            assert abs(float(row.values[name]) - exact) < 1e-6, name


@pytest.mark.parametrize(
    "options",
    [
        {"formulation": "projection"},
        {"integrator": "dop853"},
        {"integrator": "bdf", "rtol": 1e-6},
        {"integrator": "rk4", "step": 1e-3},
        {"coordinates": "cartesian"},
    ],
    ids=lambda one: "-".join(map(str, one.values())),
)
def test_other_methods_and_coordinates_have_the_values_of_simulate(options):
    f = finder(machines.four_bar, options)
    maker = RowMaker(f, outputs_of(["final rocker.position.z"]), 0.2, None)
    p = values(f, 1)[0]
    row, sol = maker.row(p), kt.simulate(f.model(p), 0.2, progress=False, **options)
    tolerance = 1e-4 if options.get("integrator") == "bdf" else 1e-6
    assert abs(row.values["final rocker.position.z"] - sol["rocker.position.z"][-1]) < tolerance


def test_channels_of_every_kind_are_those_of_simulate():
    f = finder(machines.sprung)
    names = [
        "rod.position.z", "rod.velocity.x", "rod.end+.position.x", "spring.force", "A.force.z",
        "energy.kinetic", "A.acceleration", "rod.angular_velocity.y", "energy.work",
    ]  # fmt: skip
    maker = RowMaker(f, outputs_of({name: f"final {name}" for name in names}), 0.3, None)
    p = values(f, 1)[0]
    row, sol = maker.row(p), kt.simulate(f.model(p), 0.3, progress=False)
    assert row.status == DONE, row.reason
    for name in names:
        exact = float(sol[name][-1])
        # lengths in forces are multiplied by the stiffness of up to 800 N/m
        assert abs(float(row.values[name]) - exact) < 1e-4 * max(1.0, abs(exact)), name


def test_an_event_has_the_time_of_simulate():
    def make(length=0.5):
        return machines.sprung(length=length, stiffness=0.0, damping=0.0)

    event = kt.Event("A.angle", level=1.2, name="down")
    f = CaseFinder(make, {"length": 0.4}, {"length": 0.6}, {"events": [event]})
    row = RowMaker(f, outputs_of(["time of down", "count of down"]), 0.6, None).row(
        np.array([0.45])
    )
    sol = kt.simulate(make(0.45), 0.6, events=[event], progress=False)
    assert row.values["count of down"] == len(sol.events["down"].t) > 0
    assert abs(row.values["time of down"] - sol.events["down"].t[0]) < 1e-7


def test_a_loop_that_cannot_close_is_a_row_with_its_gap():
    f = CaseFinder(machines.four_bar, {"coupler": 1.0}, {"coupler": 3.0}, trials=np.array([[1.2]]))
    row = RowMaker(f, outputs_of(["final A.angle"]), 0.2, None).row(np.array([2.9]))
    assert row.status == NOT_ASSEMBLED
    # rocker and crank reach 1.1 + 0.75 - 0.5 cos and 2.35 in line: a part of 2.9 m is missing
    assert "gap of" in row.reason
    with pytest.raises(kt.AssemblyError):
        kt.assemble(machines.four_bar(coupler=2.9))


def test_a_start_that_cannot_be_held_is_flagged_with_the_value_used():
    f = CaseFinder(machines.four_bar, {"coupler": 1.0}, {"coupler": 3.0}, trials=np.array([[1.2]]))
    row = RowMaker(f, outputs_of(["initial A.angle"]), 0.1, None).row(np.array([2.0]))
    direct = assemble(machines.four_bar(coupler=2.0))
    assert row.status == DONE and row.moved.startswith("A.angle -1.2 -> ")
    assert abs(float(row.values["initial A.angle"]) - direct.changed["A.angle"][1]) < 1e-9


def test_a_change_point_is_refused_as_by_simulate():
    def make(rocker=0.5):  # a parallelogram in line at rocker = crank = 0.5
        return machines.four_bar(0.5, 1.1, rocker, 1.1, angle=0.0)

    with pytest.raises(kt.ModelError, match="change point"):
        kt.simulate(make(), 0.1, progress=False)
    f = CaseFinder(machines.four_bar, {"rocker": 0.5, "angle": 0.0}, {"rocker": 0.6, "angle": 1.3},
                   fixed={"coupler": 1.1}, trials=np.array([[0.55, 1.0]]))  # fmt: skip
    row = RowMaker(f, outputs_of(["final A.angle"]), 0.1, None).row(np.array([0.5, 0.0]))
    assert row.status != DONE and "change point" in row.reason


def test_the_order_of_cases_does_not_change_their_bits():
    f = finder(machines.four_bar)
    P = values(f, 5)
    outputs = outputs_of(["final A.angle"])

    def rows(order):
        maker = RowMaker(f, outputs, 0.3, None)
        found = {k: float(maker.row(P[k]).values["final A.angle"]) for k in order}
        return [found[k] for k in range(len(P))]

    assert rows([0, 1, 2, 3, 4]) == rows([4, 2, 0, 3, 1])
