"""Compiled kernels are kept in a folder of our own, found again there, and built anew where they are damaged."""

import ast
import importlib.util
import os
import sys
from pathlib import Path

import pytest
from numba import njit
from numba.core.caching import NullCache

from kinetree.num import kernel_cache
from kinetree.num.jit import JIT
from kinetree.num.kernel_cache import PACKAGE, cache_folder, cache_of, kernel_sources

SOURCE = "def twice(x):\n    return 2.0 * x\n"
DECORATORS = {"kernel", "stage", "inline", "switch"}


@pytest.fixture
def twice(tmp_path, monkeypatch):
    """A new kernel of the same source, each time it is asked for, in a module that can be imported as those of the package."""
    path = tmp_path / "twice_source.py"
    path.write_text(SOURCE)
    (tmp_path / "kernels").mkdir()

    def make():
        spec = importlib.util.spec_from_file_location("twice_source", path)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "twice_source", module)
        spec.loader.exec_module(module)
        dispatcher = njit(module.twice)
        dispatcher._cache = cache_of(module.twice, tmp_path / "kernels")
        return dispatcher

    return make


def files(folder: Path, suffix: str) -> list[Path]:
    return sorted(folder.rglob(f"*.{suffix}"))


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-len(data) // 3] ^= 0xFF
    path.write_bytes(data)


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_a_kernel_is_found_again(twice, tmp_path):
    assert twice()(1.5) == 3.0 and files(tmp_path / "kernels", "nbc")
    again = twice()
    assert again(1.5) == 3.0 and sum(again.stats.cache_hits.values()) == 1


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("harm", [
    lambda path: path.write_bytes(b""), lambda path: path.write_bytes(path.read_bytes()[:40]),
    lambda path: path.write_bytes(os.urandom(500)), flipped], ids=["empty", "cut", "noise", "one bit"])
def test_damaged_files_are_built_anew_with_one_line_of_notice(twice, tmp_path, capsys, monkeypatch, suffix, harm):
    monkeypatch.setattr(kernel_cache, "_said", set())
    twice()(1.5)
    [harm(path) for path in files(tmp_path / "kernels", suffix)]
    repaired = twice()
    assert repaired(1.5) == 3.0
    again = twice()
    assert again(1.5) == 3.0 and sum(again.stats.cache_hits.values()) == 1
    told = capsys.readouterr().err.splitlines()
    assert len(told) <= 1 and all("damaged" in line for line in told)
    assert told or sum(repaired.stats.cache_misses.values()) == 1  # one bit of an index may only make it another kernel's


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_two_processes_that_compile_at_once_do_not_write_into_each_others_files(twice, tmp_path):
    """Both see an empty index; the file that is left for each signature is that signature's."""
    first, second = twice(), twice()
    for dispatcher in (first, second):  # each has read the index before the other wrote
        dispatcher._cache._cache_file._load_index = lambda: {}
    assert first(1.5) == 3.0 and second(2) == 4.0
    indices = [dispatcher._cache._cache_file for dispatcher in (first, second)]
    names = {path.name for path in files(tmp_path / "kernels", "nbc")}
    assert len(names) == 2 and indices[0]._index_path == indices[1]._index_path


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_no_kernel_goes_anywhere_but_into_the_folder(twice, tmp_path):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder is needed")
    assert isinstance(cache_of(twice().py_func, blocked), NullCache)


def test_a_folder_that_cannot_be_written_is_replaced_by_one_that_can(tmp_path, monkeypatch):
    full, spare = tmp_path / "full", tmp_path / "spare"
    (full / kernel_cache.source_hash()).mkdir(parents=True)
    (full / kernel_cache.source_hash() / "kernel.nbc").write_text("machine code")
    monkeypatch.setenv("KINETREE_CACHE", str(full))
    monkeypatch.setenv("XDG_CACHE_HOME", str(spare))
    original = kernel_cache.tempfile.TemporaryFile

    def refuse(dir=None):
        if Path(dir).is_relative_to(full):
            raise PermissionError("read-only")
        return original(dir=dir)

    monkeypatch.setattr(kernel_cache.tempfile, "TemporaryFile", refuse)
    folder = cache_folder()
    assert folder.is_relative_to(spare) and (folder / "kernel.nbc").read_text() == "machine code"


def defines_kernels(path: Path) -> bool:
    """Does a module take one of the decorators that compile from num/jit.py?"""
    taken = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.ImportFrom)
             and (node.module or "").endswith("jit")]
    return any(DECORATORS & {alias.name for alias in node.names} for node in taken)


def test_every_module_that_defines_a_kernel_counts_for_the_generation():
    hashed = set(kernel_sources())
    kernels = {path for path in PACKAGE.rglob("*.py") if defines_kernels(path)}
    assert len(kernels) > 80 and kernels - hashed == set()


def test_a_change_in_any_room_of_kernels_gives_another_generation(monkeypatch):
    before = kernel_cache.source_hash()
    for room in {path.relative_to(PACKAGE).parts[0] for path in kernel_sources()}:
        some = [path for path in kernel_sources() if path.relative_to(PACKAGE).parts[0] != room]
        with monkeypatch.context() as patch:
            patch.setattr(kernel_cache, "kernel_sources", lambda some=some: some)
            assert kernel_cache.source_hash() != before


def test_a_change_in_any_file_gives_another_generation(tmp_path, monkeypatch):
    paths = [tmp_path / f"{name}.py" for name in "abc"]
    [path.write_text(f"{path.name} = 1\n") for path in paths]
    monkeypatch.setattr(kernel_cache, "PACKAGE", tmp_path)
    monkeypatch.setattr(kernel_cache, "kernel_sources", lambda: paths)
    found = {kernel_cache.source_hash()}
    for path in paths:
        path.write_text(f"{path.name} = 2\n")
        found.add(kernel_cache.source_hash())
    assert len(found) == 4
