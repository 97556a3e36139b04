"""Kernels as WebAssembly: the linker, and values of functions in node."""

import base64
import json
import math
import shutil
import subprocess

import numpy as np
import pytest

from kinetree.exchange.image.image import KernelOf
from kinetree.exchange.wasm.compiled import WasmUnit, entry_for_integers
from kinetree.exchange.wasm.link import Linked, link, signed, unsigned
from kinetree.exchange.wasm.objects import Cursor, ObjectError, read_object
from kinetree.kernel import mathematics
from kinetree.kernel.decorators import kernel
from kinetree.kernel.types import float64

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")
TABLE = np.array([0.5, 0.25, 0.125])


@kernel
def waves(x):
    # three times, so that LLVM does not copy the sine into the kernel
    return mathematics.sin(x) + mathematics.sin(2.0 * x) + mathematics.sin(3.0 * x) * TABLE[1]


@kernel
def more_waves(x):
    return waves(x) + mathematics.sin(4.0 * x) + mathematics.sin(5.0 * x) + mathematics.sin(6.0 * x)


@kernel
def rounded(x):
    return int(x)


@kernel
def totals(values, out):
    out[:] = 0.0
    for k in range(values.shape[0]):
        out[0] += values[k]
        out[1] = max(out[1], values[k])


def linked(**functions) -> Linked:
    unit = WasmUnit()
    exports = {name: unit.add(KernelOf(f, args)) for name, (f, args) in functions.items()}
    return link(unit.files(), exports)


def in_node(module: Linked, expression: str):
    code = base64.b64encode(module.code).decode()
    script = (
        f"const m = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from('{code}', 'base64')));"
        f"const k = m.exports, free = {module.free};"
        f"console.log(JSON.stringify({expression}));"
    )
    done = subprocess.run([NODE, "-e", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@needs_node
def test_elementary_functions_are_right_to_rounding():
    xs = np.random.default_rng(0).uniform(-20.0, 20.0, 60).tolist()
    own = in_node(linked(f=(waves, (float64,))), f"{xs}.map(x => k.f(x))")
    exact = [math.sin(x) + math.sin(2.0 * x) + math.sin(3.0 * x) * 0.25 for x in xs]
    # three sines with errors below 0.9 units in the last place, a product and two sums
    np.testing.assert_allclose(own, exact, rtol=0.0, atol=1e-15)


@needs_node
def test_arrays_are_read_and_written_in_the_memory_of_the_module():
    module = linked(f=(totals, (float64[::1], float64[::1])))
    assert in_node(
        module,
        "(() => { const a = new Float64Array(k.memory.buffer, free, 5); a.set([3, 5, 1]);"
        "k.f(free, 3n, free + 24, 2n); return [a[3], a[4]]; })()",
    ) == [9.0, 5.0]


@needs_node
def test_conversions_to_integers_saturate_instead_of_trapping():
    module = linked(f=(rounded, (float64,)))
    assert in_node(module, "[2.9, -2.9, NaN, 1e300].map(x => String(k.f(x)))") == [
        "2",
        "-2",
        "0",
        str(2**63 - 1),
    ]


def test_equal_functions_and_constants_are_linked_once():
    """Both kernels contain the sine and the table; the second adds little."""
    one = linked(f=(waves, (float64,)))
    both = linked(f=(waves, (float64,)), g=(more_waves, (float64,)))
    assert len(both.code) < len(one.code) + 600
    assert both.free == one.free  # the constants take no more room


def test_what_is_not_reached_is_left_out():
    unit = WasmUnit()
    small, large = (
        unit.add(KernelOf(f, args)) for f, args in ((rounded, (float64,)), (waves, (float64,)))
    )
    files = unit.files()
    assert len(link(files, {"f": small}).code) < 0.2 * len(link(files, {"f": large}).code)


def test_a_function_that_no_object_defines_is_an_error():
    unit = WasmUnit()
    unit.add(KernelOf(rounded, (float64,)))
    with pytest.raises(ObjectError, match="no object defines 'nothing'"):
        link(unit.files(), {"f": "nothing"})
    with pytest.raises(ObjectError, match="not a WebAssembly object"):
        read_object(b"\x7fELF....")


def test_numbers_of_variable_length_are_read_as_written():
    for value in (0, 1, 63, 64, 127, 128, 300, 1 << 31, -1, -64, -65, -(1 << 40)):
        if value >= 0:
            assert Cursor(unsigned(value)).number() == value
        assert Cursor(signed(value)).signed() == value


def test_the_entry_of_user_code_takes_integers_for_addresses():
    text = 'define double @"user"(ptr %values, double %t) nounwind {\n  ret double %t\n}\n'
    found = entry_for_integers(text, "f")
    assert 'define internal double @"user"(ptr %values, double %t)' in found
    assert 'define double @"f"(i64 %values, double %t)' in found
    assert "inttoptr i64 %values to ptr" in found
