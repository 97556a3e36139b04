"""Main program of a worker process of `processes.py`."""

from __future__ import annotations

import os
import sys

from .contract import compute_packed
from .processes import receive, send


def main() -> None:
    """Compute parts until the input ends. What the user's functions print goes to the error
    stream.
    """
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    inside = sys.stdin.buffer
    key, job = receive(inside)
    while True:
        try:
            part = receive(inside)
        except EOFError:
            return
        try:
            send(out, compute_packed(key, job, part))
        except Exception as error:  # the client reports it
            send(out, RuntimeError(f"{type(error).__name__}: {error}"))
