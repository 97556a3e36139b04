"""Warning after a run in which user code switched inside long steps, where shorter contacts could
have been missed.
"""

from __future__ import annotations

import warnings

from ..description.lowering.user_steps import declared_steps, unseen
from ..errors import counted
from ..results.solution import Solution


class SwitchedInside(UserWarning):
    """Warning about user code that switched inside a step and declares no gap."""


def warn_of_switches(sol: Solution) -> None:
    """Warn if user code that declares nothing switched inside a step."""
    times = sol.result.switched
    if not times or None not in declared_steps(sol.compiled):
        return
    length, longest = sol.options["until"] - float(sol.t[0]), float(sol.steps.longest.max())
    warnings.warn(
        f"user code switched inside {counted(len(times), 'step')}, first at t = {times[0]:.6g} s; "
        "the steps were divided there. A contact or pulse shorter than "
        f"{unseen(sol.compiled, length, longest):.3g} s may have been missed. Declare a gap "
        "function, with which no contact is missed (see the recipe on contact), or breakpoints or "
        "longest_step.",
        SwitchedInside,
        stacklevel=5,
    )
