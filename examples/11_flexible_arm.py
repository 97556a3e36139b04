"""A flexible arm from position vectors: derive its equations, read them, and run them.

A flexible boom carries a stiffer jib with a payload. The deflection of a link is a sum of assumed modes. The equations
are derived as symbols, printed, compiled and simulated. A spring and a damper hold the shoulder, and a driver locks
the elbow.
"""

import math

import kinetree as kt

rho, EI, length, payload = 4.0, 8000.0, 2.5, 6.0  # kg/m, N m^2, m, kg

arm = kt.Arm("flexible arm", gravity=9.81)
boom = arm.link("boom", "A", length=length, density=rho, EI=EI, modes=3, start=0.6)
jib = arm.link("jib", "B", on=boom, length=1.2, density=2.0, start=-0.8)
arm.payload(jib, payload)

m = arm.model()
print(kt.derive(m).report)

m.force("shoulder", kt.TorsionSpring("A.angle", stiffness=4e4, damping=800.0, angle=0.6))
m.constraint("lock", kt.Driver("B.angle", -0.8))

sol = kt.simulate(m, until=1.0, rtol=1e-8)
print(sol)
deflection = sol["boom.deflection.100"]
print(
    f"deflection of the tip of the boom: {1e3 * deflection.min():.2f} to {1e3 * deflection.max():.2f} mm"
)

# CHECK at rest the boom carries its own weight, and the jib with its payload as a force at its tip (the moment of the elbow acts
# on the frame of the boom, because the slope of its tip is not included): u(l) = cos(a) (rho g l^4 / 8 EI + F l^3 / 3 EI).
rest = kt.equilibrium(m)
a = rest.assembly.coordinates["A.angle"]
found = sum(rest.assembly.coordinates[f"boom_mode{k}.displacement"] for k in (1, 2, 3))
F = 9.81 * (payload + 2.0 * 1.2)
wanted = -math.cos(a) * (rho * 9.81 * length**4 / (8 * EI) + F * length**3 / (3 * EI))
assert abs(found / wanted - 1.0) < 5e-3  # three modes
assert sol.energy.imbalance < 1e-6
