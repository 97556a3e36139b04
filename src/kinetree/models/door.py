"""A door on two hinges: one determines the motion, so five equations are redundant."""

import math

import kinetree as kt

from ..core.checks import number


def door(lean: float = 0.05, opened: float = math.pi / 2) -> kt.Model:
    """A 25 kg door whose hinge line is inclined by `lean` (rad), so that it swings shut; `opened`
    (rad) at the start.
    """
    lean = number(lean, "door: lean")
    m = kt.Model("door")
    line, across = (math.sin(lean), 0.0, math.cos(lean)), (math.cos(lean), 0.0, -math.sin(lean))
    leaf = m.body(
        "leaf",
        kt.box(mass=25.0, sides=(0.9, 0.04, 2.0)),
        position=[0.45 * u for u in across],
        rotation=("y", [lean]),
        points={"handle": (0.38, 0, 0)},
    )
    m.joint(
        "lower",
        kt.Revolute(),
        m.ground,
        leaf,
        at=[-0.8 * u for u in line],
        axis=line,
        start={"angle": opened},
    )
    m.joint("upper", kt.Revolute(), m.ground, leaf, at=[0.8 * u for u in line], axis=line)
    m.surround(*_frame(line, across))
    return m


def _frame(line, across) -> list[kt.look.Outline]:
    """Two posts and a lintel, along the inclined hinge line."""

    def beam(x0, z0, x1, z1):
        ends = ([x * a + z * u for a, u in zip(across, line)] for x, z in ((x0, z0), (x1, z1)))
        return kt.look.Cylinder(*ends, 0.05, paint="wood")

    return [
        beam(-0.07, -1.02, -0.07, 1.12),
        beam(0.97, -1.02, 0.97, 1.12),
        beam(-0.12, 1.1, 1.02, 1.1),
    ]
