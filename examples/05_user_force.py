"""A force of your own: air drag on a falling ball.

Write a function of time and of the motion of a marker; it is compiled once and then called by the kernels like any
built-in force. Here the drag grows with the square of the speed, against the motion.
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
print(f"speed after 4 s {-sol['ball.velocity.z'][-1]:.4f} m/s, at the end of time {v_end:.4f} m/s")
assert (
    np.abs(sol["ball.velocity.z"] + v_end * np.tanh(g * sol.t / v_end)).max() < 1e-7
)  # rtol 1e-9, 15 m/s
