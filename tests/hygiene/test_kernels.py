"""Compiled kernels do the same as plain Python; all of them take the tables and the workspace first."""

import ast
import json
import os
import subprocess
import sys

import numpy as np

import kinetree as kt
from kinetree.kernel.tables.records import empty_tables
from kinetree.models.four_bar import four_bar

from .sources import MODULES, name, tree

PLAIN = """
import json
import kinetree as kt
from kinetree.models.four_bar import four_bar
sol = kt.simulate(four_bar(), until=0.02, integrator="rk4", step=0.005)
print(json.dumps({"y": sol.y[-1].tolist(), "vdot": sol.vdot[-1].tolist()}))
"""


def test_plain_python_and_compiled_kernels_give_the_same_motion():
    environment = {**os.environ, "KINETREE_PLAIN": "1"}
    run = subprocess.run(
        [sys.executable, "-c", PLAIN], env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    plain = json.loads(run.stdout)
    sol = kt.simulate(four_bar(), until=0.02, integrator="rk4", step=0.005)
    np.testing.assert_allclose(
        sol.y[-1], plain["y"], rtol=1e-12, atol=1e-13
    )  # compiled products are fused with sums
    np.testing.assert_allclose(sol.vdot[-1], plain["vdot"], rtol=1e-10, atol=1e-11)


def test_kernels_take_the_model_tables_and_the_workspace_first():
    """`tables, work, ...`, or the one of them that the kernel needs; in `algebra` and `linalg`, which know no
    models, `work` is an array.
    """
    found = []
    for path in MODULES:
        kernels = [f for f in ast.walk(tree(path)) if _is_kernel(f)]
        for function in kernels if not {"algebra", "linalg"} & set(path.parts) else ():
            arguments = [one.arg for one in function.args.args]
            first = [one for one in ("tables", "work") if one in arguments]
            if arguments[: len(first)] != first:
                found.append(f"{name(path)}: {function.name}({', '.join(arguments)})")
    assert found == []


def _is_kernel(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and bool(
        {"kernel", "internal_kernel", "inline"} & {ast.unparse(one) for one in node.decorator_list}
    )


def test_fields_of_records_have_names_that_plain_python_reads():
    """`row.size` of a NumPy record is its own size, not its field."""
    fields = {field for array in empty_tables() for field in array.dtype.names or ()}
    assert {"parent", "first"} <= fields and not fields & set(dir(np.record))
