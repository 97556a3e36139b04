"""Elementary functions of kernels: nanoseconds per call, one after the other and each waiting for
the one before.
"""

import math

import numpy as np

from common import arguments, best_of, show
from kinetree.kernel.decorators import kernel

COUNT = 20000
FUNCTIONS = {
    "sin": (-3.0, 3.0),
    "cos": (-3.0, 3.0),
    "tan": (-3.0, 3.0),
    "asin": (-1.0, 1.0),
    "acos": (-1.0, 1.0),
    "atan": (-3.0, 3.0),
    "exp": (-3.0, 3.0),
    "expm1": (-3.0, 3.0),
    "sinh": (-3.0, 3.0),
    "cosh": (-3.0, 3.0),
    "tanh": (-3.0, 3.0),
    "log": (0.1, 3.0),
    "log2": (0.1, 3.0),
    "log10": (0.1, 3.0),
    "log1p": (0.1, 3.0),
    "asinh": (-3.0, 3.0),
    "acosh": (1.0, 3.0),
    "atanh": (-1.0, 1.0),
    "sqrt": (0.1, 3.0),
    "sine and cosine": (-3.0, 3.0),
}


def kernels(f):
    def each(x, out):
        for k in range(x.shape[0]):
            out[k] = f(x[k])

    def chained(x, out):
        s = 0.0
        for k in range(x.shape[0]):
            s = f(x[k] + 0.0 * s)
            out[k] = s

    return kernel(each), kernel(chained)


def both():
    def each(x, out):
        for k in range(x.shape[0]):
            out[k] = math.sin(x[k]) - math.cos(x[k])

    def chained(x, out):
        s = 0.0
        for k in range(x.shape[0]):
            a = x[k] + 0.0 * s
            s = math.sin(a) - math.cos(a)
            out[k] = s

    return kernel(each), kernel(chained)


def row(name: str, repetitions: int) -> dict:
    low, high = FUNCTIONS[name]
    x, out = np.random.default_rng(0).uniform(low, high, COUNT), np.zeros(COUNT)
    each, chained = both() if name == "sine and cosine" else kernels(getattr(math, name))
    seconds = best_of(
        {"ns": lambda: each(x, out), "ns_chained": lambda: chained(x, out)}, repetitions
    )
    return {"function": name, **{key: s / COUNT * 1e9 for key, s in seconds.items()}}


if __name__ == "__main__":
    asked = arguments(__doc__)
    show(
        [row(name, asked.repeat) for name in asked.only or FUNCTIONS],
        asked.json,
        "CPU time per call in a compiled loop.",
    )
