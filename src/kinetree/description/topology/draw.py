"""Trees and loops as text drawings."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from .graph import GROUND, Edge
from .loops import Loop
from .tree import Tree

WIDTH = 110
LEVELS = 16  # deeper bodies are not indented further; their level is written instead
LONGEST = 40  # joints up to which a loop is drawn in full; otherwise its ends and the cut ...
SHOWN = 6  # ... with this number of joints at each


def plural(n: int, noun: str) -> str:
    if n != 1:
        noun = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{n} {noun}"


def degrees_of_freedom(n: int) -> str:
    return f"{plural(n, 'degree')} of freedom"


def wrap(text: str, indent: str = "  ") -> str:
    return textwrap.fill(
        text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def draw_tree(tree: Tree) -> str:
    """Bodies at the left, indented under their parents; their inboard joints at the right."""
    rows = list(_rows(tree))
    width = max((len(left) for left, _ in rows), default=0)
    return "\n".join([GROUND] + [f"{left:{width}}   {right}" for left, right in rows])


def _rows(tree: Tree) -> Iterator[tuple[str, str]]:
    children: dict[str, list[Any]] = {}
    for b in reversed(tree.branches):
        children.setdefault(b.parent, []).append(b)
    # last child first: the stack is read from its end
    todo = [("", b) for b in children.get(GROUND, [])]
    while todo:
        lead, b = todo.pop()
        last = children[b.parent][0] is b
        mark = lead + ("└─ " if last else "├─ ") if b.depth <= LEVELS else f"{lead}[{b.depth}] "
        note = ", reversed" if b.reversed else ""
        yield mark + b.body, f"{label(b.joint)}, {degrees_of_freedom(b.joint.dofs)}{note}"
        below = lead + ("   " if last else "│  ") if b.depth < LEVELS else lead
        todo.extend((below, child) for child in children.get(b.body, []))


def draw_loop(loop: Loop) -> str:
    """The cut joint, the number of its equations, and its loop."""
    walk = [loop.bodies[0]]
    for start, stop in (parts := _shown_parts(loop)):
        for joint, body in zip(
            loop.joints[start:stop], (loop.bodies[1:] + loop.bodies[:1])[start:stop]
        ):
            walk.append(
                f"─╳ {joint.name} ╳─ {body}" if joint is loop.cut else f"── {joint.name} ── {body}"
            )
        if stop < len(loop.joints):
            after = next(a for a, _ in parts if a >= stop)
            walk.append(f"── … {plural(after - stop, 'joint')} … ── {loop.bodies[after]}")
    requested = ", cut on request" if loop.cut.forced_cut else ""
    head = f"  {label(loop.cut)}, {plural(loop.cut.equations, 'equation')}{requested}: "
    return wrap(head + " ".join(walk), "      ")


def _shown_parts(loop: Loop) -> list[tuple[int, int]]:
    """Ranges of joints to draw: all, or those at the ends and at the cut of a long loop."""
    n, cut = len(loop.joints), loop.joints.index(loop.cut)
    if n <= LONGEST:
        return [(0, n)]
    found = [(0, SHOWN)]
    for start, stop in ((max(cut - SHOWN, 0), min(cut + 1 + SHOWN, n)), (n - SHOWN, n)):
        if start <= found[-1][1]:
            start = found.pop()[0]
        found.append((start, stop))
    return found


def label(joint: Edge) -> str:
    return f"{joint.name} {joint.kind}"
