"""The library of kernels: found, checked, refused with a sentence; and all kernels of the package
can be in it.
"""

import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

from kinetree.apps.building.library import kernels_of
from kinetree.apps.building.link import linked, linkers
from kinetree.apps.building.objects import compiled, jobs
from kinetree.kernel.algebra.ldl import factor_lu, solve_lu
from kinetree.kernel.compiler.unit import Unit
from kinetree.kernel.compiler.values import KernelError
from kinetree.kernel.decorators import JIT
from kinetree.kernel.language import Function
from kinetree.kernel.runtime import library
from kinetree.kernel.runtime.entry import entry
from kinetree.kernel.runtime.library import LibraryError, built_library
from kinetree.kernel.runtime.lookup import engine
from kinetree.kernel.runtime.object_files import SUFFIX
from kinetree.kernel.runtime.targets import PLATFORMS, this_platform
from kinetree.kernel.types import IntVector, Vector
from kinetree.release import VERSION

HERE = this_platform()
pytestmark = [
    pytest.mark.skipif(not JIT, reason="nothing is compiled"),
    pytest.mark.skipif(HERE is None, reason="no library is built for this platform"),
]
TARGETS = PLATFORMS[HERE or "linux-x86_64"].targets

ALL = """
import llvmlite.binding as llvm
from kinetree.apps.building.everything import everything, left_out
from kinetree.apps.building.library import source_hashes

unit = everything()
for kernel in unit.kernels:
    llvm.parse_assembly(unit.module([kernel])).verify()
written = {kernel.function.py_func.__module__.removeprefix("kinetree.").replace(".", "/") + ".py" for kernel in unit.kernels}
print(len(unit.kernels), left_out(unit), sorted(written - set(source_hashes())))
"""


def test_every_kernel_of_the_package_has_one_signature_and_a_text_that_llvm_accepts():
    done = subprocess.run([sys.executable, "-c", ALL], capture_output=True, text=True)
    count, *missing = done.stdout.split()
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(count) > 300 and missing == ["[]", "[]"]


def written(folder):
    """A library of two kernels, as `building` makes one of all."""
    unit = Unit()
    (
        unit.get(factor_lu, (IntVector,) * 5 + (Vector,) * 3),
        unit.get(solve_lu, (IntVector,) * 2 + (Vector,) * 4),
    )
    code = {job.name: compiled(job) for job in jobs(unit, PLATFORMS[HERE])}
    files = {
        t.name: linked(folder, HERE, t, {name: made[t.cpu] for name, made in code.items()}, print)
        for t in TARGETS
    }
    manifest = {
        "format": library.FORMAT,
        "version": VERSION,
        "platform": HERE,
        "targets": files,
        "kernels": kernels_of(unit),
        "files": {file: library.file_hash(folder / file) for file in files.values()},
        "sources": {
            "kernel/algebra/ldl.py": library.file_hash(
                library.PACKAGE / "kernel" / "algebra" / "ldl.py"
            )
        },
    }
    (folder / library.MANIFEST).write_text(json.dumps(manifest))
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    if not linkers(HERE):
        pytest.skip("nothing can link here")
    return written(tmp_path_factory.mktemp("built"))


@pytest.fixture
def unlinked(tmp_path, monkeypatch):
    """A library on a machine without any linker."""
    monkeypatch.setattr("kinetree.apps.building.link.linkers", lambda name: [])
    return written(tmp_path)


@pytest.fixture
def copied(built, tmp_path):
    shutil.copytree(built, tmp_path / "built")
    return tmp_path / "built"


def changed(folder, **values):
    path = folder / library.MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def machine_code(folder):
    return [path for path in folder.iterdir() if path.name != library.MANIFEST]


