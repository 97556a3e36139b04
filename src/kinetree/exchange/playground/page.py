"""The page that computes: the scene, the viewer, the engine, and the data of the model as text."""

from __future__ import annotations

import base64
import zlib
from functools import cache
from pathlib import Path
from typing import Any

from ...kernel.tables.status import Status
from ...viewer.labels import Scene
from ...viewer.pack import as_json
from ...viewer.page import MODULES, WEB, document, joined
from .channels import channels_of
from .machine import Machine
from .outlines import outlines

OWN = Path(__file__).parent / "web"
_MODULES = ("engine", "live", "desk")  # after those of the viewer, without its entry point
SENTENCES = {
    Status.NOT_FINITE: "a force or an acceleration is not finite.",
    Status.SINGULAR_MASS: "a body without mass is free to move.",
    Status.SINGULAR_CONSTRAINTS: "the constraints became dependent on each other.",
    Status.NO_CLOSURE: "its loops do not close.",
    Status.STEP_TOO_SMALL: "the steps became too short, because the motion is stiff or jumps.",
    Status.TOO_MUCH_ACCURACY: "the tolerance is below what rounding allows.",
    Status.CHANGE_POINT: "it is at a position where the motion can continue in two ways.",
    Status.POSITION_JUMP: "a driver prescribes a position that jumps.",
    Status.RATE_JUMP: "a driver prescribes a speed that jumps.",
    Status.MOVED: "its loops close far from where the steps lead.",
}


def page_data(machine: Machine, channels: Any, still: bool = False) -> dict[str, Any]:
    """All that the script of the page reads, with the module and the arena as text."""
    linked = machine.linked()
    return {
        **machine.data,
        "code": _packed(linked.code),
        "arena": _packed(machine.arena.content()),
        "free": linked.free,
        "channels": channels_of(machine.compiled, channels),
        "statuses": {
            "-1": "it is too slow to follow: the motion is stiff. Use integrator='switching'.",
            **{str(int(status)): text for status, text in SENTENCES.items()},
        },
        "still": still,
    }


def playground_page(machine: Machine, scene: Scene, channels: Any, still: bool) -> str:
    """The text of the page."""
    script, style, body = parts()
    found = as_json(scene) | {"bodies": _bodies(machine), "outlines": outlines(machine.sliders)}
    data = {"scene": found, "machine": page_data(machine, channels, still)}
    return document(scene.title, script, style, body, data, code=True)


@cache
def parts() -> tuple[str, str, str]:
    """Script, style and body."""
    paths = [WEB / f"{name}.js" for name in MODULES if name != "main"]
    script = joined([*paths, *(OWN / f"{name}.js" for name in _MODULES)])
    style = "".join(path.read_text("utf-8") for path in (WEB / "page.css", OWN / "machine.css"))
    return script, style, (OWN / "machine.html").read_text("utf-8")


def _packed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")


def _bodies(machine: Machine) -> list[int]:
    """The body of the kernels for each frame of the scene."""
    compiled = machine.compiled
    return [compiled.bodies.index(name) for name in compiled.model.bodies]
