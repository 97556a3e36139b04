"""The woodpecker toy: a sleeve jams on its pole, the bird swings, pecks and slides a little down.

Three contacts with dry friction, impacts, sticking and sliding repeat in every peck.  [Pfeiffer1996]
"""

import math

import numpy as np

import kinetree as kt

POLE, HOLE, HEIGHT = (
    0.0025,
    0.0031,
    0.0058,
)  # radius of pole and sleeve, half the height of the sleeve
NECK, CENTER, BEAK = (
    0.010,
    0.015,
    (-0.0201, 0.020),
)  # to the spring, to the bird, from there to the beak


def woodpecker() -> kt.Model:
    m = kt.Model("woodpecker")
    slide = m.body("slide", kt.mass(0.00015, (5e-9,) * 3))
    sleeve = m.body("sleeve", kt.mass(0.00015, (5e-9,) * 3))
    bird = m.body("bird", kt.mass(0.0045, (7e-7,) * 3), position=(NECK + CENTER, 0, 0))
    m.joint("pole", kt.Translational("z"), m.ground, slide, speed={"displacement": -0.34})
    m.joint("tilt", kt.Revolute("-y"), slide, sleeve, at=(0, 0, 0), start={"angle": -0.1})
    m.joint(
        "neck",
        kt.Revolute("-y"),
        sleeve,
        bird,
        at=(NECK, 0, 0),
        start={"angle": -0.18},
        speed={"angle": -7.5},
    )
    m.force("spring", kt.TorsionSpring("neck.angle", stiffness=0.0056))
    pole = kt.shapes.HalfSpace().on(m.ground.at(POLE, 0, 0, rotation=("y", math.pi / 2)))
    tip = kt.shapes.Ball(1e-5)
    edges = {"beak": bird.at(BEAK[0] + 1e-5, 0, BEAK[1])}
    edges |= {
        "upper": sleeve.at(HOLE + 1e-5, 0, HEIGHT),
        "lower": sleeve.at(HOLE + 1e-5, 0, -HEIGHT),
    }
    for name, marker in edges.items():
        law = kt.RigidContact(restitution=0.5 if name == "beak" else 0.0, friction=0.3)
        m.contact(name, pole, tip.on(marker), law)
    return m


sol = kt.simulate(woodpecker(), until=2.0, rtol=1e-8)
pecks = sol.events["beak.impact"].t
period = np.diff(pecks)
height = np.diff(sol.events["beak.impact"].before["pole.displacement"])
print(
    f"{len(pecks)} pecks, one every {1e3 * period[-1]:.2f} ms; {-1e3 * height[-1]:.2f} mm down each time"
)
taken = {name: abs(sol.energy.by_source[name][-1]) for name in ("beak", "upper", "lower")}
print("energy taken:", ", ".join(f"{name} {1e3 * e:.3f} mJ" for name, e in taken.items()))

# CHECK the motion becomes periodic: the last periods are equal.
assert np.ptp(period[-4:]) < 1e-6
# CHECK weight times descent in a period is what the contacts take in it.
assert abs(sum(taken.values()) - 9.81 * 0.0048 * abs(sol["pole.displacement"][-1])) < 0.1 * sum(
    taken.values()
)
# CHECK no edge enters the pole, and the energy balance closes.
assert min(sol[f"{name}.gap"].min() for name in taken) > -1e-9
assert sol.energy.imbalance < 1e-5
