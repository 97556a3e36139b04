"""The joints, in the order of their stored kind: append only. Everything else about joints follows from this tuple."""

from ..num.jit import switch
from . import cylindrical, fixed, free, planar, revolute, screw, spherical, translational, universal
from .contract import Entry


def _entry(module, joint) -> Entry:
    return Entry(joint, module.move, module.hinge, module.bias, module.rate, module.shift, module.measure)


JOINTS: tuple[Entry, ...] = (
    _entry(revolute, revolute.Revolute),
    _entry(translational, translational.Translational),
    _entry(cylindrical, cylindrical.Cylindrical),
    _entry(universal, universal.Universal),
    _entry(spherical, spherical.Spherical),
    _entry(planar, planar.Planar),
    _entry(screw, screw.Screw),
    _entry(free, free.Free),
    _entry(fixed, fixed.Fixed),
)

KIND = {entry.joint.kind: k for k, entry in enumerate(JOINTS)}

move = switch("move", [e.move for e in JOINTS], "link, q, R_WF, p_WF")
hinge = switch("hinge", [e.hinge for e in JOINTS], "link, R_WF, R_WM, r_F, r_M, dofs")
bias = switch("bias", [e.bias for e in JOINTS], "link, v, dofs")
rate = switch("rate", [e.rate for e in JOINTS], "link, q, v, qdot")
shift = switch("shift", [e.shift for e in JOINTS], "link, q, delta")
