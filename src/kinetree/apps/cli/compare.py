"""`kinetree compare MODEL`: one built-in model by every combination of coordinates, formulation and
integrator.
"""

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
        float | None, typer.Option(help="End time (s); by default the model's own.")
    ] = None,
    coordinates: Annotated[
        str, typer.Option(help="Which coordinates, with commas.")
    ] = "relative,cartesian",
    formulations: Annotated[
        str | None,
        typer.Option(
            help="Which formulations, with commas; by default the exact ones and baumgarte."
        ),
    ] = None,
    integrators: Annotated[str, typer.Option(help="Which integrators, with commas.")] = "adams",
    repeats: Annotated[
        int, typer.Option(min=1, help="Timed runs of each, of which the best counts.")
    ] = 3,
    precision: Annotated[
        bool,
        typer.Option(
            "--precision",
            help="With --out: also several tolerances, and a diagram of work against precision.",
        ),
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Folder for the table, JSON and plots.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace other results in that folder.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON only.")] = False,
    **options: Any,
) -> None:
    """Compare coordinates, formulations and integrators on one model: cost, constraints, energy,
    accuracy.

    Options go to the methods that have them; fixed steps are by default a 5000th of the run.
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
            f"none of the {len(found.rows)} combinations can run; the first: "
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
    """Table, JSON and pictures; answers the files."""
    from ...analysis.comparison.precision import work_precision

    found.to_text(out / "comparison.txt", overwrite=True)
    found.to_json(out / "comparison.json", overwrite=True)
    files = [out / "comparison.txt", out / "comparison.json", *found.plot(out)]
    if precision:
        files.append(work_precision(entry.build(), **asked).plot(out / "work-precision.png"))
    return files
