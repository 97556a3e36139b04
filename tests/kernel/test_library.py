"""The library of kernels: found, checked, refused with a sentence; and all kernels of the package can be in it."""

import json
import platform
import shutil
import subprocess
import sys

import numpy as np
import pytest

from kinetree.building import library as building
from kinetree.building.targets import PLATFORMS, this_platform
from kinetree.kernel import library
from kinetree.kernel.compiler.unit import Unit
from kinetree.kernel.compiler.values import KernelError
from kinetree.kernel.entry import entry
from kinetree.kernel.library import LibraryError, built_library
from kinetree.kernel.types import Vector, Whole
from kinetree.num.jit import JIT
from kinetree.num.ldl import factor_lu, solve_lu

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")

ALL = """
import llvmlite.binding as llvm
from kinetree.building.everything import everything, left_out

unit = everything()
for kernel in unit.kernels:
    llvm.parse_assembly(unit.module([kernel])).verify()
print(len(unit.kernels), left_out(unit))
"""


def test_every_kernel_of_the_package_has_one_signature_and_a_text_that_llvm_accepts():
    done = subprocess.run([sys.executable, "-c", ALL], capture_output=True, text=True)
    count, _, missing = done.stdout.strip().partition(" ")
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(count) > 300 and missing == "[]"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A library of two kernels, as `building` makes one of all."""
    from kinetree.building.processor import FAMILY
    from kinetree.kernel.machine import has_fma, object_code, target_machine

    name = this_platform()
    if name is None or not building.linkers(name, PLATFORMS[name]):
        pytest.skip("nobody can link here")
    folder, about, unit = tmp_path_factory.mktemp("built"), PLATFORMS[name], Unit()
    kernels = [unit.get(factor_lu, (Whole,) * 5 + (Vector,) * 3), unit.get(solve_lu, (Whole,) * 2 + (Vector,) * 4)]
    for target in about.targets:
        text = unit.module(kernels, has_fma(about.triple, target.cpu, "")) + (FAMILY if "x86" in about.triple else "")
        (folder / f"part0-{target.name}.o").write_bytes(object_code(text, target_machine(about.triple, target.cpu)))
    files = {target.name: building._linked(folder, name, about, target, 1, print) for target in about.targets}
    known = {c.function.name: [c.symbol, " ".join(a.code for a in c.args), c.result.code] for c in kernels}
    manifest = {"format": library.FORMAT, "machines": about.machines, "targets": files, "kernels": known,
                "sources": {"num/ldl.py": library._hash(library.PACKAGE / "num" / "ldl.py")}}
    (folder / library.MANIFEST).write_text(json.dumps(manifest))
    return folder


@pytest.fixture
def copied(built, tmp_path):
    shutil.copytree(built, tmp_path / "built")
    return tmp_path / "built"


def changed(folder, **values):
    path = folder / library.MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def solved(find):
    """[[2, 1], [1, 3]] x = (3, 4) by the kernels that are found."""
    first, row, runs, none = np.array([2, 3, 3]), np.array([1]), np.zeros(2, np.int64), np.zeros(0, np.int64)
    A, B, D, x = np.array([2.0, 3.0, 1.0]), np.array([0.0, 0.0, 1.0]), np.zeros(2), np.array([3.0, 4.0])
    assert entry("factor_lu", *find(factor_lu, (Whole,) * 5 + (Vector,) * 3))(first, row, runs, none, none, A, B, D) == -1
    entry("solve_lu", *find(solve_lu, (Whole,) * 2 + (Vector,) * 4))(first, row, A, B, D, x)
    return x


@pytest.mark.parametrize("target", [None, *(t.name for t in PLATFORMS[this_platform() or "linux-x86_64"].targets)])
def test_kernels_of_a_library_compute(built, target, monkeypatch):
    if target:
        monkeypatch.setenv("KINETREE_TARGET", target)
    np.testing.assert_allclose(solved(built_library(built).find), [1.0, 1.0], rtol=1e-15)


def test_objects_that_nobody_linked_are_loaded_too(built, tmp_path):
    from kinetree.kernel.machine import object_code, target_machine

    name = this_platform()
    unit = Unit()
    kernels = [unit.get(factor_lu, (Whole,) * 5 + (Vector,) * 3), unit.get(solve_lu, (Whole,) * 2 + (Vector,) * 4)]
    machine = target_machine(PLATFORMS[name].triple, PLATFORMS[name].targets[-1].cpu)
    (tmp_path / "one.o").write_bytes(object_code(unit.module(kernels, False), machine))
    find = library._loaded(tmp_path / "one.o")
    assert find("kt.num.ldl.factor_lu") and find("kt.num.ldl.solve_lu")


def test_a_kernel_is_found_for_its_own_signature_only(built):
    with pytest.raises(KernelError, match="has another signature"):
        built_library(built).find(factor_lu, (Vector,) * 8)


def test_a_library_whose_sources_were_edited_is_not_used_and_says_so(copied):
    changed(copied, sources={"num/ldl.py": "0" * 16, "num/lu.py": "0" * 16})
    with pytest.warns(RuntimeWarning, match=r"edited after it was built \(num/ldl.py and 1 more\).*pip install -e"):
        assert built_library(copied) is None


def test_without_a_library_kernels_are_compiled_on_demand(tmp_path):
    assert built_library(tmp_path) is None


@pytest.mark.parametrize("damage, said", [
    (lambda f: (f / library.MANIFEST).write_text("{"), "manifest.json is damaged"),
    (lambda f: changed(f, format=0), "of another version of Kinetree"),
    (lambda f: [p.write_bytes(b"nothing") for p in f.iterdir() if p.name != library.MANIFEST], "cannot be loaded"),
    (lambda f: [p.unlink() for p in f.iterdir() if p.name != library.MANIFEST], "cannot be loaded"),
    (lambda f: changed(f, machines=["vax"]), rf"kernels for vax, not for {platform.machine().lower()}: .*--no-binary")])
def test_a_library_that_cannot_be_used_says_why_and_what_helps(copied, damage, said, monkeypatch):
    monkeypatch.delenv("KINETREE_TARGET", raising=False)  # which chooses a target whatever the machine is
    damage(copied)
    with pytest.raises(LibraryError, match=said) as caught:
        built_library(copied)
    assert "pip install" in str(caught.value)


def test_a_target_that_is_not_there_is_refused(built, monkeypatch):
    monkeypatch.setenv("KINETREE_TARGET", "x86-64-v9")
    with pytest.raises(LibraryError, match="KINETREE_TARGET=x86-64-v9: this installation has kernels for"):
        built_library(built)
