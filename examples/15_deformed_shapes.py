"""Deformed shapes in one figure, colored by strain; mode shapes; buckled shapes.

A slider-crank has a rod of hard rubber. It is driven at three turns per second. The picture shows twelve times of one
turn. The natural frequencies of a cantilever and the buckling load of a strut are compared with their formulas.
"""

import sys

import numpy as np

import kinetree as kt

FOLDER = sys.argv[sys.argv.index("--pictures") + 1] if "--pictures" in sys.argv else None

# --- times of one run -----------------------------------------------------------------------------------------------------
m = kt.Model("whipping slider-crank", gravity=(0, 0, -9.81))
rubber = kt.Section.rectangle(width=0.02, height=0.02, E=3e7, density=1200.0)
crank = m.body("crank", kt.rod(mass=0.3, length=0.15, along="x"), position=(0.075, 0, 0))
rod = m.beam("rod", [(0.15, 0, 0), (0.65, 0, 0)], rubber, elements=16, damping=1e-3)
block = m.body("block", kt.box(0.15, (0.06, 0.05, 0.05)), position=(0.65, 0, 0))
hinge = kt.Revolute(axis="y")
m.joint("A", hinge, m.ground, crank, at=(0, 0, 0))
m.joint("B", hinge, crank, rod.end("-"), at=(0.15, 0, 0))
m.joint("C", hinge, rod.end("+"), block, at=(0.65, 0, 0))
m.joint("slide", kt.Translational(axis="x"), m.ground, block, at=(0.65, 0, 0))
m.constraint("drive", kt.Driver("A.angle", kt.Ramp(slope=6.0 * np.pi)))
sol = kt.simulate(m, until=1.0, rtol=1e-5, output_interval=1.0 / 36)
line, curvature = sol.beams["rod"].position, sol.beams["rod"].curvature
strain = 0.5 * 0.02 * np.abs(curvature[:, :, 1]) + np.abs(
    sol.beams["rod"].strain[:, :, 0]
)  # of the fiber with the largest strain
print(
    f"{sol.statistics['accepted']} steps, energy balanced to {sol.energy.imbalance:.1e}, "
    f"strain up to {100 * strain.max():.1f} %"
)

# CHECK energy is balanced with the work of driver and damping, with adapted steps (exact discrete derivatives)
assert sol.energy.imbalance < 1e-9

# --- modes and buckled shapes ---------------------------------------------------------------------------------------------
steel = kt.Section.rectangle(width=0.05, height=0.01, E=2.1e11, density=7850.0)
shelf = kt.Model("cantilever", gravity=(0, 0, 0))
board = shelf.beam("board", [(0, 0, 0), (1, 0, 0)], steel, elements=24)
shelf.joint("wall", kt.Fixed(), shelf.ground, board.end("-"))
modes = kt.vibrations(shelf, count=8)
bending = [
    k
    for k in range(8)
    if np.abs(modes.shapes[k, :, 2]).max() > 10.0 * np.abs(modes.shapes[k, :, 1]).max()
][:3]

# CHECK the roots of cos b cosh b = -1 give the frequencies b^2 sqrt(EI / mu) / 2 pi L^2 of a slender cantilever
roots = np.array([1.87510407, 4.69409113, 7.85475744])
exact = roots**2 * np.sqrt(steel.stiffness[4, 4] / steel.mass) / (2.0 * np.pi)
print(
    "bending of the cantilever:",
    ", ".join(f"{modes.frequencies[k]:.3f}" for k in bending),
    "Hz; slender:",
    exact.round(3),
)
assert np.abs(modes.frequencies[bending] / exact - 1.0).max() < 3e-3

strut = kt.Model("strut", gravity=(0, 0, 0))
column = strut.beam("column", [(0, 0, 0), (0, 0, 1)], steel, elements=24)
strut.joint("foot", kt.Fixed(), strut.ground, column.end("-"))
strut.force("weight", kt.PointForce((0, 0, -1.0)), column.end("+"))
loads = kt.buckling(strut)

# CHECK Euler's load of a strut that is clamped below and free above, pi^2 EI / 4 L^2
euler = np.pi**2 * steel.stiffness[4:, 4:].diagonal().min() / 4.0
print(f"the strut buckles at {loads.factors[0]:.1f} N; Euler: {euler:.1f} N")
assert abs(loads.factors[0] / euler - 1.0) < 2e-3


def colored(axes, x, z, values, most):
    """A line whose pieces are colored by a value per piece."""
    from matplotlib.collections import LineCollection

    pieces = np.stack([np.column_stack([x[:-1], z[:-1]]), np.column_stack([x[1:], z[1:]])], axis=1)
    return axes.add_collection(
        LineCollection(
            pieces, array=values, cmap="viridis", clim=(0.0, most), linewidths=4, capstyle="round"
        )
    )


def moments(path):
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 3.6), layout="constrained")
    axes = figure.subplots()
    for k in range(12, 24):
        pin = line[k, 0]
        axes.plot([0.0, pin[0]], [0.0, pin[2]], color="0.75", linewidth=3, zorder=0)
        axes.plot(
            *sol["block.position"][k, [0, 2]], marker="s", markersize=11, color="0.6", zorder=0
        )
        drawn = colored(
            axes, line[k, :, 0], line[k, :, 2], 100.0 * strain[k], 100.0 * strain[12:24].max()
        )
    axes.set(aspect="equal", xlabel="x [m]", ylabel="z [m]", title="twelve moments of one turn")
    axes.margins(0.04)
    figure.colorbar(drawn, label="largest strain [%]", shrink=0.8)
    figure.savefig(path, dpi=110)


def shapes(path):
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(2, 1))
    x = np.linspace(0.0, 1.0, 25)
    for k in bending:
        w = modes.shapes[k, :, 2]
        left.plot(
            x,
            w / np.abs(w).max() * np.sign(w[-1]),
            label=f"{modes.frequencies[k]:.1f} Hz",
            linewidth=2,
        )
    left.set(xlabel="x [m]", ylabel="deflection", title="bending modes of a cantilever")
    left.legend()
    weak = int(np.abs(loads.shapes[0, :, :2]).max(0).argmax())
    for factor, shape in zip(loads.factors, loads.shapes):
        w = shape[:, weak]
        if np.abs(w).max() > np.abs(shape[:, 1 - weak]).max():
            right.plot(
                w / np.abs(w).max() * np.sign(w[-1]), x, label=f"{factor:.0f} N", linewidth=2
            )
    right.set(xlabel="deflection", ylabel="z [m]", title="buckled struts")
    right.legend()
    figure.savefig(path, dpi=110)


if FOLDER is not None:
    moments(f"{FOLDER}/beam-moments.png")
    shapes(f"{FOLDER}/beam-shapes.png")
