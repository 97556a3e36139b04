"""`kinetree calibrate MODEL`: the stiffness above which BDF is cheaper than Adams."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def calibrate(
    model: Annotated[str, typer.Argument(help="A built-in model; see `kinetree list models`.")],
    until: Annotated[
        float | None, typer.Option(help="End time (s); by default that of the model.")
    ] = None,
    rtol: Annotated[float, typer.Option(help="Relative tolerance per step.")] = 1e-6,
    intervals: Annotated[int, typer.Option(help="Number of intervals to compare.")] = 50,
    out: Annotated[
        Path | None, typer.Option(help="File for the plot of costs and L over time.")
    ] = None,
) -> None:
    """Find the threshold of the integrator "switching" for a built-in model."""
    from ...analysis.calibrate import calibrate as compare_costs
    from ...models.catalogue import model_entry

    entry = model_entry(model)
    found = compare_costs(
        entry.build(), entry.until if until is None else until, rtol=rtol, intervals=intervals
    )
    print(found)
    if out is not None:
        found.plot(out)
        print(f"  {out}")
