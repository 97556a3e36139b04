"""Vector operations as loops: the kernel language has no arithmetic of whole arrays."""

from ..decorators import inline


@inline
def fill(x, value):
    """x <- value."""
    for k in range(x.shape[0]):
        x[k] = value


@inline
def copy(source, x):
    """x <- the first elements of source."""
    for k in range(x.shape[0]):
        x[k] = source[k]


@inline
def scale_by(s, x):
    """x <- s x."""
    for k in range(x.shape[0]):
        x[k] *= s


@inline
def add_scaled(s, a, x):
    """x <- x + s a."""
    for k in range(x.shape[0]):
        x[k] += s * a[k]


@inline
def inner(a, b):
    """a . b."""
    total = 0.0
    for k in range(a.shape[0]):
        total += a[k] * b[k]
    return total
