"""Conversion factors to SI units: multiply by them, as in `120 * INCH`.

Data of published systems have one of three tags:

    [stated]    printed in the cited publication
    [sourced]   taken from another publication, which is cited
    [proposed]  chosen here because the publication gives no value; replaceable
"""

import math

INCH = 0.0254  # m, exact (international yard and pound agreement of 1959)
FOOT = 12 * INCH
POUND = 0.45359237  # kg, exact (same agreement)
STANDARD_GRAVITY = 9.80665  # m/s^2, exact (3rd CGPM, 1901)
POUND_FORCE = POUND * STANDARD_GRAVITY  # N
KILOMETRE_PER_HOUR = 1000.0 / 3600.0  # m/s
KILONEWTON = 1000.0  # N
DEGREE = math.pi / 180.0  # rad
