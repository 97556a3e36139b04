"""A stored study: the period of a pendulum over its amplitude, computed in two sittings.

The first study is ended in the middle, here by deleting half of its results. The second one runs the missing cases
only, and has the same bits as a study in one piece. The periods are compared with elliptic integrals.
"""

import tempfile
from pathlib import Path

import numpy as np
from scipy.special import ellipk

import kinetree as kt


def pendulum(angle=1.0, length=0.5):
    m = kt.Model("pendulum")
    rod = m.body("rod", kt.rod(mass=1.0, length=length, along="z"))
    m.joint("hinge", kt.Revolute(axis="y"), m.ground, rod.end("+"), start={"angle": angle})
    return m


# The angle passes zero after a quarter of a period.
down = kt.Event("hinge.angle", name="down", terminal=True)
space = kt.Space.grid(angle=np.linspace(0.2, 2.8, 40), length=[0.5])
study = kt.Study(pendulum, space, {"quarter": "time of down"}, until=3.0, events=[down], rtol=1e-9)

with tempfile.TemporaryDirectory() as folder:
    whole = study.run(store=folder)
    parts = sorted(Path(folder).glob("part-*.nc"))
    for part in parts[::2]:
        part.unlink()
    again = study.run(store=folder)
    print(f"{len(parts)} parts, {len(parts[::2])} of them computed twice")

sol = study.solution(0)  # one of the cases
period = 4 * whole["quarter"]
# T = 4 K(sin(a / 2)) sqrt(2 l / (3 g)) for a slender rod
exact = 4 * ellipk(np.sin(whole["angle"] / 2) ** 2) * np.sqrt(2 * 0.5 / (3 * 9.81))
print(f"largest error of {len(period)} periods: {np.abs(period - exact).max():.1e} s")

# CHECK the second sitting has the bits of the first, and the periods are those of elliptic integrals.
assert np.array_equal(whole["quarter"], again["quarter"])
assert np.abs(period - exact).max() < 1e-7  # rtol 1e-9 over some hundred steps
