"""The page that computes: the scene, the viewer, the engine, and the data of the model as text."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from ...viewer.labels import Scene
from ...viewer.pack import as_json
from ...viewer.page import MODULES, WEB, document, joined
from .channels import constant_channels
from .machine import Machine
from .outlines import outlines

OWN = Path(__file__).parent / "web"
_MODULES = ("engine", "live", "desk")  # after those of the viewer, without its entry point


def page_data(machine: Machine, channels: Any, **more: Any) -> dict[str, Any]:
    """All that the script of the page reads about the machine."""
    return {**machine.data(), "channels": constant_channels(machine, channels), **more}


def playground_page(machine: Machine, scene: Scene, channels: Any, **more: Any) -> str:
    """The text of the page; `more` is data for its script."""
    script, style, body = parts()
    found = as_json(scene) | {"bodies": _bodies(machine), "outlines": outlines(machine.sliders)}
    data = {"scene": found, "machine": page_data(machine, channels, **more)}
    return document(scene.title, script, style, body, data, code=True)


@cache
def parts() -> tuple[str, str, str]:
    """Script, style and body."""
    paths = [WEB / f"{name}.js" for name in MODULES if name != "main"]
    script = joined([*paths, *(OWN / f"{name}.js" for name in _MODULES)])
    style = "".join(path.read_text("utf-8") for path in (WEB / "page.css", OWN / "machine.css"))
    return script, style, (OWN / "machine.html").read_text("utf-8")


def _bodies(machine: Machine) -> list[int]:
    """The body of the kernels for each frame of the scene."""
    compiled = machine.compiled
    return [compiled.bodies.index(name) for name in compiled.model.bodies]
