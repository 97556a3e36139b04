"""A scene as one HTML file: joined modules, data as inert JSON, and a policy that allows only this
script and style.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from ..core.atomic_write import write
from ..core.checks import a_path
from ..errors import ModelError, ResultError
from .labels import Scene
from .pack import as_json

WEB = Path(__file__).parent / "web"
# each uses only those before it
MODULES = (
    "math",
    "meshes",
    "shaders",
    "gl",
    "camera",
    "scene",
    "items",
    "render",
    "chart",
    "panel",
    "player",
    "controls",
    "main",
)
_IMPORT = re.compile(r"^import .*?;\n", re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export ", re.MULTILINE)
# indentation, comment lines, empty lines
_SPARE = re.compile(r"^ +(//[^\n]*\n)?|^//[^\n]*\n|\n(?=\n)", re.MULTILINE)
_HEIGHT = 560  # pixels in a notebook


class Page:
    """A page that opens in any browser: shown in a notebook as it is; `path` is where it was
    written, if it was.
    """

    def __init__(self, scene: Scene, text: str | None = None) -> None:
        self.title, self.text = scene.title, page(scene) if text is None else text
        self.path: Path | None = None

    def save(self, path: str | os.PathLike) -> Page:
        """Write the page, in place of an older one."""
        path = page_path(path)
        write(path, self.text, overwrite=True)
        self.path = path
        return self

    def __fspath__(self) -> str:
        if self.path is None:
            raise ResultError("this page was not written to a file; call its save(path) first.")
        return os.fspath(self.path)

    def __str__(self) -> str:
        return repr(self) if self.path is None else os.fspath(self.path)

    def _repr_html_(self) -> str:
        """In a frame of its own that may run the page's script and nothing else."""
        return (
            f'<iframe srcdoc="{html.escape(self.text)}" sandbox="allow-scripts" title="{html.escape(self.title)}" '
            f'style="width:100%;height:{_HEIGHT}px;border:0"></iframe>'
        )

    def __repr__(self) -> str:
        where = f", written to {os.fspath(self.path)!r}" if self.path else ""
        return f"<page of {self.title!r}, {len(self.text) / 1000:.0f} kB{where}>"


def page_path(path: str | os.PathLike) -> Path:
    """Check the path of a page, which ends in .html or .htm or has no suffix."""
    found = a_path(path, 'path of a page, like "run.html",')
    if found.suffix.lower() not in ("", ".html", ".htm"):
        film = (
            " sol.film(path) writes .gif, .webp and .mp4."
            if found.suffix.lower() in (".gif", ".webp", ".mp4")
            else ""
        )
        raise ModelError(f"a page is HTML, and its name {found.name!r} must end in .html.{film}")
    return found


def page(scene: Scene) -> str:
    """The text of the page."""
    return document(scene.title, *parts(), {"scene": as_json(scene)})


def document(
    title: str,
    script: str,
    style: str,
    body: str,
    data: dict[str, Any],
    code: bool = False,
    more: str = "",
) -> str:
    """A page with this script, style and body; `data` by id.

    code    whether the script may compile WebAssembly, which the page contains as data
    more    further lines of the content security policy
    """
    allowed = f"'{_digest(script)}'" + " 'wasm-unsafe-eval'" * code
    policy = (
        f"default-src 'none'; script-src {allowed}; style-src '{_digest(style)}'; "
        f"base-uri 'none'; form-action 'none'{'; ' * bool(more)}{more}"
    )
    blocks = "".join(
        f'<script type="application/json" id="{name}">{inert(one)}</script>\n'
        for name, one in data.items()
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{html.escape(title)}</title>\n<style>{style}</style></head>\n<body>\n{body}\n"
        f'{blocks}<script type="module">{script}</script>\n</body></html>\n'
    )


@cache
def parts() -> tuple[str, str, str]:
    """Script, style and body."""
    script = joined(WEB / f"{name}.js" for name in MODULES)
    return script, (WEB / "page.css").read_text("utf-8"), (WEB / "page.html").read_text("utf-8")


def joined(paths: Iterable[Path]) -> str:
    """Modules in order as one script, without import, export, indentation and comments."""
    texts = [path.read_text("utf-8") for path in paths]
    return "".join(_SPARE.sub("", _EXPORT.sub("", _IMPORT.sub("", text))) for text in texts)


def inert(data: dict) -> str:
    """JSON in which no tag, comment or entity can begin; numbers that are not finite are
    refused.
    """
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode(
        "ascii"
    )
