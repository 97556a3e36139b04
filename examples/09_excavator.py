"""An excavator lifts its boom: the oil makes the equations stiff, and the integrator changes its method.

Three hydraulic cylinders move boom, arm and bucket. Oil behind a closed valve is a stiff spring, and oil that flows
through a valve is a strong damper. While the valves open, the largest eigenvalue L grows beyond 1500 1/s. At this
value [Han1994] changes from an explicit to an implicit method.
"""

import kinetree as kt
from kinetree.models.excavator import excavator

model = excavator()
sol = kt.simulate(model, until=1.0, integrator="switching", rtol=1e-7)
print(sol)

# Times at which the method changed, with the stiffness at these times.
for change in sol.switches:
    print(
        f"t = {change.t:.3f} s: from {change.before} to {change.after}, L = {change.stiffness:.0f} 1/s"
    )
sol.plot_stiffness("excavator_stiffness.png")

# Pressures, flows and powers are channels, too.
sol.plot(
    "boom cylinder.pressure1",
    "boom cylinder.pressure2",
    "boom cylinder.extension",
    path="excavator_boom.png",
)
print(
    f"boom cylinder out by {sol['boom cylinder.extension'][-1] - sol['boom cylinder.extension'][0]:.3f} m"
)

# CHECK  Adams alone gives the same end position with more than twice the evaluations. [Han1994, Fig. 6]
adams = kt.simulate(model, until=1.0, integrator="adams", rtol=1e-9)
difference = abs(sol["bucket.tip.position"][-1] - adams["bucket.tip.position"][-1]).max()
assert difference < 1e-6, difference
assert sol.statistics["evaluations"] < 0.5 * adams.statistics["evaluations"]
print(
    f"the end position of the tip differs from that of Adams by {difference:.1e} m, "
    f"with {sol.statistics['evaluations']} instead of {adams.statistics['evaluations']} evaluations"
)
