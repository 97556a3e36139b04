"""A straight Euler-Bernoulli bar as a reduced part, from polynomials: no mesh and no mesh library.

Along x from the frame "-" at the origin to the marker "+". With N(x) the axial force of a load,
its stress stiffness is int N (v'_k v'_l + w'_k w'_l) dx. All integrals are exact: Gauss points
along x, and two by two Gauss points over the rectangular section.
"""

import numpy as np
from numpy.polynomial import Polynomial, legendre
from scipy.linalg import eigh

from kinetree.description.reduced.reduced_part import ReducedPart

POINTS = 24  # of Gauss along x: exact to degree 47


def bar(
    length=1.0, width=0.02, height=0.02, E=2e11, density=7850.0, shear=None, bending=4, axial=2,
    twist=1, damping=0.0, stiffened=None, name="bar",
):  # fmt: skip
    """The reduced part: `bending` modes in each of y and z, `axial` and `twist` ones along x."""
    shear = E / 2 if shear is None else shear
    s, gauss = legendre.leggauss(POINTS)
    x, dx = 0.5 * length * (1 + s), 0.5 * length * gauss
    side = 0.5 / np.sqrt(3)
    section = [(i * side * width, j * side * height) for i in (-1, 1) for j in (-1, 1)]
    X = np.array([(a, y, z) for a in x for y, z in section])
    area = width * height
    dm = np.repeat(density * area * dx / 4, 4)
    Iy, Iz, It = area * height**2 / 12, area * width**2 / 12, area * (width**2 + height**2) / 12
    kinds, lines = [], []
    unit = Polynomial([0, 1 / length])
    for kind, count, first in (
        ("v", bending, 2),
        ("w", bending, 2),
        ("u", axial, 1),
        ("t", twist, 1),
    ):
        for k in range(count):
            kinds.append(kind)
            lines.append(unit**first * legendre.Legendre.basis(k)(2 * unit - 1))
    n = len(lines)
    shapes, K = np.zeros((len(X), 3, n)), np.zeros((n, n))
    slopes = np.zeros((2, len(x), n + 3))  # v' and w', last of the rotations about x, y and z
    slopes[0, :, n + 2], slopes[1, :, n + 1] = 1.0, -1.0
    axial_force = np.zeros((len(x), n))
    P, Theta = np.zeros((2, 3, n)), np.zeros((2, 3, n))
    curves = np.zeros((len(x), n))
    stiff = {"v": E * Iz, "w": E * Iy, "u": E * area, "t": shear * It}
    for k, (kind, f) in enumerate(zip(kinds, lines)):
        value, slope = f(X[:, 0]), f.deriv()(X[:, 0])
        curves[:, k] = f.deriv(2 if kind in "vw" else 1)(x)
        at, turn = f(length), f.deriv()(length)
        if kind == "v":
            shapes[:, 0, k], shapes[:, 1, k] = -X[:, 1] * slope, value
            slopes[0, :, k] = f.deriv()(x)
            P[1, 1, k], Theta[1, 2, k] = at, turn
        elif kind == "w":
            shapes[:, 0, k], shapes[:, 2, k] = -X[:, 2] * slope, value
            slopes[1, :, k] = f.deriv()(x)
            P[1, 2, k], Theta[1, 1, k] = at, -turn
        elif kind == "u":
            shapes[:, 0, k] = value
            P[1, 0, k] = at
            axial_force[:, k] = density * area * (f.integ()(length) - f.integ()(x))
        else:
            shapes[:, 1, k], shapes[:, 2, k] = -X[:, 2] * value, X[:, 1] * value
            Theta[1, 0, k] = at
    for k in range(n):
        for l in range(n):
            if kinds[k] == kinds[l]:
                K[k, l] = stiff[kinds[k]] * (dx * curves[:, k] * curves[:, l]).sum()
    M = np.einsum("nik,nil,n->kl", shapes, shapes, dm)
    w2, V = eigh(K, M)
    shapes, P, Theta = shapes @ V, P @ V, Theta @ V
    slopes[:, :, :n] = slopes[:, :, :n] @ V
    axial_force = axial_force @ V
    count = n if stiffened is None else stiffened
    slopes = np.concatenate([slopes[:, :, :count], slopes[:, :, n:]], axis=2)
    force = np.zeros((len(x), n + 12))  # N(x) of the loads mass times shape
    force[:, :n] = axial_force
    force[:, n] = density * area * (length - x)  # e_x
    force[:, n + 3] = 0.5 * density * area * (length**2 - x**2)  # X_x e_x
    products = np.einsum("cxk,cxl,x->xkl", slopes, slopes, dx)
    markers = np.zeros((2, 6, count + 3, count + 3))
    markers[1, 0] = products.sum(0)
    omega = np.sqrt(w2)
    return ReducedPart(
        name=name, markers=("-", "+"), frame="-", origin=np.zeros(3), axes=np.eye(3),
        positions=np.array([[0.0, 0.0, 0.0], [length, 0.0, 0.0]]),
        rotations=np.stack([np.eye(3)] * 2), P=P, Theta=Theta,
        mass=float(dm.sum()), S0=dm @ X, A00=np.einsum("ni,nj,n->ij", X, X, dm),
        a=np.einsum("nik,n->ik", shapes, dm), A0=np.einsum("ni,njk,n->ijk", X, shapes, dm),
        A=np.einsum("nil,njk,n->ijlk", shapes, shapes, dm, optimize=True),
        K=w2, Z=2 * damping * omega, frequencies=omega / (2 * np.pi),
        E=np.einsum("xb,xkl->bkl", force, products), E_marker=markers,
        load_modes=np.zeros((0, n)), nodes=X, numbers=np.arange(1, len(X) + 1), shapes=shapes,
        stress=np.zeros((0, 6, n)),
    ), dm  # fmt: skip
