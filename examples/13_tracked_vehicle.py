"""A tracked vehicle crosses a half-round bump at 11 m/s: the first example of [Lee1994].

The vehicle has thirteen bodies, six torsion bars and six hydropneumatic units. It needs nineteen relative coordinates
and no constraints. Cartesian coordinates would need 91 coordinates and 60 constraints.
"""

import kinetree as kt
from kinetree.models.tracked_vehicle import tracked_vehicle

model = tracked_vehicle()
sol = kt.simulate(model, until=4.0, rtol=1e-8, output_interval=0.005)
print(sol)
print(sol.energy)

# Acceleration of the driver's seat, and load of the first wheel.
sol.plot("hull.seat.acceleration.z", "wheel L1.load", path="tracked_vehicle_seat.png")
seat = sol["hull.seat.acceleration.z"]
print(
    f"seat: {seat.max():.2f} and {seat.min():.2f} m/s^2; speed at the end {sol['hull.velocity.x'][-1]:.3f} m/s"
)

# Optional track bands: their bridging stiffness distributes ground forces to the neighboring wheels.
banded = tracked_vehicle(track=kt.TrackBand(tension=25e3, bridging=2e5))
softer = kt.simulate(banded, until=4.0, rtol=1e-8, output_interval=0.005)[
    "hull.seat.acceleration.z"
]
print(f"with track bands: {softer.max():.2f} and {softer.min():.2f} m/s^2")

# CHECK  BDF gives the same motion: its steps end before the bump, as the road requires; the energy balance holds.
other = kt.simulate(model, until=4.0, rtol=1e-8, integrator="bdf", output_interval=0.005)
assert abs(other["hull.seat.acceleration.z"] - seat).max() < 1e-4 * (seat.max() - seat.min())
assert sol.energy.imbalance < 1e-8
