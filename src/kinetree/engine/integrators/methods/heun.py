"""Heun's method with fixed step, order 2 [Hairer1993, sec. II.1].

y <- y + h (f(t, y) + f(t + h, y + h f(t, y))) / 2
"""

from .tableau import Tableau

TABLEAU = Tableau(order=2, c=(0.0, 1.0), a=((1.0,),), b=(1 / 2, 1 / 2))
