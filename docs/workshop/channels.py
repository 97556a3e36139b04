"""Channels of joints, forces and constraints in the results, from their declarations."""

from __future__ import annotations

from . import docstrings

# Options with which an element has all its channels; the others have them by default.
FULLY = {
    "Pump": {"flow": 1.0, "relief": 1.0},
    "Drive": {"integral": 1.0},
    "Tyre": {"relaxation": (1.0, 1.0)},
    "HydraulicCylinder": {"pressure": (1.0, 1.0)},
    "Driver": {"coordinate": "A.angle"},
    "Coupling": {"first": "A.angle", "second": "B.angle", "ratio": 1.0},
    "PoseDriver": {"position": (0.0, 0.0, 0.0), "rotation_vector": (0.0, 0.0, 0.0)},
}
XYZ = ("x", "y", "z")

Channels = dict[str, tuple[str, str]]  # label: (unit, description)


def channels_of_joint(joint) -> Channels:
    """Return coordinates, rates, accelerations and the reaction."""
    found = {
        label: (unit, f"coordinate {label}")
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
        found[first] = (f"{unit}/s", _velocity(speed))
        found[second] = (
            f"{unit}/s^2",
            f"acceleration: rate of {_velocity(speed).removeprefix('rate of ')}",
        )
    found["force"] = ("N", "reaction force on the child at the joint, in world axes; .x, .y, .z")
    found["torque"] = (
        "N m",
        "reaction torque on the child about the joint, in world axes; .x, .y, .z",
    )
    return found


def _velocity(speed: str) -> str:
    if speed[0] == "w":
        return f"angular velocity about {speed[-1]} in the child's frame"
    return (
        f"velocity along {speed[-1]} in the parent's frame"
        if speed[0] == "v"
        else f"rate of {speed}"
    )


def _example(force: type):
    """Make an element with only the options that give it all its channels."""
    made = object.__new__(force)
    for name, value in FULLY.get(force.__name__, {}).items():
        object.__setattr__(made, name, value)
    return made


def channels_of_force(force: type) -> Channels:
    """Return readings and states; without readings, the wrench at its last marker."""
    made = _example(force)
    found = {"energy": ("J", "stored energy"), "power": ("W", "power delivered to the model")}
    on_a_slide = dict(zip(made.readings, made.readings_on(("m",))))
    for (label, unit), (other, other_unit) in on_a_slide.items():
        both = (label, unit) != (other, other_unit)
        name = label if label == other else f"{label} ({other})"
        found[name] = (f"{unit} ({other_unit} for a displacement)" if both else unit, _words(label))
    for state in made.own_states():
        found[state.label] = (state.unit, f"state: {_words(state.label)}")
    for label, (unit, about, _) in made.sums("it", {}).items():
        found[label] = (unit, about)
    if not made.readings:
        found |= {
            "force": ("N", "on its last marker, in world axes; .x, .y, .z"),
            "torque": ("N m", "on its last marker, in world axes; .x, .y, .z"),
        }
    return found


def _words(label: str) -> str:
    return label.replace("_", " ").rstrip("0123456789") + (
        "" if label[-1].isalpha() else f" {label[-1]}"
    )


def channels_of_constraint(constraint: type) -> Channels:
    """Return the meaning of its multipliers."""
    made = object.__new__(constraint)
    for name, value in FULLY.get(constraint.__name__, {}).items():
        object.__setattr__(made, name, value)
    found = {load.label: (load.unit, f"{load.about}; .x, .y, .z") for load in made.loads("it")}
    if (effort := made.effort("it", ("rad", "rad"))) is not None:
        unit = "N m (N for a displacement)" if effort.unit == "N m" else effort.unit
        found["force"] = (unit, effort.about.replace("A.angle", "its coordinate"))
    return found


def channel_table(name: str, channels: Channels) -> str:
    """Return the channels of an element called `name` as a table."""
    rows = [
        (", ".join(f"`{name}.{part}`" for part in label.split(", ")), unit, about)
        for label, (unit, about) in channels.items()
    ]
    return docstrings.table(("channel", "unit", "description"), rows)
