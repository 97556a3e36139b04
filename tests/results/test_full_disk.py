"""Files that cannot be written: one error that keeps the run, and nothing left behind, wherever the
disk is full.
"""

import os
import signal
import subprocess
import sys
import warnings
from contextlib import contextmanager

import numpy as np
import pytest

import kinetree as kt
from kinetree.core import atomic_write as writing
from kinetree.results.storage import growing

resource = pytest.importorskip("resource")


@contextmanager
def room_for(size):
    """No file grows beyond so many bytes: the system refuses as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def pendulum():
    m = kt.Model("m")
    body = m.body("b", kt.sphere(1, 0.1))
    m.joint("A", kt.Revolute("y"), m.ground, body, at=(0.3, 0, 0))
    return m


@pytest.fixture(scope="module")
def sol():
    return kt.simulate(pendulum(), 1.0, output_interval=2e-3)


@pytest.fixture(scope="module")
def size(sol, tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "run.nc"
    kt.simulate(
        pendulum(), 1.0, output_interval=2e-3, out=path
    )  # all kernels are loaded before disks are full
    return path.stat().st_size


@pytest.mark.parametrize("share", [0.0, 1e-3, 0.1, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("named", [False, True])
def test_a_save_on_a_full_disk_is_one_error_that_keeps_the_run(
    sol, size, share, named, tmp_path, monkeypatch
):
    if named:  # as on systems that have no files without a name
        monkeypatch.setattr(writing, "_nameless", lambda folder: None)
    with room_for(int(share * size)), pytest.raises(kt.ResultError, match="cannot write") as caught:
        sol.save(tmp_path / "run.nc")
    assert caught.value.solution is sol and list(tmp_path.iterdir()) == []
    sol.save(tmp_path / "run.nc")
    assert np.array_equal(kt.open_solution(tmp_path / "run.nc")["A.angle"], sol["A.angle"])


def test_a_failed_save_keeps_what_was_there(sol, tmp_path):
    path = tmp_path / "run.nc"
    sol.save(path)
    before = path.read_bytes()
    with room_for(1000), pytest.raises(kt.ResultError):
        sol.save(path, overwrite=True)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("share", [0.0, 0.05, 0.5, 0.9])
def test_a_run_whose_file_does_not_fit_is_one_error_with_the_whole_run(
    size, share, tmp_path, monkeypatch
):
    monkeypatch.setattr(growing, "SECONDS", 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        with room_for(int(share * size)), pytest.raises(kt.ResultError) as caught:
            kt.simulate(pendulum(), 1.0, output_interval=2e-3, out=tmp_path / "run.nc")
    left = list(tmp_path.iterdir())
    if share == 0.0:  # not even its beginning could be written, so nothing was computed
        assert caught.value.solution is None and left == []
        return
    found = caught.value.solution
    assert found.success and len(found.t) == 501
    assert [path.name for path in left] in ([], ["run.nc"])
    for path in left:  # what had grown before
        part = kt.open_solution(path)
        assert not part.complete and np.array_equal(part.t, found.t[: len(part.t)])


def test_a_disk_that_is_full_for_a_while_costs_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(growing, "SECONDS", 0.0)
    fails = iter([False, True, True])  # the second and third record; the first is the head
    real = growing._write

    def write(file, data):
        if len(data) > 100 and next(fails, False):
            real(file, data[: len(data) // 2])
            raise OSError(28, "No space left on device")
        real(file, data)

    monkeypatch.setattr(growing, "_write", write)
    with pytest.warns(RuntimeWarning, match="cannot grow"):
        sol = kt.simulate(
            pendulum(), 20.0, output_interval=1e-3, rtol=1e-10, out=tmp_path / "run.nc"
        )
    assert sol.success and kt.open_solution(tmp_path / "run.nc").complete


def test_a_folder_that_goes_away_or_is_none_is_one_error(sol, tmp_path, monkeypatch):
    with pytest.raises(kt.ResultError, match="folder") as caught:
        sol.save(tmp_path / "nowhere" / "run.nc")
    assert caught.value.solution is sol
    folder = tmp_path / "gone"
    folder.mkdir()
    from kinetree.results.storage import archive

    real = archive.write

    def write(file, *rest):
        real(file, *rest)
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()

    monkeypatch.setattr(archive, "write", write)
    with pytest.raises(kt.ResultError, match="cannot write"):
        sol.save(folder / "run.nc")


def test_parts_that_a_killed_process_left_are_removed_and_those_of_a_living_one_are_not(
    sol, tmp_path
):
    dead, other = tmp_path / ".run.nc.0123abcd.part", tmp_path / ".other.nc.0123abcd.part"
    for path in (dead, other):
        path.write_bytes(b"half")
    with writing._locked(tmp_path / ".run.nc.89abcdef.part"):
        sol.save(tmp_path / "run.nc")
        assert {path.name for path in tmp_path.iterdir()} == {
            "run.nc",
            ".run.nc.89abcdef.part",
            other.name,
        }


KILLED = """
import kinetree as kt, os, signal
from kinetree.results.storage import archive, container
real = archive.pack
def pack(file, *rest):
    real(file, *rest)
    os.kill(os.getpid(), signal.SIGKILL)
archive.pack = pack
from kinetree.models.catalogue import model_entry
kt.simulate(model_entry("pendulum").build(), 0.1).save({path!r})
"""


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="the system has no files without a name")
def test_a_process_killed_while_it_writes_leaves_nothing(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", KILLED.format(path=str(tmp_path / "run.nc"))], capture_output=True
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    assert list(tmp_path.iterdir()) == []
