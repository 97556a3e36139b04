"""An excavator lifts its boom: oil makes it stiff, and the integrator finds out on the way.

Three hydraulic cylinders move boom, arm and bucket. Shut oil is a stiff spring, oil flowing over a valve a strong damper:
while the valves open, the largest eigenvalue L of the machine grows through 1500 1/s, where [Han1994] changes from an
explicit to an implicit method.
"""

import kinetree as kt
from kinetree.models.excavator import excavator

model = excavator()
sol = kt.simulate(model, until=1.0, integrator="switching", rtol=1e-7)
print(sol)

# What happened: when the method changed, how stiff the machine was, and what it cost.
for change in sol.switches:
    print(
        f"t = {change.t:.3f} s: from {change.before} to {change.after}, L = {change.stiffness:.0f} 1/s"
    )
sol.plot_stiffness("excavator_stiffness.png")

# Pressures, flows and powers are channels by name, like everything else.
sol.plot(
    "boom cylinder.pressure1",
    "boom cylinder.pressure2",
    "boom cylinder.extension",
    path="excavator_boom.png",
)
print(
    f"boom cylinder out by {sol['boom cylinder.extension'][-1] - sol['boom cylinder.extension'][0]:.3f} m"
)

# CHECK  the same end with Adams alone, which needs more than twice the evaluations. [Han1994, Fig. 6]
adams = kt.simulate(model, until=1.0, integrator="adams", rtol=1e-9)
difference = abs(sol["bucket.tip.position"][-1] - adams["bucket.tip.position"][-1]).max()
assert difference < 1e-6, difference
assert sol.statistics["evaluations"] < 0.5 * adams.statistics["evaluations"]
print(
    f"the tip ends within {difference:.1e} m of Adams, at {sol.statistics['evaluations']} instead of "
    f"{adams.statistics['evaluations']} evaluations"
)
