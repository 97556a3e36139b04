"""Null-space bases updated and integrated as printed in the papers: exact and wrong cases."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.apps.papers.parallelogram import parallelogram
from kinetree.assembly.prepare import prepare
from kinetree.engine.formulations.catalogue import formulation
from kinetree.engine.formulations.null_space import MANY, reselect_if_needed
from kinetree.models.car import SINE, car
from kinetree.models.catalogue import model_entry
from kinetree.models.rssr import rssr


def begun(name: str, model: kt.Model):
    """(method, tables, work, y) after the projection of the initial state."""
    assembly, method = prepare(model), formulation(name)
    tables, work = method.configure(assembly.compiled.tables), assembly.compiled.workspace()
    y = assembly.y.copy()
    y[assembly.compiled.size["nq"] :][: len(assembly.v)] = 0.0
    assert method.project(tables, work, 0.0, y) == 0
    return method, tables, work, y


@pytest.mark.parametrize("name", ["rssr", "four-bar", "andrews", "car"])
def test_the_update_of_kim_keeps_the_directions_of_the_reduced_rates(name):
    """G N = 0 and V^T N = 1 at a position beside the one where V was found."""
    method, tables, work, y = begun("qr-update", model_entry(name).build())
    rank = int(work.report[0]["rank"])
    V, freedoms = work.V.copy(), work.N.shape[1] - rank
    y[: tables.settings[0]["nq"]] += 1e-3 * np.random.default_rng(2).normal(
        size=tables.settings[0]["nq"]
    )
    assert method.rhs(tables, work, 0.0, y, np.zeros_like(y)) == 0
    N, G = work.N[:freedoms], work.G[work.selected[:rank]]
    assert_allclose(V[:freedoms] @ N.T, np.eye(freedoms), atol=1e-12)
    assert_allclose(G @ N.T, 0.0, atol=1e-12 * np.abs(G).max())
    assert np.abs(N - V[:freedoms]).max() > 1e-6  # the null space has rotated


def test_the_update_of_kim_decomposes_again_when_the_null_space_has_rotated():
    sol = kt.simulate(rssr(), 2.0, formulation="qr-update", rtol=1e-6)
    each = kt.simulate(rssr(), 2.0, formulation="qr", rtol=1e-6)
    # 4: before a state is accepted
    assert 4 < sol.statistics["decompositions"] < 0.1 * each.statistics["decompositions"]


def slopes_with_dependent_coordinates_off(name: str) -> np.ndarray:
    """Accelerations at the initial state, and their change with the dependent coordinates."""
    method, tables, work, y = begun(name, rssr())
    nq, rank = int(tables.settings[0]["nq"]), int(work.report[0]["rank"])
    found = []
    for off in (0.0, 1e-4):
        at, ydot = y.copy(), np.zeros_like(y)
        dependent = work.columns[:rank].copy()
        at[nq + dependent] += off
        assert method.rhs(tables, work, 0.0, at, ydot) == 0
        found.append(ydot)
    return np.abs(found[1] - found[0]).max() / 1e-4


def test_dependent_velocities_in_the_state_have_no_effect_in_the_printed_partitioning():
    assert slopes_with_dependent_coordinates_off("partitioning-printed") <= 1e-8
    # which takes them from the state
    assert slopes_with_dependent_coordinates_off("partitioning") > 0.1


def test_the_printed_partitioning_chooses_other_coordinates_as_a_crank_turns():
    sol = kt.simulate(
        model_entry("four-bar").build(), 5.0, formulation="partitioning-printed", rtol=1e-6
    )
    assert sol.statistics["partitions"] >= 2 and sol.constraint_error.max() <= 1e-12


@pytest.mark.parametrize("corrections, renewed", [(MANY, 0), (MANY + 1, 1)])
def test_the_printed_partitioning_is_renewed_after_too_many_corrections(corrections, renewed):
    _, tables, work, _ = begun("partitioning-printed", model_entry("four-bar").build())
    before = int(work.report[0]["partitions"])
    assert reselect_if_needed(tables, work, corrections) == 0
    assert work.report[0]["partitions"] - before == renewed


def moving(model: kt.Model, formulation: str, until: float) -> np.ndarray:
    return kt.simulate(model, until, formulation=formulation, integrator="rk4", step=1e-3).y


def test_reduced_rates_as_printed_are_exact_for_the_rigid_parallelogram_only():
    """Its V2 is constant; that of the RSSR mechanism rotates, which the printed equations omit."""
    held, turning = parallelogram(0.4, 1.1), rssr()
    assert_allclose(moving(held, "svd-printed", 0.2), moving(held, "augmented", 0.2), atol=1e-8)
    off = np.abs(moving(turning, "svd-printed", 0.5) - moving(turning, "augmented", 0.5)).max()
    assert off > 0.01


def steps_while_steering(formulation: str) -> tuple[float, int]:
    """Median step (s) and number of rejected steps of the car of [Kim1997] while its rack moves.

    Steps are at most 1 ms.
    """
    sol = kt.simulate(
        car(steer=SINE),
        4.4,
        t0=3.5,
        rtol=1e-10,
        formulation=formulation,
        max_step=1e-3,
        output_interval=0.1,
    )
    steering = sol.steps.t > 4.05
    return float(np.median(sol.steps.h[steering])), int(sol.steps.rejected[steering].sum())


def test_the_printed_projection_takes_shorter_steps_while_the_car_steers():
    """Fig. 6 of the paper: the step size of the proposed method varies, that of QR does not.

    The tolerance is tight, because the jumps of the printed accelerations are small.
    """
    assert steps_while_steering("qr")[0] == pytest.approx(1e-3)
    assert steps_while_steering("projection-literal")[0] < 0.7e-3
