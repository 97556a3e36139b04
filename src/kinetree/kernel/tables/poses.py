"""The poses of bodies at the instants of a step in node coordinates: rows of `work.poses`."""

from ..decorators import inline

START, END, AVERAGE, MIDDLE, KEPT = range(5)  # KEPT: where the factors at hand were made


@inline
def node_pose(poses, i):
    """Position and frame of node i."""
    row = poses[i]
    return (row[0], row[1], row[2]), (
        row[3],
        row[4],
        row[5],
        row[6],
        row[7],
        row[8],
        row[9],
        row[10],
        row[11],
    )
