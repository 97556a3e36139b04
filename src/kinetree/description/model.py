"""The model as the user describes it; arguments are checked as they are given."""

from __future__ import annotations

import builtins
import copy
from dataclasses import fields

import numpy as np

from ..core.checks import mapping
from ..core.display import NameDict
from ..core.quantities import (
    AngularVelocity,
    Axis,
    Gravity,
    Line,
    Look,
    Place,
    Points,
    Position,
    Radians,
    Rotation,
    Seconds,
    Start,
    Vector,
    Velocity,
)
from ..elements.constraints.catalogue import CONSTRAINTS
from ..elements.constraints.contract import Constraint
from ..elements.controllers.controller import Controller
from ..elements.forces.contract import Force
from ..elements.forces.point_force import PointForce
from ..elements.joints.catalogue import FLOATING
from ..elements.joints.catalogue import KIND as JOINT_KIND
from ..elements.joints.contract import Joint
from ..elements.sections import Section
from ..errors import ModelError, no_such, short
from ..kernel.frames import IDENTITY, ORIGIN, Pose, number, numbers, rotation_matrix
from .beam import Beam, make_beam, node_loads
from .body import Body, Marker
from .element import AtMarkers, Element, JointSpec, check_start
from .generated import Generated
from .look import Outline, outlines
from .names import check_name, how_many
from .presentation import Presented
from .shapes import MassProperties