def solved(find):
    """[[2, 1], [1, 3]] x = (3, 4) by the kernels that are found."""
    first, row, runs, none = (
        np.array([2, 3, 3]),
        np.array([1]),
        np.zeros(2, np.int64),
        np.zeros(0, np.int64),
    )
    A, B, D, x = (
        np.array([2.0, 3.0, 1.0]),
        np.array([0.0, 0.0, 1.0]),
        np.zeros(2),
        np.array([3.0, 4.0]),
    )
    assert (
        entry("factor_lu", *find(factor_lu, (IntVector,) * 5 + (Vector,) * 3))(
            first, row, runs, none, none, A, B, D
        )
        == -1
    )
    entry("solve_lu", *find(solve_lu, (IntVector,) * 2 + (Vector,) * 4))(first, row, A, B, D, x)
    return x


@pytest.mark.parametrize("target", [None, *(target.name for target in TARGETS)])
def test_kernels_of_a_library_compute(built, target, monkeypatch):
    if target:
        monkeypatch.setenv("KINETREE_TARGET", target)
    np.testing.assert_allclose(solved(built_library(built).find), [1.0, 1.0], rtol=1e-15)


@pytest.mark.parametrize("target", [None, *(target.name for target in TARGETS)])
def test_objects_that_nothing_linked_compute_too(unlinked, target, monkeypatch):
    if target:
        monkeypatch.setenv("KINETREE_TARGET", target)
    assert {path.suffix for path in machine_code(unlinked)} == {SUFFIX}
    np.testing.assert_allclose(solved(built_library(unlinked).find), [1.0, 1.0], rtol=1e-15)


def squared_less_one(x):
    return x[0] * x[0] - 1.0


@pytest.mark.parametrize("target", TARGETS)
def test_generated_code_is_compiled_for_the_processors_of_the_library(built, target, monkeypatch):
    """Fused where kernels are: (1 + e)^2 - 1 is exact then, and loses e^2 otherwise."""
    monkeypatch.setenv("KINETREE_TARGET", target.name)
    found = built_library(built)
    assert found.target == target and found.on_demand.target == target
    e = 2.0**-30
    value = entry("squared", *found.find(Function(squared_less_one, entry=True), (Vector,)))(
        np.array([1.0 + e])
    )
    assert value == 2.0 * e + (e * e if target.fused else 0.0)


def test_the_best_target_is_found_alike_with_a_library_and_without(built, monkeypatch):
    from kinetree.kernel.runtime.llvm import host

    monkeypatch.delenv("KINETREE_TARGET", raising=False)
    host.cache_clear()
    assert built_library(built).target == host()
    host.cache_clear()


def test_a_kernel_is_found_for_its_own_signature_only(built):
    with pytest.raises(KernelError, match="has another signature"):
        built_library(built).find(factor_lu, (Vector,) * 8)


def test_a_library_whose_sources_were_edited_is_not_used_and_a_warning_is_given(copied):
    changed(copied, sources={"kernel/algebra/ldl.py": "0" * 16, "kernel/algebra/lu.py": "0" * 16})
    with pytest.warns(
        RuntimeWarning,
        match=r"edited after it was built \(kernel/algebra/ldl.py and 1 more\).*pip install -e",
    ):
        assert built_library(copied) is None


def test_without_a_library_kernels_are_compiled_on_demand(tmp_path):
    assert built_library(tmp_path) is None


def flipped(path, k):
    data = bytearray(path.read_bytes())
    data[k] ^= 1
    path.write_bytes(data)


