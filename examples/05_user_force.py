"""Your own force law: air drag on a falling ball.

The law is a Python function of the time and of the motion of a marker. It is compiled once and is as fast as a
built-in force. Here the drag acts against the motion and grows with the square of the speed.
"""

import numpy as np

import kinetree as kt

mass, c, g = 0.45, 0.02, 9.81  # kg, N s^2/m^2, m/s^2


def drag(t, a, b, parameters, force, torque):
    """Quadratic drag on the body of marker b; `a` is the ground."""
    v = b.velocity
    speed = np.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2)
    for k in range(3):
        force[k] = -parameters[0] * speed * v[k]


m = kt.Model("falling ball", gravity=(0, 0, -g))
ball = m.body("ball", kt.sphere(mass, radius=0.11))
m.float(ball)
m.force("drag", kt.UserForce(drag, parameters=(c,)), ball)

sol = kt.simulate(m, until=4.0, rtol=1e-9)

# CHECK from rest v = -v_end tanh(g t / v_end) with v_end = sqrt(m g / c), the classical result for quadratic drag.
v_end = np.sqrt(mass * g / c)
print(f"speed after 4 s {-sol['ball.velocity.z'][-1]:.4f} m/s, final speed {v_end:.4f} m/s")
assert (
    np.abs(sol["ball.velocity.z"] + v_end * np.tanh(g * sol.t / v_end)).max() < 1e-7
)  # rtol 1e-9, 15 m/s
