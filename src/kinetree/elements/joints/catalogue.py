"""The joints, in the order of their stored kind: append only. Everything else about joints follows
from this tuple.
"""

from ...kernel.decorators import switch
from . import (
    cylindrical,
    fixed,
    free,
    modes,
    planar,
    planar_translational,
    point_on_curve,
    point_on_line,
    point_on_plane,
    revolute,
    screw,
    spatial_translational,
    spherical,
    translational,
    universal,
    variable_screw,
)
from .contract import Entry

JOINTS: tuple[Entry, ...] = (
    Entry(revolute.Revolute, revolute.move, revolute.hinge),
    Entry(translational.Translational, translational.move, translational.hinge),
    Entry(cylindrical.Cylindrical, cylindrical.move, cylindrical.hinge),
    Entry(universal.Universal, universal.move, universal.hinge),
    Entry(spherical.Spherical, spherical.move, spherical.hinge),
    Entry(planar.Planar, planar.move, planar.hinge),
    Entry(screw.Screw, screw.move, screw.hinge),
    Entry(free.Free, free.move, free.hinge),
    Entry(fixed.Fixed, fixed.move, fixed.hinge),
    Entry(point_on_line.PointOnLine, point_on_line.move, point_on_line.hinge),
    Entry(point_on_plane.PointOnPlane, point_on_plane.move, point_on_plane.hinge),
    Entry(
        planar_translational.PlanarTranslational,
        planar_translational.move,
        planar_translational.hinge,
    ),
    Entry(
        spatial_translational.SpatialTranslational,
        spatial_translational.move,
        spatial_translational.hinge,
    ),
    Entry(
        variable_screw.VariableScrew,
        variable_screw.move,
        variable_screw.hinge,
        variable_screw.bias,
        variable_screw.ROWS,
    ),
    Entry(
        point_on_curve.PointOnCurve,
        point_on_curve.move,
        point_on_curve.hinge,
        point_on_curve.bias,
        point_on_curve.ROWS,
    ),
)

KIND = {entry.joint.kind: k for k, entry in enumerate(JOINTS)}
# inside flexible bodies; their kinds follow those of the joints of users
INNER: tuple[Entry, ...] = (
    Entry(modes.Modes, modes.move_modes, modes.hinge_modes),
    Entry(modes.ModalMarker, modes.move_marker, modes.hinge_marker, modes.bias_marker),
)
ENTRIES = JOINTS + INNER
ENTRY_KIND = {entry.joint.kind: k for k, entry in enumerate(ENTRIES)}
FLOATING = free.Free  # the joint of every body in Cartesian coordinates
IN_PLANE = planar.Planar  # the same of a body that moves in a plane, inside a run
HINGE = ENTRY_KIND[revolute.Revolute.kind]  # most joints: engine/dynamics places them at once
turn_hinge = revolute.hinge
MODES, MODAL_MARKER = modes.Modes, modes.ModalMarker  # inside flexible bodies

move = switch("move", [e.move for e in ENTRIES], "tables, link, q, R_WF, p_WF")
bias = switch("bias", [e.bias for e in ENTRIES], "tables, link, q, v, R_WF, R_WM, r_F, r_M")
hinge = switch("hinge", [e.hinge for e in ENTRIES], "tables, link, q, R_WF, R_WM, r_F, r_M, dofs")
