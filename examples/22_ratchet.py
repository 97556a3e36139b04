"""A ratchet winch: a motor lifts a load tooth by tooth, and a pawl holds it when the motor rests.

The torque of the motor comes in pulses. Between them the load turns the drum back to the last tooth.
"""

import math

import numpy as np

import kinetree as kt

TEETH, RADIUS, LOAD, INERTIA = 24, 0.05, 2.0, 0.002
PITCH = 2 * math.pi / TEETH

m = kt.Model("ratchet winch")
drum = m.body("drum", kt.rotor(inertia=INERTIA, mass=1.0))
load = m.body("load", kt.mass(LOAD, (0.001,) * 3), position=(RADIUS, 0, -1.0))
m.joint("axle", kt.Revolute("y"), m.ground, drum)
m.joint("guide", kt.Translational("z"), m.ground, load, at=(RADIUS, 0, -1.0))
m.constraint("rope", kt.Coupling("guide.displacement", "axle.angle", ratio=RADIUS))
pulses = kt.Sine(1.0, frequency=1.0, offset=0.4)
m.force("motor", kt.TorsionSpring("axle.angle", torque=pulses))
m.force("pawl", kt.Ratchet("axle.angle", pitch=PITCH))
sol = kt.simulate(m, until=3.0, rtol=1e-9)

tooth = sol["pawl.tooth"]
print(f"{tooth[-1]:.0f} teeth passed, load lifted by {sol['guide.displacement'][-1]:.4f} m")
held = (sol["pawl.closed"] == 1.0) & (sol.t > 0.6)
torque = LOAD * 9.81 * RADIUS - (0.4 + 1.0 * np.sin(2 * np.pi * sol.t))
print(f"{len(sol.events['pawl.impact'].t)} impacts of the pawl, held for {held.mean() * 3.0:.2f} s")

# CHECK the drum never goes back behind the last tooth that has passed.
assert (sol["axle.angle"] >= tooth * PITCH - 1e-12).all()
# CHECK while the pawl holds, its load is the torque of the load less that of the motor.
assert np.abs(sol["pawl.load"] - torque)[held].max() < 1e-8
# CHECK the energy balance closes with the impacts of the pawl.
assert sol.energy.imbalance < 1e-8
