"""Every joint, force element, constraint and time function has a figure, and the figures are true."""

import ast
import importlib
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import kinetree as kt
from kinetree.elements.constraints.catalogue import CONSTRAINTS, COUPLINGS, PRIMITIVES
from kinetree.elements.forces.catalogue import FORCES
from kinetree.elements.joints.catalogue import JOINTS
from kinetree.elements.signals.catalogue import SIGNALS
from kinetree.models.vehicles import DoubleWishbone

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))
figures = importlib.import_module("workshop.figures")
beams = importlib.import_module("workshop.figures.beams")
OWN = {entry.joint.kind for entry in JOINTS}  # rows that joints bring themselves are no primitives


def hyphened(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


WANTED = [
    *(f"joint-{entry.joint.kind}" for entry in JOINTS),
    *(f"force-{entry.force.kind}" for entry in FORCES),
    *(f"constraint-{constraint.kind}" for constraint in CONSTRAINTS),
    *(f"constraint-{hyphened(maker.__name__)}" for maker in COUPLINGS),
    *(f"constraint-{p.name}" for p in PRIMITIVES if p.name not in OWN),
    *(f"signal-{signal.kind}" for signal, _ in SIGNALS),
    "section-centers",
    "beam-nodes",
    "hard-points-double-wishbone",
]


def labels(draw) -> set[str]:
    """The texts of a figure."""
    import matplotlib.pyplot as plt

    figure = draw()
    found = {t.get_text() for axes in figure.axes for t in axes.texts}
    plt.close(figure)
    return found


def test_every_entry_of_the_catalogues_has_a_figure():
    assert sorted(set(WANTED) - set(figures.figures())) == []


@pytest.mark.parametrize("name", sorted(set(WANTED)))
def test_a_figure_is_drawn_as_svg_with_text(name, tmp_path):
    path = tmp_path / f"{name}.svg"
    figures.save(figures.figures()[name](), path)
    root = ET.parse(path).getroot()
    assert root.tag.endswith("svg")
    assert len(root.findall(".//{http://www.w3.org/2000/svg}path")) > 3


@pytest.mark.parametrize("joint", [e.joint for e in JOINTS], ids=lambda j: j.kind)
def test_the_figure_of_a_joint_names_all_its_coordinates(joint):
    found = " ".join(labels(figures.figures()[f"joint-{joint.kind}"]))
    words = set(re.findall(r"\w+", found))
    quaternion = {"qw", "qx", "qy", "qz"}
    wanted = (set(joint.labels) - quaternion) | {s for s in joint.speeds if s[0] == "w"}
    assert wanted <= words


def test_the_hard_points_of_the_figure_are_those_of_the_class_and_of_the_example():
    fields = DoubleWishbone.__dataclass_fields__
    named = {name for name, field in fields.items() if field.type == "Point"}
    tree = ast.parse((ROOT / "examples" / "12_double_wishbone_car.py").read_text(encoding="utf-8"))
    front = next(n.value for n in tree.body if isinstance(n, ast.Assign))
    given = {k.arg: ast.literal_eval(k.value) for k in front.keywords if k.arg in named}
    assert given == beams.HARD_POINTS


def test_a_curve_of_friction_agrees_with_the_element():
    """The curve in the figure has the parameters of an element that is run at two speeds."""
    from workshop.figures.joint_forces import friction_curve

    given = {"coulomb": 0.7, "static": 1.2, "stribeck": 0.35, "viscous": 0.18, "transition": 0.04}
    for speed in (0.05, -1.5):
        model = kt.Model("wheel", gravity=(0, 0, 0))
        wheel = model.body("wheel", kt.rotor(inertia=0.5, mass=1.0))
        model.joint("A", kt.Revolute("z"), model.ground, wheel, speed={"angle": speed})
        model.force("friction", kt.JointFriction("A.angle", **given))
        sol = kt.simulate(model, until=1e-3)
        assert sol["friction.torque"][0] == pytest.approx(friction_curve(np.array(speed), **given))


def test_a_tyre_that_drifts_to_the_left_is_pushed_to_the_right():
    """The signs of the figure of a tyre: alpha > 0 gives F_y < 0, kappa > 0 gives F_x > 0."""
    law = kt.tyres.Fiala(cornering=6e4, longitudinal=8e4, friction=0.9, trail=0.02)
    side = kt.tyres.evaluate(law, load=4000.0, alpha=0.05)
    assert side[1] < 0.0 < side[4]
    assert kt.tyres.evaluate(law, load=4000.0, kappa=0.05)[0] > 0.0
    assert kt.tyres.evaluate(law, load=4000.0, kappa=-0.05)[0] < 0.0
