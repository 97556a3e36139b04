"""Channels of joints, bodies, force elements, constraints and of the whole model."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..description.body import Body
from ..description.flexible_body import ModesBody
from ..description.lowering.compiled import JointPlace
from ..elements.constraints.contract import Loads
from ..elements.joints.contract import QUATERNION
from ..engine.dynamics.kinematics import positions
from ..kernel.linalg import norm, product
from .channels import Channel, Channels
from .measured import point_at, quaternions, rotations

if TYPE_CHECKING:
    from .solution import Solution

XYZ, WXYZ = ("x", "y", "z"), ("w", "x", "y", "z")
_MOTION = {"position": "m", "velocity": "m/s", "acceleration": "m/s^2"}
_TURNING = {"angular_velocity": "rad/s", "angular_acceleration": "rad/s^2"}
_COUNTS = ("order", "error", "rejected", "evaluations", "iterations", "factorisations")


def catalogue(sol: Solution) -> Mapping[str, Channel]:
    """All channels of a solution."""
    own = {} if sol.model.generated is None else sol.model.generated.channels(sol)
    return Channels(
        partial(_elements, sol), {**own, **_states(sol), **_machine(sol), **_steps(sol)}
    )


def _elements(sol: Solution, only: str | None) -> Iterator[dict[str, Channel]]:
    """The channels of each element, or of those with one name."""
    compiled, model = sol.compiled, sol.model
    joints = {n: p for n, p in compiled.joints.items() if p.spec.joint.nv or not p.spec.joint.inner}

    def asked(held: Collection[str]) -> Collection[str]:
        return held if only is None else (only,) if only in held else ()

    for name in asked(joints):
        yield _joint(sol, name, compiled.joints[name])
    for index in (
        range(1, len(compiled.bodies))
        if only is None
        else map(compiled.bodies.index, asked(compiled.bodies[1:]))
    ):
        body = model.bodies[compiled.bodies[index]]
        if not isinstance(body, ModesBody):
            yield _body(sol, index, body)
    numbers = {name: n for n, name in enumerate(model.forces)} if asked(model.forces) else {}
    for name in asked(model.forces):
        yield _force(sol, numbers[name], name, model.forces[name].spec)
    for name in asked(model.constraints):
        yield _constraint(sol, name, model.constraints[name].spec)
    for name in asked(sol.flexible):
        yield sol.flexible[name].channels()
    for name in asked(sol.beams):
        yield sol.beams[name].channels()


def _bends(sol: Solution) -> bool:
    """Whether generated equations have more than bodies, so that reactions and momenta are not
    known.
    """
    return sol.model.generated is not None and sol.model.generated.flexible


def _joint(sol: Solution, name: str, place: JointPlace) -> dict[str, Channel]:
    joint, found = place.spec.joint, {}
    for label, unit in zip(joint.labels, joint.coordinate_units()):
        found[f"{name}.{label}"] = Channel(
            unit,
            f"{label} of {'' if joint.inner else 'joint '}{name}: {joint.meaning(label)}",
            lambda label=label: sol.joint_motion(name).coordinate(label),
        )
    if joint.plain() < joint.nv:
        found[f"{name}.quaternion"] = Channel(
            "1",
            f"orientation of joint {name}",
            lambda: np.column_stack(
                [sol.joint_motion(name).coordinate(label) for label in QUATERNION]
            ),
            WXYZ,
        )
    for speed, unit in zip(joint.speeds, joint.units):
        simple, about = speed in joint.labels, joint.rates(speed)
        first = Channel(
            f"{unit}/s",
            f"{'rate of ' if simple else ''}{speed} of joint {name}: {about[0]}",
            lambda speed=speed: sol.joint_motion(name).rate(speed),
        )
        second = Channel(
            f"{unit}/s^2",
            f"acceleration of {speed} of joint {name}: {about[1]}",
            lambda speed=speed: sol.joint_motion(name).acceleration(speed),
        )
        tails = (
            (f".{speed}.rate", f".{speed}.acceleration")
            if simple
            else (f".{speed}", f".{speed}.rate")
        )
        found.update({name + tails[0]: first, name + tails[1]: second})
        if len(joint.speeds) == 1:
            found.update({f"{name}.rate": first, f"{name}.acceleration": second})
    known = not joint.inner and not (_bends(sol) and place.link)
    for what, unit in (("force", "N"), ("torque", "N m")) if known else ():
        found[f"{name}.{what}"] = Channel(
            unit,
            f"{what} of joint {name} on {place.spec.M.body.name}",
            lambda what=what: getattr(sol.reactions[name], what),
            XYZ,
        )
    return found


def _body(sol: Solution, index: int, body: Body) -> dict[str, Channel]:
    name, found = body.name, {}
    for what, unit in {**_MOTION, **_TURNING}.items():
        found[f"{name}.{what}"] = Channel(
            unit,
            f"{what.replace('_', ' ')} of {name}",
            lambda *k, what=what: sol.record.of(what, index, *k),
            XYZ,
            parts=True,
        )
    found[f"{name}.quaternion"] = Channel(
        "1", f"orientation of {name}", lambda: quaternions(rotations(sol.record, index)), WXYZ
    )
    for point, p_B in points_of(body).items():
        for what, unit in _MOTION.items():
            found[f"{name}.{point}.{what}"] = Channel(
                unit,
                f"{what} of point {point} of {name}",
                lambda what=what, p_B=p_B: point_at(sol.record, index, p_B, what),
                XYZ,
            )
    return found


def points_of(body: Body) -> dict[str, tuple[float, float, float]]:
    """Named points of a body: its ends and those of the user."""
    return {**{f"end{k}": p for k, p in body.properties.ends.items()}, **body.points}


def _force(sol: Solution, n: int, name: str, spec) -> dict[str, Channel]:
    found = {
        f"{name}.energy": Channel(
            "J", f"energy stored in {name}", lambda: sol.record.of("stored", n)
        ),
        f"{name}.power": Channel(
            "W", f"power of {name} on the machine", lambda: sol.record.of("power", n)
        ),
    }
    for k, (what, unit) in enumerate(spec.readings_on(units_of(sol, spec))):
        found[f"{name}.{what}"] = Channel(
            unit,
            f"{what} of {name}: {spec.meaning(what)}",
            lambda k=k: sol.record.of("element", n, k),
        )
    for what, (unit, about, parts) in spec.sums(name, sol.model.forces).items():
        found[f"{name}.{what}"] = Channel(
            unit, about, lambda parts=parts: sum((sol[p] for p in parts), np.zeros(len(sol.t)))
        )
    if spec.readings:
        return found
    for what, unit, part in (("force", "N", slice(3, 6)), ("torque", "N m", slice(0, 3))):
        found[f"{name}.{what}"] = Channel(
            unit,
            f"{what} of {name} on its last marker",
            lambda part=part: sol.record.of("load", n, part),
            XYZ,
        )
    return found


def _states(sol: Solution) -> dict[str, Channel]:
    """States of elements and controllers, and outputs of controllers."""
    found = {
        name: Channel(place.state.unit, _state(sol, name), lambda ix=place.ix: sol.x[:, ix])
        for name, place in sol.compiled.states.items()
    }
    for name, k in sol.compiled.outputs.items():
        owner, _, label = name.rpartition(".")
        unit = (sol.model.controllers[owner].spec.units or {}).get(label, "1")
        found[name] = Channel(unit, f"output {name}", lambda k=k: sol.record.of("output", k))
    return found


def _state(sol: Solution, name: str) -> str:
    """What a state is: those of force elements have a meaning."""
    owner, _, label = name.rpartition(".")
    element = sol.model.forces.get(owner)
    return f"state {name}" + (f": {element.spec.meaning(label)}" if element else "")


def units_of(sol: Solution, spec) -> tuple[str, ...]:
    """Units of the joint coordinates that an element is written on."""
    joints = [
        (sol.model.joints[name.rpartition(".")[0]].joint, name.rpartition(".")[2])
        for name in spec.coordinates
    ]
    return tuple(joint.units[joint.speeds.index(label)] for joint, label in joints)


def _constraint(sol: Solution, name: str, spec) -> dict[str, Channel]:
    """Channels of the multipliers: force of a rod, effort of a driver or gear, force and torque of
    a driven body.
    """
    effort = spec.effort(name, units_of(sol, spec))
    found = {f"{name}.{load.label}": _loads(sol, name, load) for load in spec.loads(name)}
    if effort is None:
        return found

    def push() -> np.ndarray:
        row = sol.compiled.row_owner.index(name)
        return effort.factor * sol.lam[:, row] * (_stretch(sol, row) if effort.stretched else 1.0)

    found[f"{name}.force"] = Channel(effort.unit, effort.about, push)
    if effort.opposite:
        found[f"{name}.{effort.opposite}"] = Channel(
            effort.unit, f"{effort.opposite} of {name}", lambda: -push()
        )
    return found


def _loads(sol: Solution, name: str, load: Loads) -> Channel:
    """A vector of three multipliers, or a single one."""

    def push() -> np.ndarray:
        row = sol.compiled.row_owner.index(name) + load.first
        return -(sol.lam[:, row] if load.width == 1 else sol.lam[:, row : row + load.width])

    return Channel(load.unit, load.about, push, () if load.width == 1 else XYZ)


def _stretch(sol: Solution, row: int) -> np.ndarray:
    """|d| / L of a distance row: 1 for a rod, the present length over the row scale if it is
    driven.
    """
    p = next(p for p in sol.compiled.tables.primitives if p["ig"] == row)
    work, span = sol.compiled.workspace(()), np.empty(len(sol.t))
    for k, q in enumerate(sol.q):
        positions(sol.compiled.tables, work, np.ascontiguousarray(q))
        a, b = (
            product(work.bodies[p[i]]["R"].reshape(3, 3), p[at]) + work.bodies[p[i]]["p"]
            for i, at in (("i", "p_i"), ("j", "p_j"))
        )
        span[k] = norm(b - a)
    return span / p["length"]


def _machine(sol: Solution) -> dict[str, Channel]:
    found = {
        f"energy.{what}": Channel(
            "J",
            f"{what} energy" if what != "work" else "work of forces and drivers",
            lambda what=what: getattr(sol.energy, what),
        )
        for what in ("kinetic", "potential", "total", "work")
    }
    for what, unit in () if _bends(sol) else (("linear", "kg m/s"), ("angular", "kg m^2/s")):
        found[f"momentum.{what}"] = Channel(
            unit,
            f"{what} momentum{' about the origin' if what == 'angular' else ''}",
            lambda what=what: getattr(sol.momentum, what),
            XYZ,
        )
    for what, array, unit in (("position", "g", "m"), ("velocity", "gdot", "m/s")):
        found[f"constraint.{what}"] = Channel(
            unit, f"largest constraint violation, {what}", lambda array=array: sol.violation(array)
        )
    return found


def _steps(sol: Solution) -> dict[str, Channel]:
    found = {"step.size": Channel("s", "step size", lambda: sol.steps.h, (), True)}
    for what in _COUNTS:
        found[f"step.{what}"] = Channel(
            "1", f"{what} per step", lambda what=what: getattr(sol.steps, what), (), True
        )
    if sol.result.method == "switching":
        for what, about in (
            ("stiffness", "spectral radius L"),
            ("threshold", "L from which the machine counts as stiff"),
        ):
            found[f"step.{what}"] = Channel(
                "1/s", about, lambda what=what: getattr(sol.steps, what), (), True
            )
    return found
