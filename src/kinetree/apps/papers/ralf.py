"""RALF with its loop closed: counts, motion, frequencies, static shape, and the rigid limit.
[LeeJoo, eqs. (36)-(50), (67)-(72)]

The paper has no results; the numbers beside ours come from programs that share no code with this
one: the motion from quadrature of J^T J and J^T (dJ/dt v), an SVD null space and DOP853;
frequencies and static values from matrices that agree with that quadrature to 2e-14.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

import numpy as np

import kinetree as kt

from ...assembly.prepare import prepare
from ...assembly.result import Assembly
from ...engine.equations.interface import evaluate_equations as equations
from ...engine.formulations.catalogue import FORMULATIONS
from ...errors import AssemblyError
from ...models import ralf
from ...symbolic.equations import Machine
from . import ralf_beams
from .claim import Claim, agrees

TIP = {
    0.5: (3.969111063898, 2.092446440675),
    1.0: (4.103699211036, 2.363582728868),
    2.0: (4.306419970902, 2.919856964924),
}
AT = (60.0, -60.0)  # degrees: at -90 the upper link decouples and hides errors
FREE = (
    17.4939186245,
    45.1075483535,
    48.2085582412,
    68.8611636585,
    122.6488524921,
    273.9236486753,
)  # Hz
HELD = (
    6.7353041252,
    12.5660064253,
    17.6884858588,
    67.3941283505,
    69.5385348433,
    76.3084500344,
)  # Hz, theta1 and theta3 held
STATIC_TIP, TORQUES = (
    (4.5745952061, 2.6353182260),
    (690.2681286515, 222.6019639101),
)  # m; N m at theta1 and theta3
STIFFER = (10.0, 100.0)  # times EI
LOOPS = [method for method in FORMULATIONS if method.loops and method.exact]


def check() -> list[Claim]:
    """All claims about the closed arm."""
    return [
        _counts(),
        _as_printed(),
        *_motion(),
        *_frequencies(),
        *_static(),
        _limit(),
        _formulations(),
        _reduced_stiffness(),
        ralf_beams.check(),
    ]


@cache
def pulse_run(interval: float = 0.01):
    """Return the run under a torque pulse without gravity, 2 s."""
    return kt.simulate(
        ralf.driven(ralf.arm(gravity=0.0).model(), held=False),
        2.0,
        rtol=1e-11,
        output_interval=interval,
    )


def _counts() -> Claim:
    found = prepare(ralf.arm().model())
    counts = [len(found.v), found.compiled.size["ng"], found.mobility]
    return Claim(
        "Fig. 6: coordinates, constraints, degrees of freedom",
        None,
        counts,
        counts == [10, 2, 8] and found.rank == 2,
        "4 joint angles, 6 modal coordinates",
    )


def _as_printed() -> Claim:
    """Eqs. (67), (68) put links 3 and 4 at the tip of link 1, which contradicts (70)."""
    arm = kt.Arm("as printed")
    lower = arm.link("lower", "A", length=ralf.LENGTH, density=1.0, start=1.0)
    upper = arm.link("upper", "B", on=lower, length=ralf.LENGTH, density=1.0, start=-1.0)
    connecting = arm.link(
        "connecting", "A3", on=lower, length=ralf.CONNECTING, density=1.0, start=2.1
    )
    actuating = arm.link(
        "actuating", "D", on=connecting, length=ralf.LENGTH, density=1.0, start=-2.1
    )
    arm.close("C", upper, actuating, at_first=-ralf.CONNECTING)
    try:
        prepare(arm.model())
        said = ""
    except AssemblyError as error:
        said = str(error)
    return Claim(
        "Fig. 6: with the l1 terms of (67), (68) the loop (70) cannot be closed",
        "links 3 and 4 begin at B",
        said,
        bool(said),
        "links 3 and 4 begin at the base A",
    )


def _motion() -> list[Claim]:
    sol = pulse_run()
    tip = [[float(sol.at(t)[f"upper_tip.position.{axis}"][0]) for axis in "xz"] for t in TIP]
    error, balance = sol.constraint_error.max(), sol.energy.imbalance
    bent = max(float(np.abs(sol[f"{link}.deflection.100"]).max()) for link in ("lower", "upper"))
    return [
        Claim(
            "Fig. 6: torque pulse of 2 s: tip at 0.5, 1 and 2 s",
            None,
            tip,
            agrees(tip, list(TIP.values()), atol=1e-8),
            "m; by the second implementation "
            + ", ".join(f"({x:.9f}, {z:.9f})" for x, z in TIP.values())
            + "; allowed 1e-8",
        ),
        Claim(
            "Fig. 6: the constraints hold",
            None,
            error,
            error <= 1e-10,
            "m and m/s at every step; allowed 1e-10",
        ),
        Claim(
            "energy minus work is constant",
            None,
            balance,
            balance <= 1e-9,
            "of the energy in motion; rtol 1e-11, allowed 1e-9",
        ),
        Claim(
            "largest deflection of a tip",
            None,
            bent,
            abs(bent - 8.3202e-3) <= 5e-6,
            "m; of the lower link, 8.3202 mm",
        ),
    ]


def matrices(found: Assembly, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return M, G and the modal stiffness K at a position, in the order of an assembly."""
    compiled, machine = found.compiled, found.compiled.model.generated
    assert isinstance(machine, Machine)
    work, at = compiled.workspace(), _freedoms(found)
    equations(compiled.tables, work, 0.0, q, np.zeros(len(q)), found.x)
    K = np.zeros_like(work.M)
    for (a, b), name in machine.equations.K.items():
        i, j = at[machine.owners[a]], at[machine.owners[b]]
        K[i, j] = K[j, i] = machine.equations.numbers[name]
    return work.M, work.G, K