class Model(Presented):
    """A machine: bodies, joints, constraints and forces by name. SI units, radians, z up."""

    def __init__(self, name: str = "model", gravity: Gravity = (0.0, 0.0, -9.81)) -> None:
        self.name = check_name(name, "model")
        self.gravity = numbers(gravity, 3, f"model {name!r}: gravity")
        self.ground = Body("ground", MassProperties(0.0, np.zeros((3, 3))), self, IDENTITY)
        where = f" in model {name!r}"
        self.bodies: dict[str, Body] = NameDict("body", where)
        self.joints: dict[str, JointSpec] = NameDict("joint", where)
        self.constraints: dict[str, Element[Constraint]] = NameDict("constraint", where)
        self.forces: dict[str, Element[Force]] = NameDict("force", where)
        self.controllers: dict[str, Element[Controller]] = NameDict("controller", where)
        self.cuts: list[str] = []
        self.weights: dict[str, float] = {}
        self.surroundings: list[Outline] = []
        self.generated: Generated | None = None  # equations of its own, see symbolic/
        self.origin: Model | None = (
            None  # of a variant that is computed with: the model as the user said it
        )

    def body(
        self,
        name: str,
        properties: MassProperties,
        *,
        position: Position = None,
        rotation: Rotation = None,
        velocity: Velocity = None,
        angular_velocity: AngularVelocity = None,
        points: Points = None,
        look: Look = None,
    ) -> Body:
        """Add a body. `position` and `rotation` are its reference pose; velocities are in world
        axes, at its origin.

        `look` says how it is drawn where its shape does not: an outline of `kt.look`, or several.
        """
        body = self.bodies[name] = self._body(
            name, properties, position, rotation, velocity, angular_velocity, points, look
        )
        return body

    def _body(
        self,
        name: str,
        properties: MassProperties,
        position: Position,
        rotation: Rotation,
        velocity: Velocity,
        angular_velocity: AngularVelocity,
        points: Points,
        look: Look = None,
    ) -> Body:
        """A checked body, not yet among those of the model."""
        self._new(name, "body")
        what = f"body {name!r}"
        if not isinstance(properties, MassProperties):
            raise ModelError(
                f"{what}: give a shape (rod, box, cylinder, sphere) or kt.mass(...), got "
                f"{short(properties)}."
            )
        pose = None
        if position is not None or rotation is not None:
            pose = Pose(
                rotation_matrix(rotation, f"{what}: rotation"),
                numbers((0, 0, 0) if position is None else position, 3, f"{what}: position"),
            )
        points = mapping({} if points is None else points, f"{what}: points", "{'seat': (x, y, z)}")
        named = {
            check_name(k, f"{what}: point"): tuple(numbers(p, 3, f"{what}: point {k!r}"))
            for k, p in points.items()
        }
        v, w = (
            None if u is None else numbers(u, 3, f"{what}: {label}")
            for u, label in ((velocity, "velocity"), (angular_velocity, "angular_velocity"))
        )
        return Body(
            name,
            properties,
            self,
            pose,
            v,
            w,
            points=named,
            look=outlines(look, what),
            placed=position is not None,
        )

    def beam(
        self,
        name: str,
        line: Line,
        section: Section,
        *,
        elements: int = 10,
        up: Vector = None,
        twist: Radians = 0.0,
        damping: Seconds = 0.0,
        position: Position = None,
        rotation: Rotation = None,
        velocity: Velocity = None,
        angular_velocity: AngularVelocity = None,
        points: Points = None,
    ) -> Beam:
        """Add a flexible beam along a `line`: points (x, y, z), or a function from 0 .. 1 to a
        point, in body axes.

        up        direction of the section's z at the first node; by default as near to z as can be
        twist     of the section over the whole length, rad
        damping   of the strains, proportional to the stiffness: stress = C (strain + damping *
                  rate), s
        The rest is as of a body. Its ends are `beam.end("-")` and `beam.end("+")`, its nodes
        `beam.node(k)`; any other marker goes with the nearest node. It is simulated with a
        structural integrator, such as "energy-conserving".
        """
        rigid = self._body(
            name,
            MassProperties(1.0, np.eye(3)),
            position,
            rotation,
            velocity,
            angular_velocity,
            points,
        )
        made = make_beam(name, line, section, elements, up, twist, damping)
        beam = self.bodies[name] = Beam(
            **{**{f.name: getattr(rigid, f.name) for f in fields(rigid)}, **made}
        )
        return beam

    def joint(
        self,
        name: str,
        joint: Joint,
        parent: Place,
        child: Place,
        *,
        at: Position = None,
        axis: Axis = None,
        start: Start = None,
        speed: Start = None,
    ) -> JointSpec:
        """Join `parent` and `child`: by markers on both, or by a global point `at` and `axis` in
        the reference pose.

        `start` and `speed` give initial coordinates by label, for example start={"angle": 0.3}.
        """
        self._new(name, "joint")
        what = f"joint {name!r}"
        if not isinstance(joint, Joint):
            raise ModelError(
                f"{what}: give a joint such as kt.Revolute(axis='z'), got {short(joint)}."
            )
        F, M = places = self._marker(parent, what), self._marker(child, what)
        if F.body is M.body:
            raise ModelError(
                f"{what}: both sides are on body {F.body.name!r}; a joint links two bodies."
            )
        if axis is not None:
            joint = joint.with_axis(axis)
        frame = _named(joint.frame, what)
        if at is not None:
            at = numbers(at, 3, f"{what}: at")
            drawn = Pose(frame, at)
            F, M = (Marker(m.body, (m.body.pose or IDENTITY).inverse @ drawn) for m in (F, M))
        else:
            F, M = (Marker(m.body, m.X_Bm @ Pose(frame, ORIGIN)) for m in (F, M))
        starts = check_start(
            what, joint, {} if start is None else start, {} if speed is None else speed
        )
        spec = self.joints[name] = JointSpec(name, joint, F, M, *starts, at, places)
        return spec

    def float(self, body, *, start=None, speed=None) -> JointSpec:
        """Let a body move freely: a moving base. The joint is named '<body>.free'."""
        child = self._marker(
            self.bodies[body] if isinstance(body, str) and body in self.bodies else body, "float"
        )
        return self.joint(
            f"{child.body.name}.free", FLOATING(), self.ground, child.body, start=start, speed=speed
        )

    def constraint(self, name: str, spec: Constraint, *markers: Place) -> Element[Constraint]:
        """Add a Distance between two markers, a Driver of a coordinate or a Coupling of two."""
        if not isinstance(spec, CONSTRAINTS):
            raise ModelError(
                f"constraint {name!r}: give one of {', '.join(c.__name__ for c in CONSTRAINTS)}, "
                f"got {short(spec)}."
            )
        return self._element("constraint", self.constraints, name, spec, markers)

    def force(self, name: str, spec: Force, *markers: Place) -> Element[Force]:
        """Add a force element at its markers."""
        if not isinstance(spec, Force):
            raise ModelError(
                f"force {name!r}: give a force such as kt.SpringDamper(...), got {short(spec)}."
            )
        return self._element("force", self.forces, name, spec, markers)

    def line_load(self, name: str, beam: Beam, load, *, frame: str = "world") -> None:
        """Add a distributed load on a beam (N/m): three numbers, or a function from 0 .. 1 along it
        to them.

        It becomes a force on every node, "<name>0", "<name>1", ... ; in "body" axes it turns with
        the sections.
        """
        self._new(name, "force")
        if not isinstance(beam, Beam) or self.bodies.get(beam.name) is not beam:
            raise ModelError(f"line_load {name!r}: give a beam of this model, got {short(beam)}.")
        for k, force in enumerate(node_loads(beam, load, f"line_load {name!r}")):
            marker = (
                Marker(beam, beam.nodes[k])
                if isinstance(frame, str) and frame == "body"
                else beam.node(k)
            )
            self.force(f"{name}{k}", PointForce(tuple(force), frame), marker)

    def controller(self, name: str, spec: Controller) -> Element[Controller]:
        """Add user code with states of its own; forces take its outputs by name, like "pid.torque"."""
        self._new(name, "controller")
        if not isinstance(spec, Controller):
            raise ModelError(
                f"controller {name!r}: give a kt.Controller(function, inputs=..., outputs=...), "
                f"got {short(spec)}."
            )
        element = self.controllers[name] = Element(name, spec, ())
        return element

    def surround(self, *looks: Look) -> None:
        """Outlines of `kt.look` that stand around the machine, in world axes: drawn, without
        mechanics.
        """
        self.surroundings += outlines(looks, f"model {self.name!r}: surround")

    def cut(self, *names: str) -> None:
        """Name joints at which loops are to be cut."""
        for name in names:
            if not isinstance(name, str) or name not in self.joints:
                raise no_such("joint", name, self.joints, f" in model {self.name!r}")
            if name not in self.cuts:
                self.cuts.append(name)

    def weight(self, kind: str, value: builtins.float) -> None:
        """Change the distance-matrix weight of a kind of joint."""
        if not isinstance(kind, str) or kind not in JOINT_KIND:
            raise no_such("joint kind", kind, JOINT_KIND, " to give a weight to")
        self.weights[kind] = number(value, f"weight of {kind!r}", positive=True)

    def variant(self, **parts: dict | Generated | None) -> Model:
        """The same model with other joints, constraints, forces, controllers or generated
        equations; bodies are shared.
        """
        twin = Model.__new__(Model)
        twin.__dict__.update(self.__dict__, **parts)
        return twin

    @property
    def with_markers(self) -> tuple[Element[Force] | Element[Constraint], ...]:
        """Whatever acts at markers."""
        return (*self.forces.values(), *self.constraints.values())

    @property
    def with_states(self) -> tuple[Element[Force] | Element[Controller], ...]:
        """Whatever may have states and breakpoints of its own, in the order of the states."""
        return (*self.forces.values(), *self.controllers.values())

    def _element(
        self, what: str, where: dict[str, Element[AtMarkers]], name: str, spec: AtMarkers, markers
    ) -> Element[AtMarkers]:
        self._new(name, what)
        fewest, most = spec.markers
        if not fewest <= len(markers) <= (len(markers) if most is None else most):
            raise ModelError(
                f"{what} {name!r}: a {spec.kind} takes {how_many(spec.markers)} marker(s), got "
                f"{len(markers)}."
            )
        places = tuple(self._marker(m, f"{what} {name!r}") for m in markers)
        if len(places) > 1 and len({id(m.body) for m in places}) == 1:
            all_of_them = "both" if len(places) == 2 else "all"
            raise ModelError(
                f"{what} {name!r}: {all_of_them} markers are on body {places[0].body.name!r}; give "
                "two bodies."
            )
        element = where[name] = Element(name, spec, places)
        return element

    def snapshot(self) -> Model:
        """The model as it is now: what is added later is not in it. Bodies, joints and elements
        themselves never change.
        """
        other = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, (dict, list, np.ndarray)):
                setattr(other, name, copy.copy(value))
        return other

    def _marker(self, place, what: str) -> Marker:
        if isinstance(place, Body):
            place = place.at(0.0, 0.0, 0.0)
        if not isinstance(place, Marker):
            raise ModelError(
                f"{what}: give a body or a marker such as body.at(x, y, z), got {short(place)}."
            )
        if place.body is not (
            self.ground if place.body.is_ground else self.bodies.get(place.body.name)
        ):
            other = place.body.model.name
            which = (
                f"another model that is also called {other!r}"
                if other == self.name
                else f"model {other!r}"
            )
            raise ModelError(
                f"{what}: body {place.body.name!r} belongs to {which}, not to this model "
                f"{self.name!r}. Take a "
                "body of this model."
            )
        return place

    def _new(self, name: str, what: str) -> None:
        check_name(name, what)
        for kind, taken in (
            ("body", self.bodies),
            ("joint", self.joints),
            ("constraint", self.constraints),
            ("force", self.forces),
            ("controller", self.controllers),
            ("body", {"ground": None}),
        ):
            if name in taken:
                raise ModelError(
                    f"{what} {name!r}: the name is taken by a {kind}; names are unique in a model."
                )


def _named(function, what: str):
    """Call, and put the name of the element before the sentence of a ModelError."""
    try:
        return function()
    except ModelError as error:
        raise ModelError(f"{what}: {error}") from None
