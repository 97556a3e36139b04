"""Names of joint coordinates and their rates, and of bodies and points on them.

    "A.angle"                a coordinate of joint A
    "A.angle.rate"           its rate; "A.rate" if A has a single speed; "A.wx", "A.vx" for joints
                             with other speeds
    "hull", "hull.seat"      a body at its origin, a named point on it, or an end: "rod.end+"

Start values, states, drivers, forces, controllers, events and linear equations resolve names here,
and channels have the same names. Names of joints may contain dots ("hull.free"): the longest name
that fits is taken.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..elements.joints.contract import Joint
from ..errors import no_such
from .body import Body, Marker
from .model import JointSpec, Model


def coordinates(model: Model) -> list[str]:
    """Names of all joint coordinates that can be measured and driven."""
    return [
        f"{spec.name}.{label}" for spec in model.joints.values() for label in spec.joint.scalars
    ]


def rates(joint: Joint) -> dict[str, str]:
    """Labels of the speeds of a joint, as in channel names, with the speed that each denotes."""
    found = {f"{speed}.rate" if speed in joint.labels else speed: speed for speed in joint.speeds}
    if len(joint.speeds) == 1:
        found["rate"] = joint.speeds[0]
    return found


def rates_of_coordinates(model: Model) -> dict[str, str]:
    """Names of the rates of all coordinates that can be measured, with the coordinate of each."""
    return {
        f"{spec.name}.{label}": f"{spec.name}.{speed}"
        for spec in model.joints.values()
        for label, speed in rates(spec.joint).items()
        if speed in spec.joint.scalars
    }


def parted(name: str, owners: Collection[str]) -> tuple[str, str]:
    """Split a name into its owner and the rest; without such an owner, at the last dot."""
    head, _, last = name.rpartition(".")
    if head in owners:
        return head, last
    known = [owner for owner in owners if name.startswith(f"{owner}.")]
    return (owner := max(known, key=len), name[len(owner) + 1 :]) if known else (head, last)


def joint_and_label(
    joints: Mapping[str, JointSpec], name: object, model: str, what: str
) -> tuple[JointSpec, str]:
    """Split a name like "A.angle" into the joint and the rest; `what` names its purpose in errors."""
    joint, label = parted(str(name), joints)
    if joint not in joints:
        raise no_such("joint", joint or name, joints, f" in model {model!r} ({what} {name!r})")
    return joints[joint], label


def refuse_other(spec: JointSpec, label: str, usable: Collection[str]) -> None:
    """Raise an error if a joint has no such coordinate, listing those it has."""
    if label not in usable:
        raise no_such("coordinate", label, usable, f" at joint {spec.name!r} ({spec.joint.kind})")


def marker(bodies: Mapping[str, Body], name: str) -> Marker | None:
    """The marker of that name on a body, or None if no body has that name. Unknown points on a body
    are an error.
    """
    if name in bodies:
        return bodies[name].at(0.0, 0.0, 0.0)
    body, point = parted(name, bodies)
    if body not in bodies:
        return None
    return bodies[body].end(point[-1]) if point in ("end-", "end+") else bodies[body].point(point)
