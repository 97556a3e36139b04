"""Linkages whose lengths and masses vary, for benchmarks of studies."""

from __future__ import annotations

from collections.abc import Callable

import kinetree as kt


def four_bar(crank=0.5, coupler=1.2, rocker=0.75, m1=0.5, m2=1.0, m3=0.75):
    m = kt.Model("four-bar")
    a = m.body("crank", kt.rod(mass=m1, length=crank, along="x"))
    b = m.body("coupler", kt.rod(mass=m2, length=coupler, along="x"))
    c = m.body("rocker", kt.rod(mass=m3, length=rocker, along="x"))
    m.joint("A", kt.Revolute(axis="y"), m.ground, a.end("-"), start={"angle": -1.2})
    m.joint("B", kt.Revolute(axis="y"), a.end("+"), b.end("-"))
    m.joint("C", kt.Revolute(axis="y"), b.end("+"), c.end("+"))
    m.joint("D", kt.Revolute(axis="y"), m.ground.at(1.1, 0, 0), c.end("-"))
    return m


def rssr(crank=0.5, coupler=1.04, rocker=0.5):
    m = kt.Model("RSSR")
    a = m.body("crank", kt.rod(mass=1.0, length=crank, along="y"))
    b = m.body("coupler", kt.rod(mass=1.0, length=coupler, along="x", axial=1e-4))
    c = m.body("rocker", kt.rod(mass=1.0, length=rocker, along="z"))
    m.joint("A", kt.Revolute(axis="x"), m.ground, a.end("-"), start={"angle": 0.0})
    m.joint("B", kt.Spherical(), a.end("+"), b.end("-"))
    m.joint("C", kt.Spherical(), b.end("+"), c.end("+"))
    m.joint("D", kt.Revolute(axis="y"), m.ground.at(0.6, 0.3, 0), c.end("-"))
    return m


CASES: dict[str, tuple[Callable, dict[str, tuple[float, float]]]] = {
    "four-bar": (
        four_bar,
        {
            "crank": (0.48, 0.52),
            "coupler": (1.15, 1.25),
            "rocker": (0.72, 0.78),
            "m1": (0.45, 0.55),
            "m2": (0.9, 1.1),
            "m3": (0.7, 0.8),
        },
    ),
    "rssr": (rssr, {"crank": (0.49, 0.51), "coupler": (1.02, 1.06), "rocker": (0.49, 0.51)}),
}
