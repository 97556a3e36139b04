"""Sensitivities: which parameter of a falling rod changes its motion after an impact most?

The rod of example 10 falls with one end onto a post. One run gives the derivatives of the angular velocity after the
impact, of the time of the impact, and of the deepest point, with respect to all parameters.
"""

import math

import kinetree as kt


def falling_rod(mass=2.0, length=1.2, height=0.5, restitution=0.6, gravity=9.81):
    """The rod above the post, and the impact."""
    m = kt.Model("falling rod", gravity=(0, 0, -gravity))
    rod = m.body("rod", kt.rod(mass, length, along="x", axial=1e-3), position=(0, 0, height))
    m.float(rod)

    def impact(t, s):
        return {"rod.end+.velocity.z": -restitution * s["rod.end+.velocity.z"]}

    return m, [kt.Event("rod.end+.position.z", direction=-1, then=impact, name="post")]


outputs = {
    "spin": "final rod.angular_velocity.y",
    "impact": "time of post",
    "height": "final rod.position.z",
}
found = kt.sensitivities(falling_rod, outputs, until=0.5, rtol=1e-9)
print(found)
for parameter, change in found.relative["spin"].items():
    print(f"1 % more {parameter}: spin changes by {change:.3f} %")

model, events = falling_rod()
sol = kt.simulate(model, until=0.5, events=events)

# CHECK against the impulse at the end of a uniform rod: spin = 1.5 (1 + e) v / l with v = sqrt(2 g h)
v = math.sqrt(2 * 9.81 * 0.5)
spin = -1.5 * 1.6 * v / 1.2
assert abs(found.outputs["spin"] - spin) < 1e-7
expected = {"mass": 0.0, "length": -1.0, "height": 0.5, "restitution": 0.6 / 1.6, "gravity": 0.5}
for parameter, change in found.relative["spin"].items():
    assert abs(change - expected[parameter]) < 1e-6
assert abs(found["impact"]["gravity"] + v / 9.81 / (2 * 9.81)) < 1e-8
