"""An engine valve: a cam lifts it against a spring, until the cam is so fast that the valve jumps off.

The cam is a planar profile through points, the valve has a flat face. While they touch, the lift is that of the cam.
The spring can follow the cam up to the speed at which the contact force vanishes at the largest deceleration.
"""

import numpy as np

import kinetree as kt

base, lift = 0.015, 0.004  # m: base circle and lift
mass, stiffness, preload = 0.1, 20e3, 150.0  # kg, N/m, N


def cam_points(n=180):
    """The envelope of a flat face whose lift is base + lift (1 + cos a) / 2, where a turns with the cam."""
    a = np.linspace(0.0, 2 * np.pi, n, endpoint=False)
    h, slope = base + 0.5 * lift * (1 + np.cos(a)), -0.5 * lift * np.sin(a)
    return np.column_stack([h * np.cos(a) - slope * np.sin(a), h * np.sin(a) + slope * np.cos(a)])


def engine(speed):
    m = kt.Model("valve train", gravity=(0, 0, 0))
    cam = m.body("cam", kt.cylinder(mass=1.0, radius=base, length=0.01, along="z"))
    m.joint("shaft", kt.Revolute(axis="z"), m.ground, cam)
    m.constraint("motor", kt.Driver("shaft.angle", kt.Ramp(slope=speed)))
    valve = m.body("valve", kt.cylinder(mass, 0.01, 0.04, along="y"))
    # the cam starts on its flank
    start, rate = {"displacement": base + lift / 2}, {"displacement": speed * lift / 2}
    m.joint("guide", kt.Translational(axis="y"), m.ground, valve, start=start, speed=rate)
    rest = 0.1 - base + preload / stiffness
    m.force("spring", kt.SpringDamper(stiffness, 5.0, rest), m.ground.at(0, 0.1, 0), valve)
    face = kt.shapes.HalfSpace().on(valve.at(0, 0, 0, rotation=("x", np.pi / 2)))
    law = kt.Contact(1e10, restitution=0.3)
    m.contact("touch", face, kt.shapes.Profile(cam_points(), smooth=True).on(cam), law)
    return m


def run(speed):
    """Two turns of the cam, and the part of the second one in which the valve is in the air."""
    sol = kt.simulate(
        engine(speed),
        4 * np.pi / speed,
        integrator="switching",
        rtol=1e-6,
        output_interval=0.01 / speed,
    )
    late = sol.t > 2 * np.pi / speed
    return sol, np.mean(sol["touch.gap"][late] > 1e-6)


# the cosine decelerates most at the top: m w^2 lift / 2 = preload + k lift
jump = np.sqrt((preload + stiffness * lift) / (mass * lift / 2))
for share in (0.8, 0.95, 1.2):
    sol, air = run(share * jump)
    print(f"{share:.2f} of the jump speed: in the air for {100 * air:.0f} % of a turn")
sol.plot("touch.gap", path="jump.png")

# CHECK below the jump speed the valve stays on the cam and has its lift; above, it jumps.
slow, air = run(0.95 * jump)
late = slow.t > 2 * np.pi / (0.95 * jump)
expected = base + 0.5 * lift * (1 + np.sin(slow["shaft.angle"][late]))
assert air < 0.01
assert np.abs(slow["valve.position.y"][late] - expected).max() < 2e-5
assert run(1.2 * jump)[1] > 0.1
