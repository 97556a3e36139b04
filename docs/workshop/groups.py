"""A group of the reference: a page that lists its entries, and one page for each of them."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterable
from typing import NamedTuple

from . import attributes, docstrings
from .entries import entry, joined

Pages = dict[str, str]  # path without suffix: Markdown
FEW = 4  # methods up to which they are sections of the page of their class


class Item(NamedTuple):
    """One entry of a group: a name with its pages, the first of which is its own."""

    name: str
    pages: Pages
    line: str  # what it is, in one line
    figure: str = ""
    cells: tuple[str, ...] = ()  # further columns

    @property
    def path(self) -> str:
        return next(iter(self.pages))


def hyphened(name: str) -> str:
    """Return the name of a file: "SpringDamper" and "spring_damper" are "spring-damper"."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name.rpartition(".")[2])
    return apart.replace("_", "-").lower()


def group(
    path: str, title: str, lead: str, items: list[Item], columns: tuple[str, ...] = (), *more: str
) -> Pages:
    """Return the page that lists the items, and their own pages."""
    pages: Pages = {path: ""}
    for item in items:
        pages |= item.pages
    pages[path] = joined(f"# {title}", lead, table(items, columns), *more, toctree(path, items))
    return pages


def table(items: list[Item], columns: tuple[str, ...] = ()) -> str:
    """Return the items as a table with links to their pages, below small figures if there are any."""
    head = ("name", "description", *columns)
    rows = [head, ("---",) * len(head)]
    for item in items:
        link = f"[`{item.name}`](/_generated/reference/{item.path}.md)"
        figure = f"{item.figure}<br>" if item.figure else ""
        rows.append((figure + link, *map(docstrings.cell, (item.line, *item.cells))))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def toctree(path: str, items: Iterable[Item]) -> str:
    """Return the hidden table of contents of a page with the pages of its items."""
    folder = path.rpartition("/")[0]
    inside = dict.fromkeys(item.path.removeprefix(f"{folder}/") for item in items)
    inside.pop(path.removeprefix(f"{folder}/"), None)
    return "```{toctree}\n:hidden:\n\n" + "\n".join(inside) + "\n```" if inside else ""


def item(folder: str, name: str, thing, *parts: str, title: str = "", file: str = "") -> Item:
    """Return the item of a public name: a page, and those of its methods if it has many."""
    path = f"{folder}/{file or hyphened(name)}".removeprefix("/")
    methods = methods_of(thing) if isinstance(thing, type) else {}
    if len(methods) <= FEW:
        inside = [entry(f"{name}.{n}", m, level=3) for n, m in methods.items()]
        heading = ["## Methods"] if inside else []
        text = entry(name, thing, *parts, title=title) + "\n" + joined(*heading, *inside)
        return Item(name, {path: text.rstrip("\n") + "\n"}, summary(thing))
    items = [
        Item(f"{name}.{n}", {f"{path}/{hyphened(n)}": entry(f"{name}.{n}", m)}, summary(m))
        for n, m in methods.items()
    ]
    listed = [*parts, "## Methods", table(items)]
    if isinstance(thing, type) and (more := attributes.others(thing)):
        page = joined(f"# Further attributes of {name}", more)
        items.append(Item(name, {f"{path}/attributes": page}, ""))
        listed.insert(0, f"[Further attributes]({path.rpartition('/')[2]}/attributes.md)")
    pages = {path: joined(entry(name, thing, *listed, title=title), toctree(path, items))}
    for one in items:
        pages |= one.pages
    return Item(name, pages, summary(thing))


def methods_of(cls: type) -> dict[str, object]:
    """Return the documented methods of a class by name."""
    return {
        name: member
        for name, member in inspect.getmembers(cls)
        if not name.startswith("_")
        and callable(member)
        and not isinstance(member, type)
        and docstrings.read(member).numpydoc
    }


def summary(thing) -> str:
    return docstrings.read(thing).summary


def module_items(folder: str, name: str, module: types.ModuleType, names: Iterable[str]) -> list:
    """Return the items of names in a module."""
    return [item(folder, f"{name}.{n}", getattr(module, n)) for n in names]
