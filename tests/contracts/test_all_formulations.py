"""Every exact formulation gives the same motion of a loop with every integrator."""

from functools import cache

import numpy as np
import pytest

import kinetree as kt
from kinetree.engine.formulations.catalogue import FORMULATIONS
from kinetree.engine.integrators.catalogue import INTEGRATORS
from kinetree.models.rssr import rssr
from support.methods import PLAIN
from support.results import positions

UNTIL = 0.1
EXACT = [f.name for f in FORMULATIONS if f.loops and f.exact]
BODIES = ("crank", "coupler", "rocker")
# step (s) and error of a method of that order over 0.1 s of a motion with rates of about 10 rad/s;
# an integrator that is new in the catalogue runs at 10^-4 s and must reach 10^-5 m
FIXED = {"adams-fixed": (1e-3, 1e-8), "rk4": (1e-3, 1e-8), "euler": (2e-5, 5e-5)}


def how(entry) -> tuple[dict, float]:
    if entry.adaptive:
        return {"rtol": 1e-10}, 1e-8
    step, tolerance = FIXED.get(entry.name, (1e-4, 1e-5))
    return {"step": step}, tolerance


def run(coordinates: str = "relative", **options):
    return kt.simulate(
        rssr(), UNTIL, coordinates=coordinates, output_interval=UNTIL / 4, progress=False, **options
    )


@cache
def reference(body: str) -> np.ndarray:
    return positions(run(formulation="augmented", integrator="adams", rtol=1e-12), body)


@pytest.mark.parametrize("formulation", EXACT)
@pytest.mark.parametrize("entry", PLAIN, ids=lambda e: e.name)
def test_every_formulation_runs_with_every_integrator(entry, formulation):
    options, tolerance = how(entry)
    sol = run(formulation=formulation, integrator=entry.name, **options)
    assert sol.success and sol.constraint_error.max() <= 1e-10
    for body in BODIES:
        np.testing.assert_allclose(positions(sol, body), reference(body), rtol=0, atol=tolerance)


@pytest.mark.parametrize(
    "entry", [entry for entry in INTEGRATORS if entry.formulations], ids=lambda e: e.name
)
@pytest.mark.parametrize("formulation", [name for name in EXACT if name != "augmented"])
def test_an_integrator_with_its_own_constraint_treatment_names_its_formulation(entry, formulation):
    with pytest.raises(kt.ModelError, match=f"{entry.name}.*augmented"):
        run(formulation=formulation, integrator=entry.name)


@pytest.mark.parametrize("formulation", EXACT)
def test_cartesian_coordinates_give_the_same_motion(formulation):
    sol = run("cartesian", formulation=formulation, rtol=1e-10)
    for body in BODIES:
        np.testing.assert_allclose(positions(sol, body), reference(body), rtol=0, atol=1e-8)


@pytest.mark.parametrize("formulation", EXACT)
def test_velocities_satisfy_the_constraints(formulation):
    sol = run(formulation=formulation)
    assert sol.constraint_error.velocity.max() <= 1e-10


def test_inexact_formulations_are_marked():
    assert {f.name for f in FORMULATIONS if f.loops and not f.exact} == {
        "baumgarte",
        "projection-literal",
        "projection-literal-drive",
        "svd-printed",
    }
