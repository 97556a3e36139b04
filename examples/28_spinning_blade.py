"""A blade of finite elements on a shaft: rotation makes it stiffer.

The blade is meshed, reduced and put on a shaft. Its flapwise frequencies at several speeds are those of the table of
Wright for a beam without a hub. The stretch at each speed is found first, since it carries the tension.
"""

import numpy as np

import kinetree as kt

blade = kt.fe.block((1.0, 0.06, 0.02), (16, 1, 1), E=7e10, poisson=0.0, density=2700.0)
part = blade.reduce({"root": "x-", "tip": "x+"}, upto=400.0, damping=0.0)
unit = np.sqrt(7e10 * 0.02**2 / 12 / 2700.0)  # sqrt(E I / (rho A L^4)), rad/s


def flap(speed):
    """Frequency (rad/s) of the first flapwise mode at a speed (rad/s)."""
    q = np.zeros(part.n)
    for _ in range(5):  # the stretch at this speed
        m = kt.Model("blade", gravity=(0, 0, 0))
        start = {f"mode{k + 1}": float(x) for k, x in enumerate(q)}
        body = m.flexible("blade", part, start=start)
        m.joint("shaft", kt.Revolute(axis="z"), m.ground, body.at("root"), speed={"angle": speed})
        equations = kt.equations(m)
        q = q + equations.f[1:] / (part.mass * part.K)
    return np.abs(np.linalg.eigvals(kt.linearize(m).A).imag)


table = {0: 3.5160, 1: 3.6816, 3: 4.7973, 6: 7.3604}  # frequency by speed, both over the unit
off = []
for ratio, expected in table.items():
    frequencies = flap(ratio * unit) / unit
    found = frequencies[np.abs(frequencies - expected).argmin()]
    off.append(found / expected - 1.0)
    print(f"speed {ratio}: {found:.4f}, in the table {expected:.4f}")

# the blade is plucked at the third of these speeds
m = kt.Model("plucked blade", gravity=(0, 0, 0))
body = m.flexible("blade", part, start={"mode1": 0.01})
m.joint("shaft", kt.Revolute(axis="z"), m.ground, body.at("root"), speed={"angle": 3.0 * unit})
sol = kt.simulate(m, until=0.2, rtol=1e-5)

# CHECK flapwise frequencies of a spinning cantilever [Wright1982]; the mesh has shear and rotary inertia, 2e-4 here
assert np.abs(off).max() < 1e-3
