"""Variants of the falling four-bar by Exudyn and MuJoCo: turn of the crank in one second, and CPU
milliseconds per case."""

from __future__ import annotations

import copy
import time

import numpy as np

CRANK, COUPLER, ROCKER, GROUND, ANGLE = 0.5, 1.2, 0.75, 1.1, 1.2
B = np.array([CRANK * np.cos(ANGLE), CRANK * np.sin(ANGLE)])


def _c() -> np.ndarray:
    """The joint between coupler and rocker, by two circles, on the side of our assembly."""
    D = np.array([GROUND, 0.0])
    d = np.linalg.norm(D - B)
    a = (COUPLER**2 - ROCKER**2 + d * d) / (2 * d)
    h = np.sqrt(COUPLER**2 - a * a)
    e = (D - B) / d
    ends = [B + a * e + s * h * np.array([-e[1], e[0]]) for s in (1, -1)]
    return max(ends, key=lambda p: p[1])


C = _c()


def exudyn_case(count: int, steps: int = 1000) -> tuple[float, float]:
    """A loop over models that are built and solved, as `ParameterVariation` makes it."""
    import exudyn as exu
    from exudyn.itemInterface import (
        Force,
        MarkerBodyPosition,
        NodeRigidBody2D,
        ObjectGround,
        ObjectRigidBody2D,
        RevoluteJoint2D,
    )

    def run(factor: float) -> float:
        mbs = exu.SystemContainer().AddSystem()

        def rod(p0: np.ndarray, p1: np.ndarray, mass: float) -> tuple[int, int, int]:
            length, (dx, dy) = float(np.linalg.norm(p1 - p0)), p1 - p0
            middle = 0.5 * (p0 + p1)
            node = mbs.AddNode(
                NodeRigidBody2D(referenceCoordinates=[*middle, float(np.arctan2(dy, dx))])
            )
            inertia = mass * length**2 / 12
            body = mbs.AddObject(
                ObjectRigidBody2D(nodeNumber=node, physicsMass=mass, physicsInertia=inertia)
            )
            centre = mbs.AddMarker(MarkerBodyPosition(bodyNumber=body))
            mbs.AddLoad(Force(markerNumber=centre, loadVector=[0, -9.81 * mass, 0]))
            ends = [
                mbs.AddMarker(
                    MarkerBodyPosition(bodyNumber=body, localPosition=[s * length / 2, 0, 0])
                )
                for s in (-1, 1)
            ]
            return node, *ends

        zero, D = np.zeros(2), np.array([GROUND, 0.0])
        ground = mbs.AddObject(ObjectGround())
        n1, a1, a2 = rod(zero, B, 0.5 * factor)
        _, k1, k2 = rod(B, C, 1.0 * factor)
        _, r1, r2 = rod(D, C, 0.75)
        g0 = mbs.AddMarker(MarkerBodyPosition(bodyNumber=ground))
        g1 = mbs.AddMarker(MarkerBodyPosition(bodyNumber=ground, localPosition=[GROUND, 0, 0]))
        for pair in ((g0, a1), (a2, k1), (k2, r2), (g1, r1)):
            mbs.AddObject(RevoluteJoint2D(markerNumbers=list(pair)))
        mbs.Assemble()
        settings = exu.SimulationSettings()
        settings.timeIntegration.numberOfSteps = steps
        settings.timeIntegration.endTime = 1
        settings.timeIntegration.verboseMode = 0
        settings.timeIntegration.newton.useModifiedNewton = True
        settings.solutionSettings.writeSolutionToFile = False
        mbs.SolveDynamic(settings)
        return float(mbs.GetNodeOutput(n1, exu.OutputVariableType.Coordinates)[2])

    turn = run(1.0)
    began = time.process_time()
    for k in range(count):
        run(1.0 + 0.001 * k)
    return turn, 1e3 * (time.process_time() - began) / count


def mujoco_case(count: int, step: float = 1e-3) -> tuple[float, float]:
    """`rollout` over copies of a model with other masses."""
    import mujoco
    from mujoco import rollout

    def inertial(p: np.ndarray, q: np.ndarray, mass: float) -> str:
        (x, z), length = 0.5 * (q - p), float(np.linalg.norm(q - p))
        J = mass * length**2 / 12
        return f'<inertial pos="{x} 0 {z}" mass="{mass}" diaginertia="{J} {J} {J}"/>'

    D = np.array([GROUND, 0.0])
    text = f"""<mujoco><option timestep="{step}" gravity="0 0 -9.81" integrator="RK4">
    <flag contact="disable"/></option><worldbody>
    <body name="crank"><joint type="hinge" axis="0 1 0"/>{inertial(np.zeros(2), B, 0.5)}
      <body name="coupler" pos="{B[0]} 0 {B[1]}"><joint type="hinge" axis="0 1 0"/>
      {inertial(B, C, 1.0)}<site name="e" pos="{C[0] - B[0]} 0 {C[1] - B[1]}"/></body></body>
    <body name="rocker" pos="{GROUND} 0 0"><joint type="hinge" axis="0 1 0"/>
    {inertial(D, C, 0.75)}<site name="f" pos="{C[0] - GROUND} 0 {C[1]}"/></body></worldbody>
    <equality><connect site1="e" site2="f" solref="0.004 1" solimp="0.99 0.9999 0.0001"/></equality>
    </mujoco>"""
    model = mujoco.MjModel.from_xml_string(text)
    data, steps = mujoco.MjData(model), round(1.0 / step)
    size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    start = np.zeros(size)
    mujoco.mj_getState(model, data, start, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    models = []
    for k in range(count):
        models.append(copy.copy(model))
        models[-1].body_mass[1:] *= 1.0 + 0.001 * k
    began = time.process_time()
    states, _ = rollout.rollout(models, [data], np.tile(start, (count, 1)), nstep=steps)
    return float(states[0, -1, 1]), 1e3 * (time.process_time() - began) / count
