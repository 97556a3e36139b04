"""Untrusted files: limits on expansion, on the files that are read, and on numbers."""

import os
import tracemalloc

import pytest

import kinetree as kt
from kinetree.core.regular_files import read_regular
from kinetree.description.files import document, sources
from kinetree.elements.tyres.property_file import read_tir

MACHINE = "bodies:\n  b: {type: sphere, mass: 1, radius: 1%s}\njoints:\n  A: {type: Free, parent: ground, child: b}\n"


def load(tmp_path, head="", body=""):
    (tmp_path / "m.yaml").write_text(head + MACHINE % body)
    return kt.load(tmp_path / "m.yaml")


def bomb(first: str, make, levels: int) -> str:
    """Parameters a0, a1, ... of which each names the one before many times."""
    others = [f"  a{k}: {make(f'${{a{k - 1}}}')}" for k in range(1, levels + 1)]
    return "\n".join(["parameters:", f"  a0: {first}", *others, ""])


BOMBS = {
    "text": bomb("xxxxxxxxxx", lambda name: f"'{name * 10}'", 12),
    "list": bomb(
        "[1, 1, 1, 1, 1, 1, 1, 1]", lambda name: "[" + ", ".join([f'"{name}"'] * 10) + "]", 12
    ),
    "mapping": bomb(
        "{a: 1}", lambda name: "{" + ", ".join(f'{key}: "{name}"' for key in "abcdefgh") + "}", 12
    ),
    "mixed": bomb("[x, y]", lambda name: f'[{{p: "{name}", q: "{name}"}}, "{name}"]', 40),
    "depth": bomb("[1]", lambda name: f'["{name}"]', 3000),
    "one text": "parameters:\n  a: " + "x" * 20000 + "\n  b: '" + "${a}" * 20000 + "'\n",
}


@pytest.mark.parametrize("kind", BOMBS)
def test_parameters_that_multiply_themselves_are_refused_before_they_grow(kind, tmp_path):
    load(tmp_path)  # what reads files is loaded
    tracemalloc.start()
    try:
        with pytest.raises(
            kt.ModelError,
            match=r"^m.yaml:\d+: parameters\.\w+.*: (expressions|with its expressions)",
        ):
            load(tmp_path, BOMBS[kind])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100e6  # bytes; ten million characters are the most that is written


def test_lists_that_are_shared_a_few_times_are_accepted(tmp_path):
    road = (
        "parameters:\n  p: ["
        + ", ".join(f"[{k}, 0]" for k in range(200))
        + "]\n  q: ['${p}', '${p}']\n"
    )
    assert load(tmp_path, road)


def test_parameters_from_outside_are_bounded_too(tmp_path):
    load(tmp_path, "parameters: {p: 1}\n")
    endless = []
    endless.append(endless)
    for given in (endless, 10**400, float("nan"), "1e999 m"):
        with pytest.raises(kt.ModelError):
            kt.load(tmp_path / "m.yaml", {"p": given})


@pytest.fixture
def odd_files(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    os.mkfifo(tmp_path / "pipe.stl")
    os.mkfifo(tmp_path / "pipe.tir")
    for ending in ("yaml", "stl", "tir"):
        (tmp_path / f"link.{ending}").symlink_to(tmp_path / f"pipe.{ending}")
        (tmp_path / f"zero.{ending}").symlink_to("/dev/zero")
        (tmp_path / f"folder.{ending}").mkdir()
    return tmp_path


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
@pytest.mark.parametrize("name", ["pipe", "link", "zero", "folder"])
def test_only_regular_files_are_read(name, odd_files):
    for head, body in (
        (f"include: [{name}.yaml]\n", ""),
        ("", f", look: [{{type: mesh, path: {name}.stl}}]"),
        (f"assemblies: {{a: {{file: {name}.yaml}}}}\n", ""),
    ):
        with pytest.raises(kt.ModelError, match=r"not a regular file|outside the folder"):
            load(odd_files, head, body)
    for read in (
        lambda: kt.load(odd_files / f"{name}.yaml"),
        lambda: kt.look.mesh(odd_files / f"{name}.stl"),
        lambda: read_tir(odd_files / f"{name}.tir"),
    ):
        with pytest.raises(kt.ModelError, match="not a regular file"):
            read()


def test_files_are_read_up_to_their_bound_and_not_further(tmp_path):
    (tmp_path / "f").write_bytes(b"x" * 100)
    assert read_regular(tmp_path / "f", 100, "f") == b"x" * 100
    with pytest.raises(kt.ModelError, match="has 100 bytes; it may have at most 99"):
        read_regular(tmp_path / "f", 99, "f")


def test_the_files_of_a_model_are_bounded_together(tmp_path, monkeypatch):
    (tmp_path / "part.yaml").write_text("parameters: {p: 1}\n" + "#" * 500)
    head = "include: [part.yaml, part.yaml, part.yaml]\n"
    assert load(tmp_path, head)
    monkeypatch.setattr(document, "MOST_BYTES", 1500)
    with pytest.raises(kt.ModelError, match="all together may have at most 1500"):
        load(tmp_path, head)
    (tmp_path / "t.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    monkeypatch.setattr(sources, "MOST_DATA", 100)
    assert load(tmp_path, "", ", look: [{type: mesh, path: t.obj}]")
    with pytest.raises(kt.ModelError, match="at most 100"):
        load(tmp_path, "", ", look: [" + "{type: mesh, path: t.obj}, " * 4 + "]")


@pytest.mark.parametrize(
    "number", ["0x" + "f" * 298, "9" * 299 + "9" * 20, "-" + "9" * 310, "1e400", "9e308"]
)
@pytest.mark.parametrize(
    "use",
    [
        "parameters: {n: %s, s: 'a ${n}'}\n",
        "parameters: {n: %s, s: '${n + 1}'}\n",
        "parameters: {n: [%s, '${n[0]}']}\n",
        "gravity: [0, 0, %s]\n",
        "kinetree: %s\n",
    ],
)
def test_numbers_beyond_floating_point_are_refused(number, use, tmp_path):
    with pytest.raises(kt.ModelError, match=r"m.yaml:1"):
        load(tmp_path, use % number)


@pytest.mark.parametrize(
    "text",
    [
        "f 1 2 99999999999999999999\n",
        "f -9 2 3\n",
        "v nan 0 0\nf 1 2 4\n",
        "f 1 2 x\n",
        "v 1 2\nf 1 2 3\n",
        "v 1e999 0 0\nf 1 2 4\n",
    ],
)
def test_meshes_with_impossible_numbers_are_refused(text, tmp_path):
    (tmp_path / "t.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\n" + text)
    with pytest.raises(kt.ModelError, match=r"mesh|Mesh"):
        load(tmp_path, "", ", look: [{type: mesh, path: t.obj}]")


def test_loading_a_result_as_a_model_names_the_function_that_reads_it(tmp_path):
    m = kt.Model("p")
    m.joint("h", kt.Revolute("y"), m.ground, m.body("rod", kt.rod(1.0, 1.0)).end("-"))
    m.save(tmp_path / "m.yaml")
    kt.simulate(m, 0.01).save(tmp_path / "r.nc")
    with pytest.raises(
        kt.ResultError, match=r"text file, not a result of Kinetree. kt.load reads model files"
    ):
        kt.open_solution(tmp_path / "m.yaml")
    with pytest.raises(kt.ModelError, match=r"It looks like a result: kt.open_solution reads it"):
        kt.load(tmp_path / "r.nc")
