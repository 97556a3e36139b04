"""Newton's cradle: five balls on ropes, and two laws for blows that happen at once.

One ball is lifted and let go. The law of impact is a choice: one blow after the other, or all at once.
"""

import math

import numpy as np

import kinetree as kt

RADIUS, LENGTH, LIFT = 0.02, 0.2, 0.6


def cradle(several: str) -> kt.Model:
    m = kt.Model("Newton's cradle")
    shapes = []
    for k in range(5):
        x = 2.0 * RADIUS * k
        ball = m.body(f"ball {k}", kt.sphere(0.26, RADIUS), position=(x, 0.0, -LENGTH))
        start = {"angle": LIFT} if k == 0 else {}
        m.joint(f"rope {k}", kt.Revolute("y"), m.ground, ball, at=(x, 0.0, 0.0), start=start)
        shapes.append(kt.shapes.Ball(RADIUS).on(ball))
    law = kt.RigidContact(restitution=1.0, several=several)
    for k in range(4):
        m.contact(f"pair {k}", shapes[k], shapes[k + 1], law)
    return m


sol = kt.simulate(cradle("sequential"), until=1.0, rtol=1e-9)
highest = [np.abs(sol[f"rope {k}.angle"]).max() for k in range(5)]
print("largest angles, one blow after the other:", [f"{a:.3f}" for a in highest])
first = sol.events["pair 0.impact"].t[0]
print(f"first impact at {first:.4f} s")

at_once = kt.simulate(cradle("simultaneous"), until=first + 0.01, rtol=1e-9)
rates = [
    at_once[f"rope {k}.rate"][-1] / sol.events["pair 0.impact"].before["rope 0.rate"][0]
    for k in range(5)
]
print("rates by that of the first ball, all at once:", [f"{r:.2f}" for r in rates])

# CHECK one after the other, the last ball rises as high as the first one was lifted.
assert abs(highest[4] - LIFT) < 1e-6
assert max(highest[1:4]) < 1e-6
# CHECK the first impact is after a quarter of the period of a pendulum with this amplitude.
k = math.sin(0.5 * LIFT)
a, b = 1.0, math.sqrt(1.0 - k * k)
while a - b > 1e-15:
    a, b = 0.5 * (a + b), math.sqrt(a * b)
arm = LENGTH + 0.4 * RADIUS**2 / LENGTH
assert abs(first - 0.5 * math.pi / a * math.sqrt(arm / 9.81)) < 1e-8
# CHECK the energy of the balls does not change, with either law.
assert sol.energy.drift < 1e-7
assert at_once.energy.drift < 1e-7
