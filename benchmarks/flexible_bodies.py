"""Flexible bodies: a pendulum beside FFRFreducedOrder of Exudyn, and what modes and nodes cost.

pendulum    a bar of 1 m, falling for 1 s, not stiffened, from the same K, M and interfaces with
            the same ten modes of Craig and Bampton: CPU seconds of the time loop at equal
            error of the path of the tip, each against its own limit; on a line through the own
            points in log-log. `limits`: how far the two limits are apart
modes       one evaluation of the right-hand side over the number of modes, with stiffening
nodes       the same, and the memory of the model, over the number of nodes of the mesh
"""

import time
import warnings

import numpy as np

import kinetree as kt
from common import arguments, show, told

NOTE = "Seconds are CPU seconds; ratio is Exudyn's over ours."
MODES, UNTIL = 4, 1.0
ERRORS = (1e-4, 1e-5)  # m, which both reach
STEPS = (2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4)  # of Exudyn
TOLERANCES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
WAYS = ("dop853", "dopri5", "adams")


def bar(cells=20):
    return kt.fe.block((1.0, 0.02, 0.02), (cells, 1, 1), E=2e10, poisson=0.0, density=7850.0)


def model(reduced):
    m = kt.Model("pendulum")
    m.joint("A", kt.Revolute(axis="y"), m.ground, m.flexible("rod", reduced).at("left"))
    return m


def reduced_by_us(part, **more):
    return part.reduce({"left": "x-", "right": "x+"}, upto=1e3, progress=False, **more)


def tip(sol):
    """Path of the node at the end that is nearest to the axis, the first of several."""
    body = sol.flexible["rod"]
    X = bar().X
    right = bar().groups["x+"]
    node = X[right[np.argmin(np.abs(X[right, 1:]).sum(1))]] - body.part.origin
    row = int(np.argmin(((body.part.nodes - node) ** 2).sum(1)))
    return body.position([row])[:, 0]


def ours():
    """Errors against our limit and CPU seconds, by integrator."""
    m = model(reduced_by_us(bar(), basis="craig-bampton", modes=MODES, stiffening=False))
    every = UNTIL / 100
    limit = tip(kt.simulate(m, UNTIL, integrator="dop853", rtol=1e-10, output_interval=every))
    found = {}
    for name in WAYS:
        for rtol in TOLERANCES:
            run = kt.prepare(m, integrator=name, rtol=rtol)
            run.run(1e-3)
            best = np.inf
            for _ in range(3):
                began = time.process_time()
                sol = run.run(UNTIL, output_interval=every)
                best = min(best, time.process_time() - began)
            found.setdefault(name, []).append((np.abs(tip(sol) - limit).max(), best))
            told(f"ours, {name}, rtol {rtol:g}: {found[name][-1]}")
    return limit, found


def theirs():
    from peers.exudyn_flexible import pendulum, reduced

    part = bar()
    left, right = part.groups["x-"], part.groups["x+"]
    cms, _ = reduced(part, left, right, MODES)
    limit = pendulum(cms, part, left, right, UNTIL, STEPS[-1] / 4)[0]
    found = []
    for h in STEPS:
        runs = [pendulum(cms, part, left, right, UNTIL, h) for _ in range(2)]
        error = np.abs(runs[0][0] - limit[-len(runs[0][0]) :]).max()
        found.append((error, min(seconds for _, seconds in runs)))
        told(f"Exudyn, h {h:g}: {found[-1]}")
    return limit, found


def at(points, error):
    """CPU seconds at an error, on a line through points in log-log; of the roughest point where all
    are better.
    """
    e, s = np.log(np.array(sorted(points))).T
    return float(np.exp(np.interp(np.log(error), e, s)))


def equal_error():
    limit, own = ours()
    their_limit, their = theirs()
    apart = np.abs(limit[-len(their_limit) :] - their_limit).max()
    rows = []
    for error in ERRORS:
        mine = {name: at(points, error) for name, points in own.items()}
        best = min(mine, key=mine.__getitem__)
        other = at(their, error)
        rows.append(
            {
                "case": "pendulum", "error": error, "ours": mine[best], "integrator": best,
                "exudyn": other, "ratio": other / mine[best], "limits": apart,
            }
        )  # fmt: skip
    return rows


def evaluation(reduced):
    """CPU seconds of one right-hand side, from a run at fixed steps."""
    m = model(reduced)
    run = kt.prepare(m, integrator="rk4", step=1e-7)
    run.run(1e-4, output_interval=1e-4)
    best = np.inf
    for _ in range(5):
        began = time.process_time()
        sol = run.run(2e-3, output_interval=2e-3)
        best = min(best, time.process_time() - began)
    return best / sol.statistics["evaluations"]


def costs():
    part, rows = bar(), []
    for modes in (1, 4, 10, 20, 34):
        got = reduced_by_us(part, basis="craig-bampton", modes=modes)
        got_seconds = evaluation(got)
        rows.append(
            {"case": "modes", "modes": got.n, "stiffened": got.stiffened, "ours": got_seconds}
        )
    for cells in (10, 40, 160):
        part = bar(cells)
        got = reduced_by_us(part, basis="craig-bampton", modes=MODES, stress=False)
        tables = kt.assemble(model(got)).compiled.tables
        size = sum(array.nbytes for array in tables)
        rows.append(
            {"case": "nodes", "nodes": len(part.X), "ours": evaluation(got), "bytes": int(size)}
        )
    return rows


if __name__ == "__main__":
    options = arguments(__doc__, 3)
    warnings.simplefilter("ignore")
    show([*equal_error(), *costs()], options.json, NOTE)
