"""Glancing shots: contacts that adaptive integrators miss, out of many random ones.

A ball flies for a while and hits a hanging ball at a random offset; the contact takes some
milliseconds, or less for a grazing shot. A contact is missed if the second ball does not move.

    python benchmarks/glancing.py [--shots 200] [--json]
"""

from __future__ import annotations

import argparse
import json
import math

import numpy as np

import kinetree as kt

RADIUS, MASS, K = 0.05, 1.0, 1e7
INTEGRATORS = ("adams", "dopri5", "dop853", "bdf", "switching")
TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9)


def distance(t, a, b, p):
    """Gap of two balls."""
    total = 0.0
    for k in range(3):
        total += (b.position[k] - a.position[k]) ** 2
    return math.sqrt(total) - p[0]


def hertz(t, a, b, p, force, torque):
    """Elastic contact of two balls with the stiffness p[1]."""
    total = 0.0
    for k in range(3):
        total += (b.position[k] - a.position[k]) ** 2
    d = math.sqrt(total)
    if d < p[0]:
        for k in range(3):
            force[k] = p[1] * (p[0] - d) ** 1.5 * (b.position[k] - a.position[k]) / d


def random_shot(seed: int) -> tuple[float, float, float, float]:
    """Offset in radii, speed (m/s), time of flight (s), time after the contact (s)."""
    rng = np.random.default_rng(seed)
    offset = 2.0 * math.sqrt(rng.uniform(0.0, 0.998))
    return (
        offset,
        10.0 ** rng.uniform(-0.5, 1.5),
        10.0 ** rng.uniform(-1, 1.3),
        rng.uniform(0.1, 10),
    )


def model(seed: int, law: str) -> tuple[kt.Model, float]:
    """The shot, and the length of the run."""
    offset, speed, flight, after = random_shot(seed)
    rng = np.random.default_rng([seed, 1])
    along = rng.normal(size=3)
    along /= np.linalg.norm(along)
    across = np.cross(along, rng.normal(size=3))
    across *= offset * RADIUS / np.linalg.norm(across)
    m = kt.Model("shot", gravity=(0, 0, 0))
    a = m.body("a", kt.sphere(MASS, RADIUS))
    start = across - speed * flight * along
    b = m.body("b", kt.sphere(MASS, RADIUS), position=start, velocity=speed * along)
    m.float(a)
    m.float(b)
    if law == "contact":
        ball = kt.shapes.Ball(RADIUS)
        m.contact("touch", ball.on(a), ball.on(b), kt.Contact(K, restitution=1.0))
    else:
        gap = distance if law == "user" else None
        m.force("touch", kt.UserForce(hertz, (2.0 * RADIUS, K), gap=gap), a, b)
    return m, flight + after


def missed(law: str, integrator: str, rtol: float, shots: range) -> tuple[int, int, int]:
    """Number of missed contacts, of runs that ended with an error, and of steps."""
    lost, failed, steps = 0, 0, 0
    for seed in shots:
        m, until = model(seed, law)
        try:
            sol = kt.simulate(
                m,
                until,
                integrator=integrator,
                rtol=rtol,
                output_interval=until / 4,
                progress=False,
            )
        except kt.SimulationError:
            failed += 1
            continue
        lost += not np.linalg.norm(sol["a.velocity"][-1]) > 0.0
        steps += int(sol.steps.steps.sum())
    return lost, failed, steps


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--shots", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="a tenth of the shots")
    given = parser.parse_args()
    shots = given.shots // 10 if given.quick else given.shots
    rows = []
    for law in ("contact", "user", "user, no gap"):
        for integrator in INTEGRATORS:
            for rtol in TOLERANCES:
                lost, failed, steps = missed(law, integrator, rtol, range(shots))
                rows.append(
                    {
                        "law": law,
                        "integrator": integrator,
                        "rtol": rtol,
                        "shots": shots,
                        "missed": lost,
                        "errors": failed,
                        "steps": steps / shots,
                    }
                )
                if not given.json:
                    print(*rows[-1].values(), flush=True)
    if given.json:
        print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
