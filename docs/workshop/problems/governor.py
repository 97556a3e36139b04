"""IFToMM benchmark A05, the stiff flyball governor (Gonzalez, Dopico, Lugris, Cuadrado 2006).

The model is `kinetree.models.flyball_governor`. The benchmark prints curves only; the numbers are
those of an independent computation (three degrees of freedom, Radau at rtol 1e-11), good to 1e-10.
"""

HEIGHTS = {
    0.1: 0.5238364756,
    0.5: 0.7432494248,
    1.0: 0.5014209224,
    2.0: 0.5059092943,
    5.0: 0.5355631037,
    10.0: 0.6196229171,
}  # m, of the slider
SPIN, TILT = 5.5482036227, 0.3900737018  # rad/s and rad at 10 s
