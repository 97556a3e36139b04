"""A row of N windows: parallelograms that fold together, and pass through positions with additional
degrees of freedom.

The IFToMM benchmark A02; data [sourced: Gonzalez2006].
"""

import kinetree as kt

from ..core.checks import whole

MOST = 10_000  # windows


def n_four_bar(windows: int = 2) -> kt.Model:
    """2N + 1 rods of 1 kg and 1 m in the x-z plane; the uprights start vertical, their tips at 1
    m/s along x.
    """
    windows = whole(windows, "n-four-bar: windows", 1, MOST)
    m = kt.Model("n-four-bar")
    rod = kt.rod(mass=1.0, length=1.0, along="z")
    uprights = [
        m.body(f"upright{i}", rod, position=(i, 0, 0.5), angular_velocity=(0, 1, 0))
        for i in range(windows + 1)
    ]
    for i, upright in enumerate(uprights):
        m.joint(f"foot{i}", kt.Revolute(), m.ground, upright, at=(i, 0, 0), axis="y")
    for i in range(windows):
        beam = m.body(
            f"beam{i}", kt.rod(mass=1.0, length=1.0, along="x"), position=(i + 0.5, 0, 1.0)
        )
        m.joint(f"left{i}", kt.Revolute(), uprights[i], beam, at=(i, 0, 1), axis="y")
        m.joint(f"right{i}", kt.Revolute(), beam, uprights[i + 1], at=(i + 1, 0, 1), axis="y")
    return m
