"""Rows, regularization and bias of the contacts of a step, and what the last step knows of them.

u = e.(v + w x p) of V_b - V_a,     e = n, t1, t2,   p from O
Rn = Rt = softness w,   w = mobility of the two bodies along n
b  = -gap / h apart,    -PUSH gap / h in contact,    at least e times the speed of approach
c  = tangential impulse of the same contact in the last step: what is at rest does not creep
"""

import math

from ...kernel.algebra.spatial import load6
from ...kernel.algebra.vec3 import add, cross, dot, load3, load9, rotate, scale, store3, sub
from ...kernel.decorators import inline, internal_kernel

PUSH = 0.2  # share of the depth that a step removes
EMPTY = -1
LEAST = 1e-12  # mobility relative to the largest at a contact: nothing can move there
IMPACT = 4.0  # speeds of approach below this times g h are no impacts


@inline
def slot_of(run, a, b):
    """Slot of the table where the search for a pair of shapes begins."""
    mixed = (a * 73856093 + b) * 2654435761
    return (mixed ^ (mixed // 65536)) & (run.heap_slots.shape[0] - 1)


@internal_kernel
def known_pair(run, a, b):
    """Index of a pair of shapes in the last step, or EMPTY."""
    s = slot_of(run, a, b)
    while run.heap_slots[s] >= 0:
        old = run.heap_old_pairs[run.heap_slots[s]]
        if old.a == a and old.b == b:
            return run.heap_slots[s]
        s = (s + 1) & (run.heap_slots.shape[0] - 1)
    return EMPTY


@internal_kernel
def forget(run):
    """Empty the table of pairs."""
    for k in range(run.heap[0].old_pairs):
        old = run.heap_old_pairs[k]
        s = slot_of(run, old.a, old.b)
        while run.heap_slots[s] >= 0:
            run.heap_slots[s] = EMPTY
            s = (s + 1) & (run.heap_slots.shape[0] - 1)
    run.heap[0].old_pairs = 0


@inline
def enter(run, k, a, b):
    """Enter pair k of the last step, of shapes a and b, in the table."""
    s = slot_of(run, a, b)
    while run.heap_slots[s] >= 0:
        s = (s + 1) & (run.heap_slots.shape[0] - 1)
    run.heap_slots[s] = k


@internal_kernel
def enter_again(run):
    """Enter all pairs of the last step in a new table."""
    for k in range(run.heap[0].old_pairs):
        enter(run, k, run.heap_old_pairs[k].a, run.heap_old_pairs[k].b)
    run.heap[0].sorted = 1


@internal_kernel
def remember(run):
    """Keep points and tangential impulses of all contacts for the next step."""
    heap = run.heap[0]
    for k in range(heap.pairs):
        pair, old = run.heap_pairs[k], run.heap_old_pairs[k]
        old.a, old.b, old.first = pair.a, pair.b, pair.first
        enter(run, k, pair.a, pair.b)
        for i in range(pair.first, run.heap_pairs[k + 1].first):
            c, kept = run.heap_contacts[i], run.heap_old_contacts[i]
            for m in range(3):
                kept.p[m] = c.p[m] + heap.O[m]
                kept.f[m] = c.g[1] * c.t1[m] + c.g[2] * c.t2[m]
    run.heap_old_pairs[heap.pairs].first = heap.contacts
    heap.old_pairs = heap.pairs


@internal_kernel
def mobility(run, b, p, n):
    """Velocity along n at the point p (from O) of body b due to a unit impulse there."""
    member = run.heap_members[b]
    if member.block < 0:
        return 0.0
    block = run.heap_blocks[member.block]
    if block.body > 0:
        q = cross(sub(add(p, load3(run.heap[0].O)), load3(member.center)), n)
        return 1.0 / member.mass + dot(q, rotate(load9(member.mobility), q))
    q, total, J = cross(p, n), 0.0, run.heap_jacobians[member.jacobian :]
    for c in range(block.m):
        s = q[0] * J[6 * c] + q[1] * J[6 * c + 1] + q[2] * J[6 * c + 2]
        s += n[0] * J[6 * c + 3] + n[1] * J[6 * c + 4] + n[2] * J[6 * c + 5]
        total += s * s
    return total


@inline
def velocity_between(V, W, p):
    """Velocity at p of a twist V relative to a twist W."""
    w = (V[0] - W[0], V[1] - W[1], V[2] - W[2])
    return (
        V[3] - W[3] + (w[1] * p[2] - w[2] * p[1]),
        V[4] - W[4] + (w[2] * p[0] - w[0] * p[2]),
        V[5] - W[5] + (w[0] * p[1] - w[1] * p[0]),
    )


@internal_kernel
def write_rows(run, k, old, h, weight):
    """Rows of the contacts of pair k; `old` is the same pair in the last step."""
    heap, pair = run.heap[0], run.heap_pairs[k]
    law = run.heap_sets[run.heap_shapes[pair.a].set]
    a, b, O = run.heap_members[pair.body_a], run.heap_members[pair.body_b], load3(heap.O)
    for i in range(pair.first, run.heap_pairs[k + 1].first):
        c = run.heap_contacts[i]
        n, p = load3(c.n), sub(load3(c.p), O)
        e = (1.0, 0.0, 0.0) if abs(n[0]) < 0.7 else (0.0, 1.0, 0.0)
        t1 = sub(e, scale(dot(e, n), n))
        t1 = scale(1.0 / math.sqrt(dot(t1, t1)), t1)
        t2 = cross(n, t1)
        store3(c.p, p)
        store3(c.t1, t1)
        store3(c.t2, t2)
        soft = heap.softness * (mobility(run, pair.body_a, p, n) + mobility(run, pair.body_b, p, n))
        c.mu, c.slip, c.known = law.friction, 0.0, 0.0
        c.kn = 1.0 / soft
        c.kt, c.ratio, c.share = c.kn, c.mu, 1.0 / (1.0 + c.mu * c.mu)
        c.b = -c.gap / h if c.gap > 0.0 else -PUSH * c.gap / h
        if law.restitution > 0.0:
            speed = -dot(n, velocity_between(load6(b.before), load6(a.before), p))
            if speed > IMPACT * weight * h and speed * h > c.gap:
                c.b = max(c.b, law.restitution * speed)
        c.c1, c.c2 = 0.0, 0.0
        if old >= 0:
            first, last = run.heap_old_pairs[old].first, run.heap_old_pairs[old + 1].first
            near, far = first, 1e300
            for j in range(first, last):
                d = sub(sub(load3(run.heap_old_contacts[j].p), O), p)
                if dot(d, d) < far:
                    near, far = j, dot(d, d)
            f = load3(run.heap_old_contacts[near].f)
            c.c1, c.c2, c.known = dot(f, t1), dot(f, t2), 1.0
        if not soft > 0.0:  # nothing can move along the normal: no contact
            c.kn, c.kt, c.b, c.mu, c.ratio, c.share = 1.0, 1.0, -1e300, 0.0, 0.0, 1.0


@inline
def block_of(run, b):
    """Block of a body; EMPTY if nothing in it can move freely."""
    k = run.heap_members[b].block
    return k if k >= 0 and run.heap_blocks[k].m > 0 else EMPTY


@internal_kernel
def prepare_contacts(run, h, weight):
    """Blocks of all pairs and rows of all contacts."""
    heap = run.heap[0]
    same = heap.pattern == 1 and heap.pairs == heap.old_pairs
    for k in range(heap.pairs):
        pair = run.heap_pairs[k]
        pair.block_a, pair.block_b = block_of(run, pair.body_a), block_of(run, pair.body_b)
        old = known_pair(run, pair.a, pair.b)
        same = same and old == k
        write_rows(run, k, old, h, weight)
    heap.same = 1 if same else 0
