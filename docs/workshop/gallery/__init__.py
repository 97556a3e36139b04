"""The gallery: a grid of all built-in models and examples, and a page for each of them.

    things.py    what is shown: the models of the catalogue and the scripts in `examples/`
    examples.py  titles and tags of the examples
    film.py      moving pictures
    live.py      pages that compute a model
    results.py   runs a thing: its animation, its pictures, and the facts on its page
    checks.py    numbers with which models were checked
    scripts.py   the code on a page, and the notebook
    pages.py     the grid and the pages

cd docs && python -m workshop.gallery FOLDER           the same without Sphinx
"""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from .pages import grid, page
from .results import result
from .scripts import notebook
from .things import Thing, things

PROCESSES = 2


def write(folder: Path) -> None:
    """Write `gallery.txt` with the grid, `gallery/` with the pages, and `site/` with pictures,
    animations and notebooks. Nothing is computed again if package, examples and this folder have
    not changed.
    """
    site = folder / "site"
    shown = things()
    facts = _facts(folder, site, shown)
    _keep(folder / "gallery.txt", grid(shown))
    for thing in shown:
        _keep(folder / "gallery" / f"{thing.name}.md", page(thing, facts[thing.name]))
        _keep(site / "notebooks" / "gallery" / f"{thing.name}.ipynb", json.dumps(notebook(thing)))


def _facts(folder: Path, site: Path, shown: list[Thing]) -> dict[str, dict]:
    """Return the results of all models and examples by name; stored ones if no file changed."""
    stored, now = folder / "gallery.json", _fingerprint(shown)
    if stored.exists():
        last = json.loads(stored.read_text(encoding="utf-8"))
        if last["fingerprint"] == now:
            return last["facts"]
    machines = site / "machines"
    machines.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(PROCESSES) as pool:
        found = pool.map(result, [thing.name for thing in shown], [machines] * len(shown))
        facts = {thing.name: facts for thing, facts in zip(shown, found)}
    stored.write_text(json.dumps({"fingerprint": now, "facts": facts}), encoding="utf-8")
    return facts


def _fingerprint(shown: list[Thing]) -> str:
    """Hash of all files on which pictures, animations and facts depend."""
    import kinetree

    package = Path(kinetree.__file__).parent
    files = sorted(p for p in package.rglob("*") if p.suffix in (".py", ".js", ".css", ".html"))
    files += sorted(Path(__file__).parent.glob("*.py")) + [thing.path for thing in shown]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def _keep(path: Path, text: str) -> None:
    """Write a file unless it has this text already, so that Sphinx does not read it again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
