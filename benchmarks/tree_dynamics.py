"""Forward dynamics of 3-D revolute chains: Kinetree, Pinocchio `aba` and MuJoCo `mj_forward` in one
run.

`ours` is one call of the articulated-body kernel from a compiled loop, which is how the time loops
call it; `ours_from_python` is the same call from Python. The peers are called through their Python
bindings, which is how they are used from Python; `binding` (Pinocchio's time for one body) bounds
what that costs. Pinocchio computes in local axes by default and in world axes on request, which is
faster: `pinocchio` is the better of the two, `local` the default. Each code must give the same
accelerations before it is timed.
"""

import numpy as np

import kinetree as kt
from common import arguments, best_of, show, told
from kinetree.assembly.build import build
from kinetree.engine.dynamics.forward import forward_dynamics
from kinetree.kernel.decorators import kernel
from peers import chain, mujoco_chain, pinocchio_chain

SIZES = (6, 12, 30, 100, 300)


@kernel
def repeat(tables, work, q, v, tau, vdot, count):
    for _ in range(count):
        forward_dynamics(tables, work, q, v, tau, vdot)


def model(n: int) -> kt.Model:
    """The chain of `peers.chain` in our words."""
    m = kt.Model("chain", gravity=chain.GRAVITY)
    place = m.ground.at(0, 0, 0)
    for i in range(n):
        body = m.body(f"b{i}", kt.mass(chain.MASS, chain.INERTIA, chain.COM))
        m.joint(f"j{i}", kt.Revolute(axis="xyz"[i % 3]), place, body)
        place = body.at(*chain.OFFSET)
    return m


def row(n: int, repetitions: int) -> dict:
    q, v, tau = chain.random_state(n)
    compiled = build(model(n))
    tables, work, vdot = compiled.tables, compiled.workspace(), np.zeros(n)
    call = (tables, work, q, v, tau, vdot)
    forward_dynamics(*call)
    repeat(*call, 1)
    aba, world = (
        pinocchio_chain.step(q, v, tau),
        pinocchio_chain.step(q, v, tau, pinocchio_chain.WORLD),
    )
    alone = pinocchio_chain.step(*chain.random_state(1), pinocchio_chain.WORLD)
    forward, qacc = mujoco_chain.step(q, v, tau)
    forward()
    expected = pinocchio_chain.acceleration(q, v, tau)
    for name, found in (("ours", vdot), ("world", world()), ("mujoco", qacc)):
        error = np.abs(found - expected).max() / np.abs(expected).max()
        assert error < 1e-7, f"{name} differs from Pinocchio by {error:.1e} at n = {n}"
    count = max(10, 3000 // n)
    loops = {
        name: (lambda f=f: [f() for _ in range(count)])
        for name, f in (
            ("local", aba),
            ("world", world),
            ("mujoco", forward),
            ("binding", alone),
            ("ours_from_python", lambda: forward_dynamics(*call)),
        )
    }
    seconds = best_of({"ours": lambda: repeat(*call, count), **loops}, repetitions)
    per_call = {name: s / count for name, s in seconds.items()}
    best = min(per_call["local"], per_call["world"])
    told(f"{n} bodies: ours {1e6 * per_call['ours']:.3g} us, Pinocchio {1e6 * best:.3g} us")
    return {
        "n": n,
        "ours": per_call["ours"],
        "pinocchio": best,
        "mujoco": per_call["mujoco"],
        "ratio": per_call["ours"] / best,
        "local": per_call["local"],
        "world": per_call["world"],
        "ours_from_python": per_call["ours_from_python"],
        "binding": per_call["binding"],
    }


if __name__ == "__main__":
    options = arguments(__doc__.splitlines()[0])
    sizes = [n for n in SIZES if options.most is None or n <= options.most]
    show(
        [row(n, options.repeat) for n in sizes],
        options.json,
        "Seconds per call; ratio = ours / pinocchio; binding = Pinocchio's time for a chain of one "
        "body.",
    )
