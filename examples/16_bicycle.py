"""A bicycle that balances itself: rolling wheels, their linearization, and the motion after a push.

The wheels of the benchmark bicycle roll without slipping. The equations of the contacts restrict velocities, but
not positions (non-holonomic): the model has three degrees of freedom and seven independent positions.
"""

import numpy as np

import kinetree as kt
from kinetree.models.bicycle import bicycle

report = bicycle().topology()
print(f"mobility of velocities {report.mobility}, of positions {report.mobility_positions}")

stable = [
    v
    for v in np.arange(3.0, 8.0, 0.5)
    if kt.linearize(bicycle(v, 0.0)).eigenvalues.real.max() < 1e-9
]
print(f"stable at {stable[0]} to {stable[-1]} m/s")

sol = kt.simulate(bicycle(4.6, lean_rate=0.5), until=5.0, rtol=1e-9)
lean = np.arcsin(
    2 * (sol["frame.free.qy"] * sol["frame.free.qz"] + sol["frame.free.qw"] * sol["frame.free.qx"])
)
print(
    f"largest lean {np.degrees(np.abs(lean).max()):.1f} deg, at the end {np.degrees(abs(lean[-1])):.2f} deg"
)

# CHECK eigenvalues at 5 m/s of Meijaard, Papadopoulos, Ruina and Schwab (2007).
found = kt.linearize(bicycle(5.0, 0.0)).eigenvalues
for published in (-0.775341882 + 4.464867714j, -0.322866429, -14.078389693):
    assert np.abs(found - published).min() < 1e-9
# CHECK the bicycle is stable between 4.292 and 6.024 m/s.
assert stable == [4.5, 5.0, 5.5, 6.0]
# CHECK rolling wheels do no work: the energy is constant, and the lean decays.
assert np.ptp(sol.energy.total) < 1e-6 * abs(sol.energy.total[0])
assert abs(lean[-1]) < 0.1 * np.abs(lean).max()
