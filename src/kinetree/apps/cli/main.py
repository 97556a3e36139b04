"""`kinetree`: the commands and their exit codes.

Exit codes

    0    success
    1    a claim of `papers` does not hold
    2    wrong usage of the command line
    3    ModelError: the model or the request is wrong
    4    SimulationError: a run could not continue
    5    ResultError: a file cannot be read or written
    6    standard output cannot be written (a full device)
    7    AssemblyError, TopologyError: the model cannot be assembled
    8    out of memory
    9    any other error of Kinetree
    70   a defect of Kinetree, with its traceback
    130  interrupted
    141  the reader of the output has closed the pipe
"""

from __future__ import annotations

import gc
import sys
from typing import Annotated

import typer

from ...errors import (
    AssemblyError,
    KinetreeError,
    ModelError,
    ResultError,
    SimulationError,
    TopologyError,
)
from . import (
    calibrate,
    check,
    compare,
    demo,
    derive,
    export,
    listing,
    papers,
    report,
    run,
    schema,
    studio,
    study,
    topology,
    version,
    view,
    warmup,
)
from .streams import close_output, drop_output, use_plain_letters

EXIT_CODES = (
    (AssemblyError, 7),
    (TopologyError, 7),
    (ModelError, 3),
    (SimulationError, 4),
    (ResultError, 5),
    (KinetreeError, 9),
)
NO_OUTPUT, NO_MEMORY, FAULT, INTERRUPTED, NO_READER = 6, 8, 70, 130, 141
EPILOG = (
    "Exit codes: 0 success, 1 a claim does not hold, 2 wrong usage, 3 wrong model or request, 4 a "
    "run that could not continue, 5 a file cannot be read or written, 6 output cannot be written, "
    "7 a model that cannot be assembled, 8 out of memory, 9 another error, 70 a defect of "
    "Kinetree, 130 interrupted, 141 closed pipe."
)

app = typer.Typer(
    name="kinetree",
    help="Multibody dynamics: describe a model, simulate it, look at the results.",
    no_args_is_help=True,
    epilog=EPILOG,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _kinetree(
    version_wanted: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version and exit.",
            is_eager=True,
            callback=version.asked_for,
        ),
    ] = False,
) -> None:
    """Options of every command."""


app.command("demo")(demo.demo)
app.command("list")(listing.list_catalogue)
app.command("check")(check.check)
app.command("topology")(topology.topology)
app.command("run")(run.run)
app.command("view")(view.view)
app.command("studio")(studio.studio)
app.command("compare")(compare.compare)
app.command("study")(study.study)
app.command("calibrate")(calibrate.calibrate)
app.command("derive")(derive.derive)
app.add_typer(export.export)
app.command("schema")(schema.schema)
app.command("papers")(papers.papers)
app.command("report")(report.report)
app.command("warmup")(warmup.warmup)
app.command("version")(version.version)


def main() -> None:
    """Entry point: an error prints one sentence on stderr and has an exit code of its kind."""
    use_plain_letters()
    code = ending()
    # a last garbage collection would take a sixth of a short run
    gc.freeze()
    sys.exit(code)


def ending() -> int:
    """Run the command and return the exit code."""
    try:
        try:
            app()
        except SystemExit as end:  # how typer ends a command
            if isinstance(
                end.__context__, BrokenPipeError
            ):  # of which it makes an exit code of its own
                raise end.__context__ from None
            close_output()
            return end.code if isinstance(end.code, int) else int(end.code is not None)
        close_output()
        return 0
    except KinetreeError as error:
        return _say(f"{type(error).__name__}: {error}", exit_code(error))
    except KeyboardInterrupt:
        return _say("Interrupted.", INTERRUPTED)
    except BrokenPipeError:
        drop_output()
        return NO_READER
    except OSError as error:
        drop_output()
        return _say(f"OSError: the output cannot be written: {error.strerror or error}.", NO_OUTPUT)
    except MemoryError as error:
        return _say(
            f"MemoryError: not enough memory ({error}). Use a longer --output-interval for fewer "
            "samples, or a shorter run.",
            NO_MEMORY,
        )
    except Exception:
        import traceback

        return _say(
            f"{traceback.format_exc()}\nThis is a defect of Kinetree, not of your request; please "
            "report it.",
            FAULT,
        )


def _say(sentence: str, code: int) -> int:
    print(sentence, file=sys.stderr)
    return code


def exit_code(error: KinetreeError) -> int:
    """The exit code of an error."""
    return next(code for kind, code in EXIT_CODES if isinstance(error, kind))


if __name__ == "__main__":
    main()
