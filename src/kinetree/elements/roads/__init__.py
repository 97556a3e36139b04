"""Roads, obstacles on them, and random roads; `kt.Road` is the same class as `kt.roads.Road`."""

from .obstacles import Block, HalfRound, Obstacle
from .random import random_road
from .road import Road

__all__ = ["Block", "HalfRound", "Obstacle", "Road", "random_road"]