def _freedoms(found: Assembly) -> dict[str, int]:
    return {joint: k for k, (joint, _) in enumerate(found.compiled.dof_owner)}


def frequencies(found: Assembly, held: tuple[str, ...] = ()) -> np.ndarray:
    """Return the frequencies (Hz) at an undeformed position without gravity, with the named joints
    held; those of rigid motion are left out.
    """
    from scipy.linalg import eigh, null_space

    M, G, K = matrices(found, found.q)
    N = null_space(np.vstack([G, *(np.eye(len(K))[[_freedoms(found)[joint]]] for joint in held)]))
    square = eigh(N.T @ K @ N, N.T @ M @ N, eigvals_only=True)
    return np.sqrt(square[square > 1e-6 * square[-1]]) / (2.0 * math.pi)


def _frequencies() -> list[Claim]:
    found = prepare(ralf.arm(gravity=0.0, start=AT).model())
    claims = []
    for what, held, reference in (
        ("joints free", (), FREE),
        ("theta1 and theta3 held", ("A", "A3"), HELD),
    ):
        ours = frequencies(found, held)
        claims.append(
            Claim(
                f"frequencies at (60, -60) degrees, {what}",
                None,
                ours,
                len(ours) == len(reference) and agrees(ours, reference, rtol=1e-8),
                "Hz; reference " + ", ".join(f"{f:.10f}" for f in reference),
            )
        )
    return claims


def static_shape() -> tuple[list[float], list[float]]:
    """Return tip and holding torques at theta1 = 60 and theta2 = -60 degrees, held by torques at
    theta1 and theta3.
    """
    t1, t2 = (math.radians(angle) for angle in AT)
    model = ralf.arm(start=AT).model()

    def at(t3: float):
        guess = {"B.angle": t3 - math.pi, "D.angle": -t3}
        return kt.equilibrium(model, hold={"A.angle": t1, "A3.angle": t3}, guess=guess)

    tries = [t2 + math.pi, t2 + math.pi + 1e-4]
    found = [at(t3) for t3 in tries]
    for _ in range(3):  # secant: the angle of link 3 at which link 2 is where it should be
        y0, y1 = (one.assembly.coordinates["B.angle"] - t2 for one in found[-2:])
        if abs(y1) < 1e-12:
            break
        tries.append(tries[-1] - y1 * (tries[-1] - tries[-2]) / (y1 - y0))
        found.append(at(tries[-1]))
    last = found[-1]
    return [float(c) for c in _tip(last.assembly)], [
        float(last.efforts[f"{joint}.angle"]) for joint in ("A", "A3")
    ]


