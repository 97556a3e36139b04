"""Brick wall: 36 bricks stand with friction, until a heavy ball hits them.

Every brick touches its neighbors at the corners of their common faces. The wall stands still for half a second. A
second run starts from its last state, with a ball of 20 kg that flies into the wall.
"""

import numpy as np

import kinetree as kt

rows, sides, g = 8, (0.25, 0.12, 0.1), 9.81


def wall(speed):
    m = kt.Model("brick wall", gravity=(0, 0, -g))
    shapes = [kt.shapes.HalfSpace().on(m.ground)]
    for row in range(rows):
        for k in range(rows - row):
            x = (k - 0.5 * (rows - row - 1)) * 1.02 * sides[0]
            z = sides[2] * (row + 0.5)
            brick = m.body(f"brick{row}-{k}", kt.box(5.0, sides), position=(x, 0, z))
            m.float(brick)
            shapes.append(kt.shapes.Box(sides).on(brick))
    ball = m.body("ball", kt.sphere(20.0, 0.15), position=(0, -0.5, 0.4), velocity=(0, speed, 0))
    m.float(ball)
    shapes.append(kt.shapes.Ball(0.15).on(ball))
    m.contact_group("wall", shapes, friction=0.6)
    return m


m = wall(0.0)
sol = kt.simulate(m, until=0.5, integrator="time-stepping", step=2e-3)
top = f"brick{rows - 1}-0"
print(f"at rest: {sol['wall.count'][-1]:.0f} contacts, deepest {-1e6 * sol['wall.gap'][-1]:.1f} um")

hit = kt.simulate(wall(6.0), until=1.0, integrator="time-stepping", step=2e-3)
print(
    f"hit: the top brick fell by {hit[top + '.position.z'][0] - hit[top + '.position.z'][-1]:.1f} m"
)
print(hit.energy)

# CHECK the floor carries all bricks and the ball; nothing creeps; impacts and friction take energy.
mass = 5.0 * rows * (rows + 1) / 2 + 20.0
assert abs(sol["wall.force1_z"][-1] / (-mass * g) - 1.0) < 1e-3
assert np.abs(sol[top + ".position"][-1] - sol[top + ".position"][125]).max() < 1e-8
assert sol["wall.gap"].min() > -1e-5
assert hit[top + ".position.z"][-1] < 0.5 * hit[top + ".position.z"][0]
assert np.all(np.diff(hit.energy.work) < 1e-3)
