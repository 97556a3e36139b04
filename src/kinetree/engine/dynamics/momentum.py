"""Linear and angular momentum of the whole machine about the world origin.

(n, p)_i = I V about O,      L = sum (n + O x p),      p = sum p_i
"""

from ...kernel.algebra.spatial import add6, angular, apply, join, linear, load6, load21, store6
from ...kernel.algebra.vec3 import add, cross, load3
from ...kernel.decorators import inline


@inline
def momentum(links, bodies, out):
    """Reads bodies (I rigid, V, O); writes (angular, linear)."""
    total = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for i in range(1, links.shape[0]):
        body = bodies[i]
        h = apply(load21(body.I), load6(body.V))
        p = linear(h)
        total = add6(total, join(add(angular(h), cross(load3(body.O), p)), p))
    store6(out, total)
