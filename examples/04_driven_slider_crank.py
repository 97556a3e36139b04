"""A driven slider-crank: motion prescribed as a function of time.

A motor turns the crank at constant speed, so no degree of freedom remains. The driver is a constraint equation like
those of the joints. Its Lagrange multiplier is the torque of the motor.
"""

import numpy as np

import kinetree as kt

r, l, speed = 0.15, 0.50, 20.0  # crank, rod (m), rad/s

m = kt.Model("slider-crank", gravity=(0, 0, 0))
crank = m.body("crank", kt.rod(mass=1.0, length=r, along="x"), position=(r / 2, 0, 0))
rod = m.body("rod", kt.rod(mass=0.6, length=l, along="x"), position=(r + l / 2, 0, 0))
piston = m.body("piston", kt.box(mass=0.4, sides=(0.08, 0.06, 0.06)), position=(r + l, 0, 0))
m.joint("crankshaft", kt.Revolute(axis="-y"), m.ground, crank.end("-"))
m.joint("crankpin", kt.Revolute(axis="-y"), crank.end("+"), rod.end("-"))
m.joint("wristpin", kt.Revolute(axis="-y"), rod.end("+"), piston)
m.joint("cylinder", kt.Translational(axis="x"), m.ground, piston)
m.constraint("motor", kt.Driver("crankshaft.angle", kt.Ramp(slope=speed)))

print(m.topology())
sol = kt.simulate(m, until=1.0)

# CHECK the piston follows the textbook formula x = r cos phi + sqrt(l^2 - r^2 sin^2 phi), and its second derivative.
phi = speed * sol.t
root = np.sqrt(l**2 - r**2 * np.sin(phi) ** 2)
x = r * np.cos(phi) + root
slope = (
    -r * np.cos(phi) - (r**2 * np.cos(2 * phi) + (r**2 * np.sin(2 * phi) / 2) ** 2 / root**2) / root
)
torque = sol["motor.force"]
print(f"motor torque between {torque.min():.1f} and {torque.max():.1f} N m")
print(
    f"piston between {sol['piston.position.x'].min():.4f} and {sol['piston.position.x'].max():.4f} m"
)
assert (
    np.abs(sol["piston.position.x"] - x).max() < 1e-8
)  # of the interpolated samples; constraint errors are far smaller
# CHECK the work of the motor is the change of the kinetic energy (first law), both taken from the samples.
assert sol.energy.imbalance < 1e-6
assert np.abs(sol["piston.acceleration.x"] - speed**2 * slope).max() < 1e-5 * speed**2
