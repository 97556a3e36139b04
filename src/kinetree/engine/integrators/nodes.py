"""Interpolation points of a step: Chebyshev points and its end."""

import numpy as np

from ...kernel.mathematics import cos, each

INNER_POINTS = 7  # interpolation points inside a step
# of a step, both ends included
POINTS = 0.5 - 0.5 * each(cos, np.pi * np.arange(INNER_POINTS + 2) / (INNER_POINTS + 1))
