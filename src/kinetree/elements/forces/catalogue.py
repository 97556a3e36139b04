"""The force elements, in the order of their stored kind: append only. (Gravity is a property of the
model.)
"""

from collections.abc import Iterable
from functools import cache

import numpy as np

from ...kernel import types
from ...kernel.decorators import JIT
from ...kernel.intrinsics import address_of, by_address
from ...kernel.tables.signatures import signatures
from . import (
    anti_roll_bar,
    beam,
    belt,
    bump_stop,
    bushing,
    cable,
    contact,
    contact_group,
    drag,
    drive,
    gear_mesh,
    hydraulic_cylinder,
    hydropneumatic,
    joint_friction,
    joint_stop,
    modal_strain,
    one_way_clutch,
    path_follower,
    point_force,
    pump,
    ratchet,
    rigid_contact,
    rope,
    spring_damper,
    torque,
    torsion_spring,
    track_band,
    tyre,
    user_force,
    wheel,
)
from .contract import Entry, no_energy

FORCES: tuple[Entry, ...] = (
    Entry(
        spring_damper.SpringDamper,
        spring_damper.apply,
        spring_damper.energy,
        spring_damper.read,
        spring_damper.discrete,
    ),
    Entry(
        torsion_spring.TorsionSpring,
        torsion_spring.apply,
        torsion_spring.energy,
        torsion_spring.read,
        torsion_spring.discrete,
    ),
    Entry(point_force.PointForce, point_force.apply, point_force.energy),
    Entry(torque.Torque, torque.apply, torque.energy),
    Entry(bushing.Bushing, bushing.apply, bushing.energy, discrete=bushing.discrete),
    Entry(user_force.UserForce, user_force.apply, user_force.energy),
    Entry(
        hydraulic_cylinder.HydraulicCylinder,
        hydraulic_cylinder.apply,
        hydraulic_cylinder.energy,
        hydraulic_cylinder.read,
    ),
    Entry(pump.Pump, pump.apply, pump.energy, pump.read),
    Entry(drag.Drag, drag.apply, drag.energy),
    Entry(cable.Cable, cable.apply, cable.energy, cable.read),
    Entry(wheel.Wheel, wheel.apply, wheel.energy, wheel.read),
    Entry(
        hydropneumatic.HydropneumaticUnit,
        hydropneumatic.apply,
        hydropneumatic.energy,
        hydropneumatic.read,
    ),
    Entry(bump_stop.BumpStop, bump_stop.apply, bump_stop.energy, bump_stop.read),
    Entry(tyre.Tyre, tyre.apply, tyre.energy, tyre.read),
    Entry(drive.Drive, drive.apply, drive.energy, drive.read),
    Entry(anti_roll_bar.AntiRollBar, anti_roll_bar.apply, anti_roll_bar.energy, anti_roll_bar.read),
    Entry(track_band.TrackBand, track_band.apply, track_band.energy, track_band.read),
    Entry(
        path_follower.PathFollower, path_follower.apply, path_follower.energy, path_follower.read
    ),
    Entry(beam.BeamForce, beam.apply, beam.energy),
    Entry(
        joint_friction.JointFriction,
        joint_friction.apply,
        joint_friction.energy,
        joint_friction.read,
    ),
    Entry(contact.Contact, contact.apply, contact.energy, contact.read),
    Entry(
        rigid_contact.RigidContact,
        rigid_contact.apply,
        no_energy,
        rigid_contact.read,
        meet=rigid_contact.meet,
    ),
    Entry(joint_stop.JointStop, joint_stop.apply, no_energy, joint_stop.read, meet=joint_stop.meet),
    Entry(
        one_way_clutch.OneWayClutch,
        one_way_clutch.apply,
        no_energy,
        one_way_clutch.read,
        meet=one_way_clutch.meet,
    ),
    Entry(ratchet.Ratchet, ratchet.apply, no_energy, ratchet.read, meet=ratchet.meet),
    Entry(rope.Rope, rope.apply, no_energy, rope.read, meet=rope.meet),
    Entry(contact_group.ContactGroup, contact_group.apply, contact_group.energy),
    Entry(gear_mesh.GearMesh, gear_mesh.apply, gear_mesh.energy, gear_mesh.read),
    Entry(belt.Belt, belt.apply, belt.energy, belt.read),
)

# inside flexible bodies; their kinds follow those of the forces of users
INNER: tuple[Entry, ...] = (
    Entry(modal_strain.ModalStrain, modal_strain.apply, modal_strain.energy, modal_strain.read),
)
ENTRIES = FORCES + INNER
KIND = {entry.force.kind: k for k, entry in enumerate(ENTRIES)}

APPLY, ENERGY, READ, DISCRETE, MEET = range(5)  # columns of `tables.kernels`


@cache
def _signatures() -> tuple:
    """Signatures of `apply`, `energy`, `read`, `discrete` and `meet`, see contract.py."""
    tables, work = signatures()[:2]
    force, time, vector = tables.fields["forces"].dtype, types.float64, types.float64[::1]
    return (
        types.none(tables, work, force, time, vector, vector, vector),
        types.float64(tables, work, force, time, vector, vector),
        types.none(tables, work, force, time, vector, vector, vector, vector),
        types.none(tables, work, force, time, time, vector),
        types.none(tables, work, force, types.int64, time, vector, vector, vector, vector),
    )


apply_force = by_address("tables, work, force, t, q, v, x", lambda: _signatures()[APPLY])
force_energy = by_address("tables, work, force, t, q, x", lambda: _signatures()[ENERGY])
read_force = by_address("tables, work, force, t, q, v, x, out", lambda: _signatures()[READ])


discrete_force = by_address("tables, work, force, t, h, x", lambda: _signatures()[DISCRETE])


meet_place = by_address("tables, work, force, k, t, q, v, x, out", lambda: _signatures()[MEET])


def kernels_of(kinds: Iterable[int]) -> np.ndarray:
    """Return the addresses of the kernels of these kinds, compiled or loaded now.

    A model without hydraulics does not compile its kernels.
    """
    where = np.zeros((len(ENTRIES), 5), np.int64)
    for kind in set(kinds):
        entry = ENTRIES[kind]
        functions = entry.apply, entry.energy, entry.read, entry.discrete, entry.meet
        where[kind] = [
            address_of(f, s) if f else 0
            for f, s in zip(functions, _signatures() if JIT else (None,) * 5)
        ]
    return where


def compile_kernels(kind: str) -> None:
    """Compile or load the kernels of a kind."""
    kernels_of([KIND[kind]])
