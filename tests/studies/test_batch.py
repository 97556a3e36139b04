"""Cases that run together have the same rows, to the last bit, as cases that run alone."""

import threading
import time

import numpy as np
import pytest

import kinetree as kt
from kinetree.studies.cases.batch import CaseBatch
from kinetree.studies.cases.finder import CaseFinder
from kinetree.studies.cases.rows import DONE, NOT_ASSEMBLED, RowMaker
from kinetree.studies.outputs import outputs_of
from kinetree.studies.parts import Part, compute

from . import machines

COUNT = 24
OUTPUTS = {"end": "final A.angle", "speed": "final A.rate", "start": "initial A.angle"}


SAMPLED = {
    "end": "final A.angle",
    "start": "initial A.rate",
    "most": "max A.angle",
    "least": "min A.rate",
    "peak": "peak A.angle",
    "range": "range A.rate",
    "mean": "mean A.angle",
    "rms": "rms A.rate",
    "sum": "integral A.angle",
    "mid": "A.angle at 0.1234",
    "late": "A.angle at 5",
    "all": "A.angle",
}


def stretched(length=0.5, stiffness=400.0, free=0.3):
    """Pendulum with a spring of given free length; its work is integrated with the state."""
    m = kt.Model("sprung pendulum")
    rod = m.body("rod", kt.rod(mass=1.0, length=length, along="x"))
    m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"), start={"angle": 0.6})
    spring = kt.SpringDamper(stiffness=stiffness, damping=2.0, length=free)
    m.force("spring", spring, m.ground.at(0.0, 0.0, 0.8), rod.end("+"))
    return m


def geared(rotor=0.5, mass=1.0):
    """Pendulum with a motor behind a gear; the inertia of its rotor scales the tolerance of work."""
    m = kt.Model("geared")
    rod = m.body("rod", kt.rod(mass=mass, length=0.5, along="x"))
    m.joint(
        "A",
        kt.Revolute(axis="y"),
        m.ground,
        rod.end("-"),
        speed={"angle": 1.0},
        inertia={"angle": rotor},
    )
    m.force("drag", kt.TorsionSpring("A.angle", stiffness=2.0, damping=0.1))
    return m


MACHINES = {
    geared: {"rotor": (0.2, 2.0), "mass": (0.5, 1.5)},
    machines.four_bar: {"crank": (0.42, 0.58), "m2": (0.5, 1.5), "angle": (1.0, 1.4)},
    machines.rssr: {"crank": (0.48, 0.52), "coupler": (1.0, 1.08), "x": (0.55, 0.65)},
    machines.moving_four_bar: {"crank": (0.42, 0.58), "rate": (1.0, 3.0)},
    machines.driven: {"crank": (0.25, 0.35), "amplitude": (0.4, 1.0)},
    stretched: {"length": (0.4, 0.6), "stiffness": (200.0, 800.0), "free": (0.1, 0.4)},
}


def parts_of(make, ranges, outputs=OUTPUTS, until=0.4, **options):
    """The same cases together and alone, and what ran them together."""
    low, high = ({name: one[k] for name, one in ranges.items()} for k in (0, 1))
    finder = CaseFinder(make, low, high, options)
    P = np.random.default_rng(5).uniform(finder._low, finder._high, (COUNT, len(ranges)))
    makers = [RowMaker(finder, outputs_of(outputs), until, None, both) for both in (True, False)]
    together, alone = (compute(maker, Part.empty(0, P)) for maker in makers)
    return together, alone, makers[0]._batch


def assert_same(together, alone):
    for name in ("status", "way", "steps", "reasons", "moved"):
        assert np.array_equal(getattr(together, name), getattr(alone, name)), name
    assert list(together.columns) == list(alone.columns)
    for name, values in alone.columns.items():
        assert np.array_equal(together.columns[name], values, equal_nan=True), name


@pytest.mark.parametrize("make", MACHINES, ids=lambda make: make.__name__)
def test_cases_together_have_the_bits_of_cases_alone(make):
    together, alone, batch = parts_of(make, MACHINES[make])
    assert batch is not None and not batch.obstacle
    assert (alone.status == DONE).all()
    assert_same(together, alone)


