"""Reduced parts against the full model, beam theory and sums over the nodes."""

import numpy as np
import pytest
import scipy.linalg

import kinetree as kt
from kinetree.fe.bases import BASES
from kinetree.fe.ties import rigid_shape, tie


def bar(cells=(6, 1, 1), sides=(0.3, 0.02, 0.03), poisson=0.3):
    return kt.fe.block(sides, cells, E=2.1e11, poisson=poisson, density=7850.0)


ENDS = {"left": "x-", "right": "x+"}


@pytest.fixture(scope="module")
def part():
    return bar()


@pytest.fixture(scope="module")
def rod(part):
    return part.reduce(ENDS, upto=2000.0)


def tied_matrices(part, markers):
    """Dense K and M with the ties, without the first marker, which is rigid."""
    tied = tie(part, markers)
    T = tied.T.toarray()
    first = T.shape[1] - 6 * tied.kinds.count("rigid")
    keep = np.r_[0:first, first + 6 : T.shape[1]]
    K, M = T.T @ (part.K @ T), T.T @ (part.M @ T)
    return T, keep, K[np.ix_(keep, keep)], M[np.ix_(keep, keep)], tied


def test_frequencies_are_those_of_the_full_model(part, rod):
    _, _, K, M, _ = tied_matrices(part, ENDS)
    exact = np.sqrt(scipy.linalg.eigh(K, M, eigvals_only=True)[:8]) / (2 * np.pi)
    wanted = exact[exact < 3000.0]
    assert len(wanted) >= 4
    np.testing.assert_allclose(rod.frequencies[: len(wanted)], wanted, rtol=1e-8)  # of ARPACK
    np.testing.assert_allclose(rod.facts["full"][:4], wanted[:4], rtol=1e-8)


def test_frequencies_of_a_slender_bar_are_those_of_beam_theory():
    length, side = 1.0, 0.01
    thin = bar((40, 1, 1), (length, side, side), poisson=0.0)
    rod = thin.reduce({"root": "x-"}, upto=150.0)
    unit = np.sqrt(2.1e11 * side**2 / 12 / 7850.0) / length**2 / (2 * np.pi)
    wanted = np.repeat([3.516015, 22.03449], 2) * unit  # roots of cos x cosh x = -1, squared
    # rotary inertia and shear: 4.7^2 (side / length)^2 (1 + 2.4) / 12 = 6e-4 of the second one
    np.testing.assert_allclose(rod.frequencies[:4], wanted, rtol=1e-3)


def test_modes_of_equal_frequency_are_all_found():
    square = bar(sides=(0.3, 0.02, 0.02))
    f = square.reduce(ENDS, upto=2000.0).frequencies
    np.testing.assert_allclose(f[0:4:2], f[1:4:2], rtol=1e-9)


def test_markers_move_as_their_nodes(part, rod):
    for m, (side, name) in enumerate((("x-", "left"), ("x+", "right"))):
        rows = [int(np.flatnonzero(rod.numbers == n)[0]) for n in part.select(side)]
        moved = rigid_shape(rod.nodes[rows], rod.positions[m]).reshape(-1, 3, 6)
        motion = moved @ np.vstack([rod.P[m], rod.Theta[m]])
        np.testing.assert_allclose(rod.shapes[rows], motion, atol=1e-12 * np.abs(rod.shapes).max())
        assert rod.markers[m] == name
    assert not rod.P[0].any() and not rod.Theta[0].any()


def test_integrals_over_the_mass_are_those_of_the_mass_matrix(part):
    """All nodes are on the surface of this bar, so that the pictures have every node."""
    rod = part.reduce(ENDS, upto=2000.0)
    assert len(rod.nodes) == len(part.X)
    X, n = rod.nodes, rod.n
    affine = np.einsum("ni,jc->njic", X, np.eye(3)).reshape(len(X), 3, 9)
    wide = np.concatenate([rod.shapes, np.broadcast_to(np.eye(3), (len(X), 3, 3)), affine], axis=2)
    weighted = (part.Ms @ wide.reshape(len(X), -1)).reshape(wide.shape)
    wanted = np.einsum("nil,njk->ijlk", wide, weighted)
    scale = np.sqrt(np.einsum("iikk->k", wanted))
    assert np.abs((rod.wide - wanted) / scale[:, None] / scale).max() < 1e-13
    np.testing.assert_allclose(rod.Mff, np.eye(n), atol=1e-11)
    stiff = np.einsum(
        "nik,nil->kl", rod.shapes, (part.K @ rod.shapes.reshape(-1, n)).reshape(-1, 3, n)
    )
    root = np.sqrt(rod.K)
    np.testing.assert_allclose(stiff / root[:, None] / root, np.eye(n), atol=1e-9)


def test_the_reported_error_is_that_of_all_modes_of_the_full_model(part):
    """Responses at frequencies up to the wanted one, from all modes of the damped full model."""
    for basis in ("static-responses", "craig-bampton"):
        rod = part.reduce(ENDS, upto=2000.0, basis=basis, error=1e3)
        _, keep, K, M, tied = tied_matrices(part, ENDS)
        F = np.hstack(
            [tied.C[1][keep], (tied.T.T @ (part.M @ rigid_shape(part.X, np.zeros(3))))[keep]]
        )
        wrench = np.vstack([rod.P[1], rod.Theta[1]])
        loads = np.hstack([wrench.T, np.hstack([rod.a.T, moments(rod).T])])
        w2, V = scipy.linalg.eigh(K, M)
        VF, full, ours = V.T @ F, [], []
        for w in np.linspace(0.02, 1.0, 80) * 2 * np.pi * 2000.0:
            full.append((VF.T / (w2 * (1 + 0.04j) - w * w)) @ VF)
            ours.append((loads.T / (rod.K * (1 + 0.04j) - w * w)) @ loads)
        full, ours = np.array(full), np.array(ours)
        scale = np.sqrt(np.abs(np.einsum("wii->wi", full)).max(0))
        error = np.abs((full - ours) / scale[:, None] / scale).max()
        assert rod.facts["error"] == pytest.approx(error, rel=0.05)


