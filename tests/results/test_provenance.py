"""The hash of a model tells machines apart by all that decides their motion, and by nothing else."""

import pytest

import kinetree as kt
from kinetree.assembly.build import build


def machine(**changes) -> kt.Model:
    """Something of everything; `changes` replace one number each."""
    n = {
        "mass": 2.0,
        "com": 0.1,
        "gravity": -9.81,
        "arm": 0.5,
        "stiffness": 100.0,
        "damping": 3.0,
        "law": 2.0,
        "rate": 1.5,
        "push": 4.0,
        "turn": 0.3,
        "bushing": 500.0,
        "length": 1.2,
        "gear": 20.0,
        "bore": 0.05,
        "leakage": 1e-12,
        "gain": 5.0,
        "opening": 1e-6,
        "pitch": 0.01,
        "knot": 0.2,
        **changes,
    }
    m = kt.Model("all", gravity=(0, 0, n["gravity"]))
    a, b, c, d = (
        m.body(name, kt.mass(n["mass"] if name == "a" else 1.0, (0.1,) * 3, com=(n["com"], 0, 0)))
        for name in "abcd"
    )
    m.joint("A", kt.Revolute(axis="y"), m.ground, a)
    m.joint("B", kt.Revolute(axis="y"), a.at(n["arm"], 0, 0), b)
    m.joint("C", kt.Screw(axis="z", pitch=n["pitch"]), m.ground, c)
    m.joint("D", kt.Free(), m.ground, d)
    m.force(
        "spring", kt.SpringDamper(n["stiffness"], n["damping"], length=1.0), m.ground.at(0, 0, 2), a
    )
    m.force(
        "law",
        kt.SpringDamper(law=kt.Polynomial(n["law"], 0.0, 1.0), length=1.0),
        m.ground.at(0, 1, 2),
        a,
    )
    m.force("push", kt.PointForce((kt.Sine(n["push"], 1.0), 0, 0)), b)
    m.force("table", kt.PointForce((kt.Table((0.0, 1.0, 2.0), (0.0, n["knot"], 0.0)), 0, 0)), b)
    m.force("bar", kt.TorsionSpring("B.angle", stiffness=1.0, angle=n["turn"]))
    m.force("bush", kt.Bushing((n["bushing"],) * 6, (1.0,) * 6), m.ground, d)
    m.force(
        "ram",
        kt.HydraulicCylinder(
            n["bore"],
            0.03,
            0.6,
            1e-4,
            supply=2e7,
            extension=0.3,
            leakage=n["leakage"],
            valve=kt.Valve(openings=(n["opening"], 0.0, 0.0, 0.0)),
        ),
        m.ground.at(3, 0, 0),
        d,
    )
    m.constraint("rod", kt.Distance(n["length"]), m.ground.at(0, 0, 3), d)
    m.constraint("gear", kt.Gear("A.angle", "C.angle", (n["gear"], 40.0)))
    m.constraint("drive", kt.Driver("B.angle", kt.Ramp(n["rate"])))
    return m


CHANGES = {
    "mass": 2.1,
    "com": 0.11,
    "gravity": -9.8,
    "arm": 0.51,
    "stiffness": 101.0,
    "damping": 3.1,
    "law": 2.1,
    "rate": 1.6,
    "push": 4.1,
    "turn": 0.31,
    "bushing": 501.0,
    "length": 1.3,
    "gear": 21.0,
    "bore": 0.051,
    "leakage": 2e-12,
    "opening": 2e-6,
    "pitch": 0.011,
    "knot": 0.21,
}


@pytest.mark.parametrize("name", CHANGES)
def test_every_number_that_decides_the_motion_is_in_the_hash(name):
    assert (
        build(machine(**{name: CHANGES[name]}), "relative").hash
        != build(machine(), "relative").hash
    )


def test_the_same_machine_built_twice_has_one_hash():
    assert build(machine(), "relative").hash == build(machine(), "relative").hash


def test_a_force_more_is_another_machine():
    more = machine()
    more.force("weight", kt.PointForce((0.0, 0.0, 0.0)), more.bodies["a"])
    assert build(more, "relative").hash != build(machine(), "relative").hash
