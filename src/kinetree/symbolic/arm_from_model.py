"""A planar arm from a model: its bodies become links; beams and the named slender bodies become
flexible links.

    derived = kt.derive(model, flexible={"boom": 3, "rod": kt.Bending(2, "pinned-pinned", EI=4e3)})
    sol = kt.simulate(derived.model, 2.0)

Bodies and joints keep their names, joints their coordinates, and bodies their axes, so that forces,
drivers, controllers and channels keep their meaning.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..assembly.prepare import prepare
from ..description.arm import FIXED, REVOLUTE, TRANSLATIONAL, Arm, Link
from ..description.beam import Beam
from ..description.body import Body, Marker
from ..description.element import Element, JointSpec
from ..description.model import Model
from ..description.topology.tree import Branch
from ..elements.forces.torsion_spring import TorsionSpring
from ..elements.joints.fixed import Fixed
from ..elements.joints.revolute import Revolute
from ..elements.joints.translational import Translational
from ..errors import ModelError, no_such, short
from ..kernel.frames import Pose
from ..kernel.linalg import norm, product
from ..kernel.mathematics import hypot
from .bending import Bending, beam_numbers, depth_of, ends_of
from .carrier_model import CarrierBuilder
from .equations import Machine
from .frames import bend_name
from .plane import PINS, Plane, direction, planar_tree, snapped, turned

_NEAR = 1e-6  # relative to the length: a marker this close to the end of a beam is at the end


def arm_from_model(model: Model, flexible: Mapping[str, Any] | None) -> Model:
    """The model with generated equations and with modes of its flexible links."""
    for name in flexible or {}:
        if name not in model.bodies:
            raise no_such("body", name, model.bodies, f" in model {model.name!r}")
    return _ArmBuilder(model, flexible or {}).model()


class _ArmBuilder:
    """Builds an arm from a model, body by body from the ground outwards."""

    def __init__(self, model: Model, flexible: Mapping[str, Any]) -> None:
        self.given, self.flexible = model, flexible
        self.found = prepare(planar_tree(model))
        self.plane = Plane(self.found)
        self.arm = Arm(model.name, -float(product(self.plane.X_WA.R[:, 2], model.gravity)))
        self.arm.X_WA = self.plane.X_WA
        self.links: dict[str, Link] = {}
        self.angles: dict[str, float] = {"ground": 0.0}
        tree = self.found.compiled.tree
        self.carries = {branch.parent for branch in tree.branches}
        self.bent = {
            branch.parent
            for branch in tree.branches
            if isinstance(model.joints[branch.joint.name].joint, Fixed)
        }
        for branch in tree.branches:
            self._link(branch)
        for cut in tree.cuts:
            self._close(model.joints[cut.name])

    # --- links

    def _link(self, branch: Branch) -> None:
        spec, body = self.given.joints[branch.joint.name], self.given.bodies[branch.body]
        outer, inner = (spec.F, spec.M) if branch.reversed else (spec.M, spec.F)
        origin = self.plane.pose(outer).p[[0, 2]]
        way, options = self._body(body, origin)
        phi = self.angles[body.name] = direction(way)
        link = self.arm.link(
            body.name,
            spec.name,
            on=self.links.get(branch.parent),
            at=self._place(inner),
            **self._joint(spec, branch, phi - self.angles[branch.parent]),
            **options,
        )
        X_WL = self.plane.X_WA @ Pose(turned(phi), np.array([origin[0], 0.0, origin[1]]))
        link.X_LB, link.look = X_WL.inverse @ self.plane.X_WB[body.name], self._looks(body)
        self.links[body.name] = link
        if isinstance(spec.joint, Revolute):
            along = float(self.plane.axis(spec)[1])
            link.sense = round(along if branch.reversed else -along)
        if not link.flexible:
            self._rigid(link, body)

    def _joint(self, spec: JointSpec, branch: Branch, angle: float) -> dict[str, Any]:
        """Kind of a joint, its position, and the angle of its link at zero."""
        if not isinstance(spec.joint, (Revolute, Translational)):
            return {"kind": FIXED, "angle": _reduced_angle(angle)}
        label = "angle" if isinstance(spec.joint, Revolute) else "displacement"
        start = self.found.coordinates[f"{spec.name}.{label}"]
        speed = float(self.found.v[self.found.compiled.dof_owner.index((spec.name, label))])
        axis = -self.plane.axis(spec) if branch.reversed else self.plane.axis(spec)
        if isinstance(spec.joint, Revolute):
            return {
                "kind": REVOLUTE,
                "start": start,
                "speed": speed,
                "angle": _reduced_angle(angle + round(axis[1]) * start),
            }
        along = direction(axis[[0, 2]]) - self.angles[branch.parent]
        return {
            "kind": TRANSLATIONAL,
            "start": start,
            "speed": speed,
            "angle": _reduced_angle(angle),
            "along": _reduced_angle(along),
        }

    def _body(self, body: Body, origin: np.ndarray) -> tuple[np.ndarray, dict[str, Any]]:
        """Direction and kind of a link: flexible, or rigid; the mass of a rigid link is added
        later.
        """
        bends = self._modes(body)
        if bends is None or not bends.count:
            far = self._farthest(body, origin)
            return far, {"length": float(hypot(*far)), "mass": 0.0}
        ends = [
            self.plane.flat(product(self.plane.X_WB[body.name].R, p) + self.plane.X_WB[body.name].p)
            for p in ends_of(body)
        ]
        length = norm(ends[1] - ends[0])
        near = int(np.argmin([norm(end - origin) for end in ends]))
        if norm(ends[near] - origin) > _NEAR * length:
            raise ModelError(
                f"body {body.name!r} is to be flexible, but its joint is "
                f"{norm(ends[near] - origin):.3g} m from its ends. Move the joint to one of them, "
                "or divide the body; model.cut(...) selects the joints at which loops are cut."
            )
        density, EI = beam_numbers(body, bends, length, self.plane)
        shape = bends.shape or ("polynomial" if body.name in self.bent else "clamped-free")
        slope = bends.slope
        if slope is None:
            slope = body.name in self.carries and (
                not isinstance(shape, str) or shape in ("clamped-free", "polynomial")
            )
        return ends[1 - near] - ends[near], {
            "length": length,
            "density": density,
            "EI": EI,
            "modes": bends.count,
            "shape": shape,
            "slope": slope,
            "depth": depth_of(body, self.plane),
        }

    def _modes(self, body: Body) -> Bending | None:
        """Bending modes of a body, or None; a beam bends unless `flexible` excludes it."""
        requested = self.flexible.get(body.name, Bending() if isinstance(body, Beam) else None)
        if isinstance(requested, bool) or not isinstance(requested, (int, Bending, type(None))):
            raise ModelError(
                f"derive: flexible[{body.name!r}] must be a number of modes or kt.Bending(...), "
                f"got {short(requested)}."
            )
        return Bending(requested) if isinstance(requested, int) else requested

    def _rigid(self, link: Link, body: Body) -> None:
        """Mass, mass center and inertia of a body in the axes of its link."""
        com = link.X_LB @ Pose(np.eye(3), np.asarray(body.properties.com, float))
        across = product(link.X_LB.R[1], np.asarray(body.properties.inertia, float), link.X_LB.R[1])
        link.mass = float(body.properties.mass)
        link.com = snapped(com.p[[0, 2]], link.length)
        link.inertia = float(across)

    def _farthest(self, body: Body, origin: np.ndarray) -> np.ndarray:
        """Vector from the joint to the farthest known point of a body."""
        markers = [m for s in self.given.joints.values() for m in (s.F, s.M) if m.body is body]
        X, known = self.plane.X_WB[body.name], [m.X_Bm.p for m in markers] or []
        known += [
            np.asarray(body.properties.com, float),
            *map(np.asarray, body.properties.ends.values()),
        ]
        ways = [self.plane.flat(product(X.R, p) + X.p) - origin for p in known]
        far = max(ways, key=lambda way: float(np.hypot(*way)))
        return far if np.hypot(*far) > 1e-12 else np.zeros(2)

    def _looks(self, body: Body) -> tuple:
        if body.look or isinstance(body, Beam):
            return body.look
        outline = body.properties.outline
        return (
            (outline,)
            if outline is not None and getattr(outline, "radius", 0.0) is not None
            else ()
        )

    # --- positions

    def _place(self, marker: Marker) -> tuple[float, float]:
        """(x, z) of a marker in the axes of its link, or of the plane on the ground."""
        p = self.plane.pose(marker).p
        if marker.body.is_ground:
            return float(p[0]), float(p[2])
        link = self.links[marker.body.name]
        X_Lm = link.X_LB @ marker.X_Bm
        return snapped(X_Lm.p[[0, 2]], link.length)

    def _close(self, spec: JointSpec) -> None:
        if not isinstance(spec.joint, PINS):
            raise ModelError(
                f"joint {spec.name!r}: an arm closes its loops by pins, not by a {spec.joint.kind} "
                "joint. Cut another joint of this loop with model.cut(...)."
            )
        ends = sorted((spec.F, spec.M), key=lambda marker: marker.body.is_ground)
        first, second = self.links[ends[0].body.name], self.links.get(ends[1].body.name)
        self.arm.close(
            spec.name, first, second, at_first=self._place(ends[0]), at_second=self._place(ends[1])
        )

    # --- the model

    def model(self) -> Model:
        """The arm with the forces, constraints and controllers of the original model."""
        built = CarrierBuilder(self.arm)
        made = built.model
        made.generated = Machine(self.arm, built.owners)
        made.gravity = self.given.gravity
        made.surroundings = self.given.surroundings
        for name, body in self.given.bodies.items():
            made.bodies[name].points.update(body.points)
        made.forces.update({name: self._moved(e, built) for name, e in self.given.forces.items()})
        made.constraints.update(
            {name: self._moved(e, built) for name, e in self.given.constraints.items()}
        )
        made.controllers.update(self.given.controllers)
        for link in self.arm.links:
            self._damp(link, made)
        return made

    def _moved(self, element: Any, built: CarrierBuilder) -> Any:
        return replace(
            element, markers=tuple(self._marker(m, built, element) for m in element.markers)
        )

    def _marker(self, marker: Marker, built: CarrierBuilder, element: Element) -> Marker:
        """The same point on the body of a link; on a flexible link it must be at either end."""
        if marker.body.is_ground:
            return Marker(built.model.ground, marker.X_Bm)
        link, body = self.links[marker.body.name], self.given.bodies[marker.body.name]
        if not link.flexible:
            return Marker(built.base[link], marker.X_Bm)
        X_Lm = link.X_LB @ marker.X_Bm
        x = (
            (link.X_LB @ body.nodes[body.nearest(marker.X_Bm.p)]).p[0]
            if isinstance(body, Beam)
            else X_Lm.p[0]
        )
        if abs(x) <= _NEAR * link.length:
            return built.on(link, X_Lm)
        if abs(x - link.length) > _NEAR * link.length or link not in built.tip:
            raise ModelError(
                f"{element.name!r} acts on the flexible link {link.name!r} at {x:g} m: elements "
                "can act at its joint, and at its tip if its shapes move there. Divide the link "
                "there."
            )
        return Marker(built.tip[link], Pose(np.eye(3), np.array([-link.length, 0.0, 0.0])) @ X_Lm)

    def _damp(self, link: Link, made: Model) -> None:
        """Add the damping of a beam, proportional to its stiffness, as a damper on every mode."""
        body = self.given.bodies[link.name]
        beta = body.elements[0].damping if isinstance(body, Beam) and link.flexible else 0.0
        if not beta:
            return
        K = link.integrals.k
        if np.abs(K - np.diag(np.diag(K))).max() > 1e-9 * K.max():
            raise ModelError(
                f"beam {link.name!r} has damping, which needs shapes that are orthogonal in "
                "curvature. Take 'clamped-free' or another shape of a uniform beam."
            )
        owners, label = made.generated.owners, "angle" if link.slope else "displacement"  # type: ignore[union-attr]
        for k in range(len(link.modes)):
            # meters per unit of the coordinate
            per = 1.0 / float(link.integrals.slope[k]) if link.slope else 1.0
            name = owners[bend_name(link, k + 1)]
            made.force(
                f"{name}_damper",
                TorsionSpring(f"{name}.{label}", damping=beta * float(K[k, k]) * per**2),
            )


def _reduced_angle(angle: float) -> float:
    """The angle reduced to -pi to pi; zero within rounding."""
    angle = math.remainder(angle, 2.0 * math.pi)
    return 0.0 if abs(angle) < 1e-12 else angle
