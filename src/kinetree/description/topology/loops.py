"""The independent loops: each cut joint closes exactly one, together with the tree paths to its two
bodies.

A loop starts at the lowest common ancestor, goes outboard to the cut joint's parent, across the
cut, and back inboard. The sign of a joint is +1 if the loop traverses it in the user's direction.
The loops are the fundamental cycles of the graph: with the signed incidence matrix A (nodes x
joints) and the loop signs as rows of C, A C^T = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from .graph import Edge
from .tree import Branch, Tree


@dataclass(frozen=True)
class Loop:
    """An independent loop of a model; one value of ``TopologyReport.loops``.

    Attributes
    ----------
    cut : Edge
        The cut joint.
    ancestor : str
        Lowest common ancestor of the two bodies of the cut joint.
    bodies : tuple of str
        Bodies around the loop.
    joints : tuple of Edge
        Joints around the loop: `joints[k]` connects `bodies[k]` with the next body, the last joint
        with `bodies[0]`.
    signs : tuple of int
        1 for a joint that the loop traverses from parent to child, -1 for the others.
    """

    cut: Edge
    ancestor: str
    bodies: tuple[str, ...]
    joints: tuple[Edge, ...]
    signs: tuple[int, ...]


def loops(tree: Tree) -> tuple[Loop, ...]:
    """One loop per cut joint, in the order of the cuts."""
    return tuple(_loop(tree, cut) for cut in tree.cuts)


def _loop(tree: Tree, cut: Edge) -> Loop:
    outboard, inboard = _two_sides(tree, cut)
    joints = [b.joint for b in reversed(outboard)] + [cut] + [b.joint for b in inboard]
    ancestor = outboard[-1].parent if outboard else cut.parent
    bodies, signs = [ancestor], []
    for joint in joints:
        signs.append(1 if joint.parent == bodies[-1] else -1)
        bodies.append(joint.across(bodies[-1]))
    return Loop(cut, ancestor, tuple(bodies[:-1]), tuple(joints), tuple(signs))


def _two_sides(tree: Tree, cut: Edge) -> tuple[list[Branch], list[Branch]]:
    """Paths from the parent and from the child of the cut, inboard to their common ancestor."""
    sides: tuple[list[Branch], list[Branch]] = [], []
    at, number = [cut.parent, cut.child], [tree.number(cut.parent), tree.number(cut.child)]
    while number[0] != number[1]:
        n = 0 if number[0] > number[1] else 1  # parents have lower numbers
        branch = tree.branch[at[n]]
        sides[n].append(branch)
        at[n], number[n] = branch.parent, branch.parent_number
    return sides
