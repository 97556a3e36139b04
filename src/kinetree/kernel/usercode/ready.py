"""Functions whose machine code is given as LLVM text, such as calls of another library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


class ReadyFunction:
    """A callable for kernels with its own LLVM text, and words that the code reads.

    Parameters
    ----------
    plain : callable
        The same function in Python, with arrays as arguments; it runs where nothing is compiled.
    text : str or None
        LLVM text with the C function ``user`` (compiled.py), whose first argument is the address of
        the words; None: the function runs as plain Python.
    words : sequence of int
        Whole numbers and addresses.
    keep : Any
        What must live as long as the function.
    """

    def __init__(
        self, plain: Callable[..., None], text: str | None, words: list[int], keep: Any
    ) -> None:
        self.plain, self.text, self.keep = plain, text, keep
        self.words = np.array(words, np.int64)
        self.values = self.words.view(float)

    def __call__(self, t: float, u: Any, x: Any, parameters: Any, xdot: Any, out: Any) -> None:
        self.plain(t, u, x, parameters, xdot, out)