def moments(rod):
    """int X x phi_k."""
    A0 = rod.A0
    return np.stack([A0[1, 2] - A0[2, 1], A0[2, 0] - A0[0, 2], A0[0, 1] - A0[1, 0]])


def test_static_responses_are_far_better_than_craig_bampton_of_the_same_size(part):
    ours = part.reduce(ENDS, upto=2000.0)
    theirs = part.reduce(ENDS, upto=2000.0, basis="craig-bampton", modes=ours.n - 6, error=1e3)
    assert theirs.n == ours.n
    assert ours.facts["error"] < 1e-3
    assert theirs.facts["error"] > 10 * ours.facts["error"]


@pytest.mark.parametrize("basis", BASES)
def test_every_basis_is_exact_for_a_static_load_at_a_marker(part, basis):
    rod = part.reduce(ENDS, upto=1000.0, basis=basis, error=1e3)
    _, keep, K, _, tied = tied_matrices(part, ENDS)
    wrench = np.vstack([rod.P[1], rod.Theta[1]])
    exact = tied.C[1][keep].T @ np.linalg.solve(K, tied.C[1][keep])
    scale = np.sqrt(np.diag(exact))
    ours = (wrench / rod.K) @ wrench.T
    np.testing.assert_allclose(
        ours / scale[:, None] / scale, exact / scale[:, None] / scale, atol=1e-8
    )


@pytest.mark.parametrize("tie_", ["rigid", "mean"])
def test_another_frame_gives_the_same_part_as_reducing_there(part, tie_):
    """The space of motions of static responses and clamped modes depends on the frame; that of
    static responses alone does not. So the stress stiffness and all integrals agree.
    """
    both = {k: kt.fe.interface(s, tie=tie_) for k, s in ENDS.items()}
    here = part.reduce(both, upto=1e5, modes=1, basis="rubin", error=1e9)
    there = part.reduce(both, upto=1e5, modes=1, basis="rubin", error=1e9, frame="right")
    moved = here.with_frame("right")
    n = moved.n
    # both bases span the same space: coordinates of one from those of the other
    L = np.linalg.lstsq(moved.shapes.reshape(-1, n), there.shapes.reshape(-1, n), rcond=None)[0]
    np.testing.assert_allclose(
        moved.shapes @ L, there.shapes, atol=1e-6 * np.abs(there.shapes).max()
    )
    s = there.stiffened
    assert moved.stiffened == s == n
    W = np.eye(n + 12)
    W[:n, :n] = L
    wide = np.eye(s + 3)
    wide[:s, :s] = L
    E = np.einsum("ab,akl->bkl", W, np.einsum("kp,akl,lq->apq", wide, moved.E, wide))
    scale = np.abs(there.E).max((1, 2))[:, None, None] + 1e-30 * np.abs(there.E).max()
    assert np.abs((E - there.E) / scale)[n:].max() < 1e-5  # loads of travels and affine shapes
    G = np.einsum("kp,mckl,lq->mcpq", wide, moved.E_marker, wide)
    assert np.abs(G - there.E_marker).max() < 1e-6 * np.abs(there.E_marker).max()


def test_a_mean_tie_does_not_stiffen_the_part(part):
    rigid = part.reduce(ENDS, upto=2000.0)
    mean = part.reduce({k: kt.fe.interface(s, tie="mean") for k, s in ENDS.items()}, upto=2000.0)
    assert (mean.frequencies[:4] < rigid.frequencies[:4]).all()


def test_damping_rises_in_steps(part):
    rod = part.reduce(ENDS, upto=500.0)
    ratio = rod.Z / (2 * np.sqrt(rod.K))
    f = rod.frequencies
    wanted = np.where(f <= 100, 0.01, np.where(f <= 1000, 0.1, 1.0))
    np.testing.assert_allclose(ratio, wanted, rtol=1e-12)
    given = part.reduce(ENDS, upto=500.0, damping=0.02)
    np.testing.assert_allclose(given.Z, 0.04 * np.sqrt(given.K), rtol=1e-12)
    steps = part.reduce(ENDS, upto=500.0, damping=[(300.0, 0.005)])
    assert steps.Z[0] == pytest.approx(0.01 * np.sqrt(steps.K[0]))
    assert "0.5 % up to 300 Hz, critical above" in str(steps)


def test_the_receipt_states_what_was_checked(rod, tmp_path):
    text = str(rod)
    for words in (
        "7850 kg/m^3", "frame of the body", "rigid (RBE2)", "'static-responses'", "first modes left out",
        "estimated from jumps of stress", "1 % up to 100 Hz", "geometric stiffening by the first",
    ):  # fmt: skip
        assert words in text, words
    assert len(text.splitlines()) < 50  # one page
    rod.save(tmp_path / "rod.h5")
    assert str(kt.fe.open(tmp_path / "rod.h5")) == text


def test_progress_is_told_and_long_searches_are_given_up(part):
    heard = []
    part.reduce(ENDS, upto=2000.0, progress=heard.append)
    assert any("modes found, up to" in text for text in heard)
    with pytest.raises(kt.ModelError, match="modes of part 'block' were found in 1e-09 s"):
        part.reduce(ENDS, upto=2000.0, seconds=1e-9)


def test_a_search_can_be_cancelled(part):
    def cancel(text):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        part.reduce(ENDS, upto=2000.0, progress=cancel)
