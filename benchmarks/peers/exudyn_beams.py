"""A free beam in Exudyn: nodes with Lie-group rotations and its SE(3) element in space, three
freedoms a node in a plane.

Generalised alpha without damping, with a little where it would diverge, modified Newton, sparse
solver, one thread. Masses are consistent in a plane, and in space taken as lumped for the energy.
"""

import time

import numpy as np

from kinetree.engine.beams.strains import strains

from .exudyn_system import exu, item


def build(beam, elements, planar):
    """The container, the system and the nodes of a straight beam along x that spins as a rigid body
    at first.
    """
    container = exu.SystemContainer()
    system, le, nodes = container.AddSystem(), beam.length / elements, []
    EA, GAy, _, _, _, EI = beam.stiffness
    for k in range(elements + 1):
        x = np.array([k * le, 0.0, 0.0])
        v = np.cross(beam.spin, x)
        if planar:
            nodes.append(
                system.AddNode(
                    item.NodeRigidBody2D(
                        referenceCoordinates=[x[0], 0.0, 0.0],
                        initialVelocities=[v[0], v[1], beam.spin[2]],
                    )
                )
            )
        else:
            nodes.append(
                system.AddNode(
                    item.NodeRigidBodyRotVecLG(
                        referenceCoordinates=[*x, 0, 0, 0], initialVelocities=[*v, *beam.spin]
                    )
                )
            )
    section = exu.BeamSection()
    section.stiffnessMatrix, section.inertia = np.diag(beam.stiffness), np.diag(beam.inertia)
    section.massPerLength = beam.mass
    for a, b in zip(nodes, nodes[1:]):
        if planar:
            system.AddObject(
                item.Beam2D(
                    nodeNumbers=[a, b],
                    length=le,
                    massPerLength=beam.mass,
                    crossSectionInertia=beam.inertia[2],
                    bendingStiffness=EI,
                    axialStiffness=EA,
                    shearStiffness=GAy,
                )
            )
        else:
            system.AddObject(item.Beam3D(nodeNumbers=[a, b], length=le, sectionData=section))
    if any(beam.push):
        marker = system.AddMarker(item.MarkerNodePosition(nodeNumber=nodes[-1]))
        system.AddLoad(item.Force(markerNumber=marker, loadVector=list(beam.push)))
    system.Assemble()
    return container, system, nodes


def settings(h, steps, radius):
    given = exu.SimulationSettings()
    t = given.timeIntegration
    t.numberOfSteps, t.endTime, t.verboseMode = steps, steps * h, 0
    t.adaptiveStep = t.automaticStepSize = False
    t.generalizedAlpha.spectralRadius, t.newton.useModifiedNewton, t.newton.relativeTolerance = (
        radius,
        True,
        1e-6,
    )
    t.newton.absoluteTolerance = 1e-7  # N; rounding of stiff sections is above the default
    given.linearSolver.solverType, given.parallel.numberOfThreads = (
        exu.LinearSolverType.EigenSparse,
        1,
    )
    given.solution.file.write, given.solution.sensors.writePeriod = False, 1e9
    return given


def run(beam, elements, h, steps, planar=False, watch=False):
    """CPU seconds of the steps, the relative change of the energy, and with `watch` the path of the
    tip.
    """
    _container, system, nodes = build(beam, elements, planar)
    energy, path = _plane_energy if planar else _energy, []
    if watch:
        system.SetPreStepUserFunction(
            lambda mbs, t: (
                path.append(mbs.GetNodeOutput(nodes[-1], exu.OutputVariableType.Position)) or True
            )
        )
    first, began = energy(beam, system, nodes), time.process_time()
    system.SolveDynamic(
        settings(h, steps, 0.9 if any(beam.push) else 1.0)
    )  # without damping it diverges when pushed
    spent = time.process_time() - began
    path.append(system.GetNodeOutput(nodes[-1], exu.OutputVariableType.Position))
    work = float(np.dot(beam.push, path[-1] - [beam.length, 0.0, 0.0]))
    change = abs(energy(beam, system, nodes) - first - work) / max(first, abs(work))
    return spent, change, np.array(path[1:] if watch else path)


def _energy(beam, system, nodes):
    out, le = exu.OutputVariableType, beam.length / (len(nodes) - 1)
    read = {
        what: np.array([system.GetNodeOutput(n, getattr(out, what)) for n in nodes])
        for what in ("Position", "Velocity", "AngularVelocityLocal", "RotationMatrix")
    }
    share = np.full(len(nodes), le)
    share[[0, -1]] /= 2.0
    turning = read["AngularVelocityLocal"] ** 2 @ np.array(beam.inertia)
    kinetic = 0.5 * share @ (beam.mass * (read["Velocity"] ** 2).sum(1) + turning)
    x, R = read["Position"], read["RotationMatrix"].reshape(-1, 3, 3)
    e = strains(x[:-1], R[:-1], x[1:], R[1:], le) - [1, 0, 0, 0, 0, 0]
    e[:, 3:] /= le
    return float(kinetic + 0.5 * le * (e**2 @ np.array(beam.stiffness)).sum())


def _plane_energy(beam, system, nodes):
    """With its consistent mass, and one point of integration for the strain."""
    le, EA, GA, EI = (
        beam.length / (len(nodes) - 1),
        beam.stiffness[0],
        beam.stiffness[1],
        beam.stiffness[5],
    )
    q = system.systemData.GetODE2Coordinates().reshape(-1, 3) + np.outer(
        np.arange(len(nodes)) * le, [1.0, 0.0, 0.0]
    )
    v = system.systemData.GetODE2Coordinates_t().reshape(-1, 3)
    a, b = v[:-1], v[1:]
    kinetic = le / 6.0 * ((a * a + a * b + b * b) * [beam.mass, beam.mass, beam.inertia[2]]).sum()
    D, m = np.diff(q[:, :2], axis=0) / le, 0.5 * (q[1:, 2] + q[:-1, 2])
    stretch, shear = (
        np.cos(m) * D[:, 0] + np.sin(m) * D[:, 1] - 1.0,
        np.cos(m) * D[:, 1] - np.sin(m) * D[:, 0],
    )
    return float(
        kinetic
        + 0.5 * le * (EA * stretch**2 + GA * shear**2 + EI * (np.diff(q[:, 2]) / le) ** 2).sum()
    )
