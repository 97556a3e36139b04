"""Redundant equations under every exact formulation: no NaN, and the motion of the twin without
them.
"""

from functools import cache

import numpy as np
import pytest

import kinetree as kt
from kinetree.engine.formulations.catalogue import FORMULATIONS
from support.linkages import bennett, door, four_bar
from support.results import coordinate, positions

FIGURE = 1e-9
EXACT = [f.name for f in FORMULATIONS if f.loops and f.exact]
every = pytest.mark.parametrize("formulation", EXACT)
both = pytest.mark.parametrize("coordinates", ["relative", "cartesian"])


def twice(model: kt.Model, name: str) -> kt.Model:
    """The model with a joint given a second time."""
    spec = model.joints[name]
    ends = (
        end.body.at(*end.X_Bm.p, rotation=end.X_Bm.R @ spec.joint.frame().T)
        for end in (spec.F, spec.M)
    )
    model.joint(f"{name} again", spec.joint, *ends)
    return model


PAIRS = {  # the redundant machine, its twin, a coordinate that must move
    "four-bar in space": (lambda: four_bar(A=0.7), lambda: four_bar("spatial", A=0.7), "A.angle"),
    "door on two hinges": (lambda: door(2), lambda: door(1), "hinge0.angle"),
    "joint given twice": (
        lambda: twice(four_bar("spatial", A=0.7), "C"),
        lambda: four_bar("spatial", A=0.7),
        "A.angle",
    ),
    "tree joint given twice": (
        lambda: twice(four_bar("spatial", A=0.7), "A"),
        lambda: four_bar("spatial", A=0.7),
        "A.angle",
    ),
}


def run(model: kt.Model, until: float, **options):
    return kt.simulate(
        model, until, rtol=1e-12, output_interval=until / 5, progress=False, **options
    )


@cache
def plain(name: str):
    return run(PAIRS[name][1](), 0.5)


def clean(sol) -> bool:
    return sol.success and all(np.isfinite(a).all() for a in (sol.y, sol.vdot, sol.lam))


@every
@both
@pytest.mark.parametrize("name", PAIRS)
def test_redundant_equations_leave_the_motion_alone(name, coordinates, formulation):
    sol, moving = (
        run(PAIRS[name][0](), 0.5, coordinates=coordinates, formulation=formulation),
        PAIRS[name][2],
    )
    assert clean(sol) and sum(n for _, n in sol.assembly.redundant) > 0
    assert np.ptp(coordinate(plain(name), moving)) > 0.1
    for body in sol.model.bodies:
        np.testing.assert_allclose(positions(sol, body), positions(plain(name), body), atol=FIGURE)


@every
@both
def test_an_overconstrained_spatial_loop_keeps_its_formula(coordinates, formulation):
    """Bennett's loop moves although counting says it cannot; tan(t1 / 2) tan(t2 / 2) is constant
    [Bennett1903].
    """
    sol = run(bennett(0.9)[0], 0.5, coordinates=coordinates, formulation=formulation)
    product = np.tan(0.5 * coordinate(sol, "R1.angle")) * np.tan(0.5 * coordinate(sol, "R2.angle"))
    assert clean(sol) and np.ptp(coordinate(sol, "R1.angle")) > 0.1
    np.testing.assert_allclose(product, product[0], rtol=1e-9)


@both
@pytest.mark.parametrize("fault", [{"shift": 1e-3}, {"tilt": 1e-3}])
def test_contradictory_copies_are_refused_by_name(coordinates, fault):
    with pytest.raises(kt.AssemblyError, match="hinge1"):
        kt.simulate(door(2, **fault), 0.1, coordinates=coordinates)
