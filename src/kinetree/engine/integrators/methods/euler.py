"""Explicit Euler with fixed step, order 1, for teaching and comparison: y <- y + h f(t, y)."""

from .tableau import Tableau

TABLEAU = Tableau(order=1, c=(0.0, 1.0), a=(), b=(1.0,))
