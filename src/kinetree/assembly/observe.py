"""The record of a compiled model at given states: where its joints sit, and one compiled pass over all samples."""

from __future__ import annotations

import numpy as np

from ..compile.build import build
from ..compile.compiled import CompiledModel
from ..compile.resolve import resolve
from ..dynamics.observe import Record, observe_samples
from ..dynamics.reactions import Seats
from ..model.model import Model
from ..model.shapes import rod
from ..usercode.watch import attended


def empty_record(compiled: CompiledModel, nt: int) -> Record:
    """Room for nt samples."""
    nb, nf, nj, ng = len(compiled.bodies), len(compiled.tables.forces), len(compiled.joints), compiled.size["ng"]
    most = max((len(e.spec.readings) for e in compiled.model.forces.values()), default=0)
    shapes = [(nb, 3), (nb, 9), *[(nb, 3)] * 4, (nb,), (nb,), (6,), (nf,), (nf,), (nf, most), (nf, 6), (), (nj, 6), (ng,),
              (ng,), (compiled.size["nx"],), (len(compiled.outputs),)]
    return Record(*(np.zeros((nt, *shape)) for shape in shapes))


def observe(compiled: CompiledModel, t: np.ndarray, y: np.ndarray, vdot: np.ndarray, lam: np.ndarray) -> Record:
    """The record of the given states, accelerations and multipliers."""
    record = empty_record(compiled, len(t))
    inverse = [X.inverse for X in compiled.X_BK]
    R_KB, p_KB = np.array([X.R.ravel() for X in inverse]), np.array([X.p for X in inverse])
    t, y, vdot, lam = (np.ascontiguousarray(a, float) for a in (t, y, vdot, lam))
    work = compiled.workspace(("G",))
    attended(observe_samples, compiled.tables, work, seats_of(compiled), R_KB, p_KB, t, y, vdot, lam, record)
    generated = compiled.model.generated
    if generated is not None and generated.flexible:
        _energies(generated.energies(compiled, y), record)
    return record


def _energies(whole: tuple[np.ndarray, np.ndarray], record: Record) -> None:
    """Energies of generated equations, of the machine as a whole: they stand where the ground is."""
    for found, known in zip((record.kinetic, record.potential), whole):
        found[:] = 0.0
        found[:, 0] = known


def seats_of(compiled: CompiledModel) -> Seats:
    """The seats of a compiled model."""
    places = list(compiled.joints.values())
    index = {name: n for n, name in enumerate(compiled.joints)}
    owners = [index.get(compiled.row_owner[int(p["ig"])], -1) for p in compiled.tables.primitives]
    return Seats(
        np.array([p.link for p in places], np.int64), np.array([-1.0 if p.reversed else 1.0 for p in places]),
        np.array([p.j for p in places], np.int64), np.array([p.X_jM.p for p in places]).reshape(-1, 3).copy(),
        np.array(owners, np.int64), _sensor_joints(compiled, index))


def _sensor_joints(compiled: CompiledModel, index: dict[str, int]) -> np.ndarray:
    """Joint of every sensor that a constraint or a torsion spring reads, from the names the user gave."""
    model, tables = compiled.model, compiled.tables
    found = np.full(len(tables.sensors), -1, np.int64)
    for p in tables.primitives:
        if p["sensors"]:
            owner = compiled.row_owner[int(p["ig"])]
            names = (f"{owner}.",) * 2 if owner in index else model.constraints[owner].spec.coordinates
            for sensor, name in zip((p["sensor1"], p["sensor2"]), names):
                found[int(sensor)] = index[name.rpartition(".")[0]]
    for row, element in zip(tables.forces, model.forces.values()):
        for name in element.spec.coordinates:
            found[int(row["sensor"])] = index[name.rpartition(".")[0]]
    return found


def compile_kernels() -> None:
    """Compile or load the pass over the samples: any machine, here one free body, takes the same."""
    model = Model("one body")
    model.float(model.body("rod", rod(1.0, 1.0, along="x")))
    y = np.zeros((1, 13))
    y[0, 3] = 1.0  # no turn
    observe(resolve(build(model), {}), np.zeros(1), y, np.zeros((1, 6)), np.zeros((1, 0)))
