"""One time step of a model with many contacts: velocities first, then positions with them.

    v* = v + h vdot         vdot without contact, by the formulation of the run
    v+ = v* + Z z           z of the convex problem (newton.py)
    q+ = q (+) h v+         then the projection onto the constraints

The sums over a step are exact: the impulses of the contacts do the work  gamma.(u + u+) / 2.
"""

import math

from ...kernel.algebra.blas1 import fill
from ...kernel.algebra.spatial import load6
from ...kernel.algebra.vec3 import add, cross, dot, load3, scale, sub
from ...kernel.decorators import inline, internal_kernel
from ..dynamics.kinematics import shift_coordinates
from .collide import collide
from .machines import body_twists, prepare_blocks, store_velocities
from .newton import minimize
from .ordering import find_pattern
from .records import CONTACTS, PAIRS
from .rows import enter_again, forget, prepare_contacts, remember, velocity_between

DONE, ROOM, MASS, DIVERGED = range(4)  # outcomes of a solution
STILL = 1e-9  # of the largest speed: tolerance where there is no gravity
ROUNDING = 1e-14  # m/s: tolerance of a model at rest without gravity
FAR = 1e300  # gap without contacts
SETTLING, SETTLED = 30, 1e-3  # passes of the first step, and the change that ends them


@internal_kernel
def reset(run):
    """Forget the contacts of an earlier run."""
    heap = run.heap[0]
    forget(run)
    fill(run.heap_x[0], 0.0)
    heap.pattern, heap.sorted, heap.first = 0, 1, 1
    heap.iterations, heap.products, heap.capped = 0, 0, 0
    for k in range(4):
        heap.wanted[k] = 0


@inline
def center_shapes(work, run):
    """Put the common point O at the mean of the bodies that touch and can move."""
    x, y, z, n = 0.0, 0.0, 0.0, 0
    for k in range(run.heap_touching.shape[0]):
        b = run.heap_touching[k]
        if run.heap_members[b].block >= 0:
            p = work.bodies[b].p
            x, y, z, n = x + p[0], y + p[1], z + p[2], n + 1
    if n > 0:
        O = run.heap[0].O
        O[0], O[1], O[2] = x / n, y / n, z / n


@inline
def speed_of(run, v):
    """A speed of the motion: the largest velocity."""
    most = 0.0
    for i in range(v.shape[0]):
        most = max(most, abs(v[i]))
    return most


@internal_kernel
def settle(run):
    """In the first step of a run, move the centers of friction until what rests does not creep."""
    heap = run.heap[0]
    for _ in range(SETTLING):
        change, size = 0.0, 0.0
        for i in range(heap.contacts):
            c = run.heap_contacts[i]
            d1, d2 = c.g[1] - c.c1, c.g[2] - c.c2
            change = max(change, math.sqrt(d1 * d1 + d2 * d2))
            size = max(size, abs(c.g[0]))
            c.c1, c.c2 = c.g[1], c.g[2]
        if not change > SETTLED * size or minimize(run) == 2:
            return


@internal_kernel
def solve_contacts(tables, work, run, v, free, h):
    """Replace the velocities `free` at the end of a step without contacts by those with them."""
    heap, s = run.heap[0], tables.settings[0]
    if heap.sorted == 0:
        enter_again(run)
    center_shapes(work, run)
    body_twists(tables, work, run, v, True)
    body_twists(tables, work, run, free, False)
    if prepare_blocks(tables, work, run, v, free) >= 0:
        return MASS
    collide(tables, work, run, h)
    if heap.wanted[PAIRS] > 0 or heap.wanted[CONTACTS] > 0:
        return ROOM
    g = math.sqrt(s.gravity[0] ** 2 + s.gravity[1] ** 2 + s.gravity[2] ** 2)
    heap.tolerance = heap.fineness * g * h + STILL * speed_of(run, free) + ROUNDING
    prepare_contacts(run, h, g)
    if heap.same == 0:
        if not find_pattern(run):
            heap.pattern = 0
            return ROOM
        heap.pattern = 1
    if heap.contacts > 0:
        if minimize(run) == 2:
            return DIVERGED
        if heap.first == 1:
            settle(run)
        store_velocities(tables, work, run, free)
    heap.first = 0
    forget(run)
    remember(run)
    return DONE


@inline
def move(tables, q, v, h, shift):
    """q <- q (+) h v; `shift` is scratch."""
    for i in range(v.shape[0]):
        shift[i] = h * v[i]
    shift_coordinates(tables, q, shift)


@inline
def add_force(run, k, p, f, factor):
    """Add an impulse on shape k at the point p as a mean force."""
    shape = run.heap_shapes[k]
    m = cross(sub(p, load3(shape.p)), f)
    for i in range(3):
        shape.force[i] += factor * m[i]
        shape.force[3 + i] += factor * f[i]


@internal_kernel
def sum_forces(run, h):
    """Mean forces on all shapes, and the totals of all groups."""
    for k in range(run.heap_sets.shape[0]):
        s = run.heap_sets[k]
        s.count, s.normal, s.sliding, s.gap, s.work = 0.0, 0.0, 0.0, FAR, 0.0
    for k in range(run.heap[0].pairs):
        pair = run.heap_pairs[k]
        s = run.heap_sets[run.heap_shapes[pair.a].set]
        a, b = run.heap_members[pair.body_a], run.heap_members[pair.body_b]
        for i in range(pair.first, run.heap_pairs[k + 1].first):
            c = run.heap_contacts[i]
            s.gap = min(s.gap, c.gap)
            if not c.g[0] > 0.0:
                continue
            f = add(
                add(scale(c.g[0], load3(c.n)), scale(c.g[1], load3(c.t1))),
                scale(c.g[2], load3(c.t2)),
            )
            p = add(load3(c.p), load3(run.heap[0].O))
            add_force(run, pair.b, p, f, 1.0 / h)
            add_force(run, pair.a, p, f, -1.0 / h)
            s.count += 1.0
            s.normal += c.g[0] / h
            s.sliding += math.sqrt(c.g[1] * c.g[1] + c.g[2] * c.g[2]) / h
            u = velocity_between(load6(b.before), load6(a.before), load3(c.p))
            s.work += 0.5 * (dot(f, u) + c.g[0] * c.u[0] + c.g[1] * c.u[1] + c.g[2] * c.u[2])


@internal_kernel
def store_forces(run, x):
    """Write forces and totals to the states x."""
    for k in range(run.heap_sets.shape[0]):
        s = run.heap_sets[k]
        x[s.ix], x[s.ix + 1], x[s.ix + 2] = s.count, s.normal, s.sliding
        x[s.ix + 3] = s.gap if s.gap < FAR else 0.0
    for k in range(run.heap_shapes.shape[0]):
        shape = run.heap_shapes[k]
        for i in range(6):
            x[shape.ix + i] = shape.force[i]


@internal_kernel
def clear_forces(run, x):
    """Set the states of all groups to zero, so that the formulation sees no contact."""
    for k in range(run.heap_sets.shape[0]):
        ix = run.heap_sets[k].ix
        x[ix], x[ix + 1], x[ix + 2], x[ix + 3] = 0.0, 0.0, 0.0, 0.0
    for k in range(run.heap_shapes.shape[0]):
        ix = run.heap_shapes[k].ix
        for i in range(6):
            x[ix + i] = 0.0
