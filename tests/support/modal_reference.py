"""Machines with a flexible body as clouds of points: M and f by derivatives of their positions.

With positions x(q) of points of mass m, all coordinates with qdot = v,

    M = sum m J^T J,    f = sum J^T m (g - d^2 x / ds^2) - K q - Z v,      x(s) = x(q + s v)

J by complex steps, the second derivative by steps along the root of i, both exact to rounding.
"""

import numpy as np

STEP = 1e-3  # of the second derivative, whose error is of fourth order in it


def cayley(p):
    """Rotation of the Rodrigues vector p, for complex numbers too."""
    W = np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])
    return np.eye(3) + (W + 0.5 * W @ W) / (1 + 0.25 * (p @ p))


def about(axis, angle):
    """Rotation about an axis."""
    W = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * W + (1 - np.cos(angle)) * W @ W


class Part:
    """A reduced part with its nodes, at coordinates q that are lengths."""

    def __init__(self, part, nodes, masses):
        self.part, self.masses, self.root = part, masses, np.sqrt(part.mass)
        affine = np.zeros((len(nodes), 3, 12))
        for j in range(3):
            affine[:, j, j] = 1.0
            for i in range(3):
                affine[:, j, 3 + 3 * i + j] = nodes[:, i]
        self.X, self.shapes = nodes, np.concatenate([part.shapes, affine], axis=2)

    def points(self, q):
        """Displaced nodes in the frame."""
        part, q = self.part, self.root * q
        s = part.stiffened
        eta = 0.5 * np.einsum("akl,k,l->a", part.H, q[:s], q[:s]).astype(complex)
        eta[: part.n] += q
        return self.X + self.shapes @ eta

    def marker(self, name, q):
        """Rotation and position of a marker in the frame."""
        part, q, k = self.part, self.root * q, self.part.index(name)
        s = part.stiffened
        bent = -0.5 * np.einsum("ekl,k,l->e", part.G[k], q[:s], q[:s])
        d, theta = part.P[k] @ q + bent[:3], part.Theta[k] @ q + bent[3:]
        return cayley(theta) @ part.rotations[k], part.positions[k] + d


def equations(points, masses, gravity, q, v):
    """M and f without the forces of the modes."""
    J = np.stack([points(q + 1e-30j * e).imag / 1e-30 for e in np.eye(len(q))], axis=2)
    root = np.exp(0.25j * np.pi) * STEP
    bent = (points(q + root * v) + points(q - root * v)).imag / STEP**2
    weighted = J * masses[:, None, None]
    M = np.einsum("nik,nil->kl", J, weighted)
    return M, np.einsum("nik,ni->k", weighted, gravity - bent)
