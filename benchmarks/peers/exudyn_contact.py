"""The machines of `contact_machines.py` in Exudyn, by penalty contacts of spheres and triangles.

Every case is a function of the stiffness (N/m) and the solver that returns a `Run`. Driven shafts are
flywheels. Boxes rest on four small spheres, slots and flat followers are triangles.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from time import process_time

import numpy as np

from .exudyn_system import exu, item, solver

SOLVERS = {
    "trapezoidal": exu.DynamicSolverType.TrapezoidalIndex2,
    "alpha": exu.DynamicSolverType.GeneralizedAlpha,
    "midpoint": exu.DynamicSolverType.ExplicitMidpoint,
    "rk4": exu.DynamicSolverType.RK44,
}
WIDE = 50.0  # m: sides of triangles that stand for planes


class Run:
    """A system whose `run(steps)` returns CPU seconds of the solver and the result."""

    def __init__(self, kind: str, until: float) -> None:
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.settings = solver(until, 1e-8, SOLVERS[kind])
        integration = self.settings.timeIntegration
        integration.newton.useModifiedNewton = False
        integration.explicitIntegration.computeEndOfStepAccelerations = False
        integration.discontinuous.useRecommendedStepSize = False
        integration.discontinuous.ignoreMaxIterations = True
        self.result: Callable[[], tuple[float, ...]] = lambda: ()

    def rigid(self, body: int, *at: float) -> int:
        at = (*at, 0.0, 0.0, 0.0)[:3]
        return self.mbs.AddMarker(item.MarkerBodyRigid(bodyNumber=body, localPosition=at))

    def ground(self) -> int:
        return self.mbs.AddObject(item.ObjectGround())

    def turning(self, inertia: float, at: tuple, angle: float, speed: float) -> tuple[int, int]:
        node = self.mbs.AddNode(
            item.Node1D(referenceCoordinates=[angle], initialVelocities=[speed])
        )
        body = item.ObjectRotationalMass1D(
            physicsInertia=inertia, nodeNumber=node, referencePosition=at
        )
        return self.mbs.AddObject(body), node

    def sliding(self, mass: float, start: float, speed: float, axis: np.ndarray) -> tuple[int, int]:
        node = self.mbs.AddNode(
            item.Node1D(referenceCoordinates=[start], initialVelocities=[speed])
        )
        body = item.ObjectMass1D(physicsMass=mass, nodeNumber=node, referenceRotation=axis)
        return self.mbs.AddObject(body), node

    def sphere_on(self, sphere: int, radius: float, side: int, triangle, law: dict) -> None:
        node = self.mbs.AddNode(
            item.NodeGenericData(initialCoordinates=[0.1, 0, 0, 0], numberOfDataCoordinates=4)
        )
        self.mbs.AddObject(
            item.ObjectContactSphereTriangle(
                markerNumbers=[sphere, side],
                nodeNumber=node,
                sphereRadius=radius,
                trianglePoints=exu.Vector3DList([list(map(float, p)) for p in triangle]),
                includeEdges=0,
                **law,
            )
        )

    def run(self, steps: int) -> tuple[float, np.ndarray]:
        self.settings.timeIntegration.numberOfSteps = steps
        began = process_time()
        try:
            self.mbs.SolveDynamic(self.settings, showHints=False, showCausingItems=False)
        except exu.SolverError:
            return process_time() - began, np.array(self.result()) + math.inf
        return process_time() - began, np.array(self.result())

    def finish(self) -> Run:
        self.mbs.Assemble()
        return self

    def coordinate(self, node: int) -> float:
        return float(np.ravel(self.mbs.GetNodeOutput(node, exu.OutputVariableType.Coordinates))[0])


def candidates(case: str, until: float, data) -> dict[str, Callable]:
    """Every setting of a case: a function of the number of steps that returns seconds and result."""
    stiffnesses = (data.stiffness,) if case == "clearance" else (1e5, 1e6, 1e7, 1e8, 1e9)
    build = {"block": block, "ball": ball, "cam": cam, "geneva": geneva, "clearance": clearance}
    return {
        f"{kind} {stiffness:.0e}": build[case](stiffness, kind, until, data).run
        for kind in SOLVERS
        for stiffness in stiffnesses
    }


def law(stiffness: float, mass: float, **more: float) -> dict:
    """Linear contact with half of the critical damping."""
    return {
        "contactStiffness": stiffness,
        "contactDamping": math.sqrt(stiffness * mass),
        "contactStiffnessExponent": 1.0,
        **more,
    }


FLOOR = ((-WIDE, -WIDE, 0), (WIDE, -WIDE, 0), (0, WIDE, 0))


def thrown(stiffness: float, kind: str, until: float, ball: bool) -> Run:
    r = Run(kind, until)
    m = 1.0
    J = [0.4 * m * 0.01] * 3 if ball else [m * (0.04 + 0.01) / 12] * 2 + [m * 0.08 / 12]
    depth = 9.81 * m / stiffness / (1 if ball else 4)
    z = (0.1 if ball else 0.05) - depth
    node = r.mbs.AddNode(
        item.NodeRigidBodyRotVecLG(
            referenceCoordinates=[0, 0, z, 0, 0, 0], initialVelocities=[2.0, 0, 0, 0, 0, 0]
        )
    )
    body = r.mbs.AddObject(item.ObjectRigidBody(mass=m, inertia=[*J, 0, 0, 0], nodeNumber=node))
    r.mbs.AddLoad(item.LoadMassProportional(
        markerNumber=r.mbs.AddMarker(item.MarkerBodyMass(bodyNumber=body)), loadVector=[0, 0, -9.81]
    ))  # fmt: skip
    floor = r.rigid(r.ground())
    spheres = [(0.1, (0, 0, 0))] if ball else [
        (0.01, (x, y, -0.04)) for x in (-0.09, 0.09) for y in (-0.09, 0.09)
    ]  # fmt: skip
    rub = law(stiffness, m / len(spheres), dynamicFriction=0.3, frictionProportionalZone=1e-5)
    for radius, at in spheres:
        r.sphere_on(r.rigid(body, *at), radius, floor, FLOOR, rub)
    r.result = lambda: (r.mbs.GetNodeOutput(node, exu.OutputVariableType.Position)[0],)
    return r.finish()


def block(stiffness: float, kind: str, until: float, c=None) -> Run:
    return thrown(stiffness, kind, until, False)


def ball(stiffness: float, kind: str, until: float, c=None) -> Run:
    return thrown(stiffness, kind, until, True)


def cam(stiffness: float, kind: str, until: float, c) -> Run:
    r = Run(kind, until)
    disc, angle = r.turning(c.inertia, (0, 0, 0), 0.0, c.speed)
    turn = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])  # its x axis along y
    rod, lift = r.sliding(c.mass, c.radius, c.offset * c.speed, turn)
    origin = r.mbs.AddMarker(
        item.MarkerNodeCoordinate(nodeNumber=r.mbs.AddNode(item.NodePointGround()), coordinate=0)
    )
    end = r.mbs.AddMarker(item.MarkerNodeCoordinate(nodeNumber=lift, coordinate=0))
    r.mbs.AddObject(
        item.ObjectConnectorCoordinateSpringDamper(
            markerNumbers=[origin, end],
            stiffness=c.stiffness,
            offset=-c.preload / c.stiffness - c.radius,
        )
    )
    # the normal of the face points down, to the shaft: minus the x axis of the rod
    face = ((0, -WIDE, -WIDE), (0, -WIDE, WIDE), (0, WIDE, 0))
    r.sphere_on(r.rigid(disc, c.offset), c.radius, r.rigid(rod), face, law(stiffness, c.mass))
    r.result = lambda: (r.coordinate(angle), c.radius + r.coordinate(lift))
    return r.finish()


def geneva(stiffness: float, kind: str, until: float, c) -> Run:
    r = Run(kind, until)
    crank, _ = r.turning(1e6, (0, 0, 0), c.start, c.speed)
    wheel, angle = r.turning(c.inertia, (c.center, 0, 0), 0.0, 0.0)
    mass = c.inertia / 0.05**2
    pin, side = r.rigid(crank, c.arm), r.rigid(wheel)
    (a, b), (d, e) = c.walls
    middle = 0.25 * (a + b + d + e)
    for p, q in c.walls:
        along = (q - p) / np.linalg.norm(q - p)
        off = middle - 0.5 * (p + q)
        off -= (off @ along) * along
        inward = off / np.linalg.norm(off)  # from the wall to the middle
        at = 0.5 * (p + q) + c.wall * inward
        x, up = np.append(along, 0.0), np.array([0.0, 0.0, 1.0])
        points = [np.append(at, 0.0) + u * x + v * up for u, v in ((-1, -1), (1, -1), (0, 1))]
        n = np.cross(points[1] - points[0], points[2] - points[0])
        if n[:2] @ inward < 0.0:
            points = points[::-1]
        r.sphere_on(pin, c.pin, side, points, law(stiffness, mass))
    r.result = lambda: (r.coordinate(angle),)
    return r.finish()


def clearance(stiffness: float, kind: str, until: float, c) -> Run:
    """Crank and rod are a tree of two links; the stiffness is that of the case."""
    r = Run(kind, until)
    back = -c.speed * (1.0 + c.crank / c.length)
    node = r.mbs.AddNode(
        item.NodeGenericODE2(
            referenceCoordinates=[0.0, 0.0],
            initialCoordinates=[0.0, 0.0],
            initialCoordinates_t=[c.speed, back],
            numberOfODE2Coordinates=2,
        )
    )
    inertias = [np.diag([0.0, 0.0, J]) for J in (c.inertia, c.rod * c.length**2 / 12)]
    tree = r.mbs.AddObject(
        item.ObjectKinematicTree(
            nodeNumber=node,
            jointTypes=[exu.JointType.RevoluteZ] * 2,
            linkParents=[-1, 0],
            jointTransformations=exu.Matrix3DList([np.eye(3)] * 2),
            linkMasses=[1.0, c.rod],
            jointOffsets=exu.Vector3DList([[0.0, 0.0, 0.0], [c.crank, 0.0, 0.0]]),
            linkInertiasCOM=exu.Matrix3DList(inertias),
            linkCOMs=exu.Vector3DList([[0.0, 0.0, 0.0], [c.length / 2, 0.0, 0.0]]),
        )
    )
    end = r.mbs.AddMarker(
        item.MarkerKinematicTreeRigid(
            objectNumber=tree, linkNumber=1, localPosition=[c.length, 0, 0]
        )
    )
    slider, slide = r.sliding(c.slider, c.start, 0.0, np.eye(3))
    data = r.mbs.AddNode(
        item.NodeGenericData(initialCoordinates=[0.1, 0, 0, 0], numberOfDataCoordinates=4)
    )
    r.mbs.AddObject(
        item.ObjectContactSphereSphere(
            markerNumbers=[end, r.rigid(slider)],
            nodeNumber=data,
            spheresRadii=[0.01, 0.01 + c.gap],
            isHollowSphere1=True,
            contactStiffness=c.stiffness,
        )
    )
    r.result = lambda: (r.coordinate(node), c.start + r.coordinate(slide))
    return r.finish()
