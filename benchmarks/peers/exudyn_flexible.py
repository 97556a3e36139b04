"""The flexible pendulum as FFRFreducedOrder of Exudyn, from the same K, M and interfaces."""

import time

import exudyn as exu
import exudyn.utilities as eu
import numpy as np
from exudyn.FEM import FEMinterface, HCBstaticModeSelection, ObjectFFRFreducedOrderInterface


def reduced(part, left, right, modes: int):
    """The part with fixed-interface modes and constraint modes of both ends, and CPU seconds."""
    began = time.process_time()
    fem = FEMinterface()
    fem.nodes = {"Position": part.X}
    fem.massMatrix, fem.stiffnessMatrix = part.M, part.K
    fem.elements, fem.surface = [], [{"Name": "none", "Trigs": [[0, 1, 2]], "Quads": []}]
    fem.ComputeHurtyCraigBamptonModes(
        [left, right], modes, computationMode=HCBstaticModeSelection.RBE2
    )
    return ObjectFFRFreducedOrderInterface(fem), time.process_time() - began


def pendulum(cms, part, left, right, until: float, h: float, rho: float = 0.9):
    """Path of the tip at 100 samples, and CPU seconds of the time loop."""
    system = exu.SystemContainer()
    mbs = system.AddSystem()
    body = cms.AddObjectFFRFreducedOrder(mbs, gravity=[0, 0, -9.81])["oFFRFreducedOrder"]
    ground = mbs.AddObject(eu.ObjectGround())
    hinge = mbs.AddMarker(
        eu.MarkerSuperElementRigid(
            bodyNumber=body,
            meshNodeNumbers=left,
            weightingFactors=np.ones(len(left)) / len(left),
            offset=[0, 0, 0],
        )
    )
    origin = mbs.AddMarker(eu.MarkerBodyRigid(bodyNumber=ground))
    mbs.AddObject(
        eu.GenericJoint(markerNumbers=[origin, hinge], constrainedAxes=[1, 1, 1, 1, 0, 1])
    )
    node = int(right[np.argmin(np.abs(part.X[right, 1:]).sum(1))])
    tip = mbs.AddSensor(
        eu.SensorSuperElement(
            bodyNumber=body,
            meshNodeNumber=node,
            storeInternal=True,
            outputVariableType=exu.OutputVariableType.Position,
        )
    )
    mbs.Assemble()
    s = exu.SimulationSettings()
    s.timeIntegration.numberOfSteps, s.timeIntegration.endTime = round(until / h), until
    s.solutionSettings.writeSolutionToFile = False
    s.solutionSettings.sensorsWritePeriod = until / 100
    s.timeIntegration.generalizedAlpha.spectralRadius = rho
    s.timeIntegration.newton.useModifiedNewton = True
    s.timeIntegration.verboseMode = 0
    s.parallel.numberOfThreads = 1
    began = time.process_time()
    mbs.SolveDynamic(s)
    return mbs.GetSensorStoredData(tip)[:, 1:], time.process_time() - began
