"""Stiff equations of the Test Set for IVP Solvers [Mazzia2008] with their reference end values."""

from __future__ import annotations

import numpy as np

import kinetree as kt


def robertson(t, y, ydot):
    ydot[0] = -0.04 * y[0] + 1e4 * y[1] * y[2]
    ydot[2] = 3e7 * y[1] ** 2
    ydot[1] = -ydot[0] - ydot[2]


def oregonator(t, y, ydot):
    ydot[0] = 77.27 * (y[1] + y[0] * (1.0 - 8.375e-6 * y[0] - y[1]))
    ydot[1] = (y[2] - (1.0 + y[0]) * y[1]) / 77.27
    ydot[2] = 0.161 * (y[0] - y[2])


def hires(t, y, ydot):
    ydot[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007
    ydot[1] = 1.71 * y[0] - 8.75 * y[1]
    ydot[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4]
    ydot[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3]
    ydot[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6]
    ydot[5] = -280.0 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6]
    ydot[6] = 280.0 * y[5] * y[7] - 1.81 * y[6]
    ydot[7] = -ydot[6]


# function, start, end, reference there, absolute tolerance / rtol: where a component counts as zero
PROBLEMS = {
    "robertson": (
        robertson,
        [1.0, 0.0, 0.0],
        1e11,
        [2.083340149701255e-08, 8.333360770334713e-14, 0.999999979166505],
        [1e-8, 1e-14, 1e-2],
    ),
    "oregonator": (
        oregonator,
        [1.0, 2.0, 3.0],
        360.0,
        [1.000814870318523, 1228.178521549917, 132.0554942846706],
        1e-2,
    ),
    "hires": (
        hires,
        [1.0, 0, 0, 0, 0, 0, 0, 0.0057],
        321.8122,
        [
            0.0007371312573325668,
            0.0001442485726316185,
            5.888729740967575e-05,
            0.001175651343283149,
            0.002386356198831331,
            0.006238968252742796,
            0.002849998395185769,
            0.002850001604814231,
        ],
        1e-4,
    ),
}


def solve(name, rtol, **options):
    f, start, until, reference, scale = PROBLEMS[name]
    atol = rtol * np.broadcast_to(scale, len(start))
    sol = kt.solve_ode(f, start, until, rtol=rtol, atol=atol, **options)
    return sol, np.abs(sol.y[-1] - reference) / np.abs(reference)
