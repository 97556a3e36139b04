"""RSSR in Simbody, reached through OpenSim's Python package: pins, a ball, and a point constraint
that closes the loop.

Runge-Kutta-Merson with error control, the default of Simbody's users; the call that integrates is
timed alone.
"""

from time import process_time

import numpy as np
import opensim as osim
from scipy.spatial.transform import Rotation

from search import Search

from .references import A3, CRANK, FRAME1, FRAME3, START1, START3, G, arm

osim.Logger.setLevelString("error")


def vec(x) -> osim.Vec3:
    return osim.Vec3(*(float(k) for k in x))


def angles(R: np.ndarray) -> osim.Vec3:
    """Body-fixed x-y-z angles, as OpenSim wants orientations."""
    return vec(Rotation.from_matrix(R).as_euler("XYZ"))


class Rssr:
    """Crank and rocker about their axes, the coupler on a ball at the crank."""

    def __init__(self) -> None:
        self.model = osim.Model()
        self.model.setGravity(osim.Vec3(0.0, 0.0, -G))
        nothing = osim.Vec3(0.0)
        tip1, tip3 = arm(FRAME1, START1), A3 + arm(FRAME3, START3)
        self.length = float(np.linalg.norm(tip3 - tip1))
        bodies = [
            self._rod(name, length)
            for name, length in (("crank", CRANK), ("coupler", self.length), ("rocker", CRANK))
        ]
        crank, coupler, rocker = bodies
        ground = self.model.getGround()
        for name, body, pivot, frame, start in (
            ("A", crank, np.zeros(3), FRAME1, START1),
            ("D", rocker, A3, FRAME3, START3),
        ):
            joint = osim.PinJoint(name, ground, vec(pivot), angles(frame), body, nothing, nothing)
            joint.updCoordinate().setDefaultValue(float(start))
            self.model.addJoint(joint)
        x = (tip3 - tip1) / self.length
        y = np.cross((0.0, 0.0, 1.0), x) / np.hypot(x[0], x[1])
        R_crank = FRAME1 @ Rotation.from_euler("z", START1).as_matrix()
        turned = Rotation.from_matrix(R_crank.T @ np.column_stack((x, y, np.cross(x, y)))).as_euler(
            "XYZ"
        )
        ball = osim.BallJoint("B", crank, vec((CRANK, 0, 0)), nothing, coupler, nothing, nothing)
        for k in range(3):
            ball.upd_coordinates(k).setDefaultValue(float(turned[k]))
        self.model.addJoint(ball)
        self.model.addConstraint(
            osim.PointConstraint(coupler, vec((self.length, 0, 0)), rocker, vec((CRANK, 0, 0)))
        )
        self.state = self.model.initSystem()
        self.bodies = bodies

    def _rod(self, name: str, length: float) -> osim.Body:
        i = length**2 / 12.0
        body = osim.Body(name, 1.0, vec((length / 2, 0, 0)), osim.Inertia(1e-4, i, i))
        self.model.addBody(body)
        return body

    def run(self, accuracy: float, until: float = 2.0) -> tuple[float, np.ndarray]:
        """CPU seconds of the integration, and the centres of crank and rocker at the end."""
        state = self.model.initSystem()
        state.setTime(0.0)
        manager = osim.Manager(self.model)
        manager.setIntegratorMethod(osim.Manager.IntegratorMethod_RungeKuttaMerson)
        manager.setIntegratorAccuracy(accuracy)
        manager.setWriteToStorage(False)
        manager.initialize(state)
        began = process_time()
        end = manager.integrate(until)
        seconds = process_time() - began
        self.model.realizePosition(end)
        places = [
            body.findStationLocationInGround(end, vec((CRANK / 2, 0, 0)))
            for body in (self.bodies[0], self.bodies[2])
        ]
        return seconds, np.array([p.get(k) for p in places for k in range(3)])

    def search(self, reference: np.ndarray) -> Search:
        """Looks for the loosest accuracy."""

        def error_at(accuracy: float) -> float:
            return float(np.abs(self.run(accuracy)[1] - reference).max() / np.abs(reference).max())

        return Search(error_at, 1e-1, 0.7, 1e-13, tighter=4)
