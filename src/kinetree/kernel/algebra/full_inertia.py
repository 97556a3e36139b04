"""6x6 matrices without symmetry as 36 numbers, row by row; vectors as in spatial.py."""

from ..decorators import inline
from ..intrinsics import loader, storer
from .spatial import dot6, scale6

load36, store36, add_to36 = loader(36), storer(36), storer(36, add=True)


@inline
def apply36(B, a):
    """B a."""
    return (
        dot6(B[0:6], a),
        dot6(B[6:12], a),
        dot6(B[12:18], a),
        dot6(B[18:24], a),
        dot6(B[24:30], a),
        dot6(B[30:36], a),
    )


@inline
def apply36_transposed(B, a):
    """B^T a."""
    return (
        B[0] * a[0] + B[6] * a[1] + B[12] * a[2] + B[18] * a[3] + B[24] * a[4] + B[30] * a[5],
        B[1] * a[0] + B[7] * a[1] + B[13] * a[2] + B[19] * a[3] + B[25] * a[4] + B[31] * a[5],
        B[2] * a[0] + B[8] * a[1] + B[14] * a[2] + B[20] * a[3] + B[26] * a[4] + B[32] * a[5],
        B[3] * a[0] + B[9] * a[1] + B[15] * a[2] + B[21] * a[3] + B[27] * a[4] + B[33] * a[5],
        B[4] * a[0] + B[10] * a[1] + B[16] * a[2] + B[22] * a[3] + B[28] * a[4] + B[34] * a[5],
        B[5] * a[0] + B[11] * a[1] + B[17] * a[2] + B[23] * a[3] + B[29] * a[4] + B[35] * a[5],
    )


@inline
def minus_row(b, u, R):
    return (
        b[0] - u * R[0],
        b[1] - u * R[1],
        b[2] - u * R[2],
        b[3] - u * R[3],
        b[4] - u * R[4],
        b[5] - u * R[5],
    )


@inline
def minus_outer36(B, U, d, R):
    """B - U d R^T."""
    u = scale6(d, U)
    return (
        minus_row(B[0:6], u[0], R)
        + minus_row(B[6:12], u[1], R)
        + minus_row(B[12:18], u[2], R)
        + minus_row(B[18:24], u[3], R)
        + minus_row(B[24:30], u[4], R)
        + minus_row(B[30:36], u[5], R)
    )
