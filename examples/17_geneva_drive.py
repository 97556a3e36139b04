"""A Geneva drive: a pin turns a slotted wheel by a quarter of a turn, and leaves it until it comes again.

The wheel is a planar profile with four slots, the pin is a roller, and both touch by compliant contact. Friction in
the bearing of the wheel holds it while the pin is outside.
"""

import numpy as np

import kinetree as kt

center, pin, play = 0.1, 0.005, 5e-5  # m: distance of the shafts, radius of the pin, play in a slot
crank = center * np.sin(np.pi / 4)  # the pin enters a slot along its direction
rim, depth, half = center * np.cos(np.pi / 4), center - crank - 2 * pin, pin + play
speed = 2 * np.pi  # rad/s


def wheel_points():
    """The curve of the wheel: arcs of the rim between slots, one slot in the direction of the first pin position."""
    found = []
    mouth = np.sqrt(rim**2 - half**2)
    for slot in np.pi / 4 + np.pi / 2 * np.arange(4):
        e, f = np.array([np.cos(slot), np.sin(slot)]), np.array([-np.sin(slot), np.cos(slot)])
        found += [
            mouth * e - half * f,
            depth * e - half * f,
            depth * e + half * f,
            mouth * e + half * f,
        ]
        a = slot + np.linspace(0.15, np.pi / 2 - 0.15, 12)
        found += [rim * np.array([np.cos(x), np.sin(x)]) for x in a]
    return found


m = kt.Model("Geneva drive", gravity=(0, -9.81, 0))
arm = m.body("arm", kt.rod(mass=0.5, length=crank, along="x"))
m.joint(
    "shaft",
    kt.Revolute(axis="z"),
    m.ground.at(-center, 0, 0),
    arm.end("-"),
    start={"angle": -np.pi / 3},
)
m.constraint("motor", kt.Driver("shaft.angle", kt.Ramp(slope=speed, start=-np.pi / 3)))
wheel = m.body("wheel", kt.cylinder(mass=1.0, radius=rim, length=0.01, along="z"))
m.joint("axle", kt.Revolute(axis="z"), m.ground, wheel)
m.force("bearing", kt.JointFriction("axle.angle", 0.05))

slots = kt.shapes.Profile(wheel_points(), width=0.01).on(wheel)
roller = kt.shapes.Cylinder(pin, 0.02).on(arm.end("+"))
m.contact("drive", slots, roller, kt.Contact(1e8, restitution=0.2))

sol = kt.simulate(m, until=1.0, integrator="switching", rtol=1e-6)
turn = np.degrees(sol["axle.angle"])
sol.plot("axle.angle", "axle.angle.rate", path="geneva.png")
print(
    f"the wheel turned by {turn[-1]:.2f} degrees; largest force on the pin {sol['drive.normal'].max():.0f} N"
)

# CHECK while the pin is in a slot, the wheel follows atan(r sin a / (c - r cos a)) within the play of the slot.
a = sol["shaft.angle"]
inside = np.abs(a) < np.pi / 4 - 0.05
exact = -np.arctan2(crank * np.sin(a), center - crank * np.cos(a))
# the slot turns from +45 to -45 degrees: the wheel starts at 0 when the slot is at 180 - 45 degrees
moved = np.radians(turn[inside]) - (exact[inside] - np.pi / 4)
arm_of_pin = np.hypot(center - crank * np.cos(a[inside]), crank * np.sin(a[inside]))
assert np.abs(arm_of_pin * moved).max() < 3 * play
# CHECK it has turned by a quarter of a turn, and stands.
assert abs(turn[-1] + 90.0) < np.degrees(3 * play / (center - crank))
assert abs(sol["axle.angle.rate"][-1]) < 1e-6
