"""The gallery: every built-in machine with its picture, its figures and a page that plays it; from
the catalogue of models.

cd docs && python -m workshop.gallery           the same without Sphinx
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

FRAMES = 150  # of an animation: enough for the eye, and small
WIDTH = 640  # of a picture, in pixels
MOMENT = 0.4  # of the run, at which the picture is taken


def write(folder: Path) -> None:
    """`machines.txt` for the page, `site/machines/` with pages and pictures; nothing where the
    package has not changed.
    """
    from kinetree.models.catalogue import MODELS

    site, text, stamp = (
        folder / "site" / "machines",
        folder / "machines.txt",
        folder / "machines.stamp",
    )
    site.mkdir(parents=True, exist_ok=True)
    now = _fingerprint()
    if text.exists() and stamp.exists() and stamp.read_text() == now:
        return
    text.write_text(
        "\n".join(card(entry, *_run(entry, site)) for entry in MODELS), encoding="utf-8"
    )
    stamp.write_text(now)


def _fingerprint() -> str:
    """Of all that pictures and pages depend on."""
    import kinetree

    package = Path(kinetree.__file__).parent
    files = sorted(p for p in package.rglob("*") if p.suffix in (".py", ".js", ".css", ".html"))
    return hashlib.sha256(b"".join(p.read_bytes() for p in (*files, Path(__file__)))).hexdigest()


def _run(entry, site: Path):
    """Run a machine; its page and its picture go to the site."""
    import matplotlib.pyplot as plt

    import kinetree as kt

    model = entry.build()
    sol = kt.simulate(model, entry.until, progress=False)
    sol.animate(site / f"{entry.name}.html", frames=FRAMES)
    sol.picture(site / f"{entry.name}.png", t=MOMENT * entry.until)
    plt.close("all")
    _shrink(site / f"{entry.name}.png")
    return model, sol


def _shrink(picture: Path) -> None:
    from PIL import Image

    image = Image.open(picture).convert("RGB")
    small = image.resize(
        (WIDTH, round(image.height * WIDTH / image.width)), Image.Resampling.LANCZOS
    )
    small.quantize(96, dither=Image.Dither.NONE).save(picture, optimize=True)


def card(entry, model, sol) -> str:
    """One machine on the page."""
    (summary, sources), page = _apart(entry.summary), f"machines/{entry.name}.html"
    lines = [
        f"## {entry.name}",
        "",
        '<div class="machine">',
        "",
        f'<a href="{page}"><img src="machines/{entry.name}.png" alt="{entry.name}" loading="lazy"></a>',
        "",
        f"{summary[0].upper()}{summary[1:]}.",
        "",
        f"- {figures(model)}",
        f"- Source: {sources}",
        f"- Runs {entry.until:g} s here, in {sol.statistics['accepted']} steps of "
        f"`{sol.result.method}`.",
        f'- <a href="{page}">Watch it move</a>, or `kinetree run {entry.name} --animate`',
        "",
        "</div>",
        "",
    ]
    return "\n".join(lines)


def _apart(summary: str) -> tuple[str, str]:
    """The sentence, and its sources in brackets."""
    keys = re.search(r"\s*\[([^\]]*)\]", summary)
    return summary.replace(keys[0], "") if keys else summary, keys[
        1
    ] if keys else "a classic, with numbers of our own"


def figures(model) -> str:
    """Degrees of freedom, loops and bodies in words; what bends has more freedoms than its joints."""
    report, beams = model.topology(), [b for b in model.bodies.values() if hasattr(b, "nodes")]
    freedoms = (
        _count(report.mobility, "degree", "s")
        + " of freedom"
        + (" between its joints" if beams else "")
    )
    bent = (
        f", and beams of {sum(len(b.nodes) - 1 for b in beams)} elements that bend" if beams else ""
    )
    spare = sum(n for _, n in report.redundant)
    loops = _count(len(report.loops), "loop", "s") + (
        f" with {_count(spare, 'redundant equation', 's')}" if spare else ""
    )
    kind = ", equations derived as symbols" if model.generated is not None else ""
    return f"{freedoms}{bent}; {loops}; {_count(len(model.bodies), 'bod', 'ies', 'y')}{kind}"


def _count(n: int, word: str, many: str, one: str = "") -> str:
    return f"{n or 'no'} {word}{one if n == 1 else many}"


if __name__ == "__main__":
    write(Path(__file__).resolve().parents[1] / "_generated")
