"""Loads of a body that rests on more places than necessary.

D is singular then, and only the resultant of the loads is determined. The solution with the
smallest sum of squares may pull at one place, or rub too much at another, though other solutions
satisfy all limits. Alternating projections onto the limits and onto D lam = b find one.
"""

import math

from ...elements.forces.unilateral import APART, STICK, mode_of
from ...kernel.decorators import inline, internal_kernel

TRIES, SMALL = 300, 1e-12


@inline
def within_limits(tables, work, x):
    """Move the loads in place_trial to the nearest ones within the limits; returns the distance."""
    a, moved = 0, 0.0
    for n in range(tables.places.shape[0]):
        place = tables.places[n]
        mode = mode_of(x, place)
        if mode == APART:
            continue
        lam = max(work.place_trial[a], 0.0)
        moved = max(moved, lam - work.place_trial[a])
        work.place_trial[a] = lam
        if mode == STICK:
            f, g = work.place_trial[a + 1], work.place_trial[a + 2]
            size, most = math.sqrt(f * f + g * g), place.friction * lam
            if size > most:
                moved = max(moved, size - most)
                work.place_trial[a + 1] = f * most / size
                work.place_trial[a + 2] = g * most / size
            a += 2
        a += 1
    return moved


@internal_kernel
def share(tables, work, x, count):
    """Move the loads in place_trial to a solution within the limits, as near as possible."""
    for _ in range(TRIES):
        largest = 0.0
        for a in range(count):
            largest = max(largest, abs(work.place_trial[a]))
        moved = within_limits(tables, work, x)
        for a in range(count):
            total = work.place_target[a]
            for b in range(count):
                total -= work.delassus[a, b] * work.place_trial[b]
            work.place_space[0, 0, a] = total
        for a in range(count):
            for b in range(count):
                work.place_trial[a] += work.delassus_inverse[a, b] * work.place_space[0, 0, b]
        if moved <= SMALL * largest:
            return
