"""Tolerances of a windscreen wiper: how far the swing of its rocker varies.

A motor turns the crank of a four-bar linkage. The lengths of three links vary within their tolerances. A study runs
256 variants, and the spread of the swing is compared with that of the law of cosines.
"""

import numpy as np

import kinetree as kt


def wiper(crank=0.10, coupler=0.38, rocker=0.25, ground=0.35):
    m = kt.Model("wiper", gravity=(0, 0, 0))
    a = m.body("crank", kt.rod(mass=0.2, length=crank, along="x"))
    b = m.body("coupler", kt.rod(mass=0.4, length=coupler, along="x"))
    c = m.body("rocker", kt.rod(mass=0.5, length=rocker, along="x"))
    m.joint("A", kt.Revolute(axis="y"), m.ground, a.end("-"), start={"angle": 0.0})
    m.joint("B", kt.Revolute(axis="y"), a.end("+"), b.end("-"))
    m.joint("C", kt.Revolute(axis="y"), b.end("+"), c.end("+"))
    m.joint("D", kt.Revolute(axis="y"), m.ground.at(ground, 0, 0), c.end("-"))
    m.constraint("motor", kt.Driver("A.angle", kt.Ramp(2 * np.pi)))
    return m


space = kt.Space.sobol(
    256,
    crank={"nominal": 0.10, "tolerance": 0.0005},
    coupler={"nominal": 0.38, "tolerance": 0.001},
    rocker={"nominal": 0.25, "tolerance": 0.001},
)
table = kt.Study(wiper, space, {"swing": "range D.angle"}, until=1.0, rtol=1e-6).run()
sol = table.study.solution(0)  # one of the cases
swing = np.degrees(table["swing"])
print(f"{table.done} cases, swing {swing.mean():.2f} deg, standard deviation {swing.std():.2f} deg")

# The rocker turns back where crank and coupler are in line: the law of cosines gives both angles.
ends = [table["coupler"] + s * table["crank"] for s in (-1, 1)]
inner, outer = (
    np.arccos((table["rocker"] ** 2 + 0.35**2 - d**2) / (2 * table["rocker"] * 0.35)) for d in ends
)
exact = np.degrees(outer - inner)

# CHECK every swing is that of the law of cosines; 501 samples miss the turning points by up to 1e-3 of the run.
assert table.done == 256
assert np.abs(swing - exact).max() < 1e-2
assert abs(swing.std() - exact.std()) < 1e-3
