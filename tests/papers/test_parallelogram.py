"""The rigid parallelogram: its null space, its degrees of freedom, and the positions where it
folds.
"""

import numpy as np
import pytest

import kinetree as kt
from kinetree.analysis.topology import singularity
from kinetree.apps.papers.parallelogram import BASES, JOINTS, V2, parallelogram, projector
from kinetree.assembly.prepare import prepare
from kinetree.models.catalogue import MODELS


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_parallelogram_is_drawn_closed(sign):
    found = prepare(parallelogram(0.4, 0.9, 2.0, 0.7, sign))
    assert found.violation_before <= 1e-14 and found.mobility == 2
    angles = [found.coordinates[f"{joint}.angle"] for joint in JOINTS]
    assert angles[1] - angles[2] == pytest.approx(0.0 if sign > 0 else -np.pi) and angles[
        2
    ] + angles[3] == pytest.approx(0.0)


@pytest.mark.parametrize("basis", BASES)
def test_every_basis_gives_the_projector_of_the_paper(basis):
    np.testing.assert_allclose(
        projector(prepare(parallelogram(-0.8, 2.1)), basis), V2 @ V2.T, atol=1e-12
    )


@pytest.mark.parametrize("angle", [0.0, np.pi])
def test_a_folded_parallelogram_is_at_a_change_point_and_the_loop_is_named(angle):
    report = singularity(parallelogram(0.3, angle))
    assert report.singular and (report.rank, report.nearby) == (1, 2) and report.value < 1e-14
    assert report.loops == {"C": ("B", "C", "D", "A3")}
    assert "change point" in str(report) and "'C'" in str(report) and "start=" in str(report)


@pytest.mark.parametrize("entry", MODELS, ids=lambda e: e.name)
def test_built_in_models_start_at_regular_positions(entry):
    """Also those with redundant equations everywhere."""
    assert not singularity(entry.build()).singular


def test_a_driven_mechanism_at_a_dead_center_is_singular():
    """A piston that is driven while crank and rod are in line: the crank can go either way."""

    def machine(angle: float) -> kt.Model:
        m = kt.Model("dead centre")
        tip, foot = (
            np.array([np.cos(angle), 0, np.sin(angle)]),
            np.array([np.cos(angle) + np.sqrt(4 - np.sin(angle) ** 2), 0, 0]),
        )
        crank = m.body("crank", kt.rod(1.0, 1.0, along=tip), position=tip / 2)
        rod = m.body("rod", kt.rod(1.0, 2.0, along=foot - tip), position=(tip + foot) / 2)
        piston = m.body("piston", kt.sphere(1.0, 0.1), position=foot)
        m.joint("A", kt.Revolute(), m.ground, crank, at=(0, 0, 0), axis="y")
        m.joint("B", kt.Revolute(), crank, rod, at=tip, axis="y")
        m.joint("C", kt.Revolute(), rod, piston, at=foot, axis="y")
        m.joint("slide", kt.Translational(axis="x"), m.ground, piston)
        m.constraint("pull", kt.Driver("slide.displacement", kt.Constant(foot[0])))
        return m

    assert singularity(machine(0.0)).singular and "pull" in str(singularity(machine(0.0)))
    assert not singularity(machine(0.6)).singular
