"""Vehicles written into Exudyn: the same bodies, joints and laws, wheels and tyres as compiled
functions called back from Python.

Exudyn has no such tyre, so its solver calls Python for every tyre; the seconds spent there are
counted apart (`in_python`).
"""

import math
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from time import process_time

import numpy as np
from numba import njit

import kinetree as kt

sys.exudynFast = True  # has to be set before the first import of exudyn
with redirect_stdout(StringIO()):  # it says that it was
    import exudyn as exu
import exudyn.itemInterface as item  # noqa: E402
from exudyn.utilities import RigidBodyInertia  # noqa: E402

exu.config.printToConsole = False
OUT = exu.OutputVariableType
AXES = {
    "revolute": [1, 1, 1, 1, 1, 0],
    "spherical": [1, 1, 1, 0, 0, 0],
    "translational": [1, 1, 0, 1, 1, 1],
    "cylindrical": [1, 1, 0, 1, 1, 0],
    "universal": [1, 1, 1, 0, 0, 1],
}


@njit
def press(depth, rate, k, c, fade):
    return max(k * depth + c * min(depth / fade, 1.0) * rate, 0.0) if depth > 0.0 else 0.0


@njit
def road_wheel(p, v, w, R, n, out):
    """A ball on flat ground and on a half-round bump; n: radius, stiffness, damping, fade, bump at,
    bump radius.

    Its rim goes to the nearest free place: on the ground, on the bump, or in the corner between
    them.
    """
    out[:] = 0.0
    x, z, reach = p[0] - n[4], p[2], n[0] + n[5]
    d = math.sqrt(x * x + z * z)
    bump = n[5] > 0.0 and d < reach
    if z >= n[0] and not bump:
        return
    if not (n[5] > 0.0 and x * x + n[0] ** 2 < reach**2):
        to_x, to_z = x, n[0]
    elif bump and z / d * reach >= n[0]:
        to_x, to_z = x / d * reach, z / d * reach
    else:
        to_x, to_z = math.copysign(math.sqrt(reach**2 - n[0] ** 2), x), n[0]
    depth = math.sqrt((to_x - x) ** 2 + (to_z - z) ** 2)
    if depth > 0.0:
        e_x, e_z = (to_x - x) / depth, (to_z - z) / depth
        f = press(depth, -(v[0] * e_x + v[2] * e_z), n[1], n[2], n[3])
        out[0], out[2] = f * e_x, f * e_z


@njit
def tyre(p, v, w, R, n, out):
    """A thin disc with a linear tyre on flat ground; n: radius, stiffness, damping, fade, rolling
    radius, slow, C_a, C_k.
    """
    out[:] = 0.0
    a, up = R[:, 1].copy(), np.array([0.0, 0.0, 1.0])
    upright = math.sqrt(1.0 - a[2] * a[2])
    depth = n[0] * upright - p[2]
    if depth <= 0.0:
        return
    d = -(up - a[2] * a) / upright
    rim = n[0] * d
    r = rim + depth * up
    load = press(depth, -(v + np.cross(w, rim))[2], n[1], n[2], n[3])
    e_x = np.cross(a, up) / upright
    e_y = np.cross(up, e_x)
    spin = w @ a
    carried = v + np.cross(w - spin * a, r)
    along, across = carried @ e_x, carried @ e_y
    size = max(abs(along), n[5])
    fx, fy = n[7] * (spin * n[4] - along) / size, -n[6] * across / size
    if load <= 0.0:
        return
    f = load * up + fx * e_x + fy * e_y
    arm = -(np.cross(r, e_x) @ a)
    out[:3] = f
    out[3:] = np.cross(r, f) - fx * (n[4] - arm) * a


