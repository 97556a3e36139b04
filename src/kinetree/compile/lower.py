"""Lowering: a model and a spanning tree become tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..constraints.catalogue import DISTANCE, IN_PLANE, PERPENDICULAR, POINT, RELATION
from ..constraints.coupling import Coupling
from ..constraints.distance import Distance
from ..constraints.driver import Driver
from ..errors import ModelError, no_such
from ..forces.catalogue import KIND as FORCE_KIND
from ..frames import IDENTITY, Pose
from ..joints import sensors as sense
from ..joints.catalogue import KIND as JOINT_KIND
from ..joints.contract import Advance, InPlane, Perpendicular, Point
from ..joints.free import Free
from ..model.body import Marker
from ..model.model import Model
from ..num.jit import table
from ..signals.catalogue import KIND as SIGNAL_KIND
from ..signals.catalogue import as_signal
from ..topology.tree import Tree
from .compiled import CompiledModel, JointPlace
from .states import StatePlace, declare, first_state, lower_controllers
from .tables import CONTROLLER, FORCE, INPUT, LINK, PRIMITIVE, SENSOR, SETTINGS, SIGNAL, Tables

CLOSURE = 1e-12  # target of the position correction, in units of the machine's size


def lower(model: Model, tree: Tree, coordinates: str) -> CompiledModel:
    """Tables of the model on the given tree."""
    return Lowering(model, tree, coordinates).result()


class Lowering:
    """Collects rows table by table; the force and signal classes write themselves through it."""

    def __init__(self, model: Model, tree: Tree, coordinates: str) -> None:
        self.model, self.tree, self.coordinates = model, tree, coordinates
        self.bodies = ("ground", *tree.order)
        self.index = {name: i for i, name in enumerate(self.bodies)}
        self.X_BK = [IDENTITY] * len(self.bodies)
        self.numbers: list[float] = []
        self.rows: dict[str, list[np.void]] = {
            "sensors": [], "primitives": [], "forces": [], "signals": [], "controllers": [], "inputs": []}
        self.row_owner: list[str] = []
        self.row_scale: list[float] = []
        self.places: dict[str, JointPlace] = {}
        self.pending: list[tuple[str, int]] = []
        self.sensor_of: dict[str, int] = {}
        self.states: dict[str, StatePlace] = {}
        self.outputs: dict[str, int] = {}
        self.nx = 0

    def result(self) -> CompiledModel:
        self._links()
        self._cuts()
        declare(self)
        self._constraints()
        lower_controllers(self)
        self._forces()
        tables = Tables(
            links=self.links, sensors=self._table("sensors", SENSOR), primitives=self._table("primitives", PRIMITIVE),
            forces=self._table("forces", FORCE), signals=self._table("signals", SIGNAL),
            controllers=self._table("controllers", CONTROLLER), inputs=self._table("inputs", INPUT),
            pool=np.array([*self.numbers, 0.0]), dof_parent=self._dof_parents(), floor=self._floors(),
            row_scale=np.array(self.row_scale), settings=self._settings())
        return CompiledModel(self.model, self.coordinates, self.tree, tables, self.bodies, tuple(self.X_BK), self.places,
                             tuple(self.row_owner), self._freedom_owners(), tuple(self.pending), self.states, self.outputs)

    # --- bodies and tree joints ---------------------------------------------------------------------------------

    def _links(self) -> None:
        self.links = table(LINK, len(self.bodies))
        self.nq = self.nv = 0
        for branch in self.tree.branches:
            self._link(branch)

    def _link(self, branch) -> None:
        i, body = branch.number, self.model.bodies[branch.body]
        parent, spec = branch.parent_number, self.model.joints.get(branch.joint.name)
        if spec is None:  # Cartesian coordinates: a free joint to ground that is not in the model
            kind, inner, outer, nq, nv, pitch = "free", IDENTITY, IDENTITY, 7, 6, 0.0
        else:
            flip = Pose(np.array(spec.joint.flip, float) if branch.reversed else np.eye(3), np.zeros(3))
            inner, outer = (m.X_Bm @ flip for m in ((spec.M, spec.F) if branch.reversed else (spec.F, spec.M)))
            kind, nq, nv, pitch = spec.joint.kind, spec.joint.nq, spec.joint.nv, spec.joint.pitch_per_radian
        self.X_BK[i] = outer
        X_PF = self.X_BK[parent].inverse @ inner
        row, mass = self.links[i], body.properties
        row["parent"], row["root"] = parent, i if parent == 0 else self.links[parent]["root"]
        row["kind"], row["iq"], row["iv"], row["nv"], row["pitch"] = JOINT_KIND[kind], self.nq, self.nv, nv, pitch
        row["R_PF"], row["p_PF"] = X_PF.R.ravel(), X_PF.p
        J = outer.R.T @ mass.inertia @ outer.R
        row["mass"], row["com"], row["I_com"] = mass.mass, outer.inverse.R @ mass.com + outer.inverse.p, J[np.triu_indices(3)]
        row["floor"] = 1e-14 * (np.trace(J) + mass.mass * float(row["com"] @ row["com"]))
        self.nq, self.nv = self.nq + nq, self.nv + nv
        if spec is not None:
            self.places[spec.name] = self._place(spec, link=i, reversed=branch.reversed)

    def _place(self, spec, **extra) -> JointPlace:
        i, j = self.index[spec.F.body.name], self.index[spec.M.body.name]
        return JointPlace(spec, i, j, self.in_kernel(spec.F), self.in_kernel(spec.M), **extra)

    def in_kernel(self, marker: Marker) -> Pose:
        """A marker in the kernel frame of its body."""
        return self.X_BK[self.index[marker.body.name]].inverse @ marker.X_Bm

    def _dof_parents(self) -> np.ndarray:
        """The next freedom inboard of each freedom: the sparsity of the mass matrix."""
        last = [-1] * len(self.bodies)
        parents = np.full(self.nv, -1, np.int64)
        for i in range(1, len(self.bodies)):
            row = self.links[i]
            before = last[row["parent"]]
            for k in range(row["iv"], row["iv"] + row["nv"]):
                parents[k], before = before, k
            last[i] = before
        return parents

    def _floors(self) -> np.ndarray:
        """Per freedom, the inertia of its own body that is rounding of zero."""
        return np.array([row["floor"] for row in self.links[1:] for _ in range(row["nv"])])

    def _freedom_owners(self) -> tuple[tuple[str, str], ...]:
        owners: list[tuple[str, str]] = []
        for branch in self.tree.branches:
            spec = self.model.joints.get(branch.joint.name)
            speeds = Free.speeds if spec is None else spec.joint.speeds
            if branch.reversed and spec.joint.reversed_order:
                speeds = tuple(speeds[k] for k in np.argsort(spec.joint.reversed_order))
            owners += [(branch.joint.name, label) for label in speeds]
        return tuple(owners)

    # --- cut joints and constraints -----------------------------------------------------------------------------

    def _cuts(self) -> None:
        for edge in self.tree.cuts:
            spec = self.model.joints[edge.name]
            place = self.places[edge.name] = self._place(spec)
            for label, sensor in zip(spec.joint.labels, spec.joint.sensors):
                self._frame_sensor(place, label, sensor)
            first = len(self.row_owner)
            for row in spec.joint.cut:
                self._cut_row(place, row)
            self.places[edge.name] = JointPlace(spec, place.i, place.j, place.X_iF, place.X_jM,
                                                rows=tuple(range(first, len(self.row_owner))), turns=place.turns)

    def _cut_row(self, place: JointPlace, row) -> None:
        F, M = place.X_iF, place.X_jM
        if isinstance(row, Advance):
            name, pitch = place.spec.name, place.spec.joint.pitch_per_radian
            slide = self._frame_sensor(place, "travel", "slide_z")
            self._relation(name, slide, 1.0, self.sensor(f"{name}.angle"), -pitch, 0.0)
            return
        kind = {Point: POINT, Perpendicular: PERPENDICULAR, InPlane: IN_PLANE}[type(row)]
        p = self._primitive(kind, place.spec.name, 3 if kind == POINT else 1, 0.0 if kind == PERPENDICULAR else 1.0)
        p["i"], p["j"], p["p_i"], p["p_j"] = place.i, place.j, F.p, M.p
        if kind != POINT:
            p["a_i"] = F.R[:, row.of_F]
        if kind == PERPENDICULAR:
            p["a_j"] = M.R[:, row.of_M]

    def _primitive(self, kind: int, owner: str, rows: int, is_length: float) -> np.void:
        p = np.zeros(1, PRIMITIVE)[0]
        p["kind"], p["ig"], p["ng"] = kind, len(self.row_owner), rows
        self.rows["primitives"].append(p)
        self.row_owner += [owner] * rows
        self.row_scale += [is_length] * rows
        return p

    def _relation(self, owner: str, sensor1: int, ratio1: float, sensor2: int, ratio2: float, signal) -> np.void:
        length = float(self.rows["sensors"][sensor1]["kind"] in (sense.SLIDE_X, sense.SLIDE_Y, sense.SLIDE_Z))
        p = self._primitive(RELATION, owner, 1, length)
        p["sensor1"], p["ratio1"], p["sensor2"], p["ratio2"] = sensor1, ratio1, sensor2, ratio2
        p["signal"] = self.signal(signal, "motion")
        return p

    def _constraints(self) -> None:
        for element in self.model.constraints.values():
            try:
                self._constraint(element)
            except ModelError as error:
                raise type(error)(f"constraint {element.name!r}: {error}") from None

    def _constraint(self, element) -> None:
        spec, name = element.spec, element.name
        if isinstance(spec, Distance):
            self._distance(element)
        elif isinstance(spec, Driver):
            self._relation(name, self.sensor(spec.coordinate), 1.0, 0, 0.0, spec.motion)
        elif isinstance(spec, Coupling):
            p = self._relation(name, self.sensor(spec.first), 1.0, self.sensor(spec.second), -spec.ratio, 0.0)
            p["offset"] = spec.offset or 0.0
            if spec.offset is None:
                self.pending.append(("offset", len(self.rows["primitives"]) - 1))

    def _distance(self, element) -> None:
        p = self._primitive(DISTANCE, element.name, 1, 1.0)
        A, B = element.markers
        p["i"], p["j"] = self.index[A.body.name], self.index[B.body.name]
        p["p_i"], p["p_j"] = self.in_kernel(A).p, self.in_kernel(B).p
        length = element.spec.length
        p["signal"] = self.signal(1.0 if length is None else length, "length")
        p["length"] = length if isinstance(length, (int, float)) else 1.0
        if not isinstance(length, (int, float)):  # the scale L comes from the initial position, and l too if not given
            self.pending.append(("length" if length is None else "scale", len(self.rows["primitives"]) - 1))

    # --- sensors, signals, numbers: what elements register ------------------------------------------------------

    def sensor(self, name: str) -> int:
        """Index of the sensor of a joint coordinate like "A.angle"."""
        if name not in self.sensor_of:
            joint, _, label = str(name).rpartition(".")
            if joint not in self.places:
                raise no_such("joint", joint or name, self.places, f" in model {self.model.name!r} (coordinate {name!r})")
            place = self.places[joint]
            usable = place.spec.joint.labels if place.spec.joint.sensors else ()
            if label not in usable:
                raise no_such("coordinate", label, usable, f" at joint {joint!r} ({place.spec.joint.kind})")
            self._new_sensor(place, name, label)
        return self.sensor_of[name]

    def _new_sensor(self, place: JointPlace, name: str, label: str) -> None:
        labels = place.spec.joint.labels
        if place.direct is None:
            self._frame_sensor(place, label, place.spec.joint.sensors[labels.index(label)])
            return
        row = np.zeros(1, SENSOR)[0]
        at = place.direct[labels.index(label)]
        row["kind"], row["iq"], row["iv"] = sense.TREE, self.links[place.link]["iq"] + at, self.links[place.link]["iv"] + at
        self._keep_sensor(name, row)

    def _frame_sensor(self, place: JointPlace, label: str, kind: str) -> int:
        row = np.zeros(1, SENSOR)[0]
        row["kind"], row["i"], row["j"] = sense.KINDS[kind], place.i, place.j
        row["R_iF"], row["p_iF"] = place.X_iF.R.ravel(), place.X_iF.p
        row["R_jM"], row["p_jM"] = place.X_jM.R.ravel(), place.X_jM.p
        if kind.startswith("turn"):
            row["ix"] = place.turns[label] = self.nx
            self.nx += 1
        return self._keep_sensor(f"{place.spec.name}.{label}", row)

    def _keep_sensor(self, name: str, row: np.void) -> int:
        self.sensor_of[name] = len(self.rows["sensors"])
        self.rows["sensors"].append(row)
        return self.sensor_of[name]

    def signal(self, value, what: str) -> int:
        """Index of a time function."""
        if isinstance(value, str) and value in self.outputs:
            raise ModelError(f"{what} is a function of time, not the output {value!r}: a constraint needs its derivatives too. "
                             "Let the controller drive a force instead.")
        signal = as_signal(value, what)
        row = np.zeros(1, SIGNAL)[0]
        row["kind"] = SIGNAL_KIND[signal.kind]
        signal.lower(row, self.numbers)
        self.rows["signals"].append(row)
        return len(self.rows["signals"]) - 1

    def input(self, value, what: str) -> int:
        """Index of what an element takes from outside: a time function, or -1 - k for output k of the controllers."""
        if not isinstance(value, str):
            return self.signal(value, what)
        if value not in self.outputs:
            raise no_such("output", value, self.outputs, f" for {what} in model {self.model.name!r}")
        return -1 - self.outputs[value]

    def pool(self, values: Sequence[float]) -> int:
        """Position of numbers in the pool."""
        first = len(self.numbers)
        self.numbers.extend(float(v) for v in values)
        return first

    def initial_distance(self, row) -> float:
        """A free length to be read off the initial position."""
        self.pending.append(("rest", len(self.rows["forces"])))
        return 0.0

    # --- forces and settings ------------------------------------------------------------------------------------

    def _forces(self) -> None:
        for element in self.model.forces.values():
            row = np.zeros(1, FORCE)[0]
            row["kind"], row["ix"] = FORCE_KIND[element.spec.kind], first_state(self, element)
            ends = (self.model.ground.at(0, 0, 0), *element.markers)[-2:] if element.markers else ()
            for marker, body, R, p in zip(ends, "ij", ("R_iF", "R_jM"), ("p_iF", "p_jM")):
                X = self.in_kernel(marker)
                row[body], row[R], row[p] = self.index[marker.body.name], X.R.ravel(), X.p
            try:
                element.spec.lower(row, self)
            except ModelError as error:
                raise type(error)(f"force {element.name!r}: {error}") from None
            self.rows["forces"].append(row)

    def _table(self, name: str, dtype: np.dtype) -> np.ndarray:
        rows = table(dtype, len(self.rows[name]))
        for k, row in enumerate(self.rows[name]):
            rows[k] = row
        return rows

    def _settings(self) -> np.ndarray:
        settings = table(SETTINGS, 1)
        s = settings[0]
        s["gravity"], s["length"], s["closure"] = self.model.gravity, self._length(), CLOSURE
        s["nq"], s["nv"], s["nx"], s["ng"] = self.nq, self.nv, self.nx, len(self.row_owner)
        return settings

    def _length(self) -> float:
        """Size of the machine: the longest arm on any moving body."""
        arms = [0.0]
        for place in self.places.values():
            arms += [float(np.linalg.norm(X.p)) for k, X in ((place.i, place.X_iF), (place.j, place.X_jM)) if k]
        for row in self.links[1:]:
            radius = np.sqrt(max(row["I_com"][[0, 3, 5]].max(), 0.0) / row["mass"]) if row["mass"] > 0 else 0.0
            arms += [float(np.linalg.norm(row["com"])), float(radius)]
        return max(arms) or 1.0
