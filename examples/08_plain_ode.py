"""Plain differential equations: the integrators without a model.

`solve_ode` applies an integrator to any system of equations. Here two equations are stiff, with the eigenvalues -1 and
-1000. Explicit Euler is unstable if its step is too long. The Adams method chooses its steps by the error.
"""

import math

import kinetree as kt


def stiff(t, y, ydot):
    ydot[0] = 998 * y[0] + 1998 * y[1]
    ydot[1] = -999 * y[0] - 1999 * y[1]


exact = 4 * math.exp(-0.01) - 3 * math.exp(-10)
for h in (1e-2, 1e-4, 1e-6):
    y = kt.solve_ode(stiff, (1, 1), until=0.01, integrator="euler", step=h).y[-1]
    print(f"Euler, h = {h:g}: y1 = {y[0]:.12f}, error {abs(y[0] - exact):.1e}")
adams = kt.solve_ode(stiff, (1, 1), until=0.01, rtol=1e-10)
print(
    f"Adams, {len(adams.log)} steps: y1 = {adams.y[-1, 0]:.12f}, error {abs(adams.y[-1, 0] - exact):.1e}"
)

# CHECK one step of Euler gives 1 + h (998 + 1998) = 30.96, the correct value for [Han1994, Table 1]; Adams is accurate.
assert (
    abs(kt.solve_ode(stiff, (1, 1), until=0.01, integrator="euler", step=0.01).y[-1, 0] - 30.96)
    < 1e-12
)
assert abs(adams.y[-1, 0] - exact) < 1e-8  # rtol 1e-10 over some hundred steps
