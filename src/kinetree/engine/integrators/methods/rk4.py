"""Classical Runge-Kutta method with fixed step, order 4 [Kutta1901].

k1 = f(t, y),  k2 = f(t + h/2, y + h/2 k1),  k3 = f(t + h/2, y + h/2 k2)
k4 = f(t + h, y + h k3),      y <- y + h (k1 + 2 k2 + 2 k3 + k4) / 6
"""

from .tableau import Tableau

TABLEAU = Tableau(
    order=4,
    c=(0.0, 1 / 2, 1 / 2, 1.0),
    a=((1 / 2,), (0.0, 1 / 2), (0.0, 0.0, 1.0)),
    b=(1 / 6, 1 / 3, 1 / 3, 1 / 6),
)
