"""The model as the user describes it; every argument is checked at once. It has no algorithms."""

from __future__ import annotations

import builtins
import copy
import itertools
import os
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..core.checks import mapping
from ..core.display import NameDict
from ..core.latest import Latest
from ..core.quantities import (
    AngularVelocity,
    Axis,
    File,
    Gravity,
    Limits,
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
from ..elements.forces.contact_group import ContactGroup
from ..elements.forces.contact_law import ContactLaw
from ..elements.forces.contract import Force
from ..elements.forces.joint_stop import JointStop
from ..elements.forces.point_force import PointForce
from ..elements.joints.catalogue import FLOATING
from ..elements.joints.catalogue import KIND as JOINT_KIND
from ..elements.joints.contract import Joint
from ..elements.sections import Section
from ..elements.shapes.contract import Placed
from ..errors import ModelError, no_such, short
from ..kernel.frames import IDENTITY, ORIGIN, Pose, number, numbers, rotation_matrix
from .beam import Beam, make_beam, node_loads
from .body import Body, Marker
from .element import AtMarkers, Element, JointSpec, check_inertia, check_start, placed_shape
from .flexible_body import (
    FlexibleBody,
    checked_modes,
    checked_nodes,
    checked_part,
    properties_of,
)
from .generated import Generated
from .look import Outline, outlines
from .names import check_name, how_many
from .presentation import Presented
from .reduced.reduced_part import ReducedPart
from .shapes import MassProperties

if TYPE_CHECKING:
    from .files.robots.receipt import Receipt


def _stops(what: str, name: str, joint: Joint, limits: Limits) -> dict[str, JointStop]:
    """The stops of the limits of a joint, by name."""
    given = mapping(limits, f"{what}: limits", '{"angle": (-1, 1)}')
    return {f"{name} {k} stop": _stop(what, name, joint, k, ends) for k, ends in given.items()}


def _stop(what: str, name: str, joint: Joint, label: str, ends: Any) -> JointStop:
    if label not in joint.coordinates:
        raise no_such("coordinate", label, joint.coordinates, f" of {what} to limit")
    if not isinstance(ends, tuple | list) or len(ends) != 2:
        raise ModelError(
            f"{what}: limits of {label!r} must be two values (smallest, largest), got {short(ends)}."
        )
    found: JointStop = _named(lambda: JointStop(f"{name}.{label}", *ends), what)
    return found


class Model(Presented):
    """A model of a mechanism: bodies, joints, constraints, forces and controllers by name.

    Units are SI, angles are in radians, frames are right-handed with z up.

    Parameters
    ----------
    name : str, default "model"
        Name of the model.
    gravity : array_like, shape (3,), default (0, 0, -9.81)
        Acceleration of gravity in world axes (m/s^2).

    Attributes
    ----------
    ground : Body
        The ground; ``model.ground.at(x, y, z)`` is a marker on it.
    bodies : dict of str to Body
        The bodies and beams by name.
    joints : dict
        The joints by name, with their markers and start values.
    constraints : dict
        The constraints by name, with their markers.
    forces : dict
        The force elements by name, with their markers; contacts are among them.
    contacts : dict
        The contacts by name, with their markers.
    controllers : dict
        The controllers by name.
    receipt : Receipt or None
        What was read from a robot file, for models that `load` made of one.

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("pendulum")
    >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5))
    >>> hinge = m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"))
    >>> m
    <model 'pendulum': 1 body, 1 joint, 0 constraints, 0 forces>
    """

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
        self.receipt: Receipt | None = None  # of a model that was read from a robot file
        self.kept = Latest()  # its assemblies (assembly/kept.py)

    def body(
        self,
        name: str,
        properties: MassProperties,
        *,
        position: Position | None = None,
        rotation: Rotation = None,
        velocity: Velocity | None = None,
        angular_velocity: AngularVelocity | None = None,
        points: Points | None = None,
        look: Look | None = None,
    ) -> Body:
        """Add a rigid body.

        Parameters
        ----------
        name : str
            Name of the body, unique in the model.
        properties : MassProperties
            Mass, inertia and shape: `rod`, `box`, `cylinder`, `tube`, `sphere`, `rotor` or `mass`.
        position : array_like, shape (3,), optional
            Position of the origin in the reference pose, in world axes (m); by default it follows from
            the joints.
        rotation : array_like or (str, angles), optional
            Rotation in the reference pose: a matrix (3, 3), a unit quaternion (w, x, y, z), or a
            sequence of axes with angles (rad), such as ``("zyx", (0.1, 0.2, 0.3))``; lower-case axes are
            fixed, upper-case axes move with the body. A single axis takes one angle: ``("y", 0.3)``.
        velocity : array_like, shape (3,), optional
            Initial velocity of the origin in world axes (m/s).
        angular_velocity : array_like, shape (3,), optional
            Initial angular velocity in world axes (rad/s).
        points : dict of str to array_like, optional
            Named points in body axes (m), such as ``{"seat": (0.1, 0.0, 0.4)}``.
        look : outline or sequence of outlines, optional
            Outlines of `kt.look` that are drawn in place of the shape.

        Returns
        -------
        Body
            The body; ``body.at(x, y, z)``, ``body.end("+")`` and ``body.point(name)`` are markers on it.

        Raises
        ------
        ModelError
            If the name is taken or an argument is wrong.

        Examples
        --------
        >>> import kinetree as kt
        >>> m = kt.Model("arm")
        >>> m.body("crank", kt.rod(mass=0.5, length=0.3, along="x"))
        <body 'crank', 0.5 kg>
        """
        body = self.bodies[name] = self._body(
            name, properties, position, rotation, velocity, angular_velocity, points, look
        )
        return body

    def _body(
        self,
        name: str,
        properties: MassProperties,
        position: Position | None,
        rotation: Rotation,
        velocity: Velocity | None,
        angular_velocity: AngularVelocity | None,
        points: Points | None,
        look: Look | None = None,
    ) -> Body:
        """A checked body that is not yet added to the model."""
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
        up: Vector | None = None,
        twist: Radians = 0.0,
        damping: Seconds = 0.0,
        position: Position | None = None,
        rotation: Rotation = None,
        velocity: Velocity | None = None,
        angular_velocity: AngularVelocity | None = None,
        points: Points | None = None,
    ) -> Beam:
        """Add a flexible beam.

        A model with beams is simulated with a structural integrator, such as "energy-conserving".

        Parameters
        ----------
        name : str
            Name of the beam, unique in the model.
        line : array_like, shape (n, 3), or callable
            Points (m) of the undeformed line in body axes, or a function from 0 .. 1 to a point.
        section : Section
            Stiffness and mass per length.
        elements : int, default 10
            Number of elements.
        up : array_like, shape (3,), optional
            Direction of the z axis of the section at the first node; by default as near to z as
            possible.
        twist : float, default 0.0
            Twist of the section over the whole length (rad).
        damping : float, default 0.0
            Damping of the strains, proportional to the stiffness (s):
            stress = C (strain + damping * strain rate).
        position : array_like, shape (3,), optional
            Position of the origin in the reference pose, in world axes (m).
        rotation : array_like or (str, angles), optional
            Rotation in the reference pose, as in `Model.body`.
        velocity : array_like, shape (3,), optional
            Initial velocity of the origin in world axes (m/s).
        angular_velocity : array_like, shape (3,), optional
            Initial angular velocity in world axes (rad/s).
        points : dict of str to array_like, optional
            Named points in body axes (m).

        Returns
        -------
        Beam
            The beam; ``beam.end("-")``, ``beam.end("+")`` and ``beam.node(k)`` are markers on it. Any
            other marker belongs to the nearest node.

        Raises
        ------
        ModelError
            If the name is taken or an argument is wrong.

        Examples
        --------
        >>> import kinetree as kt
        >>> m = kt.Model("cantilever")
        >>> section = kt.Section.circle(radius=0.01, E=2.1e11, density=7850.0)
        >>> arm = m.beam("arm", [(0, 0, 0), (1, 0, 0)], section, elements=4)
        >>> len(arm.nodes)
        5
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

    def flexible(
        self,
        name: str,
        part: ReducedPart | File,
        *,
        position: Position | None = None,
        rotation: Rotation = None,
        velocity: Velocity | None = None,
        angular_velocity: AngularVelocity | None = None,
        start: Start | None = None,
        speed: Start | None = None,
        nodes: Points | None = None,
    ) -> FlexibleBody:
        """Add a flexible body from a reduced part.

        Its modal coordinates follow those of its joint, with the names "mode1", "mode2", ... All
        formulations and integrators for rigid models work.

        Parameters
        ----------
        name : str
            Name of the body, unique in the model.
        part : ReducedPart, str or path
            The part, or the file to which `ReducedPart.save` wrote it.
        position : array_like, shape (3,), optional
            Position of the frame of the part in the reference pose, in world axes (m).
        rotation : array_like or (str, angles), optional
            Rotation in the reference pose, as in `Model.body`.
        velocity : array_like, shape (3,), optional
            Initial velocity of the frame in world axes (m/s).
        angular_velocity : array_like, shape (3,), optional
            Initial angular velocity in world axes (rad/s).
        start : dict of str to float, optional
            Initial modal coordinates (m) by label, such as ``{"mode1": 0.001}``; by default zero.
        speed : dict of str to float, optional
            Initial rates of modal coordinates (m/s) by label; by default zero.
        nodes : dict of str to array_like or int, optional
            Named nodes of the surface, which get channels of displacement and stress: points in the
            frame of the part (m), of which the nearest nodes are taken, or numbers of nodes.

        Returns
        -------
        FlexibleBody
            The body; ``body.at("small")`` is the marker of that name of the part. Joints, constraints
            and forces act at these markers.

        Raises
        ------
        ModelError
            If the name is taken or an argument is wrong.

        Notes
        -----
        A modal coordinate is a length: the root of the mean square displacement of the part over its
        mass. The displacements are of second order in the coordinates, so that rotation and tension
        stiffen the body.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.flexible_crank import rod_part
        >>> m = kt.Model("arm")
        >>> rod = m.flexible("rod", rod_part())
        >>> m.joint("A", kt.Revolute(axis="z"), m.ground, rod.at("big"))
        <joint 'A': revolute from 'ground' to 'rod'>
        """
        what = f"flexible body {name!r}"
        given = checked_part(part, what)
        rigid = self._body(
            name, properties_of(given), position, rotation, velocity, angular_velocity, None
        )
        starts = checked_modes(given, start, speed, what)
        body = self.bodies[name] = FlexibleBody(
            **{f.name: getattr(rigid, f.name) for f in fields(rigid)},
            part=given,
            start=starts[0],
            speed=starts[1],
            nodes=checked_nodes(given, nodes, what),
            source=None if given is part else os.path.abspath(part),  # type: ignore[type-var, arg-type]
        )
        return body

    def joint(
        self,
        name: str,
        joint: Joint,
        parent: Place,
        child: Place,
        *,
        at: Position | None = None,
        axis: Axis | None = None,
        start: Start | None = None,
        speed: Start | None = None,
        limits: Limits | None = None,
        inertia: Start | None = None,
    ) -> JointSpec:
        """Connect two bodies with a joint.

        The joint is placed by markers on both bodies, or by a global point `at` in the reference pose.

        Parameters
        ----------
        name : str
            Name of the joint, unique in the model.
        joint : Joint
            Kind of joint, such as ``kt.Revolute(axis="y")``.
        parent, child : Body or Marker
            The two sides. Coordinates are positive from the parent to the child. A body stands for the
            marker at its origin.
        at : array_like, shape (3,), optional
            Point of the joint in world axes, in the reference pose (m); by default the two markers
            coincide.
        axis : str or array_like, shape (3,), optional
            Axis of the joint, which replaces that of `joint`: "x", "-y", or three numbers.
        start : dict of str to float, optional
            Initial coordinates by label (rad or m), such as ``{"angle": 0.3}``.
        speed : dict of str to float, optional
            Initial speeds by label (rad/s or m/s), such as ``{"angle": 2.0}``.
        limits : dict of str to (float, float), optional
            Smallest and largest value of coordinates by label, such as ``{"angle": (-1.0, 1.0)}``; None
            for an end without a stop. Each becomes a `JointStop` without restitution, among
            ``model.forces`` with the name "<joint> <label> stop".
        inertia : dict of str to float, optional
            Inertia of velocities by label (kg m^2 or kg), such as ``{"angle": 0.02}``: that of a motor
            with gear, n^2 J. Other programs call it armature. It adds to the diagonal of the mass
            matrix and is for relative coordinates.

        Returns
        -------
        JointSpec
            The joint as it is stored in ``model.joints``.

        Raises
        ------
        ModelError
            If the name is taken, an argument is wrong, or both sides are on one body.

        Examples
        --------
        >>> import kinetree as kt
        >>> m = kt.Model("pendulum")
        >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5))
        >>> m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"), start={"angle": 0.3})
        <joint 'A': revolute from 'ground' to 'rod'>
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
        stops = _stops(what, name, joint, {} if limits is None else limits)
        for stop in stops:
            self._new(stop, "force")
        rotors = check_inertia(what, joint, {} if inertia is None else inertia)
        spec = self.joints[name] = JointSpec(name, joint, F, M, *starts, at, places, rotors)
        for stop, law in stops.items():
            self.force(stop, law)
        return spec

    def float(
        self, body: Place, *, start: Start | None = None, speed: Start | None = None
    ) -> JointSpec:
        """Let a body move freely relative to the ground.

        Parameters
        ----------
        body : Body, Marker or str
            The body, or its name.
        start : dict of str to float, optional
            Initial coordinates by label (m, or a quaternion).
        speed : dict of str to float, optional
            Initial speeds by label (m/s or rad/s), such as ``{"vx": 2.0}``.

        Returns
        -------
        JointSpec
            The free joint, named "<body>.free".

        Examples
        --------
        >>> import kinetree as kt
        >>> m = kt.Model("ball")
        >>> ball = m.body("ball", kt.sphere(mass=1.0, radius=0.1))
        >>> m.float(ball).name
        'ball.free'
        """
        child = self._marker(
            self.bodies[body] if isinstance(body, str) and body in self.bodies else body, "float"
        )
        return self.joint(
            f"{child.body.name}.free", FLOATING(), self.ground, child.body, start=start, speed=speed
        )

    def constraint(self, name: str, spec: Constraint, *markers: Place) -> Element[Constraint]:
        """Add a constraint: a distance, a driver, a coupling or a gear.

        Parameters
        ----------
        name : str
            Name of the constraint, unique in the model.
        spec : Constraint
            Kind of constraint, such as ``kt.Driver("A.angle", kt.Ramp(slope=2.0))``.
        *markers : Body or Marker
            Markers at which it acts, as many as its kind needs.

        Returns
        -------
        Element
            The constraint as it is stored in ``model.constraints``.

        Raises
        ------
        ModelError
            If the name is taken or the number of markers is wrong.

        Examples
        --------
        >>> import kinetree as kt
        >>> m = kt.Model("rotor")
        >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5))
        >>> hinge = m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"))
        >>> m.constraint("motor", kt.Driver("A.angle", kt.Ramp(slope=2.0)))
        <Driver 'motor'>
        """
        if not isinstance(spec, CONSTRAINTS):
            raise ModelError(
                f"constraint {name!r}: give one of {', '.join(c.__name__ for c in CONSTRAINTS)}, "
                f"got {short(spec)}."
            )
        return self._element("constraint", self.constraints, name, spec, markers)

    def force(self, name: str, spec: Force, *markers: Place) -> Element[Force]:
        """Add a force element at its markers.

        Parameters
        ----------
        name : str
            Name of the force, unique in the model.
        spec : Force
            Kind of force, such as ``kt.SpringDamper(stiffness=1e4, length=0.3)``.
        *markers : Body or Marker
            Markers at which it acts, as many as its kind needs.

        Returns
        -------
        Element
            The force as it is stored in ``model.forces``.

        Raises
        ------
        ModelError
            If the name is taken or the number of markers is wrong.

        Examples
        --------
        >>> import kinetree as kt
        >>> m = kt.Model("oscillator")
        >>> mass = m.body("mass", kt.sphere(mass=1.0, radius=0.1))
        >>> slide = m.joint("S", kt.Translational(axis="z"), m.ground, mass)
        >>> spring = kt.SpringDamper(stiffness=100.0, length=0.3)
        >>> m.force("spring", spring, m.ground.at(0, 0, 0.5), mass)
        <SpringDamper 'spring' on 'ground', 'mass'>
        """
        if not isinstance(spec, Force):
            raise ModelError(
                f"force {name!r}: give a force such as kt.SpringDamper(...), got {short(spec)}."
            )
        if isinstance(spec, ContactLaw):
            raise ModelError(
                f"force {name!r}: a kt.{type(spec).__name__} acts between two shapes. Add it with "
                f"m.contact({name!r}, kt.shapes.HalfSpace().on(m.ground), "
                f"kt.shapes.Ball(0.1).on(body), kt.{type(spec).__name__}(...))."
            )
        element = self._element("force", self.forces, name, spec, markers)
        self._contacts_last()
        return element

    def contact(self, name: str, a: Placed, b: Placed, law: ContactLaw) -> Element[Force]:
        """Add contact between two shapes.

        Parameters
        ----------
        name : str
            Name of the contact, unique in the model.
        a, b : Placed
            The shapes with their places, such as ``kt.shapes.Ball(0.1).on(body)``. They are on two
            bodies, of which one may be the ground.
        law : ContactLaw
            Forces of the contact, such as ``kt.Contact(stiffness=1e7, friction=0.3)``.

        Returns
        -------
        Element
            The contact as it is stored in ``model.contacts``, and among ``model.forces``.

        Raises
        ------
        ModelError
            If the name is taken, an argument is wrong, or contact of these shapes is not available.

        See Also
        --------
        kt.Contact : Compliant contact, with restitution and friction.

        Examples
        --------
        >>> import kinetree as kt
        >>> m = kt.Model("bounce")
        >>> ball = m.body("ball", kt.sphere(mass=1.0, radius=0.1), position=(0, 0, 0.6))
        >>> free = m.float(ball)
        >>> floor = kt.shapes.HalfSpace().on(m.ground)
        >>> m.contact("touch", floor, kt.shapes.Ball(0.1).on(ball), kt.Contact(stiffness=1e7))
        <Contact 'touch' on 'ground', 'ball'>
        """
        what = f"contact {name!r}"
        first, second = (placed_shape(one, f"{what}: {side}") for one, side in ((a, "a"), (b, "b")))
        if not isinstance(law, ContactLaw):
            raise ModelError(
                f"{what}: law must be a law of contact such as kt.Contact(stiffness=1e7), got "
                f"{short(law)}."
            )
        spec = _named(lambda: law.between(first.shape, second.shape), what)
        return self._element("contact", self.forces, name, spec, (first.place, second.place))

    def contact_group(
        self,
        name: str,
        shapes: Sequence[Placed],
        *,
        friction: builtins.float = 0.0,
        restitution: builtins.float = 0.0,
    ) -> Element[Force]:
        """Let every shape of a group touch every other, for integrator "time-stepping".

        Parameters
        ----------
        name : str
            Name of the group, unique in the model.
        shapes : sequence of Placed
            The shapes with their places, such as ``kt.shapes.Ball(0.1).on(body)``. A body may have
            several shapes, which do not touch each other; neither do bodies with a common joint.
        friction : float, default 0.0
            Coefficient of friction of all contacts.
        restitution : float, default 0.0
            Ratio of the normal speeds after and before an impact, from 0 to 1.

        Returns
        -------
        Element
            The group as it is stored in ``model.forces``.

        Raises
        ------
        ModelError
            If the name is taken, an argument is wrong, or contact of two of the shapes is not available.

        See Also
        --------
        Model.contact : Contact between two shapes.

        Examples
        --------
        >>> import kinetree as kt
        >>> m = kt.Model("stack")
        >>> shapes = [kt.shapes.HalfSpace().on(m.ground)]
        >>> for k in range(3):
        ...     box = m.body(f"box{k}", kt.box(1.0, (0.2, 0.2, 0.2)), position=(0, 0, 0.1 + 0.2 * k))
        ...     free = m.float(box)
        ...     shapes.append(kt.shapes.Box((0.2, 0.2, 0.2)).on(box))
        >>> group = m.contact_group("stack", shapes, friction=0.5)
        >>> sol = kt.simulate(m, until=0.5, integrator="time-stepping", step=2e-3)
        >>> print(f"{sol['stack.count'][-1]:.0f} contacts")
        12 contacts
        """
        what = f"contact group {name!r}"
        if not isinstance(shapes, (list, tuple)) or len(shapes) < 2:
            raise ModelError(
                f"{what}: give at least two placed shapes in a list, such as "
                f"[kt.shapes.HalfSpace().on(m.ground), kt.shapes.Ball(0.1).on(ball)], got {short(shapes)}."
            )
        placed = [placed_shape(one, f"{what}: shape {k + 1}") for k, one in enumerate(shapes)]
        own = tuple(one.shape for one in placed)
        spec = _named(lambda: ContactGroup(own, friction, restitution), what)
        element = self._element("force", self.forces, name, spec, [one.place for one in placed])
        self._contacts_last()
        return element

    def line_load(
        self,
        name: str,
        beam: Beam,
        load: Sequence[builtins.float] | Callable[[builtins.float], Sequence[builtins.float]],
        *,
        frame: str = "world",
    ) -> None:
        """Add a distributed load to a beam.

        The load becomes a force on every node, named "<name>0", "<name>1", and so on.

        Parameters
        ----------
        name : str
            Name of the load, unique in the model.
        beam : Beam
            The beam.
        load : array_like, shape (3,), or callable
            Force per length (N/m), or a function from 0 .. 1 along the beam to it.
        frame : {"world", "body"}, default "world"
            Axes of the load; with "body" it turns with the sections.

        Raises
        ------
        ModelError
            If the name is taken or an argument is wrong.

        Examples
        --------
        >>> import kinetree as kt
        >>> m = kt.Model("cantilever")
        >>> section = kt.Section.circle(radius=0.01, E=2.1e11, density=7850.0)
        >>> arm = m.beam("arm", [(0, 0, 0), (1, 0, 0)], section, elements=4)
        >>> m.line_load("snow", arm, (0, 0, -20.0))
        >>> len(m.forces)
        5
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
        """Add a controller: user code with states and outputs.

        Parameters
        ----------
        name : str
            Name of the controller, unique in the model.
        spec : Controller
            The controller. Forces use its outputs by name, such as "pid.torque".

        Returns
        -------
        Element
            The controller as it is stored in ``model.controllers``.

        Raises
        ------
        ModelError
            If the name is taken or `spec` is not a `Controller`.

        Examples
        --------
        >>> import kinetree as kt
        >>> m = kt.Model("servo")
        >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5))
        >>> hinge = m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"))
        >>> def law(t, u, x, parameters, xdot, out):
        ...     out[0] = -5.0 * u[0]
        >>> m.controller("p", kt.Controller(law, inputs=["A.angle"], outputs=["torque"]))
        <Controller 'p'>
        """
        self._new(name, "controller")
        if not isinstance(spec, Controller):
            raise ModelError(
                f"controller {name!r}: give a kt.Controller(function, inputs=..., outputs=...), "
                f"got {short(spec)}."
            )
        element = self.controllers[name] = Element(name, spec, ())
        return element

    def surround(self, *looks: Look) -> None:
        """Draw outlines around the mechanism, without any effect on the mechanics.

        Parameters
        ----------
        *looks : outline
            Outlines of `kt.look`, in world axes.

        Examples
        --------
        >>> import kinetree as kt
        >>> m = kt.Model("hall")
        >>> m.surround(kt.look.Box((4.0, 4.0, 0.1)))
        >>> len(m.surroundings)
        1
        """
        self.surroundings += outlines(looks, f"model {self.name!r}: surround")

    def cut(self, *names: str) -> None:
        """Choose the joints at which loops are cut.

        Parameters
        ----------
        *names : str
            Names of joints.

        Raises
        ------
        NameNotFound
            If there is no joint of that name.

        Examples
        --------
        >>> from kinetree.models.four_bar import four_bar
        >>> m = four_bar()
        >>> m.cut("B")
        >>> [edge.name for edge in m.topology().tree.cuts]
        ['B']
        """
        for name in names:
            if not isinstance(name, str) or name not in self.joints:
                raise no_such("joint", name, self.joints, f" in model {self.name!r}")
            if name not in self.cuts:
                self.cuts.append(name)

    def weight(self, kind: str, value: builtins.float) -> None:
        """Set the weight of a kind of joint in the distance matrix of the spanning tree.

        Parameters
        ----------
        kind : str
            Kind of joint, such as "revolute".
        value : float
            Weight; light joints are preferred for the tree.

        Raises
        ------
        NameNotFound
            If there is no such kind.

        Examples
        --------
        >>> import kinetree as kt
        >>> m = kt.Model("arm")
        >>> m.weight("spherical", 5.0)
        >>> m.weights
        {'spherical': 5.0}
        """
        if not isinstance(kind, str) or kind not in JOINT_KIND:
            raise no_such("joint kind", kind, JOINT_KIND, " to give a weight to")
        self.weights[kind] = number(value, f"weight of {kind!r}", positive=True)

    def variant(self, **parts: dict[str, Any] | Generated | None) -> Model:
        """Return the same model with other parts; the bodies are shared.

        Parameters
        ----------
        **parts : dict
            Joints, constraints, forces, controllers or generated equations that replace those of the
            model.

        Returns
        -------
        Model
            The variant.

        Examples
        --------
        >>> from kinetree.models.quarter_car import quarter_car
        >>> len(quarter_car().variant(forces={}).forces)
        0
        """
        twin = Model.__new__(Model)
        twin.__dict__.update(self.__dict__, kept=Latest(), **parts)
        return twin

    def _contacts_last(self) -> None:
        """Keep the contacts behind all other forces, the order in which files have them."""
        tail = itertools.takewhile(
            self._is_contact, itertools.islice(reversed(self.forces), 1, None)
        )
        for name in list(tail)[::-1]:
            self.forces[name] = self.forces.pop(name)

    def _is_contact(self, name: str) -> bool:
        return isinstance(self.forces[name].spec, ContactLaw)

    @property
    def contacts(self) -> dict[str, Element[ContactLaw]]:
        """The contacts by name, which are also among the forces."""
        found: dict[str, Element[ContactLaw]] = NameDict("contact", f" in model {self.name!r}")
        for name, element in self.forces.items():
            if isinstance(element.spec, ContactLaw):
                found[name] = cast("Element[ContactLaw]", element)
        return found

    @property
    def with_markers(self) -> tuple[Element[Force] | Element[Constraint], ...]:
        """All elements that act at markers."""
        return (*self.forces.values(), *self.constraints.values())

    @property
    def with_states(self) -> tuple[Element[Force] | Element[Controller], ...]:
        """All elements that may have states and breakpoints, in the order of the states."""
        return (*self.forces.values(), *self.controllers.values())

    def _element(
        self,
        what: str,
        where: dict[str, Element[AtMarkers]],
        name: str,
        spec: AtMarkers,
        markers: Any,
    ) -> Element[AtMarkers]:
        self._new(name, what)
        fewest, most = spec.markers
        if not fewest <= len(markers) <= (len(markers) if most is None else most):
            noun = "marker" if most == 1 else "markers"
            raise ModelError(
                f"{what} {name!r}: a {spec.kind} takes {how_many(spec.markers)} {noun}, got "
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
        """Return the model as it is now; later additions are not part of it.

        Returns
        -------
        Model
            A copy that shares the bodies, joints and elements, which never change.

        Examples
        --------
        >>> import kinetree as kt
        >>> m = kt.Model("arm")
        >>> before = m.snapshot()
        >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5))
        >>> len(before.bodies), len(m.bodies)
        (0, 1)
        """
        other = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, (dict, list, np.ndarray)):
                setattr(other, name, copy.copy(value))
        other.kept = Latest()
        return other

    def _marker(self, place: Any, what: str) -> Marker:
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
                f"{self.name!r}. Use a body of this model."
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
                if kind == "force" and self._is_contact(name):
                    kind = "contact"
                raise ModelError(
                    f"{what} {name!r}: the name is taken by a {kind}; names are unique in a model."
                )


def _named(function: Callable[[], Any], what: str) -> Any:
    """Call, and put the name of the element before the sentence of a ModelError."""
    try:
        return function()
    except ModelError as error:
        raise ModelError(f"{what}: {error}") from None
