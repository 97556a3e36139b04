"""What models and solutions ask of rooms above their own, each imported when it is asked: the only calls that go up."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def _of(room: str, name: str) -> Callable[..., Any]:
    """A function of a room above."""

    def ask(*given, **options):
        return getattr(import_module(f".{room}", __package__), name)(*given, **options)

    return ask


save_model = _of("files.opening", "save")
topology_report = _of("analysis.topology", "topology_report")
show_model = _of("viewer.show", "show")
draw_model = _of("viewer.picture", "draw")
animate = _of("viewer.show", "animate")
picture = _of("viewer.picture", "picture")
film = _of("viewer.film", "film")
model_of_arm = _of("symbolic.skeleton", "skeleton")
equations_of_arm = _of("symbolic.planar", "derive")
