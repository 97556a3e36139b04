"""A disc on a road, as a rigid rim on a radial spring: where the rim rests, and with what force.

With the unit normal n of a feature of the road and the height h of the wheel's center above its
tangent plane (planes.py), the wheel's axis a, its radius R and the radius C of its crown (0 is a
thin disc, R a ball):

    cos g = sqrt(1 - (a.n)^2),    d = -(n - (a.n) a) / cos g              from the center to the
                                  lowest point of the rim
    depth = (R - C) cos g + C - h,     r = (R - C) d + (depth - C) n       from the center to the
                                       point of contact, on the road

The rim does not enter the road: its center goes from the center p of the hub to the nearest place y
at which no feature is entered, and the spring pulls the two together (the rigid ring of
[Pacejka2002, ch. 9] without mass, on an isotropic spring):

    x = y - p = sum over the features touched of l_k n_k,  l_k > 0,       F = max(0, k |x| + c
                                                           min(|x| / fade, 1) |x|')  along x

One feature touched has l = depth. A second one, j, takes part if the rim would enter it at y = p +
depth_i n_i; l_i and l_j then
follow from depth_i(y) = depth_j(y) = 0. A plate on the ground hides it, since parallel normals
leave one of the two; ground and
wall, whose normals are perpendicular, act independently of each other; and |x|^2, the squared
distance to the free places, has a continuous gradient -2 x, so that no force jumps where features
change places. The share l_k / |x| of F acts at contact k.

The spring is minus the gradient of k |x|^2 / 2. The damper fades in linearly, so that the force has
a single zero on the way out and nothing pulls.
"""

import math

from ...kernel.algebra.vec3 import add, cross, dot, scale, sub
from ...kernel.decorators import inline, internal_kernel
from .planes import NEAR, features, plane

_UPRIGHT = 1e-6  # the least cosine of camber: a wheel that lies flat touches nowhere in particular
_NEWTON = 8  # iterations of a rim in a corner, each of which squares the error
_WEDGE = (
    -0.8
)  # the least cosine between two normals: a rim that is wedged in more steeply than that gives way
_PARALLEL = 1e-14  # of 1 - cos^2: no corner between planes that are parallel but for rounding


@inline
def touch(n, h, a, radius, crown):
    """Depth of the wheel under the plane, cosine of its camber, and vector from its center to
    the contact.
    """
    lean = dot(a, n)
    upright = math.sqrt(max(1.0 - lean * lean, _UPRIGHT * _UPRIGHT))
    depth = (radius - crown) * upright + crown - h
    d = scale(-1.0 / upright, sub(n, scale(lean, a)))
    return depth, upright, add(scale(radius - crown, d), scale(depth - crown, n))


@inline
def approach(n, v, w, r, depth):
    """Rate of the depth: velocity of the lowest point of the rim, fixed in the wheel, against
    the normal.
    """
    return -dot(n, add(v, cross(w, sub(r, scale(depth, n)))))


@inline
def press(depth, rate, stiffness, damping, fade):
    """F of the module."""
    if depth <= 0.0:
        return 0.0
    return max(stiffness * depth + damping * min(depth / fade, 1.0) * rate, 0.0)


@inline
def under(tables, place, wheel, a, k, at):
    """Normal of feature k and depth in it, for a rim with the center `at`.

    place: (profile, road), wheel: (radius, crown).
    """
    normal, height = plane(tables, place[0], place[1], k, at)
    return normal, touch(normal, height, a, wheel[0], wheel[1])[0]


@internal_kernel
def entered(tables, place, wheel, a, at, i, j):
    """The feature other than i and j in which a rim at `at` is deepest; -1 if there is none."""
    found, most = -1, 0.0
    for k in range(features(tables, place[1])):
        if k not in (i, j):
            depth = under(tables, place, wheel, a, k, at)[1]
            if depth > most:
                found, most = k, depth
    return found


@internal_kernel
def corner(tables, place, wheel, a, p, i, j):
    """l_i, l_j and y of a rim that touches two features, by Newton's method from the point on the
    first.

        n_k . (p + l_i n_i + l_j n_j - y) = depth_k(y),   k = i, j
    """
    normal, l_i = under(tables, place, wheel, a, i, p)
    l_j, y = 0.0, add(p, scale(l_i, normal))
    for _ in range(_NEWTON):
        (n_i, depth_i), (n_j, depth_j) = (
            under(tables, place, wheel, a, i, y),
            under(tables, place, wheel, a, j, y),
        )
        way, c = sub(y, p), max(dot(n_i, n_j), _WEDGE)
        if 1.0 - c * c < _PARALLEL:
            break
        b_i, b_j = depth_i + dot(n_i, way), depth_j + dot(n_j, way)
        l_i, l_j = (b_i - c * b_j) / (1.0 - c * c), (b_j - c * b_i) / (1.0 - c * c)
        step = sub(add(scale(l_i, n_i), scale(l_j, n_j)), way)
        y = add(y, step)
        if dot(step, step) <= (NEAR * wheel[0]) ** 2:
            break
    return l_i, l_j, y


@internal_kernel
def rest(tables, place, wheel, a, p):
    """The touched features i and j (-1: none), with l_i and l_j, and the center from which they are
    seen.

    The center is y in a corner, and p where one feature is touched, with the same normal and
    contact.
    """
    i = entered(tables, place, wheel, a, p, -1, -1)
    if i < 0:
        return -1, 0.0, -1, 0.0, p
    for _ in range(2):
        normal, depth = under(tables, place, wheel, a, i, p)
        j = entered(tables, place, wheel, a, add(p, scale(depth, normal)), i, -1)
        if j < 0:
            return i, depth, -1, 0.0, p
        l_i, l_j, y = corner(tables, place, wheel, a, p, i, j)
        if l_i > 0.0:
            break
        i = j  # that one alone
    if not (l_i > 0.0 and l_j > 0.0):
        return i, under(tables, place, wheel, a, i, p)[1], -1, 0.0, p
    third = entered(tables, place, wheel, a, y, i, j)
    for other, left in ((i, j), (j, i)):
        if third >= 0:
            l, l_third, at = corner(tables, place, wheel, a, p, other, third)
            if l > 0.0 and l_third > 0.0 and under(tables, place, wheel, a, left, at)[1] <= 0.0:
                return other, l, third, l_third, at
    return i, l_i, j, l_j, y
