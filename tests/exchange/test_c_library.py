"""C libraries of models, compiled and run."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

import kinetree as kt
from kinetree.exchange.native.archive import archive
from kinetree.models.excavator import excavator
from kinetree.models.four_bar import four_bar

CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
needs_compiler = pytest.mark.skipif(CC is None, reason="there is no C compiler")
OUTPUTS = ["A.angle", "C.angle.rate", "rocker.position", "A.force"]


def compiled(folder, name, *more):
    """The library of a model, loaded."""
    kernels = next((folder / "lib").glob("*/*.a"))
    library = folder / "test.so"
    command = [CC, "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library]
    subprocess.run(
        [*command, folder / f"{name}.c", *more, kernels, "-lm", "-Wl,-z,defs"], check=True
    )
    found = ctypes.CDLL(str(library))
    pointer, double = ctypes.c_void_p, ctypes.c_double
    numbers = ctypes.POINTER(double)
    for function, result, arguments in (
        ("new", pointer, []),
        ("free", None, [pointer]),
        ("advance", ctypes.c_int, [pointer, double]),
        ("advance_exactly", ctypes.c_int, [pointer, double]),
        ("step", ctypes.c_int, [pointer, double, ctypes.c_long]),
        ("state", numbers, [pointer]),
        ("time", double, [pointer]),
        ("outputs", ctypes.c_int, [pointer, numbers]),
        ("set_state", ctypes.c_int, [pointer, double, numbers, ctypes.c_int]),
        ("set_input", ctypes.c_int, [pointer, ctypes.c_int, double, double]),
        ("save", None, [pointer, pointer]),
        ("load", None, [pointer, pointer]),
        ("bytes", ctypes.c_size_t, []),
        ("message", ctypes.c_char_p, [ctypes.c_int]),
    ):
        one = getattr(found, f"{name}_{function}")
        one.restype, one.argtypes = result, arguments
        setattr(found, function, one)
    return found


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("four-bar")
    kt.export_c(four_bar(), folder, outputs=OUTPUTS, until=1.0)
    return folder, compiled(folder, "four_bar")


def array(n):
    values = (ctypes.c_double * n)()
    return values, np.frombuffer(values)


@needs_compiler
def test_a_run_has_the_bits_of_simulate(library):
    _, lib = library
    sol, m = kt.simulate(four_bar(), 1.0), lib.new()
    assert lib.advance_exactly(m, 1.0) == 0
    assert np.array_equal(lib.state(m)[: len(sol.result.y)], sol.result.y)
    lib.free(m)


@needs_compiler
def test_outputs_are_the_channels(library):
    _, lib = library
    sol, m = kt.simulate(four_bar(), 1.0, output_interval=0.1), lib.new()
    values, found = array(8)
    for k, t in enumerate(sol.t):
        assert lib.advance(m, t) == 0
        assert lib.outputs(m, values) == 0
        expected = np.concatenate([np.atleast_1d(sol[name][k]) for name in OUTPUTS])
        # the order of summation of the reactions
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    lib.free(m)


@needs_compiler
def test_a_saved_run_continues_in_another_instance(library):
    _, lib = library
    m, other = lib.new(), lib.new()
    lib.advance(m, 0.3)
    kept = ctypes.create_string_buffer(lib.bytes())
    lib.save(m, kept)
    lib.advance(m, 0.9)
    lib.load(other, kept)
    assert lib.time(other) == 0.3
    lib.advance(other, 0.9)
    assert lib.state(m)[:6] == lib.state(other)[:6]
    lib.free(m), lib.free(other)


@needs_compiler
def test_a_budget_of_steps_ends_a_call(library):
    _, lib = library
    m, whole = lib.new(), lib.new()
    lib.advance(whole, 0.5)
    assert lib.step(m, 0.5, 2) == 100
    assert 0.0 < lib.time(m) < 0.5
    while lib.step(m, 0.5, 2) == 100:
        pass
    assert lib.state(m)[:6] == lib.state(whole)[:6]
    assert b"call again" in lib.message(100)
    lib.free(m), lib.free(whole)


@needs_compiler
def test_misuse_is_explained(library):
    _, lib = library
    m = lib.new()
    lib.advance(m, 0.1)
    assert b"before the present time" in lib.message(lib.advance(m, 0.05))
    assert b"not a number" in lib.message(lib.advance(m, float("nan")))
    assert b"no input or parameter" in lib.message(lib.set_input(m, 0, 1.0, 0.0))
    y, numbers = array(6)
    numbers[:] = lib.state(m)[:6]
    numbers[0] += 0.01  # the loop is open by about a centimeter; settling closes it
    assert lib.set_state(m, 0.0, y, 1) == 0
    assert 0.0 < abs(lib.state(m)[0] - numbers[0]) < 0.01
    lib.free(m)


@needs_compiler
def test_inputs_move_the_model(tmp_path):
    """x = a t^2 / (2 m) + b t^3 / (6 m) for a ramp that is set at 0."""
    m = kt.Model("cart", gravity=(0, 0, 0))
    cart = m.body("cart", kt.box(mass=2.0, sides=(0.1, 0.1, 0.1)))
    m.joint("rail", kt.Translational("x"), m.ground, cart)
    m.force("push", kt.PointForce((kt.Input("push", unit="N"), 0.0, 0.0)), cart)
    kt.export_c(m, tmp_path, outputs=["rail.displacement"])
    lib = compiled(tmp_path, "cart")
    one = lib.new()
    assert lib.set_input(one, 0, 3.0, 12.0) == 0
    assert lib.advance(one, 1.0) == 0
    assert lib.state(one)[0] == pytest.approx(3.0 / 4.0 + 12.0 / 12.0, rel=1e-9)
    lib.free(one)


@needs_compiler
def test_two_models_live_in_one_program(tmp_path):
    kt.export_c(four_bar(), tmp_path / "a", name="first")
    kt.export_c(excavator(), tmp_path / "b", name="second")
    kernels = next((tmp_path / "b" / "lib").glob("*/*.a"))
    shutil.copy(tmp_path / "b" / "second.h", tmp_path / "a")
    lib = compiled(tmp_path / "a", "first", tmp_path / "b" / "second.c", kernels)
    lib.second_new.restype = lib.second_state.restype = ctypes.c_void_p
    second = ctypes.c_void_p(lib.second_new())
    first = lib.new()
    assert lib.advance(first, 0.1) == lib.second_advance(second, ctypes.c_double(0.1)) == 0
    lib.second_state.restype = ctypes.POINTER(ctypes.c_double)
    sol = kt.simulate(excavator(), 0.1)
    assert lib.second_state(second)[0] == pytest.approx(sol.q[-1, 0], rel=1e-12)


@needs_compiler
@pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no CMake")
def test_the_example_is_built_by_cmake(library):
    folder, _ = library
    build = folder / "build"
    for command in (["cmake", "-S", folder, "-B", build], ["cmake", "--build", build]):
        subprocess.run(command, check=True, capture_output=True)
    done = subprocess.run([build / "four_bar_example"], check=True, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert lines[0] == "t,A.angle,C.angle.rate,rocker.position.x,rocker.position.y," + (
        "rocker.position.z,A.force.x,A.force.y,A.force.z"
    )
    sol = kt.simulate(four_bar(), 1.0)
    assert float(lines[-1].split(",")[1]) == pytest.approx(sol["A.angle"][-1], rel=1e-12)


def test_archives_of_macos_have_a_table_of_symbols():
    """The numbers in the table lead to the names and to the headers of the members."""
    made = archive({"a.o": b"12345", "b.o": b"1"}, {"a.o": ("f",), "b.o": ("g", "h")}, mac=True)
    body = made[88:]  # after the start, the header of the first member and its name
    assert made[8:].startswith(b"#1/20") and made[68:].startswith(b"__.SYMDEF SORTED")
    size = int.from_bytes(body[:4], "little")
    assert size == 3 * 8
    names = body[4 + size + 4 :]
    for k, (name, member) in enumerate((("_f", b"a.o"), ("_g", b"b.o"), ("_h", b"b.o"))):
        at = int.from_bytes(body[4 + 8 * k : 8 + 8 * k], "little")
        place = int.from_bytes(body[8 + 8 * k : 12 + 8 * k], "little")
        assert names[at:].split(b"\0")[0].decode() == name
        assert made[place + 60 :].startswith(member)
        assert place % 8 == 0


def test_wrong_names_are_refused(tmp_path):
    with pytest.raises(kt.ModelError, match="identifier of C"):
        kt.export_c(four_bar(), tmp_path, name="four-bar")
    with pytest.raises(kt.NameNotFound, match=r"no platform named 'linux'"):
        kt.export_c(four_bar(), tmp_path, platforms=["linux"])
