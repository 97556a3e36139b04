"""Shapes and blocks of a run, found once from the tables."""

from __future__ import annotations

import numpy as np

from ...elements.joints.catalogue import FLOATING, JOINTS
from ...elements.joints.sensors import TREE
from ...kernel.decorators import table
from ...kernel.tables.records import Tables
from .collide import HALF_SPACE
from .groups import Group
from .records import BLOCK, MEMBER, SET, SHAPE

LARGE = 4.0  # times the median reach: shapes outside the grid
FREE = next(k for k, entry in enumerate(JOINTS) if entry.joint is FLOATING)


def shape_records(groups: list[Group]) -> tuple[np.ndarray, np.ndarray]:
    """Records of all shapes and of all groups; half-spaces and large shapes come first."""
    reach = np.concatenate([group.shapes[:, 2] for group in groups] or [np.zeros(0)])
    usual = LARGE * float(np.median(reach[reach < 1e300])) if (reach < 1e300).any() else 0.0
    shapes, sets, at = table(SHAPE, len(reach)), table(SET, len(groups)), 0
    for g, group in enumerate(groups):
        kind, size = group.shapes[:, 0].astype(int), group.shapes[:, 2]
        large = (kind == HALF_SPACE) | (size > usual)
        order = np.lexsort((kind != HALF_SPACE, ~large))
        sets[g]["first"], sets[g]["small"] = at, at + int(large.sum())
        for k in order:
            row, marker = shapes[at], group.markers[k]
            row["kind"], row["body"], row["set"] = kind[k], marker["body"], g
            row["at"], row["ix"], row["large"] = group.shapes[k, 1], group.wrench(int(k)), large[k]
            row["reach"] = 0.0 if kind[k] == HALF_SPACE else size[k]
            row["R_B"], row["p_B"] = marker["R"], marker["p"]
            at += 1
        sets[g]["last"], sets[g]["ix"], sets[g]["force"] = at, group.ix, group.force
        sets[g]["friction"], sets[g]["restitution"] = group.friction, group.restitution
    return shapes, sets


def _primitive_bodies(tables: Tables, p: np.void) -> list[int]:
    """Bodies that a primitive restricts."""
    if not p["sensors"]:
        return [int(p["i"]), int(p["j"])]
    sensors, found = tables.sensors.view(np.ndarray), []
    for term in tables.terms.view(np.ndarray)[p["term"] : p["term"] + p["sensors"]]:
        sensor = sensors[term["sensor"]]
        if sensor["kind"] == TREE:
            links = tables.links.view(np.ndarray)
            inside = (links["iv"] <= sensor["iv"]) & (sensor["iv"] < links["iv"] + links["nv"])
            found += [int(b) for b in np.flatnonzero(inside) if b > 0]
        else:
            found += [int(sensor["i"]), int(sensor["j"])]
    return found


def _roots(tables: Tables) -> np.ndarray:
    """Per body, one body of its block: trees that share a primitive belong together."""
    links = tables.links.view(np.ndarray)
    root = np.arange(len(links))

    def find(b: int) -> int:
        while root[b] != b:
            root[b] = root[root[b]]
            b = int(root[b])
        return b

    for b in range(1, len(links)):
        if links[b]["parent"] > 0:
            root[b] = find(int(links[b]["parent"]))
    for p in tables.primitives.view(np.ndarray):
        bodies = [b for b in _primitive_bodies(tables, p) if b > 0]
        for b in bodies[1:]:
            root[find(b)] = find(bodies[0])
    return np.array([find(b) for b in range(len(links))])


def block_records(
    tables: Tables, shapes: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Records of blocks and bodies, the lists of the machines, and indices in machines."""
    links, root = tables.links.view(np.ndarray), _roots(tables)
    primitives = tables.primitives.view(np.ndarray)
    owner: dict[int, list[int]] = {}
    for k, p in enumerate(primitives):
        for b in _primitive_bodies(tables, p):
            if b > 0:
                owner.setdefault(int(root[b]), []).append(k)
                break
    members, local = table(MEMBER, len(links)), np.zeros(len(tables.dof_parent), np.int64)
    own = members.view(np.ndarray)
    own["block"] = -1
    own["mass"], own["reach"] = links["mass"], 1.0
    placed = shapes.view(np.ndarray)
    own["touches"][np.unique(placed["body"])] = 1
    sizes = np.zeros(len(links))
    np.maximum.at(sizes, placed["body"], placed["reach"])
    own["reach"] = np.where(sizes > 0.0, sizes, 1.0)
    bodies_of: dict[int, list[int]] = {}
    for b in range(1, len(links)):
        bodies_of.setdefault(int(root[b]), []).append(b)
    found: list[np.void] = []
    lists, row, at, basis = list[int](), 0, 0, 0
    for first, bodies in bodies_of.items():
        dofs = [d for b in bodies for d in range(links[b]["iv"], links[b]["iv"] + links[b]["nv"])]
        if not dofs or not own["touches"][bodies].any():
            continue
        block = np.zeros(1, BLOCK)[0]
        rows = owner.get(first, [])
        alone = len(bodies) == 1 and links[bodies[0]]["kind"] == FREE and not rows
        n = len(dofs)
        block["body"], block["n"], block["m"] = bodies[0] if alone else 0, n, n
        block["row"], block["at"], block["basis"], block["position"] = row, at, basis, -1
        block["mass"] = links["mass"][bodies].sum()
        block["bodies"], block["n_bodies"] = len(lists), len(bodies)
        lists += bodies
        block["dofs"] = len(lists)
        lists += [int(d) for d in dofs]
        block["primitives"], block["n_primitives"] = len(lists), len(rows)
        lists += rows
        local[dofs] = np.arange(n)
        own["block"][bodies] = len(found)
        row, at, basis = row + n, at + n * n, basis + (0 if alone else n * n)
        found.append(block)
    blocks = table(BLOCK, len(found))
    for k, block in enumerate(found):
        blocks[k] = block
    return blocks, members, np.array(lists, np.int64), local


def place_jacobians(blocks: np.ndarray, members: np.ndarray, lists: np.ndarray) -> int:
    """Places of the Jacobians of the bodies of machines that have shapes; returns their size."""
    at = 0
    for block in blocks:
        if block["body"]:
            continue
        for b in lists[block["bodies"] : block["bodies"] + block["n_bodies"]]:
            if members[b]["touches"]:
                members[b]["jacobian"] = at
                at += 6 * int(block["n"])
    return at


def joined_bodies(tables: Tables) -> np.ndarray:
    """Pairs of bodies that a joint connects, the lower index first."""
    links = tables.links.view(np.ndarray)
    pairs = {(int(link["parent"]), b) for b, link in enumerate(links) if link["parent"] > 0}
    for p in tables.primitives.view(np.ndarray):
        if not p["sensors"] and p["i"] > 0 and p["j"] > 0:
            pairs.add((int(min(p["i"], p["j"])), int(max(p["i"], p["j"]))))
    return np.array(sorted(pairs), np.int64).reshape(-1, 2)
