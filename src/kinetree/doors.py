"""What models and solutions ask of rooms above their own, each imported when it is asked: the only
calls that go up.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any


def _of(room: str, name: str) -> Callable[..., Any]:
    """A function of a room above."""
    return partial(_ask, room, name)


def _ask(room: str, name: str, *given, **options):
    return getattr(import_module(f".{room}", __package__), name)(*given, **options)


save_model = _of("files.opening", "save")
topology_report = _of("analysis.topology", "topology_report")
show_model = _of("viewer.show", "show")
draw_model = _of("viewer.picture", "draw")
animate = _of("viewer.show", "animate")
picture = _of("viewer.picture", "picture")
film = _of("viewer.film", "film")
model_of_arm = _of("symbolic.skeleton", "skeleton")
equations_of_arm = _of("symbolic.planar", "derive")
compiled_again = _of("assembly.again", "compiled_again")
solution_of_bytes = _of("reopening", "solution_of_bytes")
repeated = _of("repeating", "repeated")
