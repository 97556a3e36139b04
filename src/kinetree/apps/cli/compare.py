"""`kinetree compare MODEL`: a built-in model with every combination of methods."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from .flags import with_options

FILES = ("comparison.txt", "comparison.json", "constraints.png", "steps.png", "work-precision.png")


@with_options
def compare(
    model: Annotated[str, typer.Argument(help="A built-in model; see `kinetree list models`.")],
    until: Annotated[
        float | None, typer.Option(help="End time (s); by default that of the model.")
    ] = None,
    coordinates: Annotated[
        str, typer.Option(help="Coordinates, separated by commas.")
    ] = "relative,cartesian",
    formulations: Annotated[
        str | None,
        typer.Option(
            help="Formulations, separated by commas; by default the exact ones and baumgarte."
        ),
    ] = None,
    integrators: Annotated[str, typer.Option(help="Integrators, separated by commas.")] = "adams",
    repeats: Annotated[
        int, typer.Option(min=1, help="Number of timed runs of each; the fastest counts.")
    ] = 3,
    precision: Annotated[
        bool,
        typer.Option(
            "--precision",
            help="With --out: also run several tolerances and draw a work-precision diagram.",
        ),
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Folder for the table, JSON and plots.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace other results in that folder.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON only.")] = False,
    **options: Any,
) -> None:
    """Compare coordinates, formulations and integrators on one model: cost and accuracy.

    Options are passed to the methods that have them; fixed steps are 1/5000 of the run by default.
    """
    from ...analysis.comparison.compare import compare as run_all
    from ...errors import ModelError
    from ...models.catalogue import model_entry
    from .output import make_folder, refuse_other

    entry = model_entry(model)
    if out is not None and make_folder(out) and not force:
        refuse_other(out, FILES)
    asked: dict[str, Any] = {
        "until": entry.until if until is None else until,
        "coordinates": _names(coordinates),
        "formulations": None if formulations is None else _names(formulations),
        "integrators": _names(integrators),
        "repeats": repeats,
        "progress": False if as_json else None,
    }
    found = run_all(entry.build(), **asked, **options)
    if not found.working:
        raise ModelError(
            f"none of the {len(found.rows)} combinations can run. The first one: "
            f"{found.rows[0].refusal}"
        )
    files = [] if out is None else _write(found, entry, asked, precision, out)
    print(found.to_json() if as_json else found)
    if not as_json:
        for path in files:
            print(f"  {path}")


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _write(found, entry, asked: dict, precision: bool, out: Path) -> list[Path]:
    """Write the table, JSON and plots, and return the files."""
    from ...analysis.comparison.precision import work_precision

    found.to_text(out / "comparison.txt", overwrite=True)
    found.to_json(out / "comparison.json", overwrite=True)
    files = [out / "comparison.txt", out / "comparison.json", *found.plot(out)]
    if precision:
        files.append(work_precision(entry.build(), **asked).plot(out / "work-precision.png"))
    return files
