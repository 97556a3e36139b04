"""What the figures of the theory pages show is what Kinetree computes."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

import kinetree as kt
import kinetree.api
from kinetree.engine.integrators.catalogue import INTEGRATORS
from kinetree.models.four_bar import four_bar
from kinetree.models.pendulum import pendulum

DOCS = Path(__file__).resolve().parents[2] / "docs"
sys.path.insert(0, str(DOCS))

from workshop.figures import charts, linkages, methods, papers  # noqa: E402


def test_a_positive_angle_about_y_turns_clockwise():
    """The pendulum swings to the left, and its z axis turns to the right."""
    sol = kt.simulate(pendulum(angle=0.6), until=0.01)
    assert sol["rod.position.x"][0] < 0.0
    w, _, y, _ = sol["rod.quaternion"][0]
    assert np.isclose(2.0 * w * y, np.sin(0.6))  # x component of the turned z axis


def test_the_drawn_four_bar_is_the_assembled_one():
    sol = kt.simulate(four_bar(), until=0.01)
    A, B, C, D = linkages.four_bar_points(sol["A.angle"][0])
    for drawn, name in ((B, "crank.end+"), (C, "coupler.end+"), (D, "rocker.end-")):
        assert np.allclose(drawn, sol[f"{name}.position"][0][[0, 2]], atol=1e-9)
    assert np.allclose(A, 0.0)


def test_both_drawn_assemblies_have_the_lengths_of_the_rods():
    for elbow in (1.0, -1.0):
        A, B, C, D = linkages.four_bar_points(-0.6, elbow)
        lengths = [np.hypot(*(q - p)) for p, q in ((A, B), (B, C), (D, C), (A, D))]
        assert np.allclose(lengths, [0.50, 1.20, 0.75, 1.10])
    assert linkages.four_bar_points(-0.6)[2][1] > linkages.four_bar_points(-0.6, -1.0)[2][1]


@pytest.mark.parametrize("z", [-0.9, -1.2, -1.4, -1.8])
def test_the_region_of_pece_shows_where_a_run_decays(z):
    """After 400 steps a growth of 0.9 or 1.1 per step cannot be overlooked."""
    h = 0.01

    def decay(t, y, ydot):
        ydot[0] = z / h * y[0]

    run = kt.solve_ode(decay, [1.0], 400 * h, integrator="adams-fixed", order=4, step=h)
    assert (abs(run.y[-1, 0]) < 1.0) == (methods.pece_growth(4, 4, z) < 1.0)


@pytest.mark.parametrize(
    ("order", "angle"), [(1, 90.0), (2, 90.0), (3, 86.03), (4, 73.35), (5, 51.84), (6, 17.84)]
)
def test_the_region_of_bdf_contains_the_published_sector(order, angle):
    """Angles of A(alpha) stability: [Hairer1996, sec. V.2]."""
    z = methods.bdf_boundary(order, 40001)
    left = z[z.real < -1e-9]
    found = np.degrees(np.abs(np.angle(-left))).min() if len(left) else 90.0
    assert np.isclose(found, angle, atol=0.01)  # two digits are published


def test_the_energy_conserving_rule_conserves_the_energy_of_the_quartic_spring():
    assert np.allclose(papers.spring_energy("energy-conserving"), 1.0, atol=1e-11)
    midpoint = papers.spring_energy("midpoint", steps=200)
    assert round(midpoint[:9].max()) == 12  # "12 times its first value within 8 steps"
    assert midpoint.max() < 13.35  # "never exceeds 13.3 times"


@pytest.mark.parametrize(("step", "loss"), [(0.02, 15), (0.01, 8), (0.005, 4)])
def test_the_basis_as_printed_loses_the_energy_that_the_page_states(step, loss):
    text = (DOCS / "theory" / "papers.md").read_text(encoding="utf-8")
    sol = papers.free_rotor_run("projection-literal", step)
    lost = 100.0 * (1.0 - sol["energy.kinetic"][-1] / sol["energy.kinetic"][0])
    assert round(lost) == loss
    assert re.search(r"loses\s+15, 8 and 4 % of its energy in 2 s", text)


def test_the_page_on_drift_states_the_gaps_of_the_figure():
    text = (DOCS / "theory" / "6-drift.md").read_text(encoding="utf-8")
    cm, share = re.search(r"opened by (\d) cm after a minute, (\d) %", text).groups()
    micrometers = re.search(r"the gap after a minute is (\d) µm", text)[1]
    free = {"formulation": "baumgarte", "stabilisation": 0.0}
    gap = kt.simulate(four_bar(), until=60.0, rtol=1e-4, **free).constraint_error.max()
    assert (f"{100 * gap:.0f}", f"{100 * gap / 0.75:.0f}") == (cm, share)
    gap = kt.simulate(four_bar(), until=60.0, rtol=1e-8, **free).constraint_error.max()
    assert f"{1e6 * gap:.0f}" == micrometers


def test_the_charts_name_functions_and_integrators_that_exist():
    def texts(figure):
        found = [t.get_text() for t in figure.axes[0].texts]
        __import__("matplotlib.pyplot").pyplot.close(figure)
        return "\n".join(found)

    names = re.findall(r"kt\.(\w+)", texts(charts.which_analysis()))
    assert len(names) > 6 and set(names) <= set(kinetree.api.__all__)
    words = set(re.findall(r"[\w-]+", texts(charts.which_integrator())))
    wanted = {"energy-conserving", "generalized-alpha", "switching", "bdf", "bdf-direct"}
    assert wanted | {"rk4", "dopri5", "adams"} <= words & {i.name for i in INTEGRATORS}
