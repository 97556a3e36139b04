"""Dense linear algebra whose results depend only on the numbers, not on the processor or on the
version of NumPy.

LAPACK and BLAS choose their kernels by the processor, and sums in another order round differently:
assembled positions, ranks and signs of singular vectors would differ. These functions are called
like NumPy's and run kernels of this package. They are meant for matrices of up to some hundred
rows; larger models use sparse factorizations. Only `svd` calls LAPACK, for larger matrices.
"""

from .decompositions import eigh, eigvalsh, pivoted_qr, qr, singular_values, svd, triangle
from .products import norm, product
from .solve import independent_rows, inv, lstsq, null_space, pinv, rank, solve

__all__ = [
    "eigh",
    "eigvalsh",
    "independent_rows",
    "inv",
    "lstsq",
    "norm",
    "null_space",
    "pinv",
    "pivoted_qr",
    "product",
    "qr",
    "rank",
    "singular_values",
    "solve",
    "svd",
    "triangle",
]
