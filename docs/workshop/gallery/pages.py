"""The grid of the gallery, and the page of each model and example."""

from __future__ import annotations

from html import escape

from .film import HEIGHT, WIDTH
from .live import LIVE, place
from .scripts import shown_code
from .things import Thing, said_checks, tags

# pages about a tag, relative to a page of the gallery
ABOUT = {
    "open chain": ("theory: a chain of bodies", "../../theory/4-chain.md"),
    "closed loop": ("theory: the four-bar linkage", "../../theory/5-four-bar.md"),
    "spatial": ("theory: joints", "../../theory/2-joint.md"),
    "redundant": ("theory: redundant equations of a loop", "../../theory/5-four-bar.md"),
    "driven": ("motions and starts", "../../recipes/starts.md"),
    "stiff": ("theory: integrators", "../../theory/8-integrators.md"),
    "flexible": ("beams", "../../beams.md"),
    "hydraulics": ("hydraulics", "../../hydraulics.md"),
    "vehicle": ("vehicles", "../../vehicles.md"),
    "robot": ("flexible arms", "../../flexible-arms.md"),
    "benchmark": ("validation", "../../evidence/validation.md"),
    "paper": ("theory: the five papers", "../../theory/papers.md"),
    "event": ("events", "../../recipes/events.md"),
    "contact": ("rigid contact", "../../recipes/rigid-contact.md"),
    "user code": ("user code", "../../recipes/user-code.md"),
    "gear": ("joints and drives", "../../joints-and-drives.md"),
    "study": ("parameter studies", "../../recipes/studies.md"),
}


# shown before the others
FIRST = ("excavator", "car", "ralf", "tracked-vehicle", "12-double-wishbone-car", "andrews")


def grid(shown: list[Thing]) -> str:
    """Return the grid with one card each, a bar of tags that filters it, the lists by tag, and the
    table of contents.
    """
    used = [tag for tag in tags() if any(tag in thing.tags for thing in shown)]
    ordered = sorted(shown, key=lambda t: FIRST.index(t.name) if t.name in FIRST else len(FIRST))
    return "\n\n".join(
        [
            f'<p class="tag-bar">{"".join(_tag(tag) for tag in used)}</p>',
            '<div class="gallery">\n' + "\n".join(map(_card, ordered)) + "\n</div>",
            '<script src="_static/gallery.js"></script>',
            "## By tag",
            '<ul class="by-tag">\n' + "\n".join(_listed(tag, shown) for tag in used) + "\n</ul>",
            _contents(shown),
        ]
    )


def page(thing: Thing, facts: dict) -> str:
    """Return the page of a model or example."""
    parts = [
        f"# {thing.title}",
        thing.text,
        '<p class="tags">'
        + "".join(_tag(tag, "../../gallery.html") for tag in thing.tags)
        + "</p>",
        _watch(thing),
        *(_model_parts(thing, facts) if thing.is_model else _example_parts(thing, facts)),
        "## See also",
        _see_also(thing, facts),
    ]
    return "\n\n".join(parts) + "\n"


def _model_parts(thing: Thing, facts: dict) -> list[str]:
    rows = ["| quantity | reference | Kinetree | source of the reference |", "|---|---|---|---|"]
    rows += ["| " + " | ".join(cells) + " |" for cells in facts["checks"]]
    source = "".join(f" Source: {key}." for key in [_keys(thing.source)] if key)
    return [
        "## Equations",
        f"{facts['model'].capitalize()}.{source} The run of {thing.until:g} s takes "
        f"{facts['steps']} steps of `{facts['method']}`.",
        f"```text\n{facts['topology'].rstrip()}\n```",
        "## Checked numbers",
        "Kinetree's values are computed when these pages are built; the test suite compares them "
        "with the reference.",
        "\n".join(rows),
        "## Code",
        f"This is `kinetree.models.{thing.path.stem}`. Import the function `{thing.build.__name__}` "
        "from it, or copy the code.",
        f"```python\n{shown_code(thing)}```",
    ]


