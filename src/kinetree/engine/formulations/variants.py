"""The methods of the null space, as the number in `tables.settings`."""

from ...kernel.decorators import inline

(
    PROJECTION,
    QR,
    SVD,
    SVD_VELOCITY,
    SVD_UPDATE,
    PARTITION_LU,
    PARTITION_QR,
    QR_UPDATE,
    PARTITION_PRINTED,
) = range(9)
MANI = 0.9  # share of the velocity the old basis must still see before the decomposition is renewed


@inline
def is_partition(option):
    return option == PARTITION_LU or option == PARTITION_QR or option == PARTITION_PRINTED
