"""A pendulum: one body and one joint.

A rod of 1 m hangs on a hinge about the y axis. It is released 2 rad away from the hanging position. The period of
large swings is longer than that of small ones; it contains an elliptic integral.
"""

import math

from scipy.special import ellipk

import kinetree as kt

length, mass, start, g = 1.0, 1.0, 2.0, 9.81

m = kt.Model("pendulum", gravity=(0, 0, -g))
rod = m.body("rod", kt.rod(mass, length, along="z"))
m.joint("hinge", kt.Revolute(axis="y"), m.ground, rod.end("+"), start={"angle": start})

# The exact period: T = 4 K(sin(start / 2)) sqrt(I / (m g l / 2)) with the inertia I = m l^2 / 3 about the hinge.
period = 4 * ellipk(math.sin(start / 2) ** 2) * math.sqrt((length / 3) / (g / 2))

sol = kt.simulate(m, until=period, rtol=1e-10)
print(f"period {period:.6f} s; after it the angle is {sol['hinge.angle'][-1]:.9f} rad")
print(f"energy drift {sol.energy.drift:.1e}")

# CHECK after one period the pendulum is back where it began (complete elliptic integral of the first kind).
assert abs(sol["hinge.angle"][-1] - start) < 1e-8  # rtol 1e-10 over some 300 steps
