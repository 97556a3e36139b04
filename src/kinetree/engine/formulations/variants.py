"""The null-space methods, as the number `tables.settings[0].option`."""

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
# part of the velocity in the span of the old basis below which it is decomposed again [Mani1985]
MANI = 0.9


@inline
def is_partition(option):
    """Whether the method partitions the coordinates."""
    return option == PARTITION_LU or option == PARTITION_QR or option == PARTITION_PRINTED
