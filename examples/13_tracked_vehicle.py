"""A tracked vehicle crosses a half-round bump at 11 m/s: the first example of [Lee1994].

Thirteen bodies, six torsion bars, six hydropneumatic units; nineteen coordinates and no constraint where Cartesian coordinates
need 91 and 60.
"""

import kinetree as kt
from kinetree.models.tracked_vehicle import tracked_vehicle

model = tracked_vehicle()
sol = kt.simulate(model, until=4.0, rtol=1e-8, output_interval=0.005)
print(sol)
print(sol.energy)

# The driver's seat, and what the first wheel carries.
sol.plot("hull.seat.acceleration.z", "wheel L1.load", path="tracked_vehicle_seat.png")
seat = sol["hull.seat.acceleration.z"]
print(
    f"seat: {seat.max():.2f} and {seat.min():.2f} m/s^2; speed at the end {sol['hull.velocity.x'][-1]:.3f} m/s"
)

# Track bands as an option: bridging passes forces of the ground on to the neighbours.
banded = tracked_vehicle(track=kt.TrackBand(tension=25e3, bridging=2e5))
softer = kt.simulate(banded, until=4.0, rtol=1e-8, output_interval=0.005)[
    "hull.seat.acceleration.z"
]
print(f"with track bands: {softer.max():.2f} and {softer.min():.2f} m/s^2")

# CHECK  the same by BDF, which without the road's word would step over the bump; the energy ledger closes.
other = kt.simulate(model, until=4.0, rtol=1e-8, integrator="bdf", output_interval=0.005)
assert abs(other["hull.seat.acceleration.z"] - seat).max() < 1e-4 * (seat.max() - seat.min())
assert sol.energy.imbalance < 1e-8
