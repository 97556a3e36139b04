"""Ends of steps of fixed length, and the cubic inside them.

Step i of a segment ends at t_start + i h, without summing up rounding errors. The last one ends
exactly on t_end, and is shorter if h does not divide the segment. A fixed step cannot be shortened,
so any failure ends the run.
"""

from ....kernel.decorators import inline


@inline
def steps_taken(memory):
    """Number of steps in this segment so far."""
    return memory.accepted - memory.steps_before


@inline
def length(memory, control):
    """Length of the next step."""
    return control.h_last if steps_taken(memory) + 1 == control.steps else control.h_fixed


@inline
def target(memory, control):
    """Time at the end of the next step."""
    i = steps_taken(memory) + 1
    return control.t_end if i == control.steps else control.t_start + i * control.h_fixed


@inline
def hermite(s, h, y, slope, y_end, slope_end):
    """Cubic through both ends of a step and their slopes, at t + s h [Hairer1993, sec. II.6].

    (1 - s) y + s Y + s (s - 1) ((1 - 2 s)(Y - y) + (s - 1) h f + s h F)
    """
    bend = (1.0 - 2.0 * s) * (y_end - y) + (s - 1.0) * h * slope + s * h * slope_end
    return (1.0 - s) * y + s * y_end + s * (s - 1.0) * bend
