"""`kinetree studio FILE`: a page in the browser beside a model file that is being written."""

from __future__ import annotations

from typing import Annotated

import typer

from .models import AllowPython


def studio(
    file: Annotated[
        str,
        typer.Argument(
            help="Model file (.yaml), or Python file with a function make that returns the model."
        ),
    ],
    until: Annotated[float, typer.Option(help="End time of the runs (s).")] = 5.0,
    port: Annotated[int, typer.Option(help="Port of the page; by default a free one.")] = 0,
    opened: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in the browser.")
    ] = True,
    allow_python: AllowPython = False,
) -> None:
    """Show a model in the browser and simulate it again whenever its file is saved."""
    import webbrowser

    from ...core.checks import number
    from ...errors import ModelError
    from ..studio.server import Server
    from ..studio.session import Session
    from ..studio.source import studio_file

    session = Session(studio_file(file), number(until, "--until", positive=True), allow_python)
    try:
        server = Server(session, port)
    except (OSError, OverflowError) as reason:
        raise ModelError(
            f"studio: the port {port} cannot be used ({reason}). Omit --port for a free one."
        ) from None
    print(server.address, flush=True)
    print("Press Ctrl-C to end.", flush=True)
    if opened:
        webbrowser.open(server.address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print("The studio has ended.")
    finally:
        server.server_close()
