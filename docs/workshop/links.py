"""Links of the built pages: names of the interface to their entries, citations to the literature.

A page declares an entry right below its heading, by which the name is also found in the general
index and by the search:

    ```{api} kt.Revolute class
    ```

In every page, `kt.Revolute` in prose and in code becomes a link, and so do [Lee1994], the methods
`model.joint` and `sol.plot`, and names such as `EnergyLedger` that stand alone between backticks.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

from . import literature

LITERATURE = "_generated/reference/literature"
TOOLBOX = "kinetree.models.vehicles"
CALLED = {  # variables by which the pages call objects of these classes
    **dict.fromkeys(("m", "model"), "kt.Model"),
    **dict.fromkeys(("sol", "solution"), "kt.Solution"),
    "body": "kt.Body",
    "arm": "kt.Arm",
}
UNLINKED = {"a", "h1", "h2", "h3", "h4", "h5", "h6", "script", "style", "svg", "button"}
TAG = re.compile(r"(<[^>]*>)")
NAME = re.compile(rf"\b(?:kt|{re.escape(TOOLBOX)})(?:\.\w+)+")
ALONE = re.compile(r"^[\w.-]+(?=\(|$)")
PART = r'<span class="n\w?">(\w+)</span>'
CODE = re.compile(rf'<span class="n">kt</span>(?:<span class="o">\.</span>{PART})+')

Find = Callable[[str], str | None]  # the address of a name


class Api(SphinxDirective):
    """Declare the section around it as the entry of a name."""

    required_arguments = 1
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        name, kind = self.arguments[0], (self.arguments[1:] or ["class"])[0]
        self.env.get_domain("py").note_object(name, kind, name, location=self.get_location())
        index = addnodes.index(entries=[("single", name, name, "", None)])
        return [index, nodes.target("", "", ids=[name], api=True)]


def move_targets(app, doctree: nodes.document) -> None:
    """Give sections the names that are declared in them as anchors."""
    for target in list(doctree.findall(lambda n: isinstance(n, nodes.target) and n.get("api"))):
        target.parent["ids"] += target["ids"]
        target.parent.remove(target)


def link_page(app, page: str, template: str, context: dict, doctree) -> None:
    """Add the links to a page that is about to be written."""
    if "body" in context and app.builder.format == "html":
        context["body"] = linked(context["body"], _finder(app, page), _keys(app, page))


def _finder(app, page: str) -> Find:
    known = app.env.get_domain("py").objects

    def find(name: str) -> str | None:
        owner, _, member = name.partition(".")
        others = f"{CALLED.get(owner)}.{member}", f"{TOOLBOX}.{name}"
        entry = next((known[n] for n in (name, *others) if n in known), None)
        if entry is None:
            return None
        return f"{app.builder.get_relative_uri(page, entry.docname)}#{entry.node_id}"

    return find


def _keys(app, page: str) -> dict[str, str]:
    place = app.builder.get_relative_uri(page, LITERATURE)
    return {key: f"{place}#{key.lower()}" for key in literature.records()}


def linked(body: str, find: Find, keys: dict[str, str]) -> str:
    """Return the HTML of a page with its links."""
    body = CODE.sub(lambda match: _code(match[0], find), body)
    inside, out, literal = 0, [], False
    for part in TAG.split(body):
        if tag := re.match(r"<(/?)(\w+)", part):
            if tag[2] in UNLINKED:
                inside += -1 if tag[1] else 1
            literal = part.startswith('<span class="pre">')
        elif part and not inside:
            part = _text(part, find, keys, literal)
        out.append(part)
    return "".join(out)


def _text(text: str, find: Find, keys: dict[str, str], literal: bool) -> str:
    if literal and (found := ALONE.match(text)) and (place := find(found[0])):
        return _anchor(place, found[0]) + text[found.end() :]
    text = NAME.sub(lambda match: _longest(match[0].split("."), find), text)
    return re.sub(r"\[[^\[\]<>]*\]", lambda match: _cited(match[0], keys), text)


def _longest(names: list[str], find: Find) -> str:
    """Return dotted names, of which the longest known beginning is a link."""
    for n in range(len(names), 1, -1):
        if place := find(".".join(names[:n])):
            return ".".join([_anchor(place, ".".join(names[:n])), *names[n:]])
    return ".".join(names)


def _code(spans: str, find: Find) -> str:
    """Return highlighted dotted names, of which the longest known beginning is a link."""
    parts = spans.split('<span class="o">.</span>')
    names = [re.sub("<[^>]*>", "", part) for part in parts]
    for n in range(len(names), 1, -1):
        if place := find(".".join(names[:n])):
            known = '<span class="o">.</span>'.join(parts[:n])
            return '<span class="o">.</span>'.join([_anchor(place, known), *parts[n:]])
    return spans


def _cited(bracket: str, keys: dict[str, str]) -> str:
    """Return a bracket with its keys as links, if it begins with a key."""
    if not (first := re.match(r"\[(\w+)", bracket)) or first[1] not in keys:
        return bracket
    return re.sub(r"\w+", lambda m: _anchor(keys[m[0]], m[0]) if m[0] in keys else m[0], bracket)


def _anchor(place: str, text: str) -> str:
    return f'<a class="api" href="{place}">{text}</a>'


def setup(app) -> None:
    app.add_directive("api", Api)
    app.connect("doctree-read", move_targets)
    app.connect("html-page-context", link_page)
