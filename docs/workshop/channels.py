"""Channels of joints, forces and constraints in the results, from their declarations."""

from __future__ import annotations

from kinetree import shapes

from . import docstrings

# Options with which an element has all its channels; the others have them by default.
FULLY = {
    "Pump": {"flow": 1.0, "relief": 1.0},
    "Drive": {"integral": 1.0},
    "Tyre": {"relaxation": (1.0, 1.0)},
    "HydraulicCylinder": {"pressure": (1.0, 1.0)},
    "Driver": {"coordinate": "A.angle"},
    "Coupling": {"first": "A.angle", "second": "B.angle", "ratio": 1.0},
    "Contact": {
        "shapes": (shapes.HalfSpace(), shapes.Ball(1.0)),
        "friction": 0.5,
        "presliding": 1.0,
    },
    "RigidContact": {"shapes": (shapes.HalfSpace(), shapes.Ball(1.0)), "friction": 0.5},
    "PoseDriver": {"position": (0.0, 0.0, 0.0), "rotation_vector": (0.0, 0.0, 0.0)},
}
XYZ = ("x", "y", "z")

Channels = dict[str, tuple[str, str]]  # label: (unit, description)


def channels_of_joint(joint) -> Channels:
    """Return coordinates, rates, accelerations and the reaction."""
    found = {
        label: (unit, joint.meaning(label))
        for label, unit in zip(joint.labels, joint.coordinate_units())
    }
    if joint.ball:
        found["quaternion"] = ("1", "orientation (w, x, y, z) of the child in the parent")
    for speed, unit in zip(joint.speeds, joint.units):
        first, second = (
            (f"{speed}.rate", f"{speed}.acceleration")
            if speed in joint.labels
            else (speed, f"{speed}.rate")
        )
        if len(joint.speeds) == 1:
            first, second = f"{first}, rate", f"{second}, acceleration"
        about = joint.rates(speed)
        found[first] = (f"{unit}/s", about[0])
        found[second] = (f"{unit}/s^2", about[1])
    found["force"] = (
        "N",
        "reaction of the parent on the child at the joint, in world axes; .x, .y, .z",
    )
    found["torque"] = (
        "N m",
        "reaction moment on the child about the joint, in world axes; .x, .y, .z",
    )
    return found


def _example(force: type):
    """Make an element with only the options that give it all its channels."""
    made = object.__new__(force)
    for name, value in FULLY.get(force.__name__, {}).items():
        object.__setattr__(made, name, value)
    return made


def channels_of_force(force: type) -> Channels:
    """Return readings and states; without readings, the wrench at its last marker."""
    made = _example(force)
    found = {
        "energy": ("J", "potential stored in the element; zero if it stores none"),
        "power": ("W", "work per time on the model, positive where the element drives it"),
    }
    on_a_slide = dict(zip(made.readings, made.readings_on(("m",))))
    for (label, unit), (other, other_unit) in on_a_slide.items():
        both = (label, unit) != (other, other_unit)
        name = label if label == other else f"{label} ({other})"
        unit = f"{unit} ({other_unit} for a displacement)" if both else unit
        found[name] = (unit, made.meaning(label))
    for state in made.own_states():
        found[state.label] = (state.unit, f"{made.meaning(state.label)} (a state)")
    for label, (unit, about, _) in made.sums("it", {}).items():
        found[label] = (unit, about)
    if not made.readings:
        found |= {
            "force": ("N", "on the body of its last marker, in world axes; .x, .y, .z"),
            "torque": ("N m", "on that body about the marker, in world axes; .x, .y, .z"),
        }
    return found


def channels_of_constraint(constraint: type) -> Channels:
    """Return the meaning of its multipliers."""
    made = _example(constraint)
    found = {
        load.label: (load.unit, f"{load.about.replace(' of it', '')}; .x, .y, .z")
        for load in made.loads("it")
    }
    if (effort := made.effort("it", ("rad", "rad"))) is not None:
        unit = "N m (N for a displacement)" if effort.unit == "N m" else effort.unit
        which = "the first coordinate" if len(made.coordinates) > 1 else "the coordinate"
        about = effort.about.replace(" of it", "").replace("A.angle", which)
        found["force"] = (unit, about)
        if effort.opposite:
            found[effort.opposite] = (unit, "the same with the opposite sign, positive when pulled")
    return found


def channel_table(name: str, channels: Channels) -> str:
    """Return the channels of an element called `name` as a table."""
    rows = [
        (", ".join(f"`{name}.{part}`" for part in label.split(", ")), unit, about)
        for label, (unit, about) in channels.items()
    ]
    return docstrings.table(("channel", "unit", "description"), rows)
