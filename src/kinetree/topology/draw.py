"""Trees and loops drawn with characters."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from .graph import GROUND, Edge
from .loops import Loop
from .tree import Tree

WIDTH = 110
LEVELS = 16  # deeper bodies are not indented further; their level is written instead


def plural(n: int, noun: str) -> str:
    if n != 1:
        noun = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{n} {noun}"


def wrap(text: str, indent: str = "  ") -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def draw_tree(tree: Tree) -> str:
    """Bodies at the left, indented under the body that carries them; the carrying joint at the right."""
    rows = list(_rows(tree))
    width = max((len(left) for left, _ in rows), default=0)
    return "\n".join([GROUND] + [f"{left:{width}}   {right}" for left, right in rows])


def _rows(tree: Tree) -> Iterator[tuple[str, str]]:
    children: dict[str, list] = {}
    for b in reversed(tree.branches):
        children.setdefault(b.parent, []).append(b)
    todo = [("", b) for b in children.get(GROUND, [])]  # last child first: the stack is read from its end
    while todo:
        lead, b = todo.pop()
        last = children[b.parent][0] is b
        mark = lead + ("└─ " if last else "├─ ") if b.depth <= LEVELS else f"{lead}[{b.depth}] "
        note = ", reversed" if b.reversed else ""
        yield mark + b.body, f"{label(b.joint)}, {plural(b.joint.freedoms, 'freedom')}{note}"
        below = lead + ("   " if last else "│  ") if b.depth < LEVELS else lead
        todo.extend((below, child) for child in children.get(b.body, []))


def draw_loop(loop: Loop) -> str:
    """The cut joint, what it costs, and the walk around its loop."""
    walk = [loop.bodies[0]]
    for joint, body in zip(loop.joints, loop.bodies[1:] + loop.bodies[:1]):
        walk.append(f"─╳ {joint.name} ╳─ {body}" if joint is loop.cut else f"── {joint.name} ── {body}")
    asked = ", cut on request" if loop.cut.forced_cut else ""
    head = f"  {label(loop.cut)}, {plural(loop.cut.equations, 'equation')}{asked}: "
    return wrap(head + " ".join(walk), "      ")


def label(joint: Edge) -> str:
    return f"{joint.name} {joint.kind}"