@dataclass
class Vehicle:
    """A model in Exudyn."""

    model: kt.Model
    steer: object = None  # (value, rate) of the rack over time
    in_python: float = 0.0
    number: dict = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.number["ground"] = self.mbs.CreateGround()
        for body in self.model.bodies.values():
            self._body(body)
        for joint in self.model.joints.values():
            self._joint(joint)
        for element in self.model.forces.values():
            self._force(element)

    def _body(self, b) -> None:
        com, mass = b.properties.com, b.properties.mass
        inertia = b.properties.inertia + mass * ((com @ com) * np.eye(3) - np.outer(com, com))
        self.number[b.name] = self.mbs.CreateRigidBody(
            referencePosition=b.pose.p,
            referenceRotationMatrix=b.pose.R,
            gravity=list(self.model.gravity),
            initialVelocity=[0, 0, 0] if b.velocity is None else list(b.velocity),
            initialAngularVelocity=[0, 0, 0]
            if b.angular_velocity is None
            else list(b.angular_velocity),
            inertia=RigidBodyInertia(
                mass=mass, inertiaTensor=inertia, com=com, inertiaTensorAtCOM=False
            ),
        )

    def _joint(self, j) -> None:
        if j.joint.kind == "free":
            return
        axes, extra = AXES[j.joint.kind], {}
        if any(
            isinstance(c.spec, kt.Driver) and c.spec.coordinate.startswith(j.name)
            for c in self.model.constraints.values()
        ):
            axes, extra = (
                [1] * 6,
                {"offsetUserFunction": self._offset(0), "offsetUserFunction_t": self._offset(1)},
            )
        marks = [
            self.mbs.AddMarker(
                item.MarkerBodyRigid(bodyNumber=self.number[m.body.name], localPosition=m.X_Bm.p)
            )
            for m in (j.F, j.M)
        ]
        self.mbs.AddObject(
            item.ObjectJointGeneric(
                markerNumbers=marks,
                constrainedAxes=axes,
                rotationMarker0=j.F.X_Bm.R,
                rotationMarker1=j.M.X_Bm.R,
                **extra,
            )
        )

    def _offset(self, order: int):
        """Of the rack; Exudyn takes it in world axes, so it turns with the chassis."""

        def offset(mbs, t, i, p):
            began, chassis = process_time(), self.number["chassis"]
            left = np.asarray(
                mbs.GetObjectOutputBody(chassis, OUT.RotationMatrix, [0, 0, 0])
            ).reshape(3, 3)[:, 1]
            value, rate = self.steer[0](t), self.steer[1](t)
            found = value * left
            if order:
                w = np.asarray(mbs.GetObjectOutputBody(chassis, OUT.AngularVelocity, [0, 0, 0]))
                found = rate * left + np.cross(w, value * left)
            self.in_python += process_time() - began
            return [*found, 0.0, 0.0, 0.0]

        return offset

    def _force(self, e) -> None:
        s = e.spec
        if isinstance(s, kt.SpringDamper):
            a, b = e.markers
            self.mbs.CreateSpringDamper(
                itemNumbers=[self.number[a.body.name], self.number[b.body.name]],
                localPosition0=a.X_Bm.p,
                localPosition1=b.X_Bm.p,
                referenceLength=s.length,
                stiffness=s.stiffness,
                damping=s.damping,
                show=False,
            )
        elif isinstance(s, kt.Wheel):
            bump = s.road.obstacles[0] if s.road.obstacles else None
            n = [
                s.radius,
                s.stiffness,
                s.damping,
                s.fade,
                *((bump.at, bump.radius) if bump else (0.0, 0.0)),
            ]
            self._called_back(road_wheel, n, e.markers[0])
        elif isinstance(s, kt.Tyre):
            n = [
                s.radius,
                s.stiffness,
                s.damping,
                s.fade,
                s.rolling_radius,
                s.slow,
                s.law.cornering,
                s.law.longitudinal,
            ]
            self._called_back(tyre, n, e.markers[0])
        elif isinstance(s, kt.Drive):
            self._drive(s, *e.markers)
        else:
            self._on_angle(s)

    def _called_back(self, law, numbers, marker) -> None:
        n, out = np.array(numbers), np.zeros(6)
        body, local = self.number[marker.body.name], list(marker.X_Bm.p)
        law(
            np.array([0.0, 0.0, 0.3]), np.zeros(3), np.zeros(3), np.eye(3), n, out
        )  # compiled before any run

        def wrench(mbs, t, i, p, rotation, v, w, k, d, r0, r1, off):
            began = process_time()
            R = np.asarray(mbs.GetObjectOutputBody(body, OUT.RotationMatrix, local)).reshape(3, 3)
            law(np.asarray(p), np.asarray(v), np.asarray(w), R, n, out)
            answer = [-x for x in out]
            self.in_python += process_time() - began
            return answer

        self.mbs.CreateRigidBodySpringDamper(
            itemNumbers=[self.number["ground"], body],
            localPosition0=[0, 0, 0],
            localPosition1=local,
            useGlobalFrame=True,
            useIntrinsicFormulation=False,
            springForceTorqueUserFunction=wrench,
            show=False,
        )

    def _drive(self, s, carrier, wheel) -> None:
        a, b = self.number[carrier.body.name], self.number[wheel.body.name]

        def torque(sign):
            def load(mbs, t, vector):
                began = process_time()
                ahead = np.asarray(
                    mbs.GetObjectOutputBody(a, OUT.RotationMatrix, [0, 0, 0])
                ).reshape(3, 3)[:, 0]
                speed = (
                    np.asarray(mbs.GetObjectOutputBody(a, OUT.Velocity, list(carrier.X_Bm.p)))
                    @ ahead
                )
                axis = np.asarray(
                    mbs.GetObjectOutputBody(b, OUT.RotationMatrix, [0, 0, 0])
                ).reshape(3, 3)[:, 1]
                answer = list(sign * s.gain * (s.speed - speed) * axis)
                self.in_python += process_time() - began
                return answer

            return load

        for body, sign in ((b, 1.0), (a, -1.0)):
            self.mbs.CreateTorque(itemNumber=body, loadVectorUserFunction=torque(sign))

    def _on_angle(self, s) -> None:
        """Torsion bars by Exudyn itself, gas units and stops by their laws."""
        j = self.model.joints[s.coordinate.rpartition(".")[0]]
        X, more = j.F.body.pose @ j.F.X_Bm, {"stiffness": 0.0, "damping": 0.0, "offset": 0.0}
        if isinstance(s, kt.TorsionSpring):
            more = {"stiffness": s.stiffness, "damping": s.damping, "offset": s.angle}
        else:
            law = gas_law(s) if isinstance(s, kt.HydropneumaticUnit) else stop_law(s)
            law(0.0, 0.0)

            def torque(mbs, t, i, angle, rate, k, d, offset):
                began = process_time()
                answer = law(angle, rate)
                self.in_python += process_time() - began
                return answer

            more["springTorqueUserFunction"] = torque
        self.mbs.CreateTorsionalSpringDamper(
            itemNumbers=[self.number[j.F.body.name], self.number[j.M.body.name]],
            position=X.p,
            axis=X.R[:, 2],
            show=False,
            **more,
        )

    def watch(self, body: str, what, point=(0.0, 0.0, 0.0)) -> int:
        return self.mbs.AddSensor(
            item.SensorBody(
                bodyNumber=self.number[body],
                localPosition=list(point),
                storeInternal=True,
                outputVariableType=what,
            )
        )

    def run(self, until: float, h: float, every: float) -> tuple[float, float]:
        """Seconds of the solver call, and of those the seconds in Python."""
        s = exu.SimulationSettings()
        s.timeIntegration.endTime, s.timeIntegration.numberOfSteps = until, round(until / h)
        s.timeIntegration.verboseMode, s.solutionSettings.writeSolutionToFile = 0, False
        s.solutionSettings.sensorsWritePeriod = every
        s.timeIntegration.generalizedAlpha.spectralRadius = 0.9
        s.timeIntegration.newton.useModifiedNewton, s.timeIntegration.newton.relativeTolerance = (
            True,
            1e-8,
        )
        s.linearSolverType = exu.LinearSolverType.EigenSparse
        self.in_python, began = 0.0, process_time()
        self.mbs.SolveDynamic(s, showHints=False, showCausingItems=False)
        return process_time() - began, self.in_python


def gas_law(s):
    share, preload, n, c, limit = (
        0.25 * math.pi * s.bore**2 * s.lever / s.volume,
        s.preload,
        s.exponent,
        s.damping,
        s.limit,
    )

    @njit
    def law(x, rate):
        u = share * x
        gas = (1.0 - u) ** -n if u < 0.9 else 0.1**-n * (1.0 + n / 0.1 * (u - 0.9))
        return preload * gas + limit * math.tanh(c * rate / limit)

    return law


def stop_law(s):
    at, k = s.at, s.stiffness

    @njit
    def law(x, rate):
        return k * max(x - at, 0.0)

    return law
