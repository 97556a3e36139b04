"""Long machines in Exudyn, with its sparse solver: a row of four-bars, and a chain of stiff hinges."""

from math import pi

import numpy as np

from .exudyn_models import relative_error as relative_error
from .exudyn_models import search
from .exudyn_system import ALPHA, Mechanism, System, exu, item, solver


def sparse(until: float, newton: float) -> "exu.SimulationSettings":
    s = solver(until, newton, ALPHA)
    s.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    return s


def four_bars(windows: int, until: float) -> Mechanism:
    """Uprights and beams as two-link trees, closed by planar pins: the fastest of the forms tried."""
    s = System(gravity=(0.0, -9.81, 0.0))
    pairs = [s.double_rod((i, 0.0, 0.0), (pi / 2, -pi / 2), (-1.0, 1.0)) for i in range(windows)]
    last = s.hinged(1 / 3, pi / 2, (windows, 0.0, 0.0), rate=-1.0)
    s.push(last(0.5, 0.0, 0.0), s.gravity)
    tips = [link(1.0, 0.0, 0.0) for link in (*(vertical for vertical, _ in pairs), last)]
    for (_, horizontal), tip in zip(pairs, tips[1:]):
        s.pin(horizontal(1.0, 0.0, 0.0), tip)
    return s.finish(sparse(until, 1e-4), (tips[0],))


def four_bars_of_bodies(
    windows: int, until: float, brake: float = 0.0, keep: bool = False
) -> Mechanism:
    """The same of planar bodies, all joints as constraints: Cartesian coordinates; with a damper at
    every foot but the last.

    The Jacobian is renewed in every step, or if `keep` only where the iteration converges badly.
    """
    s = System()
    ground = s.ground()
    inertia, z = 1 / 12, 0.0
    still = s.mbs.AddMarker(
        item.MarkerNodeCoordinate(nodeNumber=s.mbs.AddNode(item.NodePointGround()), coordinate=0)
    )

    def rod(x, y, angle, vx, rate):
        node = s.mbs.AddNode(
            item.NodeRigidBody2D(
                referenceCoordinates=[x, y, angle], initialVelocities=[vx, 0.0, rate]
            )
        )
        body = s.mbs.AddObject(item.ObjectRigidBody2D(mass=1.0, inertia=inertia, nodeNumber=node))
        points = s._points(body)
        s.push(points(z, z, z), np.array([0.0, -9.81, 0.0]))
        turn = s.mbs.AddMarker(item.MarkerNodeCoordinate(nodeNumber=node, coordinate=2))
        if brake and rate and x < windows:
            s.mbs.AddObject(
                item.ObjectConnectorCoordinateSpringDamper(
                    markerNumbers=[still, turn], damping=brake
                )
            )
        return points

    uprights = [rod(i, 0.5, pi / 2, 0.5, -1.0) for i in range(windows + 1)]
    for i, upright in enumerate(uprights):
        s.pin(ground(i, z, z), upright(-0.5, z, z))
    for i in range(windows):
        beam = rod(i + 0.5, 1.0, 0.0, 1.0, 0.0)
        s.pin(uprights[i](0.5, z, z), beam(-0.5, z, z))
        s.pin(beam(0.5, z, z), uprights[i + 1](0.5, z, z))
    settings = sparse(until, 1e-4)
    settings.timeIntegration.newton.modifiedNewtonJacUpdatePerStep = not keep
    return s.finish(settings, (uprights[0](0.5, z, z),))


def stiff_chain(n: int, until: float, keep: bool = False) -> Mechanism:
    """Planar bodies, pins, and springs between neighbouring angles.

    The Jacobian is renewed in every step, or if `keep` only where the iteration converges badly.
    """
    s, z, length = System(), 0.0, 1.0 / n
    before, inboard = s.ground()(z, z, z), None
    for i in range(n):
        node = s.mbs.AddNode(
            item.NodeRigidBody2D(referenceCoordinates=[(i + 0.5) * length, 0.0, 0.0])
        )
        body = s._points(
            s.mbs.AddObject(
                item.ObjectRigidBody2D(mass=length, inertia=length**3 / 12, nodeNumber=node)
            )
        )
        s.push(body(z, z, z), np.array([0.0, -9.81 * length, 0.0]))
        s.pin(before, body(-0.5 * length, z, z))
        angle = s.mbs.AddMarker(item.MarkerNodeCoordinate(nodeNumber=node, coordinate=2))
        if inboard is None:
            fixed = s.mbs.AddNode(item.NodePointGround())
            inboard = s.mbs.AddMarker(item.MarkerNodeCoordinate(nodeNumber=fixed, coordinate=0))
        s.mbs.AddObject(
            item.ObjectConnectorCoordinateSpringDamper(
                markerNumbers=[inboard, angle], stiffness=5.0 * n, damping=0.05 * n
            )
        )
        before, inboard = body(0.5 * length, z, z), angle
    settings = sparse(until, 1e-6)
    settings.timeIntegration.newton.modifiedNewtonJacUpdatePerStep = not keep
    return s.finish(settings, (before,))


def counts(mechanism: Mechanism, steps: int) -> dict[str, int]:
    """Steps, Newton iterations and Jacobians of one run; each Jacobian is factorized once."""
    mechanism.settings.timeIntegration.numberOfSteps = steps
    own = exu.MainSolverImplicitSecondOrder()
    own.SolveSystem(mechanism.system.mbs, mechanism.settings)
    return {
        "steps_exudyn": steps,
        "iterations_exudyn": int(own.it.newtonStepsCount),
        "jacobians_exudyn": int(own.it.newtonJacobiCount),
    }


def find_steps(
    mechanism: Mechanism, reference: np.ndarray, error: float, start: int = 20
) -> tuple[int | None, float]:
    """The fewest steps (to 10 %) that keep the error, and the error reached; None if no number
    tried does.
    """
    steps, reached = search(mechanism, reference, start, 1.1).loosest(error)
    return None if steps is None else int(steps), reached
