"""Complementarity of several places: loads that push, friction within its cone.

    u = c + D lam
    lam_N >= low,   u_N >= 0,   (lam_N - low) u_N = 0
    |lam_T| <= mu lam_N,  lam_T opposite to u_T where it is equal

for impulses and velocities as well as for forces and accelerations. A place that slides already has
the direction of its friction. The iteration passes from place to place (Gauss and Seidel) with the
exact solution of each; few places need few passes.
"""

import math

from ...kernel.decorators import inline, internal_kernel

PASSES = 20_000
SETTLED = 1e-15  # of the largest load: change at which the iteration ends


@inline
def velocity(work, c, a, count):
    """u of row a."""
    total = c[a]
    for b in range(count):
        total += work.delassus[a, b] * work.place_trial[b]
    return total


@internal_kernel
def solve_cone(tables, work, struck, c, low, count):
    """Solve for place_trial, from its present values. Returns the number of passes, -1: none found.

    `struck` has for every place the index of its normal row among the active ones or -1, and its
    given direction of slip (kind 2), or kind 1 for friction without one, 0 for none, 3: left out.
    """
    for passes in range(PASSES):
        change, largest = 0.0, 0.0
        for n in range(tables.places.shape[0]):
            a = int(struck[n, 0])
            if a >= 0 and struck[n, 1] < 3.0:
                mu = tables.places[n].friction
                change = max(change, push(work, struck[n], c, low[n], mu, a, count))
                largest = max(largest, abs(work.place_trial[a]))
        if not largest < 1e100:
            return -1
        if change <= SETTLED * largest:
            return passes
    return PASSES if change <= 1e-9 * largest else -1


@inline
def push(work, kind, c, low, mu, a, count):
    """Solve one place; returns the change of its loads."""
    D, lam = work.delassus, work.place_trial
    slope, before = D[a, a], lam[a]
    if kind[1] == 2.0:
        slope -= mu * (D[a, a + 1] * kind[2] + D[a, a + 2] * kind[3])
    if slope > 0.0:
        lam[a] = max(low, lam[a] - velocity(work, c, a, count) / slope)
    change = abs(lam[a] - before)
    if kind[1] == 2.0:
        lam[a + 1], lam[a + 2] = -mu * lam[a] * kind[2], -mu * lam[a] * kind[3]
    elif kind[1] == 1.0:
        f, g = lam[a + 1], lam[a + 2]
        stiffest = D[a + 1, a + 1] + D[a + 2, a + 2]
        bend = D[a + 1, a + 2]
        half = 0.5 * (D[a + 1, a + 1] - D[a + 2, a + 2])
        stiffest = 0.5 * stiffest + math.sqrt(half * half + bend * bend)
        if stiffest > 0.0:
            f -= velocity(work, c, a + 1, count) / stiffest
            g -= velocity(work, c, a + 2, count) / stiffest
        size, most = math.sqrt(f * f + g * g), mu * lam[a]
        if size > most:
            f, g = (f * most / size, g * most / size) if size > 0.0 else (0.0, 0.0)
        change = max(change, abs(f - lam[a + 1]), abs(g - lam[a + 2]))
        lam[a + 1], lam[a + 2] = f, g
    return change
