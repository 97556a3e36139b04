"""A connecting rod of finite elements at 3000 rpm: its stress beside that of a rigid rod.

The force at the small end of a rigid rod, over the area of the shank, is a mean stress there. The flexible rod passes on
the same forces and has a peak where the shank meets the big end.
"""

import numpy as np

import kinetree as kt
from kinetree.models.flexible_crank import flexible_crank, rod_part

sol = kt.simulate(flexible_crank(), until=0.04, rtol=1e-6)
stress = sol.stress("rod")
print(stress)
late = sol.t > 0.02  # the vibration of the start has decayed
print(f"second turn: up to {1e-6 * stress.largest[late].max():.2f} MPa")

# the same mechanism with a rigid rod
part = rod_part()
rigid = flexible_crank()
mass = kt.mass(part.mass, inertia=part.inertia, com=part.com)
m = kt.Model("rigid")
crank = m.body("crank", kt.rod(0.8, 0.04, along="x"), position=(0.02, 0, 0))
rod = m.body("rod", mass, position=(0.04, 0, 0))
piston = m.body("piston", kt.cylinder(0.4, 0.03, 0.04, along="x"), position=(0.205, 0, 0))
m.joint("A", kt.Revolute(axis="z"), m.ground, crank.end("-"))
m.joint("B", kt.Revolute(axis="z"), crank.end("+"), rod)
m.joint("C", kt.Cylindrical(axis="z"), rod.at(0.15, 0, 0), piston.at(-0.015, 0, 0))
m.joint("slide", kt.Translational(axis="x"), m.ground.at(0.19, 0, 0), piston)
m.constraint("drive", kt.Driver("A.angle", kt.Ramp(slope=100 * np.pi)))
stiff = kt.simulate(m, until=0.04, rtol=1e-8)
ours, theirs = (np.linalg.norm(run["B.force"][late], axis=1) for run in (sol, stiff))
print(f"force in the big end: {ours.max():.1f} N, with a rigid rod {theirs.max():.1f} N")

# CHECK the elastic rod passes on the force of the rigid one, and its energy balance holds
assert abs(ours.max() / theirs.max() - 1.0) < 0.02
assert np.abs(sol.energy.imbalance).max() < 1e-5 * sol.energy.kinetic.max()
area = 22e-3 * 16e-3 - 2 * 14e-3 * 5e-3  # of the shank
mean = np.linalg.norm(stiff["C.force"][late], axis=1).max() / area
assert mean < stress.largest[late].max() < 4.0 * mean
