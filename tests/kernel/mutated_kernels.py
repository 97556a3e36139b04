"""Compiles functions of the package with random changes and prints what became of them: run by
test_mutations.py.

python mutated_kernels.py COUNT SEED
"""

import json
import random
import sys
import traceback
import warnings

import llvmlite.binding as llvm

from kinetree.apps.building.everything import everything
from kinetree.kernel.compiler.unit import Unit
from kinetree.kernel.compiler.values import KernelError
from kinetree.kernel.user_function import UserUnit
from support.mutations import Mutated, Mutations


def outcome(function: Mutated, args: tuple) -> str:
    """ "compiled", "refused", or what is wrong."""
    unit = UserUnit() if function.checked else Unit()
    try:
        llvm.parse_assembly(unit.module([unit.get(function, args)])).verify()
        return "compiled"
    except KernelError as refusal:
        return (
            "refused"
            if refusal.path and refusal.line and refusal.reason
            else f"refused without a place: {refusal}"
        )
    except Exception:
        return traceback.format_exc()[-600:]


def main(count: int, seed: int) -> None:
    warnings.simplefilter("ignore")  # of Python about odd expressions
    rng, mutations, found, tried = (
        random.Random(seed),
        Mutations(seed),
        {"compiled": 0, "refused": 0},
        0,
    )
    functions = [
        (f, args)
        for f, args in everything()._known
        if f.tree.name == f.py_func.__name__ and not f.py_func.__closure__
    ]
    while tried < count:
        original, args = rng.choice(functions)
        try:
            function = Mutated(original, mutations.of(original.tree), rng.random() < 0.3)
        except (SyntaxError, ValueError):  # Python refuses it
            continue
        if function.py_func.__code__.co_freevars:
            continue
        tried += 1
        became = outcome(function, args)
        found[became] = found.get(became, 0) + 1
    print(json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
