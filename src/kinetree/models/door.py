"""A door on two hinges: one is enough for the motion, so five equations are redundant."""

import math

import kinetree as kt


def door(lean: float = 0.05, opened: float = math.pi / 2) -> kt.Model:
    """A 25 kg door whose hinge line leans by `lean` (rad), so that it swings shut; `opened` (rad) at the start."""
    m = kt.Model("door")
    line, across = (math.sin(lean), 0.0, math.cos(lean)), (math.cos(lean), 0.0, -math.sin(lean))
    leaf = m.body("leaf", kt.box(mass=25.0, sides=(0.9, 0.04, 2.0)), points={"handle": (0.38, 0, 0)}, position=[0.45 * u for u in across],
                  rotation=("y", [lean]))
    m.joint("lower", kt.Revolute(), m.ground, leaf, at=[-0.8 * u for u in line], axis=line, start={"angle": opened})
    m.joint("upper", kt.Revolute(), m.ground, leaf, at=[0.8 * u for u in line], axis=line)
    m.surround(*_frame(line, across))
    return m


def _frame(line, across) -> list[kt.look.Outline]:
    """Two posts and a lintel, along the leaning hinge line."""
    point = lambda x, z: tuple(x * a + z * u for a, u in zip(across, line))  # noqa: E731
    return [kt.look.Cylinder(point(x, -1.02), point(x, 1.12), 0.05, paint="wood") for x in (-0.07, 0.97)] + [
        kt.look.Cylinder(point(-0.12, 1.1), point(1.02, 1.1), 0.05, paint="wood")]
