"""Sample times of a run."""

from __future__ import annotations

import numpy as np

from ..errors import ModelError
from ..kernel.frames import number

DEFAULT_SAMPLES, MOST_SAMPLES = 500, 10_000_000


def sample_times(until: float, interval: float | None, what: str, t0: float = 0.0) -> np.ndarray:
    """Sample times at the given interval, with the end time; by default 500 intervals."""
    if not until > t0:
        raise ModelError(f"{what}: until = {until:g} s must be after the start at t = {t0:g} s.")
    if interval is None:
        return np.linspace(t0, until, DEFAULT_SAMPLES + 1)
    interval, length = number(interval, f"{what}: output_interval", positive=True), until - t0
    if length / interval > MOST_SAMPLES:
        raise ModelError(
            f"{what}: output_interval {interval:g} s over {length:g} s would give "
            f"{length / interval:.2g} samples; at most {MOST_SAMPLES:.0e} are allowed, so choose an "
            f"interval of at least {length / MOST_SAMPLES:.3g} s."
        )
    times = t0 + np.arange(int(np.floor(length / interval * (1 + 1e-12))) + 1) * interval
    times = np.minimum(times, until)  # n (until / n) may round beyond it
    return times if times[-1] > until - 1e-12 * length else np.append(times, until)
