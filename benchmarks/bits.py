"""Do all built-in models give the same bits on processors of one family?

    python benchmarks/bits.py [--until 0.3] [--out bits.json] [--around BLAS ...] [--python OTHER
    ...] [MODEL ...]

Every model is run in processes that stand for different machines: kernels for x86-64-v3 and for
x86-64 (`KINETREE_TARGET`, which needs a built library), BLAS for other processors
(`OPENBLAS_CORETYPE`), NumPy without its wide instructions (`NPY_DISABLE_CPU_FEATURES`), and a C
library that may not use FMA and AVX2 (`GLIBC_TUNABLES`). `--python` adds interpreters with other
versions of Python and NumPy, `--around` chooses some of the rows. It prints which models differ
from the first row of their family. The exit code is the number of models that differ.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys

from numpy._core import _multiarray_umath as numpy_built

FAMILIES = ("x86-64-v3", "x86-64")
AROUND = {  # the machine around the kernels
    "as it is": {},
    "BLAS Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "BLAS Zen": {"OPENBLAS_CORETYPE": "Zen"},
    "BLAS SkylakeX": {"OPENBLAS_CORETYPE": "SkylakeX"},
    "BLAS Prescott": {"OPENBLAS_CORETYPE": "Prescott"},
    "NumPy without AVX": {
        "NPY_DISABLE_CPU_FEATURES": " ".join(
            name for name in numpy_built.__cpu_dispatch__ if numpy_built.__cpu_features__.get(name)
        )
    },
    "libm without FMA": {
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-FMA_Usable"
    },
}
RUN = """
import json, sys, warnings
from hashlib import sha256
import kinetree as kt
from kinetree.models.catalogue import model_entry

warnings.simplefilter("ignore")
for name in sys.argv[2:]:
    entry = model_entry(name)
    result = kt.simulate(entry.build(), min(entry.until, float(sys.argv[1])), progress=False).result
    print(json.dumps([name, result.accepted, sha256(result.y.tobytes()).hexdigest()[:16]]), flush=True)
"""


def run(
    python: str, models: list[str], until: float, environment: dict[str, str]
) -> dict[str, tuple[int, str]]:
    """Steps and the hash of the states of each model."""
    done = subprocess.run(
        [python, "-c", RUN, str(until), *models],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"{environment}: {done.stderr[-2000:]}")
    return {name: (steps, bits) for name, steps, bits in map(json.loads, done.stdout.splitlines())}


def main() -> int:
    from kinetree.models.catalogue import MODELS

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", default=[entry.name for entry in MODELS])
    parser.add_argument("--until", type=float, default=0.3)
    parser.add_argument("--out")
    parser.add_argument(
        "--around", nargs="*", default=[""], help="rows whose name contains one of these words"
    )
    parser.add_argument(
        "--python",
        nargs="*",
        default=[],
        help="other interpreters with the same version of Kinetree",
    )
    asked = parser.parse_args()
    rows = {"as it is": (sys.executable, {})}
    rows |= {
        name: (sys.executable, around)
        for name, around in AROUND.items()
        if any(word in name for word in asked.around)
    }
    rows |= {python: (python, {}) for python in asked.python}
    found: dict[str, dict] = {}
    different: set[str] = set()
    for family in FAMILIES:
        first: dict[str, tuple[int, str]] = {}
        for name, (python, around) in rows.items():
            bits = run(python, asked.models, asked.until, {"KINETREE_TARGET": family, **around})
            first = first or bits
            others = [model for model in asked.models if bits[model] != first[model]]
            different.update(others)
            found[f"{family}, {name}"] = bits
            print(
                f"{family:10}  {name:18}  "
                f"{'differ: ' + ', '.join(others) if others else 'the same'}",
                flush=True,
            )
    if asked.out:
        with open(asked.out, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
    print(
        f"{len(asked.models) - len(different)} of {len(asked.models)} models give the same bits "
        "within each family."
    )
    return len(different)


if __name__ == "__main__":
    raise SystemExit(main())
