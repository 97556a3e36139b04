"""Small machines whose motion is known."""

import numpy as np
from scipy.special import ellipk

import kinetree as kt

G = 9.81


def ball(height=1.0, speed=0.0, names=("ball",)):
    """Balls on vertical slides, side by side."""
    m = kt.Model("balls", gravity=(0, 0, -G))
    for k, name in enumerate(names):
        body = m.body(name, kt.sphere(mass=1.0 + k, radius=0.05))
        m.joint(
            f"{name} slide",
            kt.Translational(axis="z"),
            m.ground.at(k, 0, 0),
            body.at(0, 0, 0),
            start={"displacement": height},
            speed={"displacement": speed},
        )
    return m


def bounce(restitution, name="ball"):
    def after(t, s):
        return {f"{name}.velocity.z": -restitution * s[f"{name}.velocity.z"]}

    return after


def bounces(height, restitution, until):
    """Times of the impacts of a ball dropped from rest, two hundred at most: they may have a limit."""
    t, v, found = np.sqrt(2 * height / G), np.sqrt(2 * height * G), []
    while t <= until and len(found) < 200:
        found.append(t)
        v *= restitution
        t += 2 * v / G
    return np.array(found)


def pendulum(angle=1.0, length=1.0):
    """A point on a light rod, started at rest `angle` from hanging down."""
    m = kt.Model("pendulum", gravity=(0, 0, -G))
    bob = m.body("bob", kt.mass(1.0, inertia=(1e-12, 1e-12, 1e-12)))
    m.joint(
        "A",
        kt.Revolute(axis="y"),
        m.ground.at(0, 0, 0),
        bob.at(0, 0, length),
        start={"angle": angle},
    )
    return m


def period(angle, length=1.0):
    """T = 4 sqrt(L / g) K(sin^2(angle / 2))."""
    return 4 * np.sqrt(length / G) * ellipk(np.sin(angle / 2) ** 2)


def four_bar():
    m = kt.Model("four-bar", gravity=(0, 0, -G))
    crank = m.body("crank", kt.rod(mass=0.5, length=0.5, along="x", axial=1e-3))
    coupler = m.body("coupler", kt.rod(mass=1.0, length=1.2, along="x", axial=1e-3))
    rocker = m.body("rocker", kt.rod(mass=0.75, length=0.75, along="x", axial=1e-3))
    m.joint("A", kt.Revolute(axis="y"), m.ground.at(0, 0, 0), crank.end("-"), start={"angle": -1.2})
    m.joint("B", kt.Revolute(axis="y"), crank.end("+"), coupler.end("-"))
    m.joint("C", kt.Revolute(axis="y"), coupler.end("+"), rocker.end("+"))
    m.joint("D", kt.Revolute(axis="y"), m.ground.at(1.1, 0, 0), rocker.end("-"))
    return m
