"""Models of the tests of studies, as functions of their parameters."""

from __future__ import annotations

import math

import kinetree as kt


def four_bar(
    crank=0.5, coupler=1.2, rocker=0.75, ground=1.1, m1=0.5, m2=1.0, m3=0.75, angle=1.2, rate=0.0
):
    m = kt.Model("four-bar")
    a = m.body("crank", kt.rod(mass=m1, length=crank, along="x"))
    b = m.body("coupler", kt.rod(mass=m2, length=coupler, along="x"))
    c = m.body("rocker", kt.rod(mass=m3, length=rocker, along="x"))
    speed = {"angle": rate} if rate else None
    start = {"angle": -angle}
    m.joint("A", kt.Revolute(axis="y"), m.ground, a.end("-"), start=start, speed=speed)
    m.joint("B", kt.Revolute(axis="y"), a.end("+"), b.end("-"))
    m.joint("C", kt.Revolute(axis="y"), b.end("+"), c.end("+"))
    m.joint("D", kt.Revolute(axis="y"), m.ground.at(ground, 0, 0), c.end("-"))
    return m


def moving_four_bar(crank=0.5, rate=2.0):
    return four_bar(crank=crank, rate=rate)


def rssr(crank=0.5, coupler=1.04, rocker=0.5, x=0.6, y=0.3):
    """Spatial linkage of two hinges and two ball joints; its coupler can rotate idly."""
    m = kt.Model("RSSR")
    a = m.body("crank", kt.rod(mass=1.0, length=crank, along="y"))
    b = m.body("coupler", kt.rod(mass=1.0, length=coupler, along="x", axial=1e-4))
    c = m.body("rocker", kt.rod(mass=1.0, length=rocker, along="z"))
    m.joint("A", kt.Revolute(axis="x"), m.ground, a.end("-"), start={"angle": 0.0})
    m.joint("B", kt.Spherical(), a.end("+"), b.end("-"))
    m.joint("C", kt.Spherical(), b.end("+"), c.end("+"))
    m.joint("D", kt.Revolute(axis="y"), m.ground.at(x, y, 0), c.end("-"))
    return m


def sprung(length=0.5, stiffness=400.0, damping=2.0, angle=0.6):
    """Pendulum with a spring whose free length is left open, so that it is that of the start."""
    m = kt.Model("sprung pendulum")
    rod = m.body("rod", kt.rod(mass=1.0, length=length, along="x"))
    m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"), start={"angle": angle})
    spring = kt.SpringDamper(stiffness=stiffness, damping=damping)
    m.force("spring", spring, m.ground.at(0.0, 0.0, 0.8), rod.end("+"))
    return m


def driven(crank=0.3, amplitude=0.8, frequency=1.5):
    m = four_bar(crank=crank)
    m.constraint("motor", kt.Driver("A.angle", kt.Sine(amplitude, frequency, offset=-1.2)))
    return m


def tilted(tilt=0.3, mass=1.0):
    """Pendulum on a tilted axis: sines and cosines are no polynomials."""
    m = kt.Model("tilted pendulum")
    rod = m.body("rod", kt.rod(mass=mass, length=0.5, along="x"))
    axis = (math.sin(tilt), math.cos(tilt), 0.0)
    m.joint("A", kt.Revolute(axis=axis), m.ground, rod.end("-"), start={"angle": 0.2})
    return m


def chain(links=2, length=0.3):
    """Another number of links is another topology."""
    m = kt.Model("chain")
    end = m.ground
    for k in range(int(links)):
        rod = m.body(f"rod{k}", kt.rod(mass=1.0, length=length, along="x"))
        m.joint(f"J{k}", kt.Revolute(axis="y"), end, rod.end("-"), start={"angle": 0.3})
        end = rod.end("+")
    return m


def kinked(mass=1.0):
    """The length changes with the mass, but only above a mass that few comparisons meet."""
    return sprung(length=0.5 if mass < 1.9 else 0.5 + (mass - 1.9))


def lift(bore=0.05, flow=3e-4):
    """A load on a hydraulic cylinder that a pump feeds."""
    m = kt.Model("lift")
    load = m.body("load", kt.box(mass=400.0, sides=(0.5, 0.5, 0.5)))
    m.joint("mast", kt.Translational("z"), m.ground, load, start={"displacement": 1.2})
    m.force("pump", kt.Pump(flow=flow, relief=1.6e7, volume=2e-3))
    cylinder = kt.HydraulicCylinder(
        bore, 0.03, 0.6, 1e-4, supply="pump", closed_length=1.0, pressure=(2.5e6, 8e5),
        valve=kt.Valve(spool=kt.Ramp(2.0, end=0.4), area=1e-5),
    )  # fmt: skip
    m.force("lift", cylinder, m.ground, load)
    return m
