"""Two machines that fold once in every half turn, and their motion by the reduced equation of the
crank's angle th.

    parallelogram       cranks of 1 m, coupler and base of 2 m; all in line at th = 0. Cranks 1 kg,
                        coupler 2 kg:
                        8/3 th'' = -3 g cos th
    equal slider-crank  crank and rod of 1 m, so that the piston at 2 cos th passes over the crank's
                        bearing at th = pi/2.
                        Crank and rod 1 kg, piston 1/2 kg:
                        m(th) = 2/3 + 4 sin^2 th,    m th'' = -1/2 m' th'^2 - g cos th

At the fold the other branch is the antiparallelogram, or the piston that stands still over the
bearing.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

import kinetree as kt

HINGE = kt.Revolute(axis="-y")  # th rises from x to z


class Parallelogram:
    fold, loop, moving = 0.0, ("A", "B", "C", "D"), "right.end+"

    def build(
        self,
        angle: float,
        speed: float,
        gravity: float = 9.81,
        driven: bool = False,
        excess: float = 0.0,
        axial: float = 0.0,
    ) -> kt.Model:
        """Drawn at that angle from the fold, the crank turning at `speed`; the coupler may be too
        long by `excess`, rods may have an `axial` inertia (kg m^2).
        """
        m = kt.Model("parallelogram", gravity=(0, 0, -gravity))
        sizes = ("left", 1.0, 1.0), ("coupler", 2.0, 2.0 + excess), ("right", 1.0, 1.0)
        left, coupler, right = (
            m.body(name, kt.rod(mass, length, along="x", axial=axial))
            for name, mass, length in sizes
        )
        m.joint(
            "A",
            HINGE,
            m.ground,
            left.end("-"),
            start={"angle": angle},
            speed={} if driven else {"angle": speed},
        )
        m.joint("B", HINGE, left.end("+"), coupler.end("-"), start={"angle": -angle})
        m.joint("D", HINGE, m.ground.at(2, 0, 0), right.end("-"), start={"angle": angle})
        m.joint("C", HINGE, coupler.end("+"), right.end("+"))
        m.cut("C")
        if driven:
            m.constraint("motor", kt.Driver("A.angle", kt.Ramp(speed, start=angle)))
        return m

    def rate(self, th, w, gravity):
        return -9.0 / 8.0 * gravity * np.cos(th)

    def path(self, th: np.ndarray) -> np.ndarray:
        """(x, z) of the tip of the crank that follows."""
        return np.column_stack([2.0 + np.cos(th), np.sin(th)])


class SliderCrank:
    fold, loop, moving = np.pi / 2, ("A", "B", "C", "slide"), "piston"

    def build(self, angle: float, speed: float, gravity: float = 9.81) -> kt.Model:
        m, th = kt.Model("slider-crank", gravity=(0, 0, -gravity)), self.fold + angle
        crank, rod = (m.body(name, kt.rod(1.0, 1.0, along="x")) for name in ("crank", "rod"))
        piston = m.body("piston", kt.box(0.5, (0.2, 0.2, 0.2)))
        m.joint("A", HINGE, m.ground, crank.end("-"), start={"angle": th}, speed={"angle": speed})
        m.joint("B", HINGE, crank.end("+"), rod.end("-"), start={"angle": -2 * th})
        m.joint(
            "slide",
            kt.Translational(axis="x"),
            m.ground,
            piston,
            start={"displacement": 2 * np.cos(th)},
        )
        m.joint("C", HINGE, rod.end("+"), piston)
        m.cut("C")
        return m

    def rate(self, th, w, gravity):
        return (-4.0 * np.sin(th) * np.cos(th) * w * w - gravity * np.cos(th)) / (
            2.0 / 3.0 + 4.0 * np.sin(th) ** 2
        )

    def path(self, th: np.ndarray) -> np.ndarray:
        """(x, z) of the piston."""
        return np.column_stack([2.0 * np.cos(th), np.zeros_like(th)])


MACHINES = {"parallelogram": Parallelogram(), "slider-crank": SliderCrank()}


def crank_angle(
    machine, angle: float, speed: float, t: np.ndarray, gravity: float = 9.81
) -> np.ndarray:
    """th at the times given, by Dormand-Prince 8(5,3) at rounding."""
    return solve_ivp(
        lambda _, y: (y[1], machine.rate(*y, gravity)),
        (0.0, t[-1]),
        (machine.fold + angle, speed),
        "DOP853",
        t,
        rtol=1e-13,
        atol=1e-13,
    ).y[0]


def passing_time(
    machine, angle: float, speed: float, beyond: float, gravity: float = 9.81
) -> float:
    """When the crank is that far beyond the fold for the first time."""

    def there(_, y):
        return y[0] - machine.fold - beyond

    there.terminal = True
    found = solve_ivp(
        lambda _, y: (y[1], machine.rate(*y, gravity)),
        (0.0, 5.0),
        (machine.fold + angle, speed),
        "DOP853",
        events=there,
        rtol=1e-13,
        atol=1e-14,
        max_step=0.01,
    )
    return float(found.t_events[0][0])


def deviation(machine, sol, angle: float, speed: float, gravity: float = 9.81) -> float:
    """Largest distance of a solution from the exact path (m)."""
    exact = machine.path(crank_angle(machine, angle, speed, sol.t, gravity))
    return float(np.abs(sol[f"{machine.moving}.position"][:, [0, 2]] - exact).max())
