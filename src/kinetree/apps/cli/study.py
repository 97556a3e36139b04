"""`kinetree study FILE`: run the study of a file, print its table and write a page with plots."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def study(
    file: Annotated[Path, typer.Argument(help="The file of the study (YAML).")],
    engine: Annotated[
        str | None,
        typer.Option(help="threads, processes, dask, or the address of a Dask scheduler."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Number of threads or processes; by default of processors.")
    ] = None,
    store: Annotated[
        Path | None, typer.Option(help="Folder for the results; only missing cases are run.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Page (.html); by default beside the file.")
    ] = None,
    table: Annotated[Path | None, typer.Option(help="File (.csv, .nc) for the table.")] = None,
    plots: Annotated[
        Path | None, typer.Option(help="Folder for all plots as pictures (.png).")
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Start a study that takes more than a day.")
    ] = False,
    allow_python: Annotated[
        bool, typer.Option("--allow-python", help="Let files run the Python functions they name.")
    ] = False,
    progress: Annotated[
        bool | None,
        typer.Option(help="Whether to show rate and time left; by default on a terminal."),
    ] = None,
) -> None:
    """Run the study of a file."""
    from ...errors import ModelError
    from ...studies.files import study_of_file
    from ...studies.plots.catalogue import PLOTS

    found = study_of_file(file, allow_python)
    result = found.study.run(
        engine or found.engine,
        workers=workers or found.workers,
        store=store or found.store,
        progress=progress,
        yes=yes,
    )
    print(result)
    page = out or file.with_suffix(".html")
    result.report(page)
    print(f"  {page}")
    if table is not None:
        result.save(table, overwrite=True)
        print(f"  {table}")
    if plots is not None:
        plots.mkdir(parents=True, exist_ok=True)
        for kind in PLOTS:
            try:
                result.plot(kind, plots / f"{kind}.png")
            except ModelError as error:
                print(f"  {kind}: {error}")
            else:
                print(f"  {plots / f'{kind}.png'}")
    if result.interrupted:
        raise KeyboardInterrupt
