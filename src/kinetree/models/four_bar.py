"""The planar four-bar linkage from spatial joints: one loop, three redundant equations, one degree
of freedom.
"""

import kinetree as kt


def four_bar() -> kt.Model:
    """Crank, coupler and rocker, drawn flat and closed by assembly; it falls from rest."""
    m = kt.Model("four-bar", gravity=(0, 0, -9.81))
    crank = m.body("crank", kt.rod(mass=0.5, length=0.50, along="x"))
    coupler = m.body("coupler", kt.rod(mass=1.0, length=1.20, along="x"))
    rocker = m.body("rocker", kt.rod(mass=0.75, length=0.75, along="x"))
    m.joint("A", kt.Revolute(axis="y"), m.ground.at(0, 0, 0), crank.end("-"))
    m.joint("B", kt.Revolute(axis="y"), crank.end("+"), coupler.end("-"))
    m.joint("C", kt.Revolute(axis="y"), coupler.end("+"), rocker.end("+"))  # closes the loop
    m.joint("D", kt.Revolute(axis="y"), m.ground.at(1.10, 0, 0), rocker.end("-"))
    return m
