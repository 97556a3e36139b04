"""Dormand-Prince 5(4): adaptive, order 5, with continuous extension of order 4 [Dormand1980;
Hairer1993].

The slope at the new state enters the error; it is evaluated again only if the projection moved that
state. Step lengths follow h <- 0.9 h error^-0.17 error_old^0.04   [Hairer1993, sec. IV.2].
"""

from .tableau import Tableau

B = (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84)
TABLEAU = Tableau(
    order=5,
    power=0.17,
    past=0.04,
    b=B,
    c=(0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1),
    a=(
        (1 / 5,),
        (3 / 40, 9 / 40),
        (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    ),
    error=(71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40),
    inside=(
        (
            -12715105075 / 11282082432,
            0,
            87487479700 / 32700410799,
            -10690763975 / 1880347072,
            701980252875 / 199316789632,
            -1453857185 / 822651844,
            69997945 / 29380423,
        ),
    ),
)
