"""Mean and standard deviation of an output over the number of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.figures import new
from ...results.figure import COLOURS, as_label
from ..result import one_output
from .data import finite

if TYPE_CHECKING:
    from ..result import StudyResult


def figure(table: StudyResult, output: str | None = None) -> Any:
    """The mean with its 95 % confidence band, and the standard deviation."""
    name = one_output(table, output)
    y = finite(table, (name,), 3, "convergence").values[:, 0]
    n = np.arange(1, len(y) + 1)
    mean = np.cumsum(y) / n
    apart = np.cumsum((y - y.mean()) ** 2) - n * (mean - y.mean()) ** 2
    sd = np.sqrt(np.maximum(apart, 0.0) / np.maximum(n - 1, 1))
    band = 1.96 * sd / np.sqrt(n)
    drawn = new(figsize=(7.0, 5.0), layout="constrained")
    first, second = drawn.subplots(2, 1, sharex=True)
    said = "95 % if the cases are independent"
    low, high = (mean - band)[1:], (mean + band)[1:]
    first.fill_between(n[1:], low, high, color=COLOURS[0], alpha=0.2, label=said)
    first.plot(n[1:], mean[1:], color=COLOURS[0], label="mean")
    first.legend(fontsize="small")
    first.set_ylabel(f"mean of {as_label(name)}")
    second.plot(n[1:], sd[1:], color=COLOURS[1])
    second.set_ylabel("standard deviation")
    second.set_xlabel("number of cases")
    for axis in (first, second):
        axis.grid(alpha=0.3)
    return drawn
