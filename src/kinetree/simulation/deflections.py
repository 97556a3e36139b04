"""Warning about flexible bodies that leave the range of their modes.

Modes with terms of second order hold for moderate deflections w. A load P at the end of a cantilever
gives

    w / L = a / 3 - 4 a^3 / 105 + ...,      a = P L^2 / (E I)

and modes the first term alone: at w = L / 10 they are 1 % off. The size of the second-order
displacement is a further sign.
"""

from __future__ import annotations

import warnings

from ..results.solution import Solution

FIRST, SECOND = 0.1, 0.01  # displacements of first and of second order, over the size of the part


class LargeDeflection(UserWarning):
    """Warning about a flexible body that deflects beyond the range of its modes."""


def warn_of_deflections(sol: Solution) -> None:
    """Warn of the flexible body that deflects most, if it is too much."""
    if not len(sol.compiled.tables.flexible):
        return
    name, (first, second) = max(
        ((name, motion.beyond) for name, motion in sol.flexible.items()), key=lambda one: one[1]
    )
    if first > FIRST or second > SECOND:
        warnings.warn(
            f"flexible body {name!r} deflects by {100 * first:.3g} % of its size, with a part of "
            f"second order of {100 * second:.2g} %. Its modes hold up to some {100 * FIRST:g} % and "
            f"{100 * SECOND:g} %. Divide it into several parts, or use a beam.",
            LargeDeflection,
            stacklevel=5,
        )