def _tip(found: Assembly) -> np.ndarray:
    """Return (x, z) of the tip of the upper link."""
    from ...assembly.system import System

    system = System(found.compiled)
    system.values(0.0, found.q, found.x)
    return system.work.bodies[found.compiled.body_index("upper_tip")]["p"][[0, 2]]


def _static() -> list[Claim]:
    tip, torques = static_shape()
    return [
        Claim(
            "static tip under its weight at (60, -60) degrees",
            None,
            tip,
            agrees(tip, STATIC_TIP, rtol=1e-8),
            f"m; reference {STATIC_TIP}",
        ),
        Claim(
            "torques that hold it at theta1 and theta3",
            None,
            torques,
            agrees(torques, TORQUES, rtol=1e-8),
            f"N m; reference {TORQUES}",
        ),
    ]


def _limit() -> Claim:
    until, names = 0.1, [f"tip.position.{axis}" for axis in "xz"]
    rigid_arm = ralf.driven(ralf.arm(0, gravity=0.0).model(), held=False)
    rigid_arm.generated = None  # by the bodies and joints of Kinetree
    rigid = kt.simulate(rigid_arm, until, rtol=1e-10)
    away = []
    for stiffer in STIFFER:
        bent = kt.simulate(
            ralf.driven(ralf.arm(gravity=0.0, stiffer=stiffer).model(), held=False),
            until,
            rtol=1e-8,
        )
        away.append(
            max(float(np.abs(bent[f"upper_{n}"] - rigid[f"upper.{n}"]).max()) for n in names)
        )
    order = [math.log10(a / b) for a, b in pairwise(away)]
    return Claim(
        "stiffer links approach the rigid mechanism as 1/EI: order between 10 and 100 times EI",
        None,
        order[0],
        abs(order[0] - 1.0) <= 0.1,
        "largest distance of the tips in 0.1 s, "
        + " and ".join(f"{a:.3g} m" for a in away)
        + "; the rigid one by the numeric engine",
    )


def _formulations() -> Claim:
    found = prepare(ralf.arm().model())
    y = np.concatenate(pulse_state())
    answers = []
    for method in LOOPS:
        tables, work = method.configure(found.compiled.tables, rows=2), found.compiled.workspace()
        rates = np.zeros_like(y)
        if method.rhs(tables, work, 0.0, y, rates):
            return Claim("all formulations agree", None, method.name, False, "has no accelerations")
        answers.append(rates[len(found.q) :])
    worst = max(float(np.abs(one - answers[0]).max() / np.abs(answers[0]).max()) for one in answers)
    return Claim(
        "all formulations give the same accelerations",
        None,
        worst,
        worst <= 1e-9,
        ", ".join(method.name for method in LOOPS),
    )


def pulse_state() -> tuple[np.ndarray, np.ndarray]:
    """Return position and velocity in the middle of the pulse, in the order of an assembly."""
    seen = pulse_run().at(0.13)
    return seen.q[0], seen.v[0]


def _reduced_stiffness() -> Claim:
    """(48), (49): q = V2 z only where V2 does not change; the stiffness is V2^T K q, not V2^T K V2
    z with z = V2^T q.
    """
    found = prepare(ralf.arm(gravity=0.0).model())
    q = pulse_state()[0]
    _, G, K = matrices(found, q)
    V2 = np.linalg.svd(G)[2][2:].T
    right, printed = V2.T @ K @ q, V2.T @ K @ V2 @ (V2.T @ q)
    off = float(np.linalg.norm(printed - right) / np.linalg.norm(right))
    return Claim(
        "Fig. 6: error of (49) with V2^T K V2 z instead of V2^T K q",
        "q = V2 z, C = 0",
        off,
        off > 0.1,
        "of the elastic force; the SVD formulation uses V2^T K q",
    )
