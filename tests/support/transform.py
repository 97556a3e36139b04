"""The same machine said differently: in another world, another order, another direction, other
units, other bodies.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import get_args, get_type_hints

import numpy as np

import kinetree as kt
from kinetree.assembly.start import drawn_position
from kinetree.description.files.declared import kind_of, units_of
from kinetree.description.shapes import MassProperties
from kinetree.kernel.frames import IDENTITY, Pose

from .machine import Machine, machine


def retold(
    model: kt.Model,
    *,
    world: Pose = IDENTITY,
    order=None,
    swap=(),
    length: float = 1.0,
    mass: float = 1.0,
    split: dict[str, MassProperties] | None = None,
    moved_to: dict[str, str] | None = None,
    poses: dict[str, Pose] | None = None,
) -> kt.Model:
    """A copy of the model.

    world           the old world's pose in the new one: ground markers and gravity move with it
    order           permutation of bodies and joints
    swap            joints given from child to parent
    length, mass    new units per old unit (1000 for mm and g)
    split, moved_to masses that replace old ones or are new bodies; joints moved to another body by
    name
    poses           reference poses of the bodies
    """
    new = kt.Model("retold", gravity=length * world.R @ model.gravity)
    masses = {**{name: b.properties for name, b in model.bodies.items()}, **(split or {})}
    names, joints = list(masses), list(model.joints)
    if order is not None:
        names, joints = ([items[k] for k in order if k < len(items)] for items in (names, joints))
    for name in names:
        m = masses[name]
        pose = (poses or {}).get(name, IDENTITY)
        new.body(
            name,
            kt.mass(mass * m.mass, mass * length**2 * m.inertia, length * m.com),
            position=pose.p,
            rotation=pose.R,
        )
    for name in joints:
        spec = model.joints[name]
        frame = Pose(spec.joint.frame().T, np.zeros(3))
        ends = [
            _place(new, marker, frame, world, length, (moved_to or {}).get(f"{name}.{k}"))
            for k, marker in enumerate((spec.F, spec.M))
        ]
        joint = _retold_joint(spec.joint, length, name in swap)
        new.joint(name, joint, *(ends[::-1] if name in swap else ends))
    new.cut(*model.cuts)
    return new


def _retold_joint(joint, length: float, swapped: bool):
    hints = get_type_hints(type(joint), include_extras=True)
    lengths = [f.name for f in fields(joint) if _is_length(hints[f.name])]
    joint = replace(joint, **{name: _scaled(getattr(joint, name), length) for name in lengths})
    return joint.exchanged() if swapped else joint


def _is_length(hint) -> bool:
    """Whether an option is measured in metres: pitches, points of a curve."""
    units = [units_of(one) for one in (hint, *get_args(hint))]
    return ("m",) in units or kind_of(hint) == "ring"


def _scaled(value, length: float):
    return (
        tuple(_scaled(one, length) for one in value) if isinstance(value, tuple) else length * value
    )


def _place(new: kt.Model, marker, frame: Pose, world: Pose, length: float, instead: str | None):
    X = (world @ marker.X_Bm if marker.body.is_ground else marker.X_Bm) @ frame
    body = new.ground if marker.body.is_ground else new.bodies[instead or marker.body.name]
    return body.at(*(length * X.p), rotation=X.R)


def same_motion(
    model: kt.Model,
    poses: dict[str, Pose],
    twists: dict[str, np.ndarray],
    coordinates: str = "relative",
) -> Machine:
    """The model with its bodies at these poses and velocities (angular first, at the body origin)."""
    still = machine(model, coordinates)
    q = drawn_position(still.compiled, still.compiled.workspace(), poses)
    at = machine(model, coordinates, q)
    rows = np.tile([1.0] * 3 + [1.0 / at.tables.settings[0]["length"]] * 3, len(at.names))
    J = np.vstack([at.jacobian(n) for n in at.names]) * rows[:, None]
    columns = np.linalg.norm(J, axis=0)
    v = (
        np.linalg.lstsq(J / columns, rows * np.concatenate([twists[n] for n in at.names]))[0]
        / columns
    )
    return machine(model, coordinates, q, v)


def motion(state: Machine, world: Pose = IDENTITY, length: float = 1.0, boost=(0.0, 0.0, 0.0)):
    """(poses, twists) of a state as another world, other units or a moving observer would have
    them.
    """
    poses, twists = {}, {}
    for name in state.names:
        X, twist = state.pose(name), state.twist(name)
        there = world @ X
        poses[name] = Pose(there.R, length * there.p)
        twists[name] = np.concatenate([world.R @ twist[:3], length * (world.R @ twist[3:]) + boost])
    return poses, twists
