"""The slider-crank: a rotating crank, a rod, a piston."""

import kinetree as kt

from ..core.checks import flag


def slider_crank(speed: float = 10.0, driven: bool = False) -> kt.Model:
    """Crank 0.15 m, rod 0.5 m, piston along x; the crank starts at `speed` (rad/s) and moves
    freely, or is driven.
    """
    m = kt.Model("slider-crank", gravity=(0, 0, 0))
    crank = m.body("crank", kt.rod(mass=1.0, length=0.15, along="x"), position=(0.075, 0, 0))
    rod = m.body("rod", kt.rod(mass=0.6, length=0.50, along="x"), position=(0.40, 0, 0))
    piston = m.body("piston", kt.box(mass=0.4, sides=(0.08, 0.06, 0.06)), position=(0.65, 0, 0))
    m.joint("crankshaft", kt.Revolute(axis="-y"), m.ground, crank.end("-"), speed={"angle": speed})
    m.joint("crankpin", kt.Revolute(axis="-y"), crank.end("+"), rod.end("-"))
    m.joint("wristpin", kt.Revolute(axis="-y"), rod.end("+"), piston)
    m.joint("cylinder", kt.Translational(axis="x"), m.ground, piston)
    if flag(driven, "slider-crank: driven"):
        m.constraint("motor", kt.Driver("crankshaft.angle", kt.Ramp(slope=speed)))
    return m
