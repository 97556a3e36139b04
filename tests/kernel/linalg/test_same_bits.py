"""The same bits, whatever kernels BLAS and NumPy choose for the processor."""

import os
import subprocess
import sys

import numpy as np
import pytest
from numpy._core import _multiarray_umath as built

import kinetree as kt
from kinetree.kernel import linalg as algebra
from kinetree.models.catalogue import model_entry

from .matrices import KINDS, NAMES, SHAPES

MODELS = (
    "four-bar",
    "excavator",
    "car",
    "ralf-rigid",
    "flexible-slider-crank",
)  # BLAS changed the starts of these
HASHES = """
from hashlib import sha256
from tests.kernel.linalg.test_same_bits import MODELS, decomposed, simulated
for result in (decomposed(), *map(simulated, MODELS)):
    print(sha256(result).hexdigest())
"""


def decomposed() -> bytes:
    """All decompositions of matrices that are made without BLAS, as bytes."""
    found = []
    for name, kind in zip(NAMES, KINDS):
        for m, n in SHAPES if "deficient" not in name else ():
            A, k = kind(m, n), min(m, n)
            found += [
                *algebra.svd(A),
                *algebra.qr(A),
                *algebra.pivoted_qr(A),
                algebra.pinv(A, 1e-9),
                algebra.singular_values(A),
                *algebra.eigh(A[:k, :k] + A[:k, :k].T),
                algebra.lstsq(A, np.arange(m)),
                algebra.product(A, np.ones(n)),
            ]
    return b"".join(np.ascontiguousarray(x).tobytes() for x in found)


def simulated(name: str) -> bytes:
    """The states of a short run of a built-in model."""
    return kt.simulate(model_entry(name).build(), 0.01, progress=False).result.y.tobytes()


def hashes(**environment: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", HASHES],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture(scope="module")
def here() -> list[str]:
    return hashes()


@pytest.mark.parametrize("core", ["Prescott", "Haswell", "SkylakeX"])
def test_results_do_not_depend_on_the_kernels_of_blas(core, here):
    assert hashes(OPENBLAS_CORETYPE=core) == here


def test_results_do_not_depend_on_the_vector_instructions_of_numpy(here):
    chosen = " ".join(name for name in built.__cpu_dispatch__ if built.__cpu_features__.get(name))
    assert hashes(NPY_DISABLE_CPU_FEATURES=chosen) == here
