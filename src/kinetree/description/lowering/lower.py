"""Lower a model on a spanning tree to tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...elements.constraints.aims import CODE
from ...elements.constraints.catalogue import PRIMITIVE_KIND, PRIMITIVES
from ...elements.controllers.catalogue import control_kernel
from ...elements.forces.catalogue import KIND as FORCE_KIND
from ...elements.forces.catalogue import kernels_of
from ...elements.joints.sensors import LENGTHS
from ...elements.signals.catalogue import KIND as SIGNAL_KIND
from ...elements.signals.catalogue import as_signal, signal_kernels_of
from ...elements.signals.contract import Signal
from ...errors import ModelError, no_such, short
from ...kernel.decorators import table
from ...kernel.frames import IDENTITY, Pose
from ...kernel.linalg import norm
from ...kernel.tables.records import (
    AIM,
    CONTROLLER,
    ELEMENT,
    FLEXIBLE,
    FORCE,
    INPUT,
    LINK,
    MARKER,
    NO_EQUATIONS,
    PLACE,
    PRIMITIVE,
    SENSOR,
    SETTINGS,
    SIGNAL,
    TERM,
    Tables,
    frozen,
    no_structure,
)
from ...kernel.tables.sparsity import empty_structure
from ...kernel.usercode.registry import keeping_alive, user_code
from ..body import Marker
from ..model import Model
from ..topology.tree import Tree
from .compiled import JointPlace, LoweredModel, Unresolved
from .elements import lower_constraints, lower_cuts, lower_forces, lower_generated
from .links import (
    BodyPlane,
    dof_owners,
    dof_parents,
    floors,
    lower_link_numbers,
    lower_links,
    model_size,
    turns,
)
from .modal_rows import place_columns
from .sensors import SensorTable
from .states import StatePlace, declare, lower_controllers

NO_PLANES: Mapping[str, BodyPlane] = {}
CLOSURE = 1e-12  # tolerance of the position correction, relative to the model size


def lower(
    model: Model, tree: Tree, coordinates: str, planes: Mapping[str, BodyPlane] = NO_PLANES
) -> LoweredModel:
    """Return the tables of the model on the given tree.

    In Cartesian coordinates, bodies with a plane have three degrees of freedom.
    """
    with keeping_alive():
        return Lowering(model, tree, coordinates, planes).result()


class Lowering(SensorTable):
    """Collect the rows of all tables. Forces, constraints and signals add their own rows through
    its methods.
    """

    def __init__(
        self,
        model: Model,
        tree: Tree,
        coordinates: str,
        planes: Mapping[str, BodyPlane] = NO_PLANES,
    ) -> None:
        self.model, self.tree, self.coordinates = model, tree, coordinates
        self.planes = planes
        self.bodies = ("ground", *tree.order)
        self.index = {name: i for i, name in enumerate(self.bodies)}
        self.X_BK = [IDENTITY] * len(self.bodies)
        self.numbers: list[float] = []
        self.rows: dict[str, list[np.void]] = {
            "sensors": [],
            "primitives": [],
            "forces": [],
            "markers": [],
            "signals": [],
            "controllers": [],
            "inputs": [],
            "elements": [],
            "terms": [],
            "aims": [],
            "places": [],
            "flexible": [],
        }
        self.paths = 0
        self.row_owner, self.first_row = list[str](), dict[str, int]()
        self.row_scale: list[float] = []
        self.places: dict[str, JointPlace] = {}
        self.unresolved: list[Unresolved] = []
        self.sensor_of: dict[str, int] = {}
        self.states: dict[str, StatePlace] = {}
        self.outputs: dict[str, int] = {}
        self.signals, self.force_names = list[Signal | None](), tuple(model.forces)
        self.links = table(LINK, len(self.bodies))
        self.nq = self.nv = self.nx = 0
        self.columns = 0  # hinge columns of markers on flexible bodies
        self.touch = 0  # rows of the workspace for places of contact
        self.full = False  # M is full, regardless of the tree

    def result(self) -> LoweredModel:
        lower_links(self)
        place_columns(self)
        lower_cuts(self)
        generated = lower_generated(self)  # its numbers come first in the pool
        lower_link_numbers(self)
        declare(self)
        lower_constraints(self)
        lower_controllers(self)
        lower_forces(self)
        tables = Tables(
            links=self.links,
            sensors=self._table("sensors", SENSOR),
            primitives=self._table("primitives", PRIMITIVE),
            terms=self._table("terms", TERM),
            aims=self._table("aims", AIM),
            forces=self._table("forces", FORCE),
            markers=self._table("markers", MARKER),
            signals=self._table("signals", SIGNAL),
            controllers=self._table("controllers", CONTROLLER),
            inputs=self._table("inputs", INPUT),
            pool=np.array([*self.numbers, 0.0]),
            dof_parent=dof_parents(self),
            floor=floors(self),
            turns=turns(self),
            row_scale=np.array(self.row_scale),
            settings=self._settings(),
            equations=NO_EQUATIONS if generated is None else generated,
            kernels=kernels_of(
                FORCE_KIND[element.spec.kind] for element in self.model.forces.values()
            ),
            signal_kernels=signal_kernels_of(int(row["kind"]) for row in self.rows["signals"]),
            control_kernel=control_kernel(bool(self.model.controllers)),
            **empty_structure()._asdict(),
            **{
                **no_structure(),
                "elements": self._table("elements", ELEMENT),
                "places": self._table("places", PLACE),
                "flexible": self._table("flexible", FLEXIBLE),
            },
        )
        return LoweredModel(
            self.model,
            self.coordinates,
            self.tree,
            frozen(tables),
            self.bodies,
            tuple(self.X_BK),
            self.places,
            tuple(self.row_owner),
            dof_owners(self),
            tuple(self.unresolved),
            self.states,
            self.outputs,
            tuple(self.signals),
            tuple(user_code(tables)),
        )

    def place(self, spec, **extra) -> JointPlace:
        i, j = self.index[spec.F.body.name], self.index[spec.M.body.name]
        return JointPlace(spec, i, j, self.in_kernel(spec.F), self.in_kernel(spec.M), **extra)

    def in_kernel(self, marker: Marker) -> Pose:
        """A marker in the kernel frame of its body."""
        X_BK = self.X_BK[self.index[marker.body.name]]
        return IDENTITY if marker.X_Bm is X_BK else X_BK.inverse @ marker.X_Bm

    def placed(self, marker: Marker) -> tuple[int, Pose]:
        """The index of a marker's body, and the marker in its kernel frame."""
        return self.index[marker.body.name], self.in_kernel(marker)

    def signal(self, value, what: str) -> int:
        """Index of a time function."""
        if isinstance(value, str) and value in self.outputs:
            raise ModelError(
                f"{what} is a function of time, not the output {short(value)}: a constraint needs "
                "its derivatives. Let the controller drive a force instead."
            )
        signal = as_signal(value, what)
        self.signals.append(signal)
        return self._function(signal)

    def profile(self, signal: Signal) -> int:
        """Index of a function of another variable than time, such as the height of a road."""
        self.signals.append(None)
        return self._function(signal)

    def _function(self, signal: Signal) -> int:
        row = np.zeros(1, SIGNAL)[0]
        row["kind"] = SIGNAL_KIND[signal.kind]
        signal.lower(row, self.numbers)
        self.rows["signals"].append(row)
        return len(self.rows["signals"]) - 1

    def input(self, value, what: str) -> int:
        """Index of an input of an element: a time function, or -1 - k for output k of the
        controllers.
        """
        if not isinstance(value, str):
            return self.signal(value, what)
        if value not in self.outputs:
            raise no_such(
                "output", value, self.outputs, f" for {what} in model {self.model.name!r}"
            )
        return -1 - self.outputs[value]

    def pool(self, values: Sequence[float] | np.ndarray) -> int:
        """Add numbers to the pool; return the index of the first."""
        first = len(self.numbers)
        self.numbers.extend(float(v) for v in values)
        return first

    def element(self, i: Marker, j: Marker) -> np.void:
        """A new beam element between two nodes, of the force being lowered."""
        row = np.zeros(1, ELEMENT)[0]
        row["i"], row["j"] = self.index[i.body.name], self.index[j.body.name]
        row["force"] = len(self.rows["forces"])
        self.rows["elements"].append(row)
        return row

    def place_row(self, row: np.void, rows: int, states: int) -> np.void:
        """A new place of the force being lowered, at which it has a unilateral row and, with
        friction, two tangents; it has `states` states.
        """
        place, others = np.zeros(1, PLACE)[0], self.rows["places"]
        place["force"], place["iv"], place["sign"] = len(self.rows["forces"]), -1, 1.0
        same = [one for one in others if one["force"] == place["force"]]
        place["k"], place["rows"] = len(same), rows
        place["row"] = sum(int(one["rows"]) for one in others)
        place["ix"] = row["ix"] + states * len(same)
        if not same:
            row["input"][0] = len(others)
        others.append(place)
        return place

    def initial_distance(self) -> float:
        """Leave the free length of the force being lowered to be measured at the start."""
        k = len(self.rows["forces"])
        self.unresolved.append(Unresolved(self.force_names[k], "rest", "forces", k, "rest"))
        return np.nan

    def _rows(self, owner: str, rows: int, is_length: bool, sensors: int = 0) -> np.void:
        """A new record with its rows of g; `is_length` if they are lengths, otherwise angles or
        cosines.
        """
        p = np.zeros(1, PRIMITIVE)[0]
        p["ig"], p["ng"], p["signal"], p["aim"] = len(self.row_owner), rows, -1, -1
        p["sensors"], p["term"], p["path"] = sensors, len(self.rows["terms"]), self.paths
        self.paths += 2 * max(1, sensors)
        self.rows["primitives"].append(p)
        self.row_owner += [owner] * rows
        p["owner"] = self.first_row.setdefault(owner, p["ig"])
        self.row_scale += [float(is_length)] * rows
        return p

    def primitive(self, kind: str, owner: str) -> np.void:
        """A new constraint primitive of the catalogue."""
        known = PRIMITIVES[PRIMITIVE_KIND[kind]]
        p = self._rows(owner, known.rows, known.is_length)
        p["kind"] = PRIMITIVE_KIND[kind]
        for k in known.rates:
            p["rates"][k] = 1
            self.row_scale[p["ig"] + k] = 2.0 if known.is_length else -1.0
        return p

    def between_markers(self, kind: str, owner: str, markers: Sequence[Marker]) -> np.void:
        """A new primitive between two markers, at their points."""
        p = self.primitive(kind, owner)
        (p["i"], X_i), (p["j"], X_j) = map(self.placed, markers)
        p["p_i"], p["p_j"] = X_i.p, X_j.p
        return p

    def between_frames(self, kind: str, place: JointPlace) -> np.void:
        """A new primitive between the frames of a cut joint, at their origins."""
        p = self.primitive(kind, place.spec.name)
        p["i"], p["j"], p["p_i"], p["p_j"] = place.i, place.j, place.X_iF.p, place.X_jM.p
        return p

    def relation(self, owner: str, *terms: tuple[int, float]) -> np.void:
        """A new equation between sensors with given ratios:  r1 s1 + r2 s2 + ... = offset."""
        p = self._rows(owner, 1, self.rows["sensors"][terms[0][0]]["kind"] in LENGTHS, len(terms))
        for sensor, ratio in terms:
            row = np.zeros(1, TERM)[0]
            row["sensor"], row["ratio"] = sensor, ratio
            self.rows["terms"].append(row)
        return p

    def aim(self, kind: int, signal: int, count: int, axes: Sequence[float] = ()) -> int:
        """Index of a prescribed orientation from `count` time functions, the first of them
        `signal`, about these axes.
        """
        row = np.zeros(1, AIM)[0]
        row["kind"], row["signal"], row["count"] = kind, signal, count
        row["first"] = self.pool(axes)
        self.rows["aims"].append(row)
        return len(self.rows["aims"]) - 1

    def user_aim(
        self, address: tuple[int, int], parameters: Sequence[float], rows: int, runs: bool
    ) -> int:
        """Index of equations by user code; `runs` if they depend on time."""
        row = np.zeros(1, AIM)[0]
        row["kind"], row["address"], row["rows"], row["runs"] = CODE, address, rows, runs
        row["first"], row["parameters"] = self.pool(parameters), len(parameters)
        self.rows["aims"].append(row)
        return len(self.rows["aims"]) - 1

    def leave_open(self, owner: str, what: str, field: str, trial: float = 1.0) -> float:
        """Leave a field of the last equation to be measured at the start; `trial` is used until
        then.
        """
        self.unresolved.append(
            Unresolved(owner, what, "primitives", len(self.rows["primitives"]) - 1, field, trial)
        )
        return np.nan

    def _table(self, name: str, dtype: np.dtype) -> np.ndarray:
        rows = table(dtype, len(self.rows[name]))
        for k, row in enumerate(self.rows[name]):
            rows[k] = row
        return rows

    def _settings(self) -> np.ndarray:
        settings = table(SETTINGS, 1)
        s = settings[0]
        s["gravity"], s["length"] = self.model.gravity, model_size(self)
        s["accepted"] = CLOSURE
        s["nq"], s["nv"], s["nx"], s["ng"] = self.nq, self.nv, self.nx, len(self.row_owner)
        s["paths"], s["varying"] = self.paths, self.links["varying"].sum()
        weight = float(norm(s["gravity"])) or s["length"] * (2.0 * np.pi) ** 2
        s["force"] = float(self.links["mass"].sum()) * weight or 1.0
        s["touch"] = self.touch
        s["rows"] = -1  # the number of independent rows is found later
        return settings
