"""A run in a workspace that other runs have used has the same bits as one in a new workspace."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import kinetree as kt
from kinetree.engine.formulations.catalogue import FORMULATIONS
from kinetree.kernel.tables.pool import LARGEST, MOST
from kinetree.models.catalogue import model_entry

LOOPS = [one.name for one in FORMULATIONS if one.loops and one.name != "nodes"]


@pytest.mark.parametrize("integrator", ["adams", "dop853", "switching", "bdf"])
@pytest.mark.parametrize("formulation", LOOPS)
def test_runs_do_not_depend_on_the_runs_before(formulation, integrator):
    m, how = (
        model_entry("four-bar").build(),
        {"formulation": formulation, "integrator": integrator, "rtol": 1e-5},
    )
    first = kt.simulate(m, 0.3, **how)
    states, lam = first.y.copy(), first.lam.copy()
    for _ in range(2):
        _ = kt.simulate(m, 0.6, **how).lam  # goes elsewhere, and selects other rows
    again = kt.simulate(m, 0.3, **how)
    assert again.compiled.pool is first.compiled.pool
    assert_array_equal(again.y, states)
    assert_array_equal(again.lam, lam)


def pool_in_use():
    """A pool that has lent each kind of workspace before."""
    pool = kt.assemble(model_entry("four-bar").build()).compiled.pool
    for kind in ((("M", "G"), 12), (("M",), 12), ((), None)):
        first = pool.lend(*kind)
        first.give_back()
        assert not pool.idle[kind]  # most models run once
    return pool


def test_a_workspace_comes_back_as_if_it_were_new():
    pool = pool_in_use()
    lent = pool.lend(("M", "G"), 12)
    new = [array.copy() for array in lent.work]
    for array in lent.work:
        array.view(np.uint8)[...] = 7
    lent.give_back()
    again = pool.lend(("M", "G"), 12)
    assert again.work is lent.work and len(again.work.failed) == 12
    for array, expected in zip(again.work, new):
        assert_array_equal(array, expected)
    assert pool.lend(("M", "G"), 12).work is not again.work
    assert pool.lend(("M",), 12).work is not again.work


def test_a_pool_keeps_few_workspaces():
    pool = pool_in_use()
    for lent in [pool.lend(()) for _ in range(MOST + 3)]:
        lent.give_back()
    assert sum(map(len, pool.idle.values())) == MOST


def test_large_workspaces_are_not_kept():
    m = kt.Model("chain")
    body = m.ground
    for k in range(200):
        link = m.body(f"link{k}", kt.rod(mass=1.0, length=0.1, along="x"))
        m.joint(f"j{k}", kt.Revolute("y"), body.at(0.05, 0, 0), link.end("-"))
        body = link
    pool = kt.assemble(m).compiled.pool
    pool.lend(("M",)).give_back()
    lent = pool.lend(("M",))
    assert sum(array.nbytes for array in lent.work) > LARGEST
    lent.give_back()
    assert not any(pool.idle.values()) and lent.renewed().work is not lent.work
