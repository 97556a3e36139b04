"""A thin layer over Exudyn for the mechanisms of `exudyn_models`: bodies, joints, silent solver
settings, timed runs.

A body is handed out as a function: point of the body -> marker there. Set up for speed: the
compiled module without range checks, dense solver, nothing written or printed, the solver call
alone is timed.
"""

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from time import perf_counter

import numpy as np

sys.exudynFast = True  # has to be set before the first import of exudyn
with redirect_stdout(sys.stderr):  # it greets, and output may be for a program to read
    import exudyn as exu
import exudyn.itemInterface as item  # noqa: E402
from exudyn.rigidBodyUtilities import RotationMatrix2EulerParameters  # noqa: E402

from .references import turn  # noqa: E402

Marker = int
Body = Callable[..., Marker]  # x, y, z -> marker at that point of the body
ORIGIN = np.zeros(3)
exu.config.printToConsole = False
TRAPEZOIDAL, ALPHA = exu.DynamicSolverType.TrapezoidalIndex2, exu.DynamicSolverType.GeneralizedAlpha


@dataclass
class Mechanism:
    """An assembled system and the markers whose positions, components `axes`, are the result."""

    system: "System"
    settings: exu.SimulationSettings
    markers: tuple[Marker, ...]
    axes: tuple[int, ...]

    def run(self, steps: int) -> tuple[float, np.ndarray]:
        """Seconds spent in the solver and the result at the end time, from the initial state with
        `steps` steps.
        """
        self.settings.timeIntegration.numberOfSteps = steps
        start = perf_counter()
        self.system.mbs.SolveDynamic(self.settings, showHints=False, showCausingItems=False)
        seconds = perf_counter() - start
        position = exu.OutputVariableType.Position
        points = [
            self.system.mbs.GetMarkerOutput(m, position)[list(self.axes)] for m in self.markers
        ]
        return seconds, np.concatenate(points)


def solver(
    end: float, newton: float, kind: exu.DynamicSolverType = TRAPEZOIDAL
) -> exu.SimulationSettings:
    """Silent fixed-step settings: end time, relative tolerance of Newton's method, integrator."""
    s = exu.SimulationSettings()
    s.solution.file.write = s.solution.sensors.active = s.show.globalTimers = False
    s.linearSolver.solverType = exu.LinearSolverType.EXUdense
    t = s.timeIntegration
    t.endTime, t.solverType, t.adaptiveStep, t.verboseMode, t.stepInformation = (
        end,
        kind,
        False,
        0,
        0,
    )
    t.newton.useModifiedNewton = t.newton.modifiedNewtonJacUpdatePerStep = True
    t.newton.relativeTolerance = newton
    t.generalizedAlpha.spectralRadius = 0.95
    return s


class System:
    """The few kinds of bodies and joints the mechanisms need, on one Exudyn system."""

    def __init__(self, gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> None:
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.gravity = np.array(gravity)

    def _points(self, body: int, com: np.ndarray = ORIGIN) -> Body:
        return lambda *x: self.mbs.AddMarker(
            item.MarkerBodyPosition(bodyNumber=body, localPosition=np.array(x) - com)
        )

    def ground(self) -> Body:
        return self._points(self.mbs.AddObject(item.ObjectGround()))

    def hinged(
        self, inertia: float, angle: float, pivot=ORIGIN, frame=None, rate=0.0, torque=0.0
    ) -> Body:
        """Body turning about the z axis of `frame` through the pivot; inertia about that axis."""
        node = self.mbs.AddNode(item.Node1D(referenceCoordinates=[angle], initialVelocities=[rate]))
        axes = np.eye(3) if frame is None else frame
        body = item.ObjectRotationalMass1D(
            inertia=inertia, nodeNumber=node, referencePosition=pivot, referenceRotation=axes
        )
        if torque:
            coordinate = self.mbs.AddMarker(
                item.MarkerNodeCoordinate(nodeNumber=node, coordinate=0)
            )
            self.mbs.AddLoad(item.LoadCoordinate(markerNumber=coordinate, load=torque))
        return self._points(self.mbs.AddObject(body))

    def planar(
        self, mass: float, inertia: float, joint: np.ndarray, angle: float, com: tuple
    ) -> Body:
        """Free planar body; points and `com` count from the point of the body that lies at `joint`."""
        x, y, _ = joint + turn(angle) @ com
        node = self.mbs.AddNode(item.NodeRigidBody2D(referenceCoordinates=[x, y, angle]))
        body = self.mbs.AddObject(
            item.ObjectRigidBody2D(mass=mass, inertia=inertia, nodeNumber=node)
        )
        return self._points(body, np.array(com))

    def spatial(self, mass: float, inertia: tuple, position: np.ndarray, axes: np.ndarray) -> Body:
        """Free body with principal inertia about its centre of mass, Euler parameters."""
        start = [*position, *RotationMatrix2EulerParameters(axes)]
        node = self.mbs.AddNode(item.NodeRigidBodyEP(referenceCoordinates=start))
        body = item.ObjectRigidBody(mass=mass, inertia=[*inertia, 0.0, 0.0, 0.0], nodeNumber=node)
        points = self._points(self.mbs.AddObject(body))
        self.push(points(0.0, 0.0, 0.0), mass * self.gravity)
        return points

    def double_rod(self, pivot: tuple, angles: tuple, rates: tuple) -> tuple[Body, Body]:
        """Two planar rods (1 kg, 1 m), the first hinged to the ground at the pivot, in joint
        angles.
        """
        node = self.mbs.AddNode(
            item.NodeGenericODE2(
                referenceCoordinates=angles,
                initialCoordinates=[0.0, 0.0],
                initialCoordinates_t=rates,
                numberOfODE2Coordinates=2,
            )
        )
        tree = self.mbs.AddObject(
            item.ObjectKinematicTree(
                nodeNumber=node,
                gravity=self.gravity,
                jointTypes=[exu.JointType.RevoluteZ] * 2,
                linkParents=[-1, 0],
                jointTransformations=exu.Matrix3DList([np.eye(3)] * 2),
                linkMasses=[1.0, 1.0],
                jointOffsets=exu.Vector3DList([list(pivot), [1.0, 0.0, 0.0]]),
                linkInertiasCOM=exu.Matrix3DList([np.diag([0.0, 0.0, 1 / 12])] * 2),
                linkCOMs=exu.Vector3DList([[0.5, 0.0, 0.0]] * 2),
            )
        )
        return tuple(
            lambda *x, i=i: self.mbs.AddMarker(
                item.MarkerKinematicTreeRigid(objectNumber=tree, linkNumber=i, localPosition=x)
            )
            for i in range(2)
        )

    def push(self, point: Marker, force: np.ndarray) -> None:
        self.mbs.AddLoad(item.LoadForceVector(markerNumber=point, loadVector=force))

    def pin(self, a: Marker, b: Marker) -> None:
        self.mbs.AddObject(item.ObjectJointRevolute2D(markerNumbers=[a, b]))

    def ball(self, a: Marker, b: Marker) -> None:
        self.mbs.AddObject(item.ObjectJointSpherical(markerNumbers=[a, b]))

    def spring(self, a: Marker, b: Marker, stiffness: float, length: float) -> None:
        self.mbs.AddObject(
            item.ObjectConnectorSpringDamper(
                markerNumbers=[a, b], stiffness=stiffness, referenceLength=length
            )
        )

    def finish(
        self, settings: exu.SimulationSettings, markers: tuple, axes: tuple = (0, 1)
    ) -> Mechanism:
        self.mbs.Assemble()
        return Mechanism(self, settings, markers, axes)
