"""Accelerations and constraint forces of mechanisms with one to six loops.

Every exact formulation is compared with the least-squares solution of the full matrix

    [M G^T; G 0] [vdot; lam] = [f; gamma]

with drivers, and with equations given twice.
"""

import numpy as np
import pytest

import kinetree as kt
from kinetree.engine.formulations.catalogue import FORMULATIONS
from support.compare import difference, well_posed
from support.machine import Machine, cartesian, machine, row_sizes
from support.random_models import CLOSING, KINDS, random_loops

FIGURE = 1e-9
EXACT = [f.name for f in FORMULATIONS if f.loops and f.exact]
LOOPS = range(1, 7)


def saddle_point(state: Machine) -> tuple[np.ndarray, np.ndarray]:
    """(vdot, G^T lam) by singular values of the full matrix, with scaled rows and columns."""
    M, G = state.M, state.G
    d = 1.0 / np.sqrt(np.diag(M))
    e = 1.0 / row_sizes(G * d)
    W = e[:, None] * G * d
    K = np.block([[d[:, None] * M * d, W.T], [W, np.zeros((len(G), len(G)))]])
    found = np.linalg.lstsq(K, np.concatenate([d * state.f, e * state.gamma]), rcond=1e-10)[0]
    return d * found[: state.nv], G.T @ (e * found[state.nv :])


def mechanisms(loops: int) -> list[Machine]:
    """Two random mechanisms with that many closures, away from singular positions and with a free
    coordinate.
    """
    found, rng = [], np.random.default_rng(loops)
    while len(found) < 2:
        n = int(rng.integers(loops + 1, loops + 5))
        kinds = rng.choice([k for k in KINDS if k != "fixed"], n)
        parents = [int(rng.integers(-1, k)) for k in range(n)]
        ends = [rng.choice(np.arange(-1, n), 2, replace=False) for _ in range(loops)]
        state = random_loops(
            rng,
            list(kinds),
            parents,
            [(str(rng.choice(CLOSING)), *map(int, pair)) for pair in ends],
        )
        if well_posed(state, 1e-3) and any(
            free_to_follow(state, driven) for driven in drivers(state)
        ):
            found.append(state)
    return found


def agree(state: Machine) -> None:
    vdot = saddle_point(state)[0]
    for view in (state, cartesian(state)):
        theirs, force = saddle_point(view)
        assert difference(view.accelerations(theirs), state.accelerations(vdot), 9.0) <= FIGURE
        for name in EXACT:
            ours, ours_force = view.formulated(name)
            assert difference(view.accelerations(ours), state.accelerations(vdot), 9.0) <= FIGURE, (
                name
            )
            assert difference(ours_force, force, np.abs(view.f).max()) <= FIGURE, name
            assert np.isfinite(ours_force).all(), name


@pytest.mark.parametrize("loops", LOOPS)
def test_mechanisms_without_drivers(loops):
    for state in mechanisms(loops):
        agree(state)


@pytest.mark.parametrize("loops", LOOPS)
def test_mechanisms_with_a_driver(loops):
    """A free coordinate follows a sine through its present value and speed."""
    for state in mechanisms(loops):
        driven = next(d for d in drivers(state) if free_to_follow(state, d))
        assert np.abs(driven.G @ driven.v - driven.nu).max() <= 1e-9
        agree(driven)


def drivers(state: Machine):
    """The model with one driven coordinate, for each coordinate in turn."""
    for name, place in state.compiled.joints.items():
        if place.spec.joint.sensors and place.direct is not None:
            link, at, model = state.tables.links[place.link], place.direct[0], state.compiled.model
            value, speed = state.q[link["iq"] + at], state.v[link["iv"] + at] / 5.0
            wave = kt.Sine(
                np.hypot(speed, 0.2),
                5.0 / (2 * np.pi),
                phase=np.arctan2(-0.2, speed),
                offset=value + 0.2,
            )
            model = model.variant(constraints={})
            model.constraint("drive", kt.Driver(f"{name}.{place.spec.joint.labels[0]}", wave))
            yield machine(model, q=state.q, v=state.v)


def free_to_follow(state: Machine, driven: Machine) -> bool:
    """Whether the equation of the driver is independent of the loops by a wide margin."""
    rank = [np.linalg.matrix_rank(s.G / row_sizes(s.G)[:, None], 1e-8) for s in (state, driven)]
    return rank[1] > rank[0] and well_posed(driven, 1e-3)


@pytest.mark.parametrize("loops", LOOPS)
def test_mechanisms_with_every_closure_given_twice(loops):
    for state in mechanisms(loops):
        model, once = state.compiled.model, saddle_point(state)
        for name, spec in list(model.joints.items()):
            if name.startswith("c"):
                model.joint(
                    f"{name} again",
                    spec.joint,
                    *(as_given(spec.joint, end) for end in (spec.F, spec.M)),
                )
                model.cut(f"{name} again")
        twice = machine(model, q=state.q, v=state.v)
        assert len(twice.G) == 2 * len(state.G) and np.abs(twice.g).max() <= 1e-14
        agree(twice)
        again = saddle_point(twice)
        assert (
            difference(twice.accelerations(again[0]), state.accelerations(once[0]), 9.0) <= FIGURE
        )


def as_given(joint, frame):
    """The marker of a joint frame before the axes of the joint are applied."""
    return frame.body.at(*frame.X_Bm.p, rotation=frame.X_Bm.R @ joint.frame().T)
