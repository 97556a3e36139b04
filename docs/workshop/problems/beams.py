"""Cantilevers with published or exact deflections, and a beam that flies."""

from __future__ import annotations

import numpy as np

import kinetree as kt


def cantilever(
    line, stiffness, elements, force=(0, 0, 0), torque=(0, 0, 0), inertia=(2e-6, 1e-6, 1e-6)
):
    """A beam clamped at its start and loaded at its end; one kilogram per meter."""
    m = kt.Model("cantilever", gravity=(0, 0, 0))
    beam = m.beam("b", line, kt.Section(stiffness, 1.0, inertia), elements=elements)
    m.joint("root", kt.Fixed(), m.ground.at(*beam.nodes[0].p), beam.end("-"))
    m.force("push", kt.PointForce(force), beam.end("+"))
    m.force("turn", kt.Torque(torque), beam.end("+"))
    return m


def tip(model, elements, **options):
    return kt.deflect(model, **options)[f"b.{elements}.position"]


def arc(s):
    """A quarter of a right angle of radius 100, in the x-y plane, clamped along x."""
    return 100.0 * np.sin(s * np.pi / 4.0), 100.0 * (np.cos(s * np.pi / 4.0) - 1.0), 0.0


BEND = [1e7, 5e6, 5e6, 5e6 / 6.0, 1e7 / 12.0, 1e7 / 12.0]
EXACT_BEND = {
    300.0: (-11.93155563, 7.04454094, 40.19189167),
    450.0: (-18.47212011, 10.78114296, 48.50292734),
    600.0: (-23.56023955, 13.60452135, 53.47485879),
}
BATHE = (-23.5, 13.4, 53.4)  # Bathe and Bolourchi 1979, 600 lb
GXBEAM = (-23.5453, 13.5774, 53.4580)  # GXBeam and AeroBeams, 16 elements, 600 lb
COMPOSITE_TIP = (-9.02726627566299e-2, -6.47488486259036e-2, 1.22973648292371)  # Wang 2017
THICK_TIP = (0.596471272, 2.15969389, 0.6720060638)  # exact; shortening, deflection, rotation
THICK_PRINTED = (0.596, 2.159, 0.6720)  # Geradin and Cardona


def rolled_up(elements: int):
    """A beam of 10 m whose end moment rolls it up into a circle."""
    return cantilever(
        [(0, 0, 0), (10, 0, 0)],
        [1770e3] * 3 + [8.16e3, 86.9e3, 86.9e3],
        elements,
        torque=(0, 0, 2 * np.pi * 86.9e3 / 10),
    )


def composite():
    """Wang et al. 2017: a full matrix that couples twist and bending, 16 elements."""
    K = np.zeros((6, 6))
    K[0, 0], K[1, 1], K[2, 2] = 1368.17e3, 88.56e3, 38.78e3
    K[3:, 3:] = (
        np.array([[16.96, 17.61, -0.351], [17.61, 59.12, -0.37], [-0.351, -0.37, 141.47]]) * 1e3
    )
    return cantilever([(0, 0, 0), (10, 0, 0)], K, 16, (0, 0, 150.0))


def thick():
    """Geradin and Cardona: a short cantilever under 600 kN, 16 elements."""
    stiffness = [4.8e8, 3.231e8, 3.231e8, 1e6, 9.346e6, 9.346e6]
    return cantilever([(0, 0, 0), (5, 0, 0)], stiffness, 16, (0, 0, 6e5))


def flying_beam(bending, elements=20):
    """Simo and Vu-Quoc 1986: pushed and turned at one end for 2.5 s, then free."""
    m = kt.Model("flying", gravity=(0, 0, 0))
    beam = m.beam(
        "b",
        [(0, 8, 0), (6, 0, 0)],
        kt.Section([1e4, 1e4, 1e4, bending, bending, bending], 1.0, (20.0, 10.0, 10.0)),
        elements=elements,
    )
    m.float(beam)
    push, turn = (
        kt.Table([0.0, 2.5, 2.500001, 100.0], [f, f, 0.0, 0.0], smooth=False) for f in (8.0, -80.0)
    )
    m.force("push", kt.PointForce((push, 0, 0)), beam.end("+"))
    m.force("turn", kt.Torque((0, 0, turn)), beam.end("+"))
    return m


# EI, energy and angular momentum after the push; displacements of the pushed end with their accuracy
FLIGHTS = (
    (
        500.0,
        89.58758,
        -189.27453,
        {
            2.5: (-1.5699, -0.7851, 2e-3),
            5.0: (-0.3798, 4.7644, 2e-3),
            13.0: (20.218, -0.956, 3.1e-3),
        },
    ),
    (
        100.0,
        384.05437,
        -229.51797,
        {2.5: (-1.0374, 4.4757, 3.4e-3), 5.0: (3.7833, 8.2042, 3.4e-3)},
    ),
)
