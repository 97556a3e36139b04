"""The scene of models and runs: everything is at the position of the results, has a shape, and is
visible from every side.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.elements.constraints.catalogue import CONSTRAINTS
from kinetree.elements.forces.catalogue import FORCES
from kinetree.elements.joints.catalogue import JOINTS
from kinetree.errors import ModelError, NameNotFound
from kinetree.models.catalogue import MODELS, model_entry
from kinetree.viewer.bodies import reach
from kinetree.viewer.camera import Camera
from kinetree.viewer.element_looks import LOOKS
from kinetree.viewer.ground import Posts
from kinetree.viewer.joint_looks import PIECES
from kinetree.viewer.labels import Place
from kinetree.viewer.motion import Motion, of_solution
from kinetree.viewer.scene import scene_of, scene_of_model, scene_of_motions
from kinetree.viewer.views import VIEWS

from .machines import chain, every_joint, run, wandering


def test_a_model_is_drawn_like_the_start_of_its_run():
    for name in ("rssr", "excavator"):
        at_rest, moving = scene_of_model(run(name).model), scene_of([run(name)])
        assert_allclose(
            np.array(at_rest.poses)[:, 0, :3], np.array(moving.poses)[:, 0, :3], atol=1e-9
        )
        turned = np.abs(
            np.einsum(
                "bk,bk->b", np.array(at_rest.poses)[:, 0, 3:], np.array(moving.poses)[:, 0, 3:]
            )
        )
        assert_allclose(turned, 1.0, rtol=1e-9)


def test_a_loop_that_cannot_close_is_drawn_open():
    m = kt.Model()
    a, b = (m.body(name, kt.rod(1.0, 1.0, along="x")) for name in "ab")
    m.joint("j", kt.Revolute(axis="y"), m.ground, a.end("-"))
    m.joint("k", kt.Revolute(axis="y"), a.end("+"), b.end("-"))
    m.joint("l", kt.Revolute(axis="y"), m.ground.at(5, 0, 0), b.end("+"))
    scene = scene_of_model(m)
    assert {t.name for t in scene.things} == {"a", "b", "j", "k", "l"}
    assert "does not close" in scene.title


def test_every_joint_has_a_shape():
    """All named parts exist; only a joint without constraints has no shape."""
    assert [entry.joint for entry in JOINTS if not set(entry.joint.look) <= set(PIECES)] == []
    assert [
        entry.joint for entry in JOINTS if bool(entry.joint.look) != bool(entry.joint.cut)
    ] == []


def test_the_shapes_named_by_elements_exist():
    named = {entry.force.look for entry in FORCES} | {constraint.look for constraint in CONSTRAINTS}
    assert named - {""} == set(LOOKS)


def test_joints_are_drawn_where_they_are():
    m = every_joint()
    scene = scene_of_model(m)
    for k, name in enumerate(list(m.joints)[:-1]):
        thing = next(i for i, t in enumerate(scene.things) if t.name == name)
        p = next(reach(s.shape)[:, :3].mean(axis=0) for s in scene.solids if s.of == thing)
        assert np.linalg.norm(p - (k, 0, 1)) < 0.1 * scene.size
    assert "bird" in [t.name for t in scene.things]
    assert "bird.free" not in [t.name for t in scene.things]


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_points_of_the_scene_move_as_the_channels_say(coordinates):
    sol = run("rssr", coordinates=coordinates)
    scene = scene_of([sol])
    end = sol.model.bodies["crank"].properties.ends["+"]
    frame = 1 + list(sol.model.bodies).index("crank")
    assert_allclose(scene.path(Place(frame, np.array(end))), sol["crank.end+.position"], atol=1e-12)


def test_the_scene_has_the_requested_number_of_frames():
    scene = scene_of([run("rssr")], frames=7)
    assert len(scene.times) == 7
    assert scene.times[0] == 0.0 and scene.times[-1] == run("rssr").t[-1]
    assert {len(pose) for pose in scene.poses} == {7}
    with pytest.raises(ModelError, match="frames"):
        scene_of([run("rssr")], frames=0)


@pytest.mark.parametrize("entry", MODELS, ids=lambda e: e.name)
def test_every_view_contains_every_built_in_model(entry):
    scene = scene_of_model(entry.build())
    for name, angles in VIEWS.items():
        lens = Camera.fitted(scene.hull, *(angles or scene.view), 900, 500, flat=angles is not None)
        for solid in scene.solids:
            points = reach(solid.shape)[:, :3]
            where = np.array([scene.path(Place(solid.on, p))[0] for p in points])
            x, y, _ = lens.on_screen(where).T
            assert np.all((x > 0) & (x < 900) & (y > 0) & (y < 500)), (
                name,
                scene.things[solid.of].name,
            )
    # none if a car stands on flat ground
    standing = [reach(s.shape)[:, 2].min() for s in scene.solids if s.on == 0]
    assert scene.floor <= min(standing, default=np.inf) + 1e-9


def two_bodies(properties, points=()):
    m = kt.Model()
    body = m.body("b", properties, points=dict(points))
    m.joint("j", kt.Spherical(), m.ground, body.at(0, 0, 0))
    return [s.shape for s in scene_of_model(m).solids if s.on == 1 and s.of == 0]


def test_a_body_without_a_shape_is_drawn_from_its_points():
    (rod,) = two_bodies(kt.mass(1.0), {"tip": (1, 0, 0)})
    assert_allclose(sorted([rod.a[0], rod.b[0]]), [0.0, 1.0])
    plates = two_bodies(kt.mass(1.0), {"p": (1, 0, 0), "q": (0, 1, 0)})
    assert [type(p).__name__ for p in plates] == ["Plate", "Plate"]
    assert_allclose(plates[0].ring[:, :2], plates[1].ring[:, :2], atol=1e-12)
    star = two_bodies(
        kt.mass(1.0, com=(0.2, 0.2, 0.2)), {"p": (1, 0, 0), "q": (0, 1, 0), "r": (0, 0, 1)}
    )
    assert len(star) == 4 and all(np.allclose(s.a, 0.2) for s in star)
    ball = two_bodies(kt.mass(1.0))
    assert [type(p).__name__ for p in ball] == ["Sphere"]
    assert two_bodies(kt.mass(0.0)) == []


def test_the_rod_of_a_cylinder_never_leaves_its_barrel():
    m, t = kt.Model(), np.linspace(0.0, 1.0, 20)
    slider = m.body("slider", kt.box(1.0, (0.1, 0.1, 0.1)))
    m.joint("slide", kt.Translational(axis="x"), m.ground, slider)
    m.force(
        "jack",
        kt.HydraulicCylinder(0.05, 0.03, 0.6, 1e-5, 1e7, closed_length=0.5),
        m.ground,
        slider,
    )
    # more than twice as long at the end
    out = np.column_stack([0.5 + 0.55 * t, 0 * t, 0 * t, 1 + 0 * t, 0 * t, 0 * t, 0 * t])
    scene = scene_of_motions([Motion(m, t, {"slider": out})], "jack")
    span = next(s for s in scene.spans if s.kind == "telescope")
    length = np.linalg.norm(scene.path(span.b) - scene.path(span.a), axis=1)
    assert np.all(span.long < length)
    assert np.all(length < span.long + span.rod)


def test_a_further_run_is_shown_at_the_times_of_the_first():
    first, second = run("rssr"), run("rssr", samples=25, coordinates="cartesian")
    scene = scene_of([first, second], channels=["A.angle"])
    count = len(first.model.bodies)
    assert len(scene.poses) == 2 * count and len(scene.ghosts) == 1
    assert {len(pose) for pose in scene.poses} == {len(first.t)}
    for a, b in zip(scene.poses[:count], scene.poses[count:]):
        # linear between 25 samples: a h^2 / 8 with 40 m/s^2 and h = 0.04 s
        assert_allclose(a[:, :3], b[:, :3], atol=5e-3)
    assert [c.name for c in scene.curves] == ["A.angle", "A.angle (2)"]
    assert {s.paint for s in scene.solids if s.of >= scene.ghosts[0]} == {"#d6337f"}


def test_arrows_are_the_forces_of_the_results():
    sol = run("rssr")
    scene = scene_of([sol], forces=["B", "C"])
    assert scene.arrows_shown and [a.name for a in scene.arrows] == ["B.force", "C.force"]
    assert_allclose(scene.arrows[0].values, sol["B.force"])
    assert_allclose(scene.path(scene.arrows[0].at), sol["crank.end+.position"], atol=1e-9)
    assert scene.arrows[0].scale == scene.arrows[1].scale
    tips = scene.path(scene.arrows[0].at) + scene.arrows[0].scale * scene.arrows[0].values
    lens = Camera.fitted(scene.hull, *scene.view, 900, 500)
    x, y, _ = lens.on_screen(tips).T
    assert np.all((x > 0) & (x < 900) & (y > 0) & (y < 500))  # the view contains arrows as well
    assert not scene_of([sol]).arrows_shown


def test_a_torque_has_an_arrow_of_its_own():
    motor = next(a for a in scene_of([run("andrews")]).arrows if a.name == "motor.torque")
    assert motor.couple and motor.unit == "N m"
    assert_allclose(motor.values, np.tile([0, 0, 0.033], (len(motor.values), 1)))


@pytest.mark.parametrize(
    "what, word",
    [
        ({"traces": ["cranc"]}, "crank"),
        ({"traces": ["crank.tipp"]}, "end"),
        ({"forces": ["Bb"]}, "B"),
        ({"channels": ["A.angel"]}, "A.angle"),
    ],
)
def test_a_misspelt_name_gets_a_suggestion(what, word):
    with pytest.raises(NameNotFound, match=word):
        scene_of([run("rssr")], **what)


def test_channels_by_steps_are_refused():
    with pytest.raises(ModelError, match="at the steps"):
        scene_of([run("rssr")], channels=["step.size"])


def test_the_camera_follows_a_model_that_drives_away():
    m = kt.Model(gravity=(0, 0, 0))
    m.float(m.body("car", kt.box(1.0, (2, 1, 1)), velocity=(50, 0, 0)))
    m.float(m.body("dog", kt.box(1.0, (1, 0.5, 0.5)), position=(0, 2, 0), velocity=(50, 0, 0)))
    motion = of_solution(kt.simulate(m, 1.0))
    assert scene_of_motions([motion], "away").follow == 1
    assert scene_of([run("rssr")]).follow is None


def test_the_camera_does_not_follow_a_top_that_turns_about_a_fixed_point():
    """Its center of mass travels farther than its size, but the top stays where it is."""
    sol = kt.simulate(model_entry("heavy-top").build(), 2.0, output_interval=0.1)
    assert np.ptp(sol["top.position"][:, 0]) > 1.0
    assert scene_of([sol]).follow is None


def test_a_path_that_goes_round_and_round_has_a_tail():
    m = kt.Model(gravity=(0, 0, 0))
    rod = m.body("rod", kt.rod(1.0, 1.0, along="x"))
    m.joint("j", kt.Revolute(axis="z"), m.ground, rod.end("-"), speed={"angle": 60.0})
    scene = scene_of([kt.simulate(m, 1.0)])
    assert 0 < scene.traces[0].tail < 0.5 * len(scene.times)
    assert {t.tail for t in scene_of([run("rssr")]).traces} == {0}


def test_hubs_of_a_long_chain_are_not_larger_than_its_links():
    scene = scene_of_motions([wandering(chain(40), 2)], "chain")
    assert max(s.shape.radius for s in scene.solids if s.on > 0) < 0.02  # of links of 0.1 m


def test_only_solutions_can_be_animated():
    for wrong in ([], 5, [run("rssr"), "rssr"]):
        with pytest.raises(ModelError, match="animate: give a solution"):
            kt.animate(wrong)


def _never_pushes(t, x, xdot):
    return -1e3 * (x - 0.5) if x > 0.5 else 0.0


@pytest.mark.parametrize(
    "spec, kinds",
    [
        (kt.SpringDamper(100.0, 1.0), {"coil"}),
        (kt.SpringDamper(damping=5.0), {"telescope"}),
        (kt.SpringDamper(force=5.0), {"telescope"}),
        (kt.SpringDamper(law=kt.Polynomial(10.0, 2.0)), {"coil"}),
        (
            kt.SpringDamper(
                law=kt.Characteristic((-1.0, 0.0, 0.1), (0.0, 0.0, 50.0), smooth=False)
            ),
            {"bar"},
        ),
        (kt.SpringDamper(law=_never_pushes), {"bar"}),
        (kt.SpringDamper(law=lambda t, x, xdot: 0.5 - x), {"coil"}),
    ],
    ids=["spring", "damper", "actuator", "polynomial", "slack table", "slack law", "law"],
)
def test_springs_are_coils_dampers_are_dampers_and_ropes_are_lines(spec, kinds):
    m, t = kt.Model(), np.linspace(0.0, 1.0, 5)
    m.float(m.body("ball", kt.sphere(1.0, 0.1)))
    m.force("link", spec, m.ground, m.bodies["ball"])
    out = np.column_stack([0.5 + 0.2 * t, 0 * t, 0 * t, 1 + 0 * t, 0 * t, 0 * t, 0 * t])
    assert {s.kind for s in scene_of_motions([Motion(m, t, {"ball": out})], "link").spans} == kinds


def test_ground_points_that_are_close_share_a_post():
    """The grid against all pairs of random points."""
    near, points, done = 0.4, np.random.default_rng(0).uniform(-1.0, 1.0, (200, 3)), []
    posts = Posts(0.0, np.zeros(3))
    for p in points:
        close = any(np.linalg.norm(p - q) < near for q in done)
        assert posts._supported(p, near) == close
        if not close:
            done.append(p)
    assert 20 < len(done) < 180