def _example_parts(thing: Thing, facts: dict) -> list[str]:
    counted = [f"The model has {facts['model']}."] if facts["model"] else []
    stated = "\n".join(f"- {text}" for text in said_checks(thing.path.read_text(encoding="utf-8")))
    return [
        *counted,
        "## Checked numbers",
        f"The script ends with these checks; the test suite runs it.\n\n{stated}",
        "## Code",
        f"This is `examples/{thing.path.name}`.",
        f"```python\n{shown_code(thing)}```",
        "It prints:",
        f"```text\n{facts['printed'].rstrip()}\n```",
    ]


def _watch(thing: Thing) -> str:
    """The moving picture and the links to animation, notebook and command."""
    up = "../../"
    film = f"{up}machines/{thing.film}.html"
    links = [f'<a href="{film}">Play and rotate the animation</a>'] if thing.film else []
    if thing.name in LIVE:
        links.append(f'<a href="{up}machines/{place(thing)}">Compute it in the browser</a>')
    links.append(
        f'<a href="{up}notebooks/gallery/{thing.name}.ipynb" download>Download the notebook</a>'
    )
    if thing.is_model:
        links.append(f"<code>kinetree run {thing.name} --animate</code>")
    picture = _picture(thing, up)
    shown = f'<a class="film" href="{film}">{picture}</a>' if thing.film else picture
    return f'<div class="watch">\n{shown}\n<p>{" · ".join(links)}</p>\n</div>'


def _see_also(thing: Thing, facts: dict) -> str:
    about = {place: name for name, place in (ABOUT[tag] for tag in thing.tags)}
    lines = [f"- [{name[0].upper()}{name[1:]}]({place})" for place, name in about.items()]
    if names := facts.get("elements"):
        kinds = ", ".join(f"`kt.{name}`" for name in names)
        lines.append(f"- [Reference](../reference/index.md): {kinds}")
    lines.append("- [Gallery](../../gallery.md) and [glossary](../../glossary.md)")
    return "\n".join(lines)


def _keys(source: str) -> str:
    """Keys of the literature in brackets."""
    return ", ".join(f"[{key}]" for key in source.split(", ") if key)


def _card(thing: Thing) -> str:
    return (
        f'<div class="card" data-tags="{escape(",".join(thing.tags))}">'
        f'<a href="{_place(thing)}">{_picture(thing)}<span class="title">{escape(thing.title)}</span></a>'
        f'<span class="tags">{"".join(_tag(tag) for tag in thing.tags)}</span></div>'
    )


def _picture(thing: Thing, up: str = "") -> str:
    """The moving picture, and the still one for readers who prefer it."""
    still = (
        f'<img src="{up}machines/{thing.film or thing.name}.png" alt="{escape(thing.title)}" '
        f'loading="lazy" width="{WIDTH}" height="{HEIGHT}">'
    )
    if not thing.film:
        return still
    moving = f'srcset="{up}machines/{thing.film}.webp" type="image/webp"'
    return f'<picture><source media="(prefers-reduced-motion: no-preference)" {moving}>{still}</picture>'


def _tag(tag: str, page: str = "") -> str:
    return f'<a class="tag" href="{page}#{anchor(tag)}">{tag}</a> '


def anchor(tag: str) -> str:
    """The anchor of a tag on the page of the gallery."""
    return tag.replace(" ", "-")


def _listed(tag: str, shown: list[Thing]) -> str:
    links = ", ".join(
        f'<a href="{_place(thing)}">{escape(thing.title)}</a>'
        for thing in shown
        if tag in thing.tags
    )
    return f'<li id="{anchor(tag)}"><b>{tag}</b>: {links}</li>'


def _contents(shown: list[Thing]) -> str:
    lines = "\n".join(f"_generated/gallery/{thing.name}" for thing in shown)
    return f"```{{toctree}}\n:hidden:\n\n{lines}\n```\n"


def _place(thing: Thing) -> str:
    """The page of a thing, seen from the gallery."""
    return f"_generated/gallery/{thing.name}.html"
