"""Machines with contact to the same error: Kinetree, MuJoCo and Exudyn, the rows of `contact.py`.

Every program takes the fastest of its settings with which it and the next two finer steps reach the
error. Solver calls alone are timed. References are closed forms, or for the cam and the clearance
joint an integration of the equations in one and three coordinates by SciPy with rtol 1e-13.

    sliding block    position (m) of a box that slides and stops
    rolling ball     position (m) of a ball that slides and then rolls
    cam              angle and lift of an eccentric disc under a sprung flat follower
    geneva           angle of the wheel inside the slot, crank at constant speed
    clearance joint  angle and slide of a slider-crank with an elastic bearing of 0.5 mm clearance
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from importlib.util import find_spec
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

import kinetree as kt
from common import told
from search import Search

S = kt.shapes
G, MU, V0 = 9.81, 0.3, 2.0
ERRORS = (1e-4, 1e-6)
SECONDS = 0.3  # of CPU in one run: finer steps are not tried
FINER = 2  # steps that must reach the error, too

CAM = SimpleNamespace(
    radius=0.03, offset=0.01, inertia=2e-3, speed=30.0, mass=0.2, stiffness=500.0, preload=10.0
)
GENEVA = SimpleNamespace(
    arm=0.1, center=0.1 * math.sqrt(2.0), pin=0.005, wall=0.003, play=1e-8,
    start=-0.7, speed=2 * math.pi, inertia=0.0025,
)  # fmt: skip
CLEARANCE = SimpleNamespace(
    crank=0.05, length=0.12, inertia=1e-3, rod=0.2, slider=0.3, gap=5e-4, stiffness=1e6, speed=50.0,
    start=0.1701,
)  # fmt: skip


def wheel_angle(a: float) -> float:
    """Angle of the Geneva wheel for an angle of the crank; 0 at a quarter before the middle."""
    c = GENEVA
    return -math.atan2(c.arm * math.sin(a), c.center - c.arm * math.cos(a)) - math.pi / 4


def slot_walls() -> list[tuple[np.ndarray, np.ndarray]]:
    """Axes of the two walls of the slot, in the wheel, at the start."""
    c = GENEVA
    way = wheel_angle(c.start) + 1.25 * math.pi
    e, f = np.array([math.cos(way), math.sin(way)]), np.array([-math.sin(way), math.cos(way)])
    inner, outer = c.center - c.arm - 0.006, c.arm + 0.01
    off = c.pin + c.wall + c.play
    return [(inner * e + s * off * f, outer * e + s * off * f) for s in (1.0, -1.0)]


GENEVA.walls = slot_walls()


def block() -> kt.Model:
    m = kt.Model("block")
    body = m.body("body", kt.box(1.0, (0.2, 0.2, 0.1)), position=(0, 0, 0.05), velocity=(V0, 0, 0))
    m.float(body)
    shape = S.Box((0.2, 0.2, 0.1)).on(body)
    m.contact("floor", S.HalfSpace().on(m.ground), shape, kt.RigidContact(friction=MU))
    return m


def ball() -> kt.Model:
    m = kt.Model("ball")
    body = m.body("body", kt.sphere(1.0, 0.1), position=(0, 0, 0.1), velocity=(V0, 0, 0))
    m.float(body)
    shape = S.Ball(0.1).on(body)
    m.contact("floor", S.HalfSpace().on(m.ground), shape, kt.RigidContact(friction=MU))
    return m


def cam() -> kt.Model:
    c, m = CAM, kt.Model("cam", gravity=(0, 0, 0))
    disc = m.body("disc", kt.rotor(inertia=c.inertia, mass=1.0))
    m.joint("shaft", kt.Revolute("z"), m.ground, disc, speed={"angle": c.speed})
    rod = m.body("rod", kt.mass(c.mass, (1e-3,) * 3))
    start, speed = {"displacement": c.radius}, {"displacement": c.offset * c.speed}
    m.joint("guide", kt.Translational("y"), m.ground, rod, start=start, speed=speed)
    spring = kt.SpringDamper(c.stiffness, length=1.0 + c.preload / c.stiffness)
    m.force("spring", spring, m.ground.at(0, 1.0, 0), rod)
    face = S.HalfSpace().on(rod.at(0, 0, 0, rotation=("x", math.pi / 2)))
    law = kt.RigidContact()
    m.contact("touch", face, S.Ball(c.radius).on(disc.at(c.offset, 0, 0)), law)
    return m


def geneva() -> kt.Model:
    c, m = GENEVA, kt.Model("geneva", gravity=(0, 0, 0))
    crank = m.body("crank", kt.rod(0.2, c.arm, along="x"))
    m.joint("A", kt.Revolute("z"), m.ground, crank.end("-"), start={"angle": c.start})
    wheel = m.body("wheel", kt.mass(0.5, (1.0, 1.0, c.inertia)), position=(c.center, 0, 0))
    m.joint("B", kt.Revolute("z"), m.ground, wheel, at=(c.center, 0, 0))
    m.constraint("motor", kt.Driver("A.angle", kt.Ramp(c.speed, start=c.start)))
    for k, (a, b) in enumerate(c.walls):
        e = np.append((b - a) / np.linalg.norm(b - a), 0.0)
        R = np.column_stack([np.cross((0, 0, 1.0), e), (0, 0, 1.0), e])
        place = wheel.at(*np.append((a + b) / 2, 0.0), rotation=R)
        wall = S.Capsule(c.wall, float(np.linalg.norm(b - a))).on(place)
        m.contact(f"wall{k}", wall, S.Ball(c.pin).on(crank.end("+")), kt.RigidContact())
    return m


def bearing(t, a, b, p, force, torque):
    """Elastic bearing with clearance p[0] and stiffness p[1]."""
    x, y = b.position[0] - a.position[0], b.position[1] - a.position[1]
    d = np.sqrt(x * x + y * y)
    if d > p[0]:
        push = p[1] * (p[0] - d) / d
        force[0], force[1] = push * x, push * y


def play(t, a, b, p):
    """Gap of the bearing."""
    x, y = b.position[0] - a.position[0], b.position[1] - a.position[1]
    return p[0] - np.sqrt(x * x + y * y + 1e-20)


def clearance() -> kt.Model:
    c, m = CLEARANCE, kt.Model("clearance", gravity=(0, 0, 0))
    crank = m.body("crank", kt.rotor(inertia=c.inertia, mass=1.0))
    m.joint("A", kt.Revolute("z"), m.ground, crank, speed={"angle": c.speed})
    rod = m.body("rod", kt.rod(c.rod, c.length, along="x"), position=(c.crank + c.length / 2, 0, 0))
    back = -c.speed * (1 + c.crank / c.length)
    m.joint("B", kt.Revolute("z"), crank.at(c.crank, 0, 0), rod.end("-"), speed={"angle": back})
    slider = m.body("slider", kt.mass(c.slider, (1e-3,) * 3), position=(c.start, 0, 0))
    m.joint("C", kt.Translational("x"), m.ground, slider, at=(c.start, 0, 0))
    law = kt.UserForce(bearing, (c.gap, c.stiffness), gap=play)
    m.force("bearing", law, rod.end("+"), slider)
    return m


def ball_distance(t: float) -> float:
    """Slides until v = 5/7 v0, then rolls."""
    rolls = 2 * V0 / (7 * MU * G)
    return V0 * rolls - MU * G * rolls**2 / 2 + 5 / 7 * V0 * (t - rolls)


def cam_reference(t: float) -> np.ndarray:
    """One coordinate: J w' + d/dt(m s'^2)... with the lift R + e sin a."""
    c = CAM

    def rate(_, y):
        a, w = y
        slope, bend = c.offset * math.cos(a), -c.offset * math.sin(a)
        force = c.preload + c.stiffness * (c.radius + c.offset * math.sin(a))
        return w, -slope * (force + c.mass * bend * w * w) / (c.inertia + c.mass * slope**2)

    a = solve_ivp(rate, (0, t), (0.0, c.speed), "DOP853", rtol=1e-13, atol=1e-13).y[0, -1]
    return np.array([a, c.radius + c.offset * math.sin(a)])


def clearance_reference(t: float) -> np.ndarray:
    """Three coordinates: crank, rod (from the x axis), slider."""
    c = CLEARANCE
    J = c.inertia + c.rod * c.crank**2
    coupling, own = c.rod * c.crank * c.length / 2, c.rod * c.length**2 / 3

    def rate(_, y):
        a, b, s, wa, wb, vs = y
        x = c.crank * math.cos(a) + c.length * math.cos(b) - s
        z = c.crank * math.sin(a) + c.length * math.sin(b)
        d = math.hypot(x, z)
        F = c.stiffness * max(d - c.gap, 0.0) / d if d > 0.0 else 0.0
        k, n = coupling * math.cos(a - b), coupling * math.sin(a - b)
        f = -n * wb * wb + F * c.crank * (x * math.sin(a) - z * math.cos(a))
        g = n * wa * wa + F * c.length * (x * math.sin(b) - z * math.cos(b))
        det = J * own - k * k
        return wa, wb, vs, (own * f - k * g) / det, (J * g - k * f) / det, F * x / c.slider

    start = (0.0, 0.0, c.start, c.speed, -c.speed * c.crank / c.length, 0.0)
    y = solve_ivp(rate, (0, t), start, "DOP853", rtol=1e-13, atol=1e-14, max_step=1e-4).y[:, -1]
    return np.array([y[0], y[2]])


class Case(NamedTuple):
    model: Callable[[], kt.Model]
    until: float
    reference: np.ndarray
    channels: tuple[str, ...]
    name: str  # at the peers
    data: SimpleNamespace | None = None


def cases() -> dict[str, Case]:
    turn = 1.2 / GENEVA.speed
    return {
        "sliding block": Case(
            block, 1.0, np.array([V0**2 / (2 * MU * G)]), ("body.position.x",), "block"
        ),
        "rolling ball": Case(
            ball, 1.0, np.array([ball_distance(1.0)]), ("body.position.x",), "ball"
        ),
        "cam": Case(
            cam, 1.0, cam_reference(1.0), ("shaft.angle", "guide.displacement"), "cam", CAM
        ),
        "geneva": Case(
            geneva,
            turn,
            np.array([wheel_angle(GENEVA.start + 1.2) - wheel_angle(GENEVA.start)]),
            ("B.angle",),
            "geneva",
            GENEVA,
        ),
        "clearance joint": Case(
            clearance,
            0.03,
            clearance_reference(0.03),
            ("A.angle", "slider.position.x"),
            "clearance",
            CLEARANCE,
        ),
    }


class Side:
    """One setting of a program with its step or tolerance open; `run(setting)` -> seconds, result."""

    def __init__(self, run: Callable, reference: np.ndarray, start, factor: float, end) -> None:
        self.run, self.reference, self.slow = run, reference, math.inf
        self.search = Search(self.error_at, start, factor, end, FINER)

    def error_at(self, setting: float) -> float:
        if setting >= self.slow:
            return math.inf
        taken, found = self.run(setting)
        self.slow = setting if taken > SECONDS else self.slow
        error = float(np.abs(found - self.reference).max())
        return error if math.isfinite(error) else math.inf

    def seconds(self, wanted: float, repeat: int) -> float:
        """CPU seconds at the loosest setting that reaches the error; inf without one."""
        setting, _ = self.search.loosest(wanted)
        return math.inf if setting is None else min(self.run(setting)[0] for _ in range(repeat))


def ours(case: Case) -> dict[str, Side]:
    def run_of(integrator: str) -> Callable:
        made: dict[float, kt.Prepared] = {}

        def run(rtol: float) -> tuple[float, np.ndarray]:
            if rtol not in made:
                made[rtol] = kt.prepare(case.model(), integrator=integrator, rtol=rtol)
            began = time.process_time()
            try:
                sol = made[rtol].run(case.until, output_interval=case.until)
            except kt.SimulationError:
                return 0.0, case.reference + math.inf
            taken = time.process_time() - began
            return taken, np.array([sol[name][-1] for name in case.channels])

        return run

    return {one: Side(run_of(one), case.reference, 1e-2, 0.5, 1e-12) for one in ("adams", "dopri5")}


def peers(case: Case) -> dict[str, dict[str, Side]]:
    found = {}
    few, most = max(8, round(case.until / 4e-3)), 2_000_000
    if find_spec("mujoco"):
        from peers import mujoco_contact as mujoco

        found["mujoco"] = mujoco.candidates(case.name, case.until, case.data)
    if find_spec("exudyn"):
        from peers import exudyn_contact as exudyn

        found["exudyn"] = exudyn.candidates(case.name, case.until, case.data)
    return {
        program: {k: Side(run, case.reference, few, 1.5, most) for k, run in runs.items()}
        for program, runs in found.items()
    }


def rows(name: str, case: Case, repeat: int) -> list[dict]:
    """A row for each error: CPU seconds of a run in every program, None where none reaches it."""
    told(name)
    programs, found = {"ours": ours(case), **peers(case)}, []
    for wanted in ERRORS:
        best: dict[str, float | None] = {}
        settings = []
        for program, sides in programs.items():
            taken = {k: side.seconds(wanted, repeat) for k, side in sides.items()}
            fastest = min(taken, key=lambda k: taken[k])
            best[program] = taken[fastest] if taken[fastest] < math.inf else None
            settings.append(fastest if best[program] else "-")
        others = [best[p] for p in best if p != "ours" and best[p]]
        found.append(
            {
                "case": f"{name}, {wanted:.0e}",
                "ours": best["ours"],
                "mujoco": best.get("mujoco"),
                "exudyn": best.get("exudyn"),
                "ratio": best["ours"] / min(others) if others and best["ours"] else None,
                "setting": ", ".join(settings),
            }
        )
    return found
