"""How time grows with the machine: chains, closed loops, stiff chains and sampled output, and
Exudyn's sparse solver beside us.

Every case runs from 10 to the largest size that fits. `seconds` is the CPU time of our solver call
alone (of the whole `simulate` and one channel where output is the matter), `exudyn` that of
Exudyn's, both to the same final error, 1e-6 of the result, which is verified at every size.
`exponent` is the slope of log(seconds per step) against log(size) since the size before: the number
of steps may grow for reasons of physics, the cost of one must not.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from math import log
from typing import NamedTuple

import numpy as np

import kinetree as kt
import machines
from common import arguments, best_of, cpu_seconds, show, told
from kinetree.models.catalogue import model_entry
from ours import Ours, counts

ERROR = 1e-6
FOUR_BARS = 0.5  # s: before the change point
STIFF = 0.2  # s
SETTINGS: dict[str, tuple] = {}  # our rtol and Exudyn's steps, by coordinates, integrator and size


COUNTS = (
    *("rejected", "evaluations", "iterations", "jacobians", "factorizations"),
    *("steps_exudyn", "iterations_exudyn", "jacobians_exudyn"),
)


class Measured(NamedTuple):
    """One size of one case."""

    seconds: float
    steps: int
    exudyn: float | None = None
    error: float | None = None
    error_exudyn: float | None = None
    counts: Mapping[str, int] = {}


def _run(side: Ours, repeat: int) -> Measured:
    once = side.run()
    seconds = best_of({"ours": side.run}, repeat)["ours"]
    return Measured(seconds, once.accepted, counts=counts(once))


def chain(n: int, repeat: int) -> Measured:
    """Open chain, Adams at rtol 1e-6 over 10 ms."""
    return _run(Ours(machines.chain(n), 0.01), repeat)


def four_bars(
    coordinates: str, integrator: str = "adams", brake: float = 0.0
) -> Callable[[int, int], Measured]:
    """A row of n windows over 0.5 s to a verified error, or over 0.2 s with a stiff damper at every
    foot but the last. Exudyn's Jacobian of stiff ones is renewed in every step or kept, whichever
    is faster.
    """

    def measure(n: int, repeat: int) -> Measured:
        from peers import exudyn_long

        until = STIFF if brake else FOUR_BARS
        case = f"{coordinates} {integrator} {min(n, 100)}"
        reference = machines.four_bars_end(n, until, brake)
        side = Ours(
            (machines.braked_four_bars if brake else machines.four_bars)(n),
            until,
            coordinates,
            integrator,
        )

        def error(y: np.ndarray) -> float:
            return float(np.abs(side.place(y, "upright0", (0, 0, 0.5))[[0, 2]] - reference).max())

        peers = _peers_of_four_bars(n, until, coordinates, brake)
        if case not in SETTINGS:  # found up to 100 windows: the errors of longer rows are alike
            side.find_tolerance(error, ERROR, start=1e-1 if brake else 1e-4)
            SETTINGS[case] = (
                side.rtol,
                *(exudyn_long.find_steps(peer, reference, ERROR)[0] for peer in peers.values()),
            )
        side.rtol, *steps = SETTINGS[case]
        runs: dict[str, Callable[[], object]] = {"ours": side.run}
        for (name, peer), count in zip(peers.items(), steps):
            runs[name] = partial(peer.run, count)
        found, reached = side.run(), {"ours": error(side.run().y)}
        for (name, peer), count in zip(peers.items(), steps):
            reached[name] = exudyn_long.relative_error(peer, reference, count)
        assert max(reached.values()) < 2.0 * ERROR, f"n = {n}: errors {reached}"
        seconds = best_of(runs, repeat)
        best = min(peers, key=lambda name: seconds[name])
        told(f"{case}, {n}: Exudyn is fastest with its Jacobian {best}")
        done = counts(found) | exudyn_long.counts(peers[best], dict(zip(peers, steps))[best])
        return Measured(
            seconds["ours"], found.accepted, seconds[best], reached["ours"], reached[best], done
        )

    return measure


def _peers_of_four_bars(n: int, until: float, coordinates: str, brake: float) -> dict:
    """Exudyn with its Jacobian renewed in every step and, of stiff windows, kept over steps."""
    from peers import exudyn_long

    if brake:
        return {
            name: exudyn_long.four_bars_of_bodies(n, until, brake, keep)
            for name, keep in (("renewed", False), ("kept", True))
        }
    relative = coordinates == "relative"
    build = exudyn_long.four_bars if relative else exudyn_long.four_bars_of_bodies
    return {"renewed": build(n, until)}


def loops(n: int, repeat: int) -> Measured:
    """n four-bars on a free base, Adams at rtol 1e-6 over 0.3 s."""
    return _run(Ours(machines.loops_on_a_base(n), 0.3), repeat)


def null_space(
    machine: Callable, formulation: str, coordinates: str = "relative"
) -> Callable[[int, int], Measured]:
    """Many loops by a method of the null space, Adams at rtol 1e-6 over 0.3 s: local bases."""

    def measure(n: int, repeat: int) -> Measured:
        return _run(Ours(machine(n), 0.3, coordinates, formulation=formulation), repeat)

    return measure


def ring(n: int, repeat: int) -> Measured:
    """A closed ring of n links over 10 ms."""
    return _run(Ours(machines.ring(n), 0.01), repeat)


def ladder(n: int, repeat: int) -> Measured:
    """A ladder of n rungs that hangs from the ground, over 10 ms."""
    return _run(Ours(machines.ladder(n), 0.01), repeat)


def stiff_loops(machine: Callable, integrator: str) -> Callable[[int, int], Measured]:
    """A stiff closed chain in relative coordinates over 50 ms at rtol 1e-5."""

    def measure(n: int, repeat: int) -> Measured:
        return _run(Ours(machine(n), 0.05, "relative", integrator, rtol=1e-5), repeat)

    return measure


def hub(coordinates: str, machine: Callable = machines.platform) -> Callable[[int, int], Measured]:
    """A platform on n legs over 50 ms."""

    def measure(n: int, repeat: int) -> Measured:
        return _run(Ours(machine(n), 0.05, coordinates), repeat)

    return measure


def stiff_hub(coordinates: str, integrator: str) -> Callable[[int, int], Measured]:
    """A platform on n legs with stiff, damped struts over 50 ms at rtol 1e-5."""

    def measure(n: int, repeat: int) -> Measured:
        return _run(Ours(machines.stiff_platform(n), 0.05, coordinates, integrator, 1e-5), repeat)

    return measure


def stiff_chain(coordinates: str, integrator: str) -> Callable[[int, int], Measured]:
    """A chain of stiff hinges over 0.2 s to a verified error, against a tighter run of the
    constrained equations in Cartesian coordinates.

    Exudyn's Jacobian is renewed in every step or kept, whichever is faster. In relative coordinates
    nobody forms the full Jacobian of a long chain; in Cartesian ones "bdf-direct" solves the
    constrained equations themselves.
    """

    def measure(n: int, repeat: int) -> Measured:
        reference = _end_of_stiff_chain(n)
        side = Ours(machines.stiff_chain(n), STIFF, coordinates, integrator)

        def error(y: np.ndarray) -> float:
            tip = side.place(y, f"b{n - 1}", (0.5 / n, 0, 0))
            return float(np.abs(tip[[0, 2]] - reference).max())

        side.find_tolerance(error, ERROR)
        end = side.run()
        peers = _peers_of_stiff_chain(n)
        runs: dict[str, Callable[[], object]] = {"ours": side.run}
        for name, (peer, steps, _) in peers.items():
            runs[name] = partial(peer.run, steps)
        seconds = best_of(runs, repeat)
        best = min(peers, key=lambda name: seconds[name], default=None)
        if best is None:
            return Measured(seconds["ours"], end.accepted, None, error(end.y), None, counts(end))
        told(f"stiff chain, {n}: Exudyn is faster with its Jacobian {best}")
        from peers import exudyn_long

        peer, steps, reached = peers[best]
        done = counts(end) | exudyn_long.counts(peer, steps)
        return Measured(seconds["ours"], end.accepted, seconds[best], error(end.y), reached, done)

    return measure


@cache
def _end_of_stiff_chain(n: int) -> np.ndarray:
    """The tip, from a run a thousand times as exact."""
    exact = Ours(machines.stiff_chain(n), STIFF, "cartesian", "bdf-direct", rtol=1e-8)
    return exact.place(exact.run().y, f"b{n - 1}", (0.5 / n, 0, 0))[[0, 2]]


@cache
def _peers_of_stiff_chain(n: int) -> dict[str, tuple]:
    """Exudyn with its Jacobian renewed in every step, and kept over steps: the mechanism, the
    fewest steps that reach the error, and the error; of the longest chains it is not asked.
    """
    if n > 300:
        return {}
    from peers import exudyn_long

    found = {}
    for name, keep in (("renewed", False), ("kept", True)):
        peer = exudyn_long.stiff_chain(n, STIFF, keep)
        steps, reached = exudyn_long.find_steps(peer, _end_of_stiff_chain(n), ERROR)
        if steps is not None:
            found[name] = peer, steps, reached
    return found


def samples(n: int, repeat: int) -> Measured:
    """n samples of RSSR over 2 s, and one channel of them; "steps" are the samples."""
    model = model_entry("rssr").build()
    _ = kt.simulate(model, 0.01, progress=False)["crank.position.z"]  # kernels are loaded

    def run() -> np.ndarray:
        return kt.simulate(model, 2.0, output_interval=2.0 / n, progress=False)["crank.position.z"]

    return Measured(min(cpu_seconds(run) for _ in range(repeat)), 1)


def sampled_four_bars(n: int, repeat: int) -> Measured:
    """501 samples of n windows over 0.5 s, and one channel of them."""
    model = machines.four_bars(n)
    _ = kt.simulate(model, 0.01, output_interval=0.01, rtol=1e-6, progress=False)[
        "upright0.position.x"
    ]  # kernels are loaded

    def run() -> np.ndarray:
        return kt.simulate(model, FOUR_BARS, rtol=1e-6, progress=False)["upright0.position.x"]

    return Measured(min(cpu_seconds(run) for _ in range(max(repeat, 5))), 1)


CASES: dict[str, tuple[Callable[[int, int], Measured], tuple[int, ...]]] = {
    "chain": (chain, (10, 100, 1000, 10_000)),
    "four-bars relative": (four_bars("relative"), (10, 100, 300, 1000)),
    "four-bars cartesian": (four_bars("cartesian"), (10, 30, 100, 300, 1000)),
    "loops on a free base": (loops, (10, 100, 300, 1000)),
    "four-bars projection": (null_space(machines.four_bars, "projection"), (10, 100, 300, 1000)),
    "four-bars partitioning": (
        null_space(machines.four_bars, "partitioning"),
        (10, 100, 300, 1000),
    ),
    "four-bars cartesian qr": (
        null_space(machines.four_bars, "qr", "cartesian"),
        (10, 100, 300, 1000),
    ),
    "loops projection": (null_space(machines.loops_on_a_base, "projection"), (10, 100, 300, 1000)),
    "loops partitioning": (
        null_space(machines.loops_on_a_base, "partitioning"),
        (10, 100, 300, 1000),
    ),
    "ring": (ring, (10, 100, 300, 1000)),
    "ladder": (ladder, (10, 30, 100, 300)),
    "stiff ring bdf": (stiff_loops(machines.stiff_ring, "bdf"), (10, 100, 300, 1000)),
    "stiff ring bdf-direct": (stiff_loops(machines.stiff_ring, "bdf-direct"), (10, 100, 300, 1000)),
    "stiff ladder bdf": (stiff_loops(machines.stiff_ladder, "bdf"), (10, 30, 100, 300)),
    "hub": (hub("relative"), (10, 100, 300, 1000)),
    "hub cartesian": (hub("cartesian"), (10, 100, 300, 1000)),
    "stiff hub bdf": (stiff_hub("relative", "bdf"), (10, 100, 300, 1000)),
    "stiff hub bdf-direct": (stiff_hub("relative", "bdf-direct"), (10, 100, 300, 1000)),
    "planar hub": (hub("relative", machines.plate), (10, 100, 300, 1000)),
    "planar hub cartesian": (hub("cartesian", machines.plate), (10, 100, 200)),
    "stiff chain": (stiff_chain("cartesian", "bdf-direct"), (10, 30, 100, 300)),
    "stiff-chain-bdf": (stiff_chain("relative", "bdf"), (10, 100, 300, 1000)),
    "stiff-chain-switching": (stiff_chain("relative", "switching"), (10, 100, 300, 1000)),
    "stiff four-bars bdf": (four_bars("relative", "bdf", machines.BRAKE), (10, 100, 300, 1000)),
    "stiff four-bars switching": (
        four_bars("relative", "switching", machines.BRAKE),
        (10, 100, 300, 1000),
    ),
    "stiff four-bars bdf-direct": (
        four_bars("relative", "bdf-direct", machines.BRAKE),
        (10, 100, 300, 1000),
    ),
    "stiff four-bars bdf-direct cartesian": (
        four_bars("cartesian", "bdf-direct", machines.BRAKE),
        (10, 100, 300),
    ),
    "samples": (samples, (1000, 10_000, 100_000, 1_000_000)),
    "sampled four-bars": (sampled_four_bars, (10, 100, 300, 1000)),
}


def rows(case: str, repeat: int, most: int | None) -> Iterator[dict]:
    measure, sizes = CASES[case]
    before: tuple[int, float] | None = None
    for n in sizes:
        if most is not None and n > most:
            return
        found = measure(n, repeat)
        each = found.seconds / found.steps
        exponent = None if before is None else log(each / before[1]) / log(n / before[0])
        before = (n, each)
        told(
            f"{case}, {n}: {found.seconds:.3g} s"
            + ("" if exponent is None else f", exponent {exponent:.2f}")
            + (f", exudyn {found.exudyn / found.seconds:.3g} times as long" if found.exudyn else "")
        )
        yield {
            "case": case,
            "n": n,
            "seconds": found.seconds,
            "exudyn": found.exudyn,
            "exponent": exponent,
            "speed_up": found.exudyn / found.seconds if found.exudyn else None,
            "steps": found.steps,
            "error": found.error,
            "error_exudyn": found.error_exudyn,
            **{name: found.counts.get(name) for name in COUNTS},
        }


if __name__ == "__main__":
    asked = arguments(__doc__.splitlines()[0], repeat=3)
    wanted = asked.only or list(CASES)
    show(
        [row for case in wanted for row in rows(case, asked.repeat, asked.most)],
        asked.json,
        "CPU seconds of a run to a verified error; exponent: of seconds per step, since the size "
        "before; speed_up = exudyn / "
        "ours.",
    )
