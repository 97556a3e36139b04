"""The result of a run (first sketch)."""
from dataclasses import dataclass
import numpy as np


@dataclass
class Solution:
    assembly: object
    method: object
    options: dict
    result: object
    t: np.ndarray
    y: np.ndarray
    vdot: np.ndarray
    lam: np.ndarray
    wall: float
