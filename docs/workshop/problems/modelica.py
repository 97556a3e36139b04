"""Examples of the Modelica Standard Library 4.0 with its reference results (Dymola 2020x, Dassl,
tolerance 1e-6).

g = 9.80665 m/s^2 along -y, steel of 7700 kg/m^3. Dassl at 1e-6 leaves 5e-6 in the pendulum and
4.3e-5 in the double
pendulum; the four-bar is off by 7.6e-4 rad after 5 s, so there the end is held against an
independent computation.
"""

from __future__ import annotations

import numpy as np

import kinetree as kt

GRAVITY = (0, -9.80665, 0)
DENSITY = 7700.0
PENDULUM = np.array(
    [  # t, rev.phi, rev.w
        [0, 0, 0],
        [0.5, -1.946930014, -5.381712878],
        [1, -2.580710653, 3.174144551],
        [1.5, -0.5594327824, 1.792232345],
        [2, -1.576188266, -4.292337296],
        [2.5, -2.369784778, 2.009162494],
        [3, -0.8538272355, 1.55874616],
        [3.5, -1.592989237, -3.202129516],
        [4, -2.127217772, 1.718828992],
        [4.5, -1.00981854, 0.8729864687],
        [5, -1.679634642, -2.318147029],
    ]
)
DOUBLE_PENDULUM = np.array(
    [  # t, revolute1.phi, revolute1.w, revolute2.phi, revolute2.w
        [0, 0, 0, 0, 0],
        [0.3, -0.9065821426, -4.339857125, 0.7341218657, -0.6442164208],
        [0.6, -2.09305264, -6.781296359, -0.3647517228, 6.545520949],
        [0.9, -3.123882001, 0.9188708773, 0.1587265462, -5.345523268],
        [1.2, -2.10649035, 5.070527895, -1.516323902, -1.169412116],
        [1.5, -1.48885217, 4.258107137, 1.364577394, 4.843910521],
        [1.8, -0.1137704044, 3.339889461, 0.03073277027, -9.007791454],
        [2.1, -0.4350501823, -5.628435334, -0.6788318888, 6.005243038],
        [2.4, -2.111613095, 0.1460720704, 0.0972950823, -14.3858079],
        [2.7, -2.728882992, -1.527595474, -1.380779169, -0.4445209342],
        [3, -2.317928562, 4.094110197, -1.736491669, -0.05037670463],
    ]
)
FOUR_BAR = np.array(
    [  # t, j1.phi, j1.w
        [0, 0, 5.235987756],
        [0.25, 1.81556485, 10.26608703],
        [0.5, 4.565703993, 8.840306473],
        [0.75, 6.154457275, 5.142581749],
        [1, 7.852206644, 9.579157732],
        [1.25, 10.62076572, 9.526158837],
        [1.5, 12.3100996, 5.139067384],
        [1.75, 13.90592631, 8.892204313],
        [2, 16.65866638, 10.21412451],
        [2.25, 18.46469185, 5.225563989],
        [2.5, 19.97647406, 8.226408917],
        [2.75, 22.67973968, 10.87325346],
        [3, 24.61602626, 5.401436008],
        [3.25, 26.06315183, 7.598289051],
        [3.5, 28.68533229, 11.45165917],
        [3.75, 30.76190269, 5.665090697],
        [4, 32.16481097, 7.021673837],
        [4.25, 34.67832134, 11.8696663],
        [4.5, 36.90013981, 6.013896019],
        [4.75, 38.27998847, 6.508337057],
        [5, 40.66378, 12.03758934],
    ]
)


def pendulum() -> kt.Model:
    """Modelica.Mechanics.MultiBody.Examples.Elementary.Pendulum."""
    m = kt.Model("pendulum", gravity=GRAVITY)
    body = m.body("body", kt.mass(1.0, (1e-3, 1e-3, 1e-3), com=(0.5, 0, 0)))
    m.joint("rev", kt.Revolute("z"), m.ground, body)
    m.force("damper", kt.TorsionSpring("rev.angle", damping=0.1))
    return m


def double_pendulum() -> kt.Model:
    """Modelica.Mechanics.MultiBody.Examples.Elementary.DoublePendulum."""
    m = kt.Model("double pendulum", gravity=GRAVITY)
    box = kt.box(DENSITY * 0.5 * 0.06 * 0.06, (0.5, 0.06, 0.06))
    upper, lower = m.body("upper", box), m.body("lower", box)
    m.joint("revolute1", kt.Revolute("z"), m.ground, upper.at(-0.25, 0, 0))
    m.joint("revolute2", kt.Revolute("z"), upper.at(0.25, 0, 0), lower.at(-0.25, 0, 0))
    m.force("damper", kt.TorsionSpring("revolute1.angle", damping=0.1))
    return m


def cylinder(r):
    """A steel cylinder of 50 mm along the vector r."""
    length = np.linalg.norm(r)
    return kt.cylinder(DENSITY * np.pi * 0.025**2 * length, 0.025, length, along=r)


def four_bar() -> kt.Model:
    """Modelica.Mechanics.MultiBody.Examples.Loops.Utilities.FourbarVariants, R-S-S-P.

    The coupler is a massless rod with 1 kg at its middle. It has no inertia about its own line, so
    its spin would be undetermined between two spherical joints: a universal joint takes the place
    of one and leaves the motion alone.
    """
    m = kt.Model("spatial slider-crank", gravity=GRAVITY)
    P, Q = np.array([0, 0.5, 0.1]), np.array([1, 0.2, 0])
    crank = m.body("crank", cylinder(P), position=P / 2)
    block = m.body("block", cylinder((0, 0.2, 0)), position=(1, 0.1, 0))
    coupler = m.body("coupler", kt.mass(1.0), position=(P + Q) / 2)
    m.joint(
        "j1",
        kt.Revolute(),
        m.ground,
        crank,
        at=(0, 0, 0),
        axis="x",
        speed={"angle": 5.235987755982989},
    )
    m.joint("j2", kt.Translational(), m.ground, block, at=(1, 0, 0), axis="x")
    across = np.cross(Q - P, (0, 0, 1))
    m.joint("hooke", kt.Universal(across, np.cross(across, Q - P)), crank, coupler, at=P)
    m.joint("ball", kt.Spherical(), coupler, block, at=Q)
    return m


def at(sol, channel: str, times) -> np.ndarray:
    return sol[channel][np.round(np.array(times) / sol.t[1]).astype(int)]
