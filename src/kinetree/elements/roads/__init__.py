"""Roads and what lies on them: `kt.Road`, and here the obstacles and random roads."""

from .obstacles import Block, HalfRound, Obstacle
from .random import random_road
from .road import Road

__all__ = ["Block", "HalfRound", "Obstacle", "Road", "random_road"]
