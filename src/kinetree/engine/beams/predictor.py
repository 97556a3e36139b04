"""Predicted increments of a step, and the error of the step from them."""

from ...kernel.algebra.vec3 import rotate, scale, store3
from ...kernel.decorators import inline, kernel
from ...kernel.tables.poses import START, node_pose
from .nodal import ALPHA, ALPHA_F, ALPHA_M, BETA


@kernel
def predict(tables, work, h, method, steady):
    """Predict the increments: constant velocity, constant acceleration, or its linear change.

    The prediction is the one that was best for the last step. With `steady` the velocity is
    constant: stiff springs swing back within a long step, and their accelerations would lead far
    away.
    """
    report = work.report[0]
    bent = not steady and (method == ALPHA or report.bent <= report.plain)
    s = 0.5 * h if bent else 0.0
    c = (
        0.25 * h * (h + report.lag)
        if method != ALPHA and bent and report.curved < report.bent
        else 0.0
    )
    for b in range(1, tables.links.shape[0]):
        node = work.nodes[b]
        a, j = node.a, node.vdot
        _, R_i = node_pose(work.poses[START], b)
        store3(
            node.d,
            (
                h * (node.v[0] + s * a[0] + c * j[0]),
                h * (node.v[1] + s * a[1] + c * j[1]),
                h * (node.v[2] + s * a[2] + c * j[2]),
            ),
        )
        w = (
            h * (node.w[0] + s * a[3] + c * j[3]),
            h * (node.w[1] + s * a[4] + c * j[4]),
            h * (node.w[2] + s * a[5] + c * j[5]),
        )
        store3(node.r, limited(rotate(R_i, w)))


@kernel
def fit_accelerations(tables, work, h):
    """Adapt the accelerations of generalized alpha to a step of another length.

    They belong to a time a part of a step later, vdot + d h j. That part changes with the length of
    the step, and with it the distance of a from vdot; so the order stays two.
    """
    report = work.report[0]
    if report.lag > 0.0 and report.lag != h:
        for b in range(1, tables.links.shape[0]):
            node = work.nodes[b]
            for k in range(6):
                node.a[k] = node.vdot[k] + h / report.lag * (node.a[k] - node.vdot[k])
    report.lag = h


@kernel
def local_error(tables, work, h, method, rho):
    """Error of the solved step: the largest of all nodes, in lengths of the model and rad.

    C h^3 j,   j = change of the acceleration per second
    C = |beta + (alpha_m - alpha_f)/2 - 1/6| for generalized alpha, else 1/4 - 1/6
    """
    length, error = tables.settings[0].length, 0.0
    c = (
        abs(rho[BETA] + 0.5 * (rho[ALPHA_M] - rho[ALPHA_F]) - 1.0 / 6.0)
        if method == ALPHA
        else 1.0 / 12.0
    )
    lag = h if method == ALPHA else 0.5 * (h + work.report[0].lag)
    for b in range(1, tables.links.shape[0]):
        node = work.nodes[b]
        for k in range(6):
            before = node.v[k] if k < 3 else node.w[k - 3]
            change = (
                node.vdot_end[k] - node.vdot[k]
                if method == ALPHA
                else (node.v_end[k] - before) / h - node.a[k]
            )
            error = max(error, c * h * h * h / lag * abs(change) / (length if k < 3 else 1.0))
    return error


@inline
def limited(r):
    """Rotation limited to about two radians."""
    n = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
    return scale(2.0 / n**0.5, r) if n > 4.0 else r
