"""A gear pair: two coordinates in a fixed ratio.

A motor with constant torque turns a small wheel with 20 teeth, which drives a large wheel with 60 teeth. At the motor,
the inertia of the large wheel acts divided by the square of the ratio.
"""

import kinetree as kt

torque, teeth = 3.0, (20, 60)

m = kt.Model("gear train", gravity=(0, 0, 0))
small = m.body("small", kt.cylinder(mass=1.0, radius=0.05, length=0.03, along="z"))
large = m.body(
    "large", kt.cylinder(mass=9.0, radius=0.15, length=0.03, along="z"), position=(0.2, 0, 0)
)
m.joint("input", kt.Revolute(axis="z"), m.ground, small)
m.joint("output", kt.Revolute(axis="z"), m.ground.at(0.2, 0, 0), large)
m.constraint("mesh", kt.Gear("input.angle", "output.angle", teeth=teeth))
m.force("motor", kt.Torque((0, 0, torque)), small)

sol = kt.simulate(m, until=1.0)

# CHECK alpha = torque / (I_small + I_large (20/60)^2) with I = m r^2 / 2, from the kinetic energy of both wheels.
inertia = 1.0 * 0.05**2 / 2 + 9.0 * 0.15**2 / 2 * (teeth[0] / teeth[1]) ** 2
print(
    f"after 1 s the input has turned {sol['input.angle'][-1]:.3f} rad, the output {sol['output.angle'][-1]:.3f} rad"
)
assert abs(sol["input.angle"][-1] - torque / inertia / 2) < 1e-6 * torque / inertia
assert abs(sol["output.angle"][-1] + sol["input.angle"][-1] * teeth[0] / teeth[1]) < 1e-9
