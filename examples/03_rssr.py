"""The RSSR mechanism: a spatial loop with ball joints, in relative and in Cartesian coordinates.

Crank and rocker turn about crossed axes. The coupler connects their tips with a ball joint at each end. In relative
coordinates the model has 5 velocities and 3 equations, in Cartesian coordinates 18 and 16. The motion is the same.
The coupler can spin about its own axis without moving anything else; the report calls this degree of freedom idle.
"""

import numpy as np

import kinetree as kt
from kinetree.models.rssr import rssr

m = rssr()
print(m.topology())

relative = kt.simulate(m, until=2.0, rtol=1e-9, output_interval=0.5)
cartesian = kt.simulate(m, until=2.0, rtol=1e-9, output_interval=0.5, coordinates="cartesian")

z = relative["crank.acceleration.z"]
print("vertical acceleration of the center of the crank every half second:", np.round(z, 4))

# CHECK by hand, in two angles and one distance (kinetree/apps/papers/rssr_reference.py), solved by SciPy at 1e-12.
assert np.allclose(
    z, [-2.1589, 0.3615, -5.9192, -1.0984, -1.8901], rtol=0, atol=5e-5
)  # four digits given
# CHECK the two kinds of coordinates agree.
assert np.abs(relative["rocker.position"] - cartesian["rocker.position"]).max() < 1e-7
