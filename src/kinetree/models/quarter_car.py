"""The quarter car of [Han1994, example 2]: body and wheel above each other, and a damper whose
coefficient grows with time.

The paper gives only the damper, as 1000 x 10^... N s/m with an exponent that cannot be read, and
the time of about 1.7 s at which the spectral radius L exceeds 1500 1/s. Among the plausible
readings only 10^t agrees with that (erratum E-30), so it is used here. It is unrealistic on
purpose: the equations change from nonstiff to stiff. All other data is proposed.

The tyre is a spring without damping that may also pull. It stands on a road of height f(t), which
is equivalent to a spring on fixed ground with an actuator of k f(t): two degrees of freedom and no
constraint. The springs carry the weight in the drawn position, so the model starts at rest in the
equilibrium of a level road.
"""

import math
from collections.abc import Callable

import kinetree as kt

from ..core.checks import number
from ..errors import no_such

GRAVITY = 9.81  # m/s^2
BODY, WHEEL = 300.0, 40.0  # kg [proposed]
SPRING, TYRE = 20e3, 200e3  # N/m [proposed]
DAMPER = 1000.0  # N s/m at the start [stated: Han1994]
HEIGHT, FREQUENCY = 0.05, 1.0  # m, Hz, of the road [proposed]
STRUT, RADIUS = 0.5, 0.3  # m, drawn lengths of spring and tyre [proposed]
WHEEL_LOOK = (
    kt.look.wheel(RADIUS, 0.18, at=(0, 0.22, 0)),
    kt.look.Cylinder((0, 0.22, 0), (0, -0.04, 0), 0.035, paint="dark"),
)
BODY_LOOK = (
    kt.look.Box((0.8, 0.62, 0.16), at=(0, 0.16, 0.12)),
    kt.look.Cylinder((0, 0, -0.02), (0, 0, 0.06), 0.09, paint="dark"),
)
# N, force of the road on the tyre
ROADS = {
    "sine": kt.Sine(TYRE * HEIGHT, FREQUENCY),
    "step": kt.Constant(TYRE * HEIGHT),
}


STIFFENING = kt.Exponential(DAMPER, rate=math.log(10.0))  # C1(t) = 1000 x 10^t N s/m


def quarter_car(
    damper: float | kt.Exponential | Callable[[float], float] = STIFFENING,
    road: str = "sine",
    body: float = BODY,
    wheel: float = WHEEL,
) -> kt.Model:
    """Masses `body` and `wheel` (kg) with a `damper` (N s/m, or a function of time) on a "sine" or
    a "step" of 0.05 m.
    """
    body = number(body, "quarter-car: body", positive=True)
    wheel = number(wheel, "quarter-car: wheel", positive=True)
    if not isinstance(road, str) or road not in ROADS:
        raise no_such("road", road, list(ROADS))
    m = kt.Model("quarter-car", gravity=(0, 0, -GRAVITY))
    low = m.body("wheel", kt.mass(wheel), position=(0, 0, RADIUS), look=WHEEL_LOOK)
    high = m.body("body", kt.mass(body), position=(0, 0, RADIUS + STRUT), look=BODY_LOOK)
    m.joint("heave", kt.Translational(axis="z"), m.ground.at(0, 0, RADIUS), low)
    m.joint("travel", kt.Translational(axis="z"), low.at(0, 0, STRUT), high)
    sag, squash = body * GRAVITY / SPRING, (body + wheel) * GRAVITY / TYRE
    m.force("strut", kt.SpringDamper(SPRING, damper, length=STRUT + sag), low, high)
    m.force("tyre", kt.SpringDamper(TYRE, length=RADIUS + squash, force=ROADS[road]), m.ground, low)
    return m
