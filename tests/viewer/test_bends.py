"""Flexible parts are drawn bent and colored by their strain: beams by their nodes, flexible links
by their modes.
"""

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.viewer.colours import STRAIN, rgb, strained
from kinetree.viewer.motion import of_solution
from kinetree.viewer.pack import as_json
from kinetree.viewer.scene import scene_of, scene_of_model
from kinetree.viewer.triangles import smooth, tube

WIDE, HIGH = 0.02, 0.03


def cantilever() -> kt.Model:
    """A blade clamped to the ground, with a force at its end."""
    m = kt.Model("blade", gravity=(0, 0, 0))
    beam = m.beam(
        "blade",
        [(0, 0, 1), (1, 0, 1)],
        kt.Section.rectangle(WIDE, HIGH, E=2e11, density=7800.0),
        elements=6,
    )
    m.joint("clamp", kt.Fixed(), m.ground, beam.end("-"))
    m.force("push", kt.PointForce((0, 0, 40.0)), beam.end("+"))
    return m


@cache
def blade_run():
    return kt.simulate(cantilever(), 0.02, integrator="energy-conserving", step=0.001)


def boom(depth: float = 0.1) -> kt.Arm:
    arm = kt.Arm("arm")
    link = arm.link(
        "boom", "A", length=2.0, density=3.0, EI=2000.0, modes=2, start=0.3, depth=depth
    )
    arm.link("jib", "B", on=link, length=1.0, density=2.0, start=-0.5)
    return arm


@cache
def boom_run():
    return kt.simulate(boom().model(), 0.05)


def test_a_beam_is_drawn_along_its_nodes_and_its_nodes_are_not():
    sol = blade_run()
    scene = scene_of([sol])
    (strip,) = scene.strips
    assert_allclose(
        strip.points[-1], [sol[f"blade.{k}.position"][-1] for k in range(7)], atol=1e-12
    )
    assert scene.things[strip.of].name == "blade" and not any(
        thing.name.startswith("blade.") for thing in scene.things
    )
    assert strip.sides == (WIDE, HIGH) and strip.across is not None


def test_the_strain_of_a_bent_blade_is_that_of_its_outer_fibre():
    """M h / 2 EI at the clamp, with M = EI k of the first element; at the free end only the
    extrapolated value.
    """
    sol = blade_run()
    strip = scene_of([sol]).strips[0]
    k = int(np.abs(sol["blade.element0.curvature.y"]).argmax())
    inner = 0.5 * HIGH * np.abs([sol[f"blade.element{e}.curvature.y"][k] for e in range(6)])
    # and an axial strain of second order
    assert_allclose(strip.strain[k, 1:-1], 0.5 * (inner[1:] + inner[:-1]), rtol=1e-3)
    assert strip.strain[k, 0] > strip.strain[k, 3] > strip.strain[k, 6] >= 0.0


def test_a_flexible_link_is_drawn_from_its_joint_to_its_deflected_tip():
    sol = boom_run()
    scene = scene_of([sol])
    (strip,) = scene.strips
    assert_allclose(strip.points[:, -1], sol["boom_tip.position"], atol=1e-9)
    assert_allclose(strip.points[:, 0], 0.0, atol=1e-12)
    assert_allclose(strip.strain[:, [4, 8, 12, 16]], np.abs(sol["boom.strain"]), atol=1e-15)
    straight = strip.points[-1, 0] + np.linspace(0, 1, 17)[:, None] * (
        strip.points[-1, -1] - strip.points[-1, 0]
    )
    assert np.abs(strip.points[-1] - straight).max() > 1e-4  # m: not a straight line


def test_the_strain_of_a_link_is_half_its_depth_times_its_curvature():
    """By differences of its deflection."""
    sol, link = boom_run(), boom().links[0]
    x, h = 1.0, 1e-3
    modal = np.column_stack([sol[f"boom_mode{k}.displacement"] for k in (1, 2)])
    u = [modal @ [float(one.psi(x + d)) for one in link.modes] for d in (-h, 0.0, h)]
    seen = -0.05 * (u[0] - 2 * u[1] + u[2]) / h**2
    # accuracy of the difference
    assert_allclose(sol["boom.strain.50"], seen, atol=1e-5 * np.abs(seen).max())
    assert "boom.strain" not in kt.simulate(boom(0.0).model(), 1e-3).channels


@pytest.mark.parametrize("model", [cantilever, lambda: boom().model()], ids=["beam", "link"])
def test_a_model_without_a_run_is_drawn_straight_and_without_a_scale(model):
    scene = scene_of_model(model())
    (strip,) = scene.strips
    assert strip.strain is None and scene.most_strain == 0.0 and as_json(scene)["strain"] is None
    middle = 0.5 * (strip.points[0, 0] + strip.points[0, -1])
    assert_allclose(strip.points[0, len(strip.points[0]) // 2], middle, atol=1e-12)


def test_other_runs_are_drawn_at_the_same_times_in_their_own_color():
    other = kt.simulate(boom().model(), 0.04, state={"A.angle": 0.6})
    first, second = scene_of([boom_run(), other]).strips
    assert (
        second.strain is None
        and second.paint != first.paint
        and len(second.points) == len(first.points)
    )
    tip = np.interp(0.02, other.t, other["boom_tip.position.z"])
    times = of_solution(boom_run()).t
    assert np.interp(0.02, times, second.points[:, -1, 2]) == pytest.approx(tip, abs=1e-3)


def test_packed_strips_are_restored_to_sixteen_bits():
    scene = scene_of([blade_run()])
    packed = as_json(scene)["strips"][0]
    import base64

    raw = np.frombuffer(base64.b64decode(packed["points"]["data"]), "<u2").reshape(-1, 3)
    points = (np.array(packed["points"]["low"]) + raw * packed["points"]["step"]).reshape(
        scene.strips[0].points.shape
    )
    assert packed["points"]["row"] == 21
    assert_allclose(points, scene.strips[0].points, atol=np.ptp(points) / 65535)


def test_colours_run_from_the_first_to_the_last_of_the_scale():
    assert_allclose(
        strained(np.array([0.0, 1.0, 2.0])), [rgb(STRAIN[0]), rgb(STRAIN[-1]), rgb(STRAIN[-1])]
    )
    light = strained(np.linspace(0, 1, 20)) @ (0.2126, 0.7152, 0.0722)
    assert (np.diff(light) < 0.0).all()  # each darker than the one before, for color-blind readers


def test_curves_pass_through_their_points_and_lids_close_them():
    points = np.array([(0.0, 0, 0), (1, 0, 0.2), (2, 0, 0), (3, 0.5, 0)])
    assert_allclose(smooth(points, 4)[::4], points)
    surface = tube(smooth(points, 4), 0.1, 12, 0.5, None, capped=True)
    a, b, c = (surface.corners[surface.triangles[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0
    length = np.linalg.norm(np.diff(smooth(points, 4), axis=0), axis=1).sum()
    around = 6.0 * np.sin(np.pi / 6.0) * 0.1 * 0.05  # area of an ellipse with twelve corners
    # a closed surface; rings at corners are not exactly normal to the line
    assert volume == pytest.approx(around * length, rel=0.03)
