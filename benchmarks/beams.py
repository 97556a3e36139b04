"""A spinning free beam in space with our energy-conserving integrator and with Exudyn's generalised alpha, same mesh and step.

CPU seconds per step of the time loop alone: two runs of different length, and their difference. The beam of Simo and Vu-Quoc with
EI = 500 flies undeformed into a fast spin about an axis across it, which stretches and bends it. `energy` is the largest change
of the total energy, relative; Exudyn's from its own node outputs with the strain of the element. Exudyn's element is also the
SE(3) one with lumped masses; modified Newton, EigenSparse, one thread.
"""

import sys
import time

import numpy as np

import kinetree as kt
from common import arguments, show
from kinetree.frames import Pose
from kinetree.model.beam import reference_strain

STIFFNESS, MASS, INERTIA, LENGTH, H = [1e4, 1e4, 1e4, 500.0, 500.0, 500.0], 1.0, (20.0, 10.0, 10.0), 10.0, 0.01
SPIN, STEPS = np.array([0.4, 0.5, 2.0]), {20: 4000, 200: 600, 2000: 80}


def ours(elements: int, steps: int) -> tuple[float, float]:
    """CPU seconds and the change of energy."""
    m = kt.Model("beam", gravity=(0, 0, 0))
    beam = m.beam("b", [(0, 0, 0), (LENGTH, 0, 0)], kt.Section(STIFFNESS, MASS, INERTIA), elements=elements)
    m.float(beam, speed=dict(zip(("wx", "wy", "wz"), SPIN)))
    began = time.process_time()
    sol = kt.simulate(m, steps * H, integrator="energy-conserving", step=H, output_interval=steps * H / 4, progress=False)
    spent = time.process_time() - began
    return spent, float(np.abs(sol.energy.total / sol.energy.total[0] - 1.0).max())


def exudyn(elements: int, steps: int) -> tuple[float, float]:
    import exudyn as exu
    from exudyn.itemInterface import Beam3D, NodeRigidBodyRotVecLG

    container = exu.SystemContainer()
    system, le = container.AddSystem(), LENGTH / elements
    nodes = []
    for k in range(elements + 1):
        x = np.array([k * le, 0.0, 0.0])
        nodes.append(system.AddNode(NodeRigidBodyRotVecLG(referenceCoordinates=[*x, 0, 0, 0],
                                                          initialVelocities=[*np.cross(SPIN, x), *SPIN])))
    section = exu.BeamSection()
    section.stiffnessMatrix, section.inertia, section.massPerLength = np.diag(STIFFNESS), np.diag(INERTIA), MASS
    for a, b in zip(nodes, nodes[1:]):
        system.AddObject(Beam3D(nodeNumbers=[a, b], length=le, sectionData=section))
    system.Assemble()
    settings = exu.SimulationSettings()
    t = settings.timeIntegration
    t.numberOfSteps, t.endTime, t.verboseMode = steps, steps * H, 0
    t.adaptiveStep = t.automaticStepSize = False
    t.generalizedAlpha.spectralRadius, t.newton.useModifiedNewton, t.newton.relativeTolerance = 1.0, True, 1e-6
    settings.linearSolver.solverType, settings.parallel.numberOfThreads = exu.LinearSolverType.EigenSparse, 1
    settings.solution.file.write, settings.solution.sensors.writePeriod = False, 1e9
    first, began = _energy(exu, system, nodes, le), time.process_time()
    system.SolveDynamic(settings)
    return time.process_time() - began, abs(_energy(exu, system, nodes, le) / first - 1.0)


def _energy(exu, system, nodes, le: float) -> float:
    out = exu.OutputVariableType
    read = {what: np.array([system.GetNodeOutput(n, getattr(out, what)) for n in nodes])
            for what in ("Position", "Velocity", "AngularVelocityLocal", "RotationMatrix")}
    share = np.full(len(nodes), le)
    share[[0, -1]] /= 2.0
    turning = read["AngularVelocityLocal"] ** 2 @ np.array(INERTIA)
    kinetic = 0.5 * (share * (MASS * (read["Velocity"] ** 2).sum(1) + turning)).sum()
    poses = [Pose(R.reshape(3, 3), p) for R, p in zip(read["RotationMatrix"], read["Position"])]
    strains = np.array([reference_strain(a, b, le) for a, b in zip(poses, poses[1:])]) - [1, 0, 0, 0, 0, 0]
    strains[:, 3:] /= le
    return float(kinetic + 0.5 * le * (strains**2 @ np.array(STIFFNESS)).sum())


def per_step(run, elements: int, repeat: int) -> tuple[float, float]:
    """CPU seconds per step by the difference of a long and a short run, and the change of energy of the long one."""
    steps, best, energy = STEPS[elements], np.inf, 0.0
    run(elements, 4)  # what is compiled or loaded at first
    for _ in range(repeat):
        short = run(elements, steps // 4)[0]
        long, energy = run(elements, steps)
        best = min(best, (long - short) / (steps - steps // 4))
    return best, energy


def main() -> None:
    asked = arguments(__doc__.splitlines()[0])
    sys.exudynFast = True  # its kernels without range checks
    rows = []
    for elements in STEPS:
        mine, energy = per_step(ours, elements, min(asked.repeat, 3))
        theirs, other = per_step(exudyn, elements, min(asked.repeat, 3))
        rows.append({"case": "spinning 3-D", "elements": elements, "ours": mine, "exudyn": theirs, "ratio": theirs / mine,
                     "energy_ours": energy, "energy_exudyn": other})
    show(rows, asked.json, "CPU seconds per step; ratio is Exudyn over ours.")


if __name__ == "__main__":
    main()
