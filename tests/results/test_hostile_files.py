"""Damaged and forged files of results: every one is refused with a ResultError or read without a
difference.
"""

import numpy as np
import pytest

import kinetree as kt
from kinetree.results.storage import growing

from . import hostile


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    path = tmp_path_factory.mktemp("sound") / "run.nc"
    hostile.small_run().save(path)
    return path.read_bytes()


@pytest.mark.filterwarnings("ignore:overflow encountered")  # of forged numbers
@pytest.mark.parametrize("kind", hostile.KINDS)
def test_damage_is_reported_and_nothing_raw_comes_out(kind, sound, tmp_path):
    if kind == "edited":
        pytest.importorskip("h5py")
    found = list(hostile.fates(sound, kind, range(5000, 5025), tmp_path))
    assert [one for one in found if one[1] in ("raw", "silent")] == []
    assert len(found) > 20 and (kind == "forged" or all(fate == "refused" for _, fate, _ in found))


def test_a_flip_of_any_bit_of_the_footer_is_an_error(sound, tmp_path):
    for k in range(8 * hostile.FOOTER.size):
        data = bytearray(sound)
        data[-1 - k // 8] ^= 1 << k % 8
        (tmp_path / "run.nc").write_bytes(data)
        with pytest.raises(kt.ResultError, match="damaged"):
            kt.open_solution(tmp_path / "run.nc")


def test_hdf5_of_others_is_refused(tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "run.nc", "w") as file:
        file["kinetree/result"], file["time"] = "{}", np.arange(3.0)
    with pytest.raises(kt.ResultError, match="not a result of Kinetree"):
        kt.open_solution(tmp_path / "run.nc")


def test_a_file_that_was_growing_is_damaged_or_holds_the_first_samples(tmp_path, monkeypatch):
    monkeypatch.setattr(growing, "SECONDS", 0.0)
    monkeypatch.setattr(growing, "BYTES", 1)
    monkeypatch.setattr(
        growing.Growing, "finish", lambda self, solution: None
    )  # as if it had been killed
    m = kt.Model("pendulum")
    rod = m.body("rod", kt.rod(1.0, 1.0, axial=1e-3))
    m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"))
    path = tmp_path / "run.nc"
    kt.simulate(m, 0.5, output_interval=0.05, out=path)
    content = path.read_bytes()
    (tmp_path / "sound.nc").write_bytes(content)
    right = kt.open_solution(tmp_path / "sound.nc")
    assert not right.complete and len(right.t) > 5
    lengths = set()
    for seed in range(60):
        rng = np.random.default_rng(seed)
        made = (hostile.flipped if seed % 2 else lambda data, rng: data[: rng.integers(len(data))])(
            content, rng
        )
        path.write_bytes(made)
        try:
            sol = kt.open_solution(path)
            count, angle, position = len(sol.t), sol["A.angle"], sol["rod.position"]
        except kt.KinetreeError:
            continue
        assert seed % 2 == 0 and not sol.complete and "not finished" in sol.message
        assert np.array_equal(sol.t, right.t[:count]) and np.array_equal(
            angle, right["A.angle"][:count]
        )
        assert (
            np.array_equal(position, right["rod.position"][:count]) and sol.options == right.options
        )
        lengths.add(count)
    assert lengths  # some ends are missing between two records