@pytest.mark.parametrize("make", MACHINES, ids=lambda make: make.__name__)
def test_samples_of_cases_together_have_the_bits_of_cases_alone(make):
    together, alone, batch = parts_of(make, MACHINES[make], SAMPLED)
    assert batch is not None and not batch.obstacle
    assert (alone.status == DONE).all()
    assert_same(together, alone)


@pytest.mark.parametrize(
    "options",
    [
        {"formulation": "projection"},
        {"integrator": "dop853"},
        {"integrator": "bdf", "rtol": 1e-6},
        {"integrator": "rk4", "step": 1e-3},
        {"max_steps": 40},  # less than most cases need: they stop with their reason
    ],
    ids=lambda one: "-".join(map(str, one.values())),
)
def test_other_methods_have_the_bits_of_cases_alone(options):
    together, alone, batch = parts_of(machines.four_bar, MACHINES[machines.four_bar], **options)
    assert batch is not None and not batch.obstacle
    assert_same(together, alone)


def test_cases_that_cannot_be_assembled_are_rows_with_their_reason():
    # the end of a crank of 2.6 m at -1.2 rad is more than 1.95 m, coupler and rocker together, away
    ranges = {"crank": (0.5, 3.5), "angle": (1.15, 1.25)}
    together, alone, _ = parts_of(machines.four_bar, ranges)
    assert {DONE, NOT_ASSEMBLED} <= set(map(int, alone.status))
    assert_same(together, alone)


def test_runs_with_breaks_are_run_alone():
    def make(crank=0.3):
        m = machines.four_bar(crank=crank)
        ramp = kt.Ramp(slope=1.0, begin=0.1, end=0.2, start=-1.2)
        m.constraint("motor", kt.Driver("A.angle", ramp))
        return m

    together, alone, batch = parts_of(make, {"crank": (0.25, 0.35)})
    assert batch is not None and "breaks" in batch.obstacle
    assert_same(together, alone)


def test_a_whole_channel_is_on_the_grid_whatever_other_times_are_wanted():
    outputs = {"mid": "A.angle at 0.0123", "all": "A.angle"}
    for part in parts_of(machines.four_bar, MACHINES[machines.four_bar], outputs)[:2]:
        model = machines.four_bar(**dict(zip(MACHINES[machines.four_bar], part.P[0])))
        sol = kt.simulate(model, 0.4, progress=False)
        # both runs have rtol 1e-8 per step; the angle changes by 1e-3 and more between samples
        assert np.abs(part.columns["all"][0] - sol["A.angle"]).max() < 1e-6


def test_a_study_ends_between_batches():
    make, ranges = machines.four_bar, MACHINES[machines.four_bar]
    low, high = ({name: one[k] for name, one in ranges.items()} for k in (0, 1))
    finder = CaseFinder(make, low, high)
    maker = RowMaker(finder, outputs_of(OUTPUTS), 0.4, None)
    P = np.random.default_rng(5).uniform(finder._low, finder._high, (COUNT, len(ranges)))
    asked = iter([False, True])
    part = compute(maker, Part.empty(0, P), lambda: next(asked, True))
    done = int((part.status == DONE).sum())
    assert 0 < done < COUNT
    whole = compute(maker, part)
    assert np.array_equal(whole.columns["end"], compute(maker, Part.empty(0, P)).columns["end"])


def test_the_interpreter_is_free_while_cases_run():
    """Another thread counts on while one call of a batch runs: with the lock held it would not."""
    finder = CaseFinder(machines.four_bar, {"crank": 0.48}, {"crank": 0.52})
    batch = CaseBatch(finder, 60.0, None, np.zeros(0), np.zeros(1, np.int64))
    values = finder.map.values(np.linspace(0.48, 0.52, 8)[:, None])
    counted, ends = [0], threading.Event()

    def count():
        while not ends.is_set():
            counted[0] += 1
            time.sleep(1e-3)

    other = threading.Thread(target=count)
    other.start()
    try:
        links, settings = (
            batch._patched.rows("links", values),
            batch._patched.rows("settings", values),
        )
        block = batch._batch(values, settings[:, 0], links)
        before, began = counted[0], time.perf_counter()
        batch._call(0, len(values), block)
        during, taken = counted[0] - before, time.perf_counter() - began
    finally:
        ends.set()
        other.join()
    # a call that held the lock would let the other thread count once, when it returns
    assert taken > 0.02
    assert during >= 5