OTHER = "macos-arm64" if HERE != "macos-arm64" else "linux-x86_64"
DAMAGES = {
    "a manifest cut short": (
        lambda f: (f / library.MANIFEST).write_text("{"),
        "manifest.json is damaged",
    ),
    "a manifest of another kind": (
        lambda f: (f / library.MANIFEST).write_text("[]"),
        "manifest.json is damaged",
    ),
    "another format": (lambda f: changed(f, format=0), "were built for version"),
    "another version": (
        lambda f: changed(f, version="0.0.9"),
        f"built for version 0.0.9 of Kinetree, and this is {VERSION}",
    ),
    "code cut short": (
        lambda f: [os.truncate(p, p.stat().st_size // 2) for p in machine_code(f)],
        "is damaged",
    ),
    "no code": (lambda f: [os.truncate(p, 0) for p in machine_code(f)], "is damaged"),
    "one bit": (
        lambda f: [flipped(p, p.stat().st_size // 3) for p in machine_code(f)],
        "is damaged",
    ),
    "no file": (lambda f: [p.unlink() for p in machine_code(f)], "is missing"),
    "another platform": (
        lambda f: changed(f, platform=OTHER),
        rf"kernels for {OTHER}, not for {sys.platform} on .*--no-binary",
    ),
}


@pytest.mark.parametrize("damage, said", DAMAGES.values(), ids=DAMAGES)
def test_the_error_about_an_unusable_library_has_the_reason_and_the_remedy(
    copied, damage, said, monkeypatch
):
    monkeypatch.delenv(
        "KINETREE_TARGET", raising=False
    )  # which chooses a target whatever the machine is
    damage(copied)
    with pytest.raises(LibraryError, match=said) as caught:
        built_library(copied)
    assert "pip install" in str(caught.value) and "KINETREE_LIBRARY=0" in str(caught.value)


def test_a_file_that_the_system_cannot_load_is_reported_with_the_reason(copied):
    for path in machine_code(copied):
        path.write_bytes(b"nothing")
    manifest = json.loads((copied / library.MANIFEST).read_text())
    changed(copied, files={file: library.file_hash(copied / file) for file in manifest["files"]})
    with pytest.raises(LibraryError, match=r"cannot be loaded \(.*--no-binary"):
        built_library(copied)


@pytest.mark.parametrize("find", [lambda f: built_library(f), lambda f: engine().source])
def test_a_target_that_is_not_there_is_refused(built, find, monkeypatch):
    monkeypatch.setenv("KINETREE_TARGET", "x86-64-v9")
    monkeypatch.setattr("kinetree.kernel.runtime.lookup._used", [])
    from kinetree.kernel.runtime.llvm import host

    host.cache_clear()
    names = ", ".join(target.name for target in TARGETS)
    with pytest.raises(
        LibraryError,
        match=f"KINETREE_TARGET=x86-64-v9: there are kernels for {names}. Set one of these",
    ):
        find(built)


WITHOUT_LLVM = """
import sys
sys.modules["llvmlite"] = sys.modules["llvmlite.binding"] = None
from kinetree.apps.cli.main import main
main()
"""


def test_without_a_library_and_without_llvm_the_error_names_what_to_install(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_LLVM, "demo", "--out", str(tmp_path)],
        capture_output=True,
        text=True,
        env={**os.environ, "KINETREE_LIBRARY": "0"},
    )
    assert done.returncode == 9 and done.stderr.count("\n") == 1
    assert done.stderr.startswith(
        "LibraryError: this installation has no library of kernels, and llvmlite, which compiles"
    )
    assert "pip install llvmlite, or use plain Python with KINETREE_PLAIN=1" in done.stderr


def test_without_llvm_a_library_runs_and_the_error_about_generated_code_names_what_to_install(
    built, monkeypatch
):
    monkeypatch.setitem(sys.modules, "kinetree.kernel.runtime.on_demand", None)
    found = built_library(built)
    np.testing.assert_allclose(solved(found.find), [1.0, 1.0], rtol=1e-15)
    with pytest.raises(
        LibraryError, match=r"generated code needs llvmlite .*: pip install llvmlite\."
    ):
        found.find(Function(squared_less_one, entry=True), (Vector,))


def test_a_platform_without_a_library_builds_none_and_one_that_does_not_exist_is_refused(
    tmp_path, monkeypatch
):
    from kinetree.apps.building import library as building

    (tmp_path / library.MANIFEST).write_text("of an earlier build")
    said = []
    monkeypatch.setattr(building, "this_platform", lambda: None)
    assert (
        building.build(tmp_path, say=said.append) == []
        and not (tmp_path / library.MANIFEST).exists()
    )
    assert "compiled when they are first needed" in said[0]
    with pytest.raises(
        building.BuildError, match="no kernels can be built for vax; there are linux-x86_64, "
    ):
        building.build(tmp_path, "vax")
