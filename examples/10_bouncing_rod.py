"""Events and states: a rod falls with one end onto a post.

A horizontal rod falls from half a meter above a post, which is below one of its ends. The impact law reverses the
velocity of this end and multiplies it by a coefficient. The impulse acts at the end, so the rod begins to turn. The
run ends when the center is 0.2 m below the top of the post. A second run continues from this state.
"""

import math

import kinetree as kt

mass, length, height, e, g = 2.0, 1.2, 0.5, 0.6, 9.81

m = kt.Model("falling rod", gravity=(0, 0, -g))
rod = m.body("rod", kt.rod(mass, length, along="x", axial=1e-3), position=(0, 0, height))
m.float(rod)


def impact(t, s):
    """Newton's law: the velocity of the end along the impulse is reversed."""
    return {"rod.end+.velocity.z": -e * s["rod.end+.velocity.z"]}


post = kt.Event("rod.end+.position.z", direction=-1, then=impact, name="post")
ground = kt.Event("rod.position.z", level=-0.2, direction=-1, terminal=True, name="down")
sol = kt.simulate(m, until=5.0, events=[post, ground], rtol=1e-10)
print(sol.events)
print(sol.energy)

free = kt.simulate(m, until=sol.t[-1] + 0.1, state=sol.at(sol.t[-1]))
print(f"second run from t = {free.t[0]:.4f} s with {free['rod.angular_velocity.y'][0]:.3f} rad/s")

# CHECK against the impulse at the end of a uniform rod: P (1/m + (l/2)^2 / (m l^2 / 12)) = 4 P / m = (1 + e) v.
v, hit = math.sqrt(2 * g * height), sol.events["post"]
P = mass * (1 + e) * v / 4
assert abs(hit.t[0] - v / g) < 1e-9
assert abs(hit.after["rod.velocity.z"][0] - (P / mass - v)) < 1e-8
assert (
    abs(abs(hit.after["rod.angular_velocity.y"][0]) - P * (length / 2) / (mass * length**2 / 12))
    < 1e-8
)
assert (
    abs(hit.energy[0] + (1 - e**2) * (mass / 4) * v**2 / 2) < 1e-8
)  # (1 - e^2) m* v^2 / 2 with m* = m / 4
assert sol.energy.imbalance < 1e-8
assert abs(free["rod.position.z"][0] + 0.2) < 1e-9
