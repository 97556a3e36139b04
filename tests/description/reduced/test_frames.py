"""A reduced part with another marker as its frame, and files of reduced parts.

The bar is a set of Gauss points with masses, so that all integrals can be formed again from the
shapes of the new frame.
"""

from dataclasses import fields, replace

import numpy as np
import pytest

import kinetree as kt
from kinetree.description.reduced.storage import read
from support.flexible_bars import bar


def tilted(part):
    """The part with axes of the outer marker that differ from those of the frame."""
    c, s = np.cos(0.7), np.sin(0.7)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array(
        [[1, 0, 0], [0, s, c], [0, -c, s]]
    )
    return replace(part, rotations=np.stack([np.eye(3), turn]))


@pytest.fixture(scope="module")
def both():
    part, dm = bar(width=0.03)
    part = tilted(part)
    return part, part.with_frame("+"), dm


def close(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12 * (1e-3 + np.abs(wanted).max()))


def test_the_frame_does_not_move_in_its_own_axes(both):
    _, other, _ = both
    at = other.index("+")
    assert other.frame == "+" and not other.P[at].any() and not other.Theta[at].any()
    assert not other.E_marker[at].any()


def test_integrals_with_another_frame_equal_the_sums_over_the_points(both):
    _, other, dm = both
    X, phi = other.nodes, other.shapes
    close(other.S0, dm @ X)
    close(other.A00, np.einsum("ni,nj,n->ij", X, X, dm))
    close(other.a, np.einsum("nik,n->ik", phi, dm))
    close(other.A0, np.einsum("ni,njk,n->ijk", X, phi, dm))
    close(other.A, np.einsum("nil,njk,n->ijlk", phi, phi, dm))


def test_the_wide_basis_has_modes_travels_and_affine_shapes(both):
    _, other, dm = both
    X = other.nodes
    affine = np.einsum("ni,jc->njic", X, np.eye(3)).reshape(len(X), 3, 9)
    travels = np.broadcast_to(np.eye(3), (len(X), 3, 3))
    wide = np.concatenate([other.shapes, travels, affine], axis=2)
    close(other.wide, np.einsum("nil,njk,n->ijlk", wide, wide, dm))


def test_a_frame_that_is_changed_back_restores_the_part(both):
    part, other, _ = both
    back = other.with_frame("-")
    for field in fields(part):
        value = getattr(part, field.name)
        if isinstance(value, np.ndarray) and value.dtype == float and value.size:
            close(getattr(back, field.name), value)


def test_foreshortening_is_the_same_from_either_frame():
    """The distance of the ends along the bar does not depend on the frame, to second order."""
    part, _ = bar()
    other = part.with_frame("+")
    q = np.random.default_rng(1).normal(size=part.n) * np.where(
        np.abs(part.P[1, 0]) > 1e-9, 0, 1e-4
    )

    def distance(p, end):
        m = p.index(end)
        d = p.positions[m] + p.P[m] @ q - 0.5 * np.einsum("ckl,k,l->c", p.G[m, :3], q, q)
        return np.linalg.norm(d)

    short = 1.0 - distance(part, "+")
    assert short > 1e-10
    # terms of fourth order remain, of the size of the square of the slope
    assert distance(part, "+") == pytest.approx(distance(other, "-"), abs=1e-2 * short)


def test_spinning_bars_stiffen_as_in_the_table_of_wright():
    """Flap frequencies of a clamped bar that rotates about its end.  [Wright1982]"""
    part, _ = bar(length=1.0, width=0.01, height=0.01, bending=6)
    n, W, H = part.n, part.wide, part.H
    unit = 2 * np.pi * part.frequencies[0] / 3.51602
    for eta, wanted in ((0, 3.5160), (1, 3.6816), (3, 4.7973), (6, 7.3604)):
        speed = eta * unit
        moments = W[0, 0][:, n + 3] + W[2, 2][:, n + 11]  # int X_x Phi_x + X_z Phi_z
        K = np.diag(part.K) - speed**2 * (
            (W[0, 0] + W[2, 2])[:n, :n] + np.einsum("b,bkl->kl", moments, H)
        )
        gyro = 2 * speed * (W[2, 0] - W[0, 2])[:n, :n].T
        system = np.block([[np.zeros((n, n)), np.eye(n)], [-K, -gyro]])
        found = np.sort(np.abs(np.linalg.eigvals(system).imag))[::2] / unit
        assert np.abs(found[:2] - wanted).min() < 2e-4 * wanted  # digits of the table


def test_a_saved_part_is_read_back_bit_by_bit(tmp_path):
    part, _ = bar()
    part = replace(part, groups={"top/left": np.array([1, 2])}, facts={"upto": 100.0})
    path = part.save(tmp_path / "bar.h5")
    found = read(path)
    for field in fields(part):
        ours, theirs = getattr(part, field.name), getattr(found, field.name)
        if isinstance(ours, np.ndarray):
            assert ours.tobytes() == theirs.tobytes() and ours.shape == theirs.shape, field.name
    assert found.markers == ("-", "+") and found.facts == part.facts
    assert found.groups["top/left"].tolist() == [1, 2]


def test_files_that_are_no_parts_are_refused(tmp_path):
    with pytest.raises(kt.ResultError, match="there is no such file"):
        read(tmp_path / "missing.h5")
    (tmp_path / "text.h5").write_text("no part")
    with pytest.raises(kt.ResultError, match="not a complete file"):
        read(tmp_path / "text.h5")


def test_a_marker_that_does_not_exist_is_refused_with_the_nearest_name():
    part, _ = bar()
    with pytest.raises(kt.NameNotFound, match="no marker named 'x' of part 'bar'"):
        part.with_frame("x")
