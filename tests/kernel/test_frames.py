"""Rotation matrices and quaternions, against SciPy."""

import numpy as np
from scipy.spatial.transform import Rotation

from kinetree.kernel.frames import matrix_quaternion, quaternion_matrix

HALF_TURNS = Rotation.from_rotvec(
    np.pi * np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.6, 0.8, 0], [0, -0.6, 0.8]])
)


def test_quaternions_of_many_matrices_are_those_of_scipy_also_at_half_turns():
    turns = Rotation.concatenate(
        [
            Rotation.random(200, random_state=np.random.default_rng(4)),
            HALF_TURNS,
            Rotation.identity(),
        ]
    )
    q, theirs = matrix_quaternion(turns.as_matrix()), np.roll(turns.as_quat(), 1, axis=1)
    assert np.all(q[:, 0] >= 0.0)
    assert np.allclose(
        np.abs(np.sum(q * theirs, axis=1)), 1.0, atol=1e-15
    )  # equal up to sign and rounding


def test_a_single_matrix_and_its_quaternion_are_each_others_inverse():
    R = Rotation.from_rotvec([0.3, -2.0, 1.1]).as_matrix()
    assert np.allclose(quaternion_matrix(matrix_quaternion(R)), R, atol=1e-15)
