"""Trees and loops drawn with characters."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from .graph import GROUND, Edge
from .loops import Loop
from .tree import Tree

WIDTH = 110
LEVELS = 16  # deeper bodies are not indented further; their level is written instead
# joints up to which a loop is walked in full; of a longer one its ends and the cut are shown ...
LONGEST = 40
SHOWN = 6  # ... with so many joints at each


def plural(n: int, noun: str) -> str:
    if n != 1:
        noun = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{n} {noun}"


def wrap(text: str, indent: str = "  ") -> str:
    return textwrap.fill(
        text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def draw_tree(tree: Tree) -> str:
    """Bodies at the left, indented under the body that carries them; the carrying joint at the
    right.
    """
    rows = list(_rows(tree))
    width = max((len(left) for left, _ in rows), default=0)
    return "\n".join([GROUND] + [f"{left:{width}}   {right}" for left, right in rows])


def _rows(tree: Tree) -> Iterator[tuple[str, str]]:
    children: dict[str, list[Any]] = {}
    for b in reversed(tree.branches):
        children.setdefault(b.parent, []).append(b)
    todo = [
        ("", b) for b in children.get(GROUND, [])
    ]  # last child first: the stack is read from its end
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
    for start, stop in (stretches := _stretches(loop)):
        for joint, body in zip(
            loop.joints[start:stop], (loop.bodies[1:] + loop.bodies[:1])[start:stop]
        ):
            walk.append(
                f"─╳ {joint.name} ╳─ {body}" if joint is loop.cut else f"── {joint.name} ── {body}"
            )
        if stop < len(loop.joints):
            after = next(a for a, _ in stretches if a >= stop)
            walk.append(f"── … {plural(after - stop, 'joint')} … ── {loop.bodies[after]}")
    asked = ", cut on request" if loop.cut.forced_cut else ""
    head = f"  {label(loop.cut)}, {plural(loop.cut.equations, 'equation')}{asked}: "
    return wrap(head + " ".join(walk), "      ")


def _stretches(loop: Loop) -> list[tuple[int, int]]:
    """Which joints of a loop are shown: all, or of a long one those at its ends and at the cut."""
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
