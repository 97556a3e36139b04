"""A four-bar linkage: a closed loop.

Three rods and the ground are connected by four hinges. The rods are drawn on the x axis, where the loop is not
closed. Assembly turns the joints until it is closed. Four spatial hinges in a plane have redundant equations, which
the topology report lists.
"""

import numpy as np

import kinetree as kt

m = kt.Model("four-bar", gravity=(0, 0, -9.81))
crank = m.body("crank", kt.rod(mass=0.5, length=0.50, along="x"))
coupler = m.body("coupler", kt.rod(mass=1.0, length=1.20, along="x"))
rocker = m.body("rocker", kt.rod(mass=0.75, length=0.75, along="x"))
m.joint("A", kt.Revolute(axis="y"), m.ground.at(0, 0, 0), crank.end("-"))
m.joint("B", kt.Revolute(axis="y"), crank.end("+"), coupler.end("-"))
m.joint("C", kt.Revolute(axis="y"), coupler.end("+"), rocker.end("+"))  # closes the loop
m.joint("D", kt.Revolute(axis="y"), m.ground.at(1.10, 0, 0), rocker.end("-"))

print(m.topology())
print(kt.assemble(m))

sol = kt.simulate(m, until=5.0, rtol=1e-9)
print(f"constraint error {sol.constraint_error.max():.1e} m, energy drift {sol.energy.drift:.1e}")

# CHECK the angles of crank and rocker satisfy Freudenstein's equation: the coupler is 1.2 m long.
a, d = sol["A.angle"], sol["D.angle"]
tips = np.array([0.5 * np.cos(a) - 1.1 - 0.75 * np.cos(d), 0.75 * np.sin(d) - 0.5 * np.sin(a)])
assert (
    np.abs(np.hypot(*tips) - 1.2).max() < 1e-8
)  # samples are interpolated between steps at rtol 1e-9
assert m.topology().mobility == 1  # counting alone gives -2
