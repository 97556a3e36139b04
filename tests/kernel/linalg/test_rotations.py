"""Rotations given as angles are those of SciPy."""

from itertools import product

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from kinetree.errors import ModelError
from kinetree.kernel.frames import rotation_matrix

SEQUENCES = [
    "".join(letters)
    for n in (1, 2, 3)
    for kind in ("xyz", "XYZ")
    for letters in product(kind, repeat=n)
]


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_angles_about_axes_turn_as_in_scipy(sequence):
    angles = np.array([0.3, -1.2, 2.5])[: len(sequence)]
    if any(a == b for a, b in zip(sequence, sequence[1:])):
        with pytest.raises(ModelError, match="sequence of axes"):
            rotation_matrix((sequence, angles), "marker")
    else:
        expected = Rotation.from_euler(sequence, angles).as_matrix().reshape(3, 3)
        np.testing.assert_allclose(
            rotation_matrix((sequence, angles), "marker"), expected, rtol=0, atol=1e-15
        )


def test_other_letters_are_refused():
    for sequence, angles in (
        ("xyw", (0.1, 0.2, 0.3)),
        ("xYz", (0.1, 0.2, 0.3)),
        ("xyzx", (0.1, 0.2, 0.3, 0.4)),
    ):
        with pytest.raises(ModelError, match="sequence of axes"):
            rotation_matrix((sequence, angles), "marker")
