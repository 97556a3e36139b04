"""Where the joints of a compiled model sit, and which joint owns what."""

from __future__ import annotations

import numpy as np

from ..description.lowering.compiled import CompiledModel
from ..engine.dynamics.reactions import JointFrames


def seats_of(compiled: CompiledModel) -> JointFrames:
    """The seats of a compiled model."""
    places = list(compiled.joints.values())
    index = {name: n for n, name in enumerate(compiled.joints)}
    owners = [index.get(compiled.row_owner[int(p["ig"])], -1) for p in compiled.tables.primitives]
    return JointFrames(
        np.array([p.link for p in places], np.int64),
        np.array([-1.0 if p.reversed else 1.0 for p in places]),
        np.array([p.j for p in places], np.int64),
        np.array([p.X_jM.p for p in places]).reshape(-1, 3).copy(),
        np.array(owners, np.int64),
        _sensor_joints(compiled, index),
    )


def _sensor_joints(compiled: CompiledModel, index: dict[str, int]) -> np.ndarray:
    """Joint of every sensor that a constraint or a torsion spring reads, from the names the user
    gave.
    """
    model, tables = compiled.model, compiled.tables
    found = np.full(len(tables.sensors), -1, np.int64)
    for p in tables.primitives:
        if p["sensors"]:
            owner = compiled.row_owner[int(p["ig"])]
            terms = tables.terms[int(p["term"]) : int(p["term"] + p["sensors"])]
            names = (
                (f"{owner}.",) * len(terms)
                if owner in index
                else model.constraints[owner].spec.coordinates
            )
            for term, name in zip(terms, names):
                found[int(term["sensor"])] = index[name.rpartition(".")[0]]
    for row, element in zip(tables.forces, model.forces.values()):
        for name in element.spec.coordinates:
            found[int(row["sensor"])] = index[name.rpartition(".")[0]]
    return found
