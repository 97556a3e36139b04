"""Where the steps of fixed length end.

Step i of a stretch ends at t_start + i h, without summing up rounding errors; the last one ends
exactly on t_end and is shorter if h does not divide the stretch. A fixed step has no other length
to fall back on: any failure ends the run.
"""

from ....kernel.decorators import inline


@inline
def taken(memory):
    """Steps of this stretch so far."""
    return memory.accepted - memory.steps_before


@inline
def length(memory, control):
    """Length of the coming step."""
    return control.h_last if taken(memory) + 1 == control.steps else control.h_fixed


@inline
def target(memory, control):
    """Time at the end of the coming step."""
    i = taken(memory) + 1
    return control.t_end if i == control.steps else control.t_start + i * control.h_fixed
