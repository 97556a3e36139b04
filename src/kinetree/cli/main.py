"""`kinetree`: the commands, and how errors end them.

Exit codes: 0 done, 1 a claim of `papers` does not hold, 2 wrong usage, 3 ModelError, 4 SimulationError, 5 ResultError.
"""

from __future__ import annotations

import sys

import typer

from ..errors import KinetreeError, ModelError, ResultError, SimulationError
from . import calibrate, compare, demo, listing, papers, run, topology, version, view

EXIT_CODES = ((ModelError, 3), (SimulationError, 4), (ResultError, 5))

app = typer.Typer(
    name="kinetree", help="The dynamics of machines: describe, simulate, look.", no_args_is_help=True,
    add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]})
app.command("demo")(demo.demo)
app.command("list")(listing.list_catalogue)
app.command("topology")(topology.topology)
app.command("run")(run.run)
app.command("view")(view.view)
app.command("compare")(compare.compare)
app.command("calibrate")(calibrate.calibrate)
app.command("papers")(papers.papers)
app.command("version")(version.version)


def main() -> None:
    """Entry point: a Kinetree error is one sentence on stderr and an exit code, never a traceback."""
    try:
        app()
    except KinetreeError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(exit_code(error))
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        sys.exit(130)


def exit_code(error: KinetreeError) -> int:
    """The exit code of an error."""
    return next((code for kind, code in EXIT_CODES if isinstance(error, kind)), 1)


if __name__ == "__main__":
    main()
