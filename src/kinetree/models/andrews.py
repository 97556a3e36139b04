"""Andrews' squeezing mechanism: seven bodies, three loops through one point E, a stiff spring, a
constant motor torque.

The IFToMM benchmark A03 and the problem "andrews" of the IVP test set; all data [sourced:
Schiehlen1990, Mazzia2008]. Planar in x-y about z. Points: O, A, B, C fixed; F, G, H between two
bodies; E joins four bodies; D is on the spring.
"""

import kinetree as kt

from ..description.shapes import MassProperties

O = (0.0, 0.0, 0.0)
A = (-0.06934, -0.00227, 0.0)
B = (-0.03635, 0.03273, 0.0)
C = (0.014, 0.072, 0.0)
MOTOR = 0.033  # N m
STIFFNESS, FREE_LENGTH = 4530.0, 0.07785  # N/m, m
START = {  # rad, angles of the joints at rest
    "O": -0.0617138900142764496358948458001,
    "F": 0.0,
    "B": 0.455279819163070380255912382449,
    "G": 0.222668390165885884674473185609,
    "A5": 0.487364979543842550225598953530,
    "H": -0.222668390165885884674473185609,
    "A7": 1.23054744454982119249735015568,
}


def andrews() -> kt.Model:
    """The squeezer at rest; the motor drives K1 about O."""
    m = kt.Model("andrews", gravity=(0, 0, 0))
    k1 = m.body("K1", _plate(0.04325, 2.194e-6, 0.00092, 0.0))
    k2 = m.body("K2", _plate(0.00365, 4.410e-7, -0.0115, 0.0))
    k3 = m.body(
        "K3", _plate(0.02373, 5.255e-6, 0.01043, -0.01874), points={"D": (0.02, -0.018, 0.0)}
    )
    k4 = m.body("K4", _plate(0.00706, 5.667e-7, 0.0, -(0.02 - 0.01421)))
    k5 = m.body("K5", _plate(0.07050, 1.169e-5, 0.02308, 0.00916))
    k6 = m.body("K6", _plate(0.00706, 5.667e-7, 0.02 - 0.01421, 0.0))
    k7 = m.body("K7", _plate(0.05498, 1.912e-5, -0.00449, -0.01228))

    def hinge(name, parent, child):
        m.joint(
            name,
            kt.Revolute(axis="z"),
            parent,
            child,
            start={"angle": START[name]} if name in START else None,
        )

    hinge("O", m.ground.at(*O), k1)
    hinge("F", k1.at(0.007, 0, 0), k2)
    hinge("B", m.ground.at(*B), k3)
    hinge("A5", m.ground.at(*A), k5)
    hinge("G", k5.at(0.04, 0, 0), k4)
    hinge("A7", m.ground.at(*A), k7)
    hinge("H", k7.at(0, -0.04, 0), k6)
    E = k2.at(-0.028, 0, 0)
    hinge("E3", E, k3.at(0, -0.035, 0))
    hinge("E4", E, k4.at(0, -0.02, 0))
    hinge("E6", E, k6.at(0.02, 0, 0))
    m.force("motor", kt.Torque((0, 0, MOTOR)), k1)
    m.force(
        "spring",
        kt.SpringDamper(stiffness=STIFFNESS, length=FREE_LENGTH),
        m.ground.at(*C),
        k3.point("D"),
    )
    return m


def _plate(mass: float, inertia: float, x: float, y: float) -> MassProperties:
    """A thin plate in the x-y plane with its mass center at (x, y)."""
    return kt.mass(mass, inertia=(inertia / 2, inertia / 2, inertia), com=(x, y, 0))
