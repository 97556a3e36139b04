"""Machine code is stored by the hash of its text in a folder that only the user can write; damaged
files are compiled again.
"""

import os
import stat
import subprocess
import sys

import pytest

from kinetree.kernel.decorators import JIT
from kinetree.kernel.runtime import object_files as cache

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")
POSIX = pytest.mark.skipif(not hasattr(os, "getuid"), reason="other rights")

MODULE = """from kinetree.kernel.decorators import inline, kernel


@inline
def inline_helper(x):
    return {a} * x


@kernel
def uses(x):
    return inline_helper(x[0])


@kernel
def other(x):
    {comment}
    return x[0]
"""
SCRIPT = """
import numpy as np
import written
from kinetree.kernel.runtime.lookup import engine
print(written.uses(np.ones(1)), written.other(np.ones(1)), engine().source.compilations)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("KINETREE_CACHE", str(tmp_path / "cache"))
    cache.own_folder.cache_clear()
    yield tmp_path / "cache" / "objects"
    cache.own_folder.cache_clear()


def test_a_stored_object_is_found_and_a_damaged_one_is_not(folder):
    cache.store_object("key", b"code")
    assert cache.load_object("key") == b"code" and cache.load_object("another") is None
    (folder / "key.o").write_bytes((folder / "key.o").read_bytes()[:-1] + b"?")
    assert cache.load_object("key") is None


@POSIX
def test_the_folder_is_the_users_alone(folder):
    cache.store_object("key", b"code")
    assert stat.S_IMODE(folder.stat().st_mode) & 0o022 == 0
    folder.chmod(0o777)
    cache.own_folder.cache_clear()
    assert cache.own_folder() == folder and stat.S_IMODE(folder.stat().st_mode) & 0o022 == 0


@POSIX
def test_a_folder_of_another_or_behind_a_link_is_not_used(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    folder.parent.mkdir()
    (tmp_path / "elsewhere").mkdir()
    folder.symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert cache.own_folder() == tmp_path / "own" / "kinetree" / "objects"
    cache.own_folder.cache_clear()
    folder.unlink()
    folder.mkdir()
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    assert cache.own_folder() is None


@POSIX
def test_objects_that_others_could_write_are_not_used(folder):
    cache.store_object("key", b"code")
    (folder / "key.o").chmod(0o666)
    assert cache.load_object("key") is None


def test_without_a_writable_folder_nothing_is_stored_and_a_warning_is_given(
    folder, tmp_path, monkeypatch
):
    """Folders that cannot be made, also by root: a file has their name."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "closed"))
    for path in (folder.parent, tmp_path / "closed"):
        path.write_text("no folder")
    assert cache.own_folder() is None
    cache._warn.cache_clear()
    with pytest.warns(
        RuntimeWarning,
        match=r"cannot be kept, since you alone must .*closed.* Set KINETREE_CACHE to a folder",
    ):
        cache.store_object("key", b"code")
    assert cache.load_object("key") is None
    cache.store_object("another", b"code")  # says so once


def test_an_edit_compiles_what_it_changes_and_nothing_else(tmp_path):
    def run(**values):
        (tmp_path / "written.py").write_text(
            MODULE.format(**{"a": "2.0", "comment": "# nothing"} | values)
        )
        environment = {
            **os.environ,
            "KINETREE_CACHE": str(tmp_path / "cache"),
            "KINETREE_LIBRARY": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    assert run() == ["2.0", "1.0", "2"]
    assert run() == ["2.0", "1.0", "0"]
    assert run(comment='"""Of no consequence."""') == ["2.0", "1.0", "0"]
    assert run(a="3.0") == ["3.0", "1.0", "1"]
