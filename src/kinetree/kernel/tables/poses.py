"""Poses of the bodies at the instants of a step in nodal coordinates: rows of `work.poses`."""

from ..decorators import inline

START, END, AVERAGE, MIDDLE, KEPT = range(5)  # KEPT: poses of the present factorization


@inline
def node_pose(poses, i):
    """Position and frame of node i."""
    row = poses[i]
    p = (row[0], row[1], row[2])
    R = (row[3], row[4], row[5], row[6], row[7], row[8], row[9], row[10], row[11])
    return p, R
