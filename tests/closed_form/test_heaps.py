"""Integrator "time-stepping" against closed forms: stacks, slopes, sliding, impacts, machines in heaps."""

import math

import numpy as np
import pytest

import kinetree as kt
from kinetree.engine.heaps import storage
from kinetree.engine.heaps.rows import PUSH
from kinetree.engine.heaps.storage import HARD

G, H = 9.81, 2e-3
S = kt.shapes
FLOOR = S.HalfSpace()


def run(model, until, step=H, **options):
    return kt.simulate(model, until, integrator="time-stepping", step=step, **options)


def stack(count, mass=1.0, side=0.2, friction=0.5):
    m = kt.Model("stack")
    shapes = [FLOOR.on(m.ground)]
    for k in range(count):
        box = m.body(f"box{k}", kt.box(mass, (side,) * 3), position=(0, 0, side * (k + 0.5)))
        m.float(box)
        shapes.append(S.Box((side,) * 3).on(box))
    m.contact_group("group", shapes, friction=friction)
    return m


def block(friction, speed=0.0, slope=0.0, restitution=0.0):
    """A box of 1 kg that slides along x; gravity is turned by the slope."""
    m = kt.Model("block", gravity=(G * math.sin(slope), 0.0, -G * math.cos(slope)))
    box = m.body("box", kt.box(1.0, (0.2, 0.2, 0.1)), position=(0, 0, 0.05), velocity=(speed, 0, 0))
    m.float(box)
    shapes = [FLOOR.on(m.ground), S.Box((0.2, 0.2, 0.1)).on(box)]
    m.contact_group("group", shapes, friction=friction, restitution=restitution)
    return m


def test_the_depth_of_a_stack_follows_from_its_load_and_the_regularization():
    sol = run(stack(10), 0.4)
    # four contacts carry nine boxes; each has the mobility 2 (1/m + (a^2 + a^2) 6/(m (2 a)^2)) = 8
    depth = H * HARD * 8.0 * (9.0 * G * H / 4.0) / PUSH
    assert abs(sol["group.gap"][-1] / -depth - 1.0) < 1e-2
    assert sol["group.count"][-1] == 40.0
    assert abs(sol["group.normal"][-1] - 55.0 * G) < 1e-3 * 55.0 * G


def test_a_stack_at_rest_does_not_creep():
    sol = run(stack(10), 1.0)
    for name in ("box0", "box9"):
        moved = sol[f"{name}.position"][-1] - sol[f"{name}.position"][len(sol.t) // 2]
        assert np.abs(moved).max() < 1e-9  # the tolerance of the velocities is 1e-6 m/s


def test_a_stack_of_light_and_heavy_boxes_stands():
    m = kt.Model("light and heavy")
    shapes = [FLOOR.on(m.ground)]
    for k in range(10):
        mass = 1000.0 if k % 2 else 1.0
        box = m.body(f"box{k}", kt.box(mass, (0.2,) * 3), position=(0, 0, 0.2 * k + 0.1))
        m.float(box)
        shapes.append(S.Box((0.2,) * 3).on(box))
    m.contact_group("group", shapes, friction=0.5)
    sol = run(m, 0.6)
    assert sol["group.gap"].min() > -1e-3
    assert abs(sol["box9.position.x"][-1]) < 1e-6
    assert abs(sol["group.force1_z"][-1] / (-5005.0 * G) - 1.0) < 1e-3


def test_a_block_slides_the_distance_of_coulomb_and_then_stands_still():
    mu, speed = 0.3, 2.0
    sol = run(block(mu, speed), 1.0)
    expected = speed**2 / (2.0 * mu * G) - speed * H / 2.0  # the last term is that of the method
    assert abs(sol["box.position.x"][-1] - expected) < 1e-6
    late = sol["box.position.x"][sol.t > 0.8]
    assert np.ptp(late) < 1e-9


def test_a_sliding_block_is_lifted_by_friction_times_speed_times_step():
    sol = run(block(0.3, 2.0), 0.4)
    assert abs(sol["box.position.z"][-1] - 0.05 - 0.3 * sol["box.velocity.x"][-1] * H) < 1e-6


def test_exact_friction_keeps_a_sliding_block_on_its_surface():
    mu, speed = 0.3, 2.0
    sol = run(block(mu, speed), 1.0, exact_friction=True)
    assert np.abs(sol["box.position.z"] - 0.05).max() < 1e-5
    expected = speed**2 / (2.0 * mu * G) - speed * H / 2.0
    assert abs(sol["box.position.x"][-1] - expected) < 1e-5


def test_a_block_on_a_slope_holds_below_the_angle_of_friction_and_slides_above():
    limit = math.atan(0.3)  # 16.699 degrees
    holds = run(block(0.3, slope=limit - 2e-4), 2.0)
    assert abs(holds["box.position.x"][-1]) < 1e-6
    slope = limit + 2e-3
    slides = run(block(0.3, slope=slope), 2.0, exact_friction=True)
    pull = G * (math.sin(slope) - 0.3 * math.cos(slope))
    expected = 0.5 * pull * 2.0 * (2.0 + H)  # symplectic Euler
    assert abs(slides["box.position.x"][-1] - expected) < 1e-2 * expected


def ball_over_floor(restitution, height=0.5):
    m = kt.Model("ball")
    ball = m.body("ball", kt.sphere(mass=1.0, radius=0.1), position=(0, 0, 0.1 + height))
    m.float(ball)
    m.contact_group("group", [FLOOR.on(m.ground), S.Ball(0.1).on(ball)], restitution=restitution)
    return m


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_a_ball_leaves_the_floor_with_the_restitution(e):
    sol = run(ball_over_floor(e), 0.5)
    down, up = sol["ball.velocity.z"].min(), sol["ball.velocity.z"].max()
    assert abs(down + math.sqrt(2.0 * G * 0.5)) < 2.0 * G * H
    assert abs(up + e * down) < 2.0 * G * H  # gravity within the step of the impact


def test_balls_of_equal_mass_exchange_their_velocities():
    m = kt.Model("two balls", gravity=(0, 0, 0))
    shapes = []
    for k, speed in enumerate((1.0, 0.0)):
        ball = m.body(
            f"ball{k}",
            kt.sphere(mass=2.0, radius=0.1),
            position=(0.5 * k, 0, 0),
            velocity=(speed, 0, 0),
        )
        m.float(ball)
        shapes.append(S.Ball(0.1).on(ball))
    m.contact_group("group", shapes, restitution=1.0)
    sol = run(m, 0.6)
    # the regularization keeps a share HARD / 2 of the velocity
    assert abs(sol["ball0.velocity.x"][-1]) < 2.0 * HARD
    assert abs(sol["ball1.velocity.x"][-1] - 1.0) < 2.0 * HARD


def cloud(count, seed=2, restitution=0.3):
    rng = np.random.default_rng(seed)
    m, shapes = kt.Model("cloud", gravity=(0, 0, 0)), []
    for k, x in enumerate(rng.uniform(-0.25, 0.25, (count, 3))):
        ball = m.body(
            f"ball{k}",
            kt.sphere(mass=0.2 + 0.1 * (k % 5), radius=0.05),
            position=x,
            velocity=-4.0 * x,
        )
        m.float(ball)
        shapes.append(S.Ball(0.05).on(ball))
    m.contact_group("group", shapes, friction=0.4, restitution=restitution)
    return m


def test_contacts_conserve_momentum_and_angular_momentum():
    sol = run(cloud(40), 0.2)
    assert sol["group.count"].max() > 20
    scale = sum(0.2 + 0.1 * (k % 5) for k in range(40))
    for part in sol.momentum:
        assert np.abs(part - part[0]).max() < 1e-4 * scale  # first order in time about the origin


def test_linear_momentum_is_conserved_to_the_tolerance():
    sol = run(cloud(40), 0.2)
    linear = sol.momentum.linear
    assert np.abs(linear - linear[0]).max() < 1e-6  # 100 steps of 1e-9 of 4 m/s, 40 balls


def test_the_grid_finds_every_pair_that_touches():
    sol = run(cloud(60, restitution=0.0), 0.1)
    x = np.array([sol[f"ball{k}.position"] for k in range(60)])
    last = x[:, -2]  # contacts of the last step are found at its start
    apart = np.linalg.norm(last[:, None] - last[None], axis=2) - 0.1
    nearest = apart[np.triu_indices(60, 1)].min()
    assert sol["group.count"][-1] > 0
    assert abs(sol["group.gap"][-1] - nearest) < 1e-12


SHAPES = {
    "ball": (S.Ball(0.1), kt.sphere(2.0, 0.1)),
    "box": (S.Box((0.2, 0.1, 0.1)), kt.box(2.0, (0.2, 0.1, 0.1))),
    "capsule": (S.Capsule(0.05, 0.2), kt.cylinder(2.0, 0.05, 0.2, along="z")),
    "cylinder": (S.Cylinder(0.1, 0.1), kt.cylinder(2.0, 0.1, 0.1, along="z")),
}


@pytest.mark.parametrize("lower", SHAPES)
def test_every_shape_carries_a_ball_on_the_floor(lower):
    shape, properties = SHAPES[lower]
    flat = ("y", math.pi / 2) if lower == "capsule" else None
    height = {"ball": 0.1, "box": 0.05, "capsule": 0.05, "cylinder": 0.05}[lower]
    m = kt.Model("pair")
    a = m.body("a", properties, position=(0, 0, height), rotation=flat)
    b = m.body("b", kt.sphere(1.0, 0.1), position=(0, 0, 2.0 * height + 0.1))
    m.float(a)
    m.float(b)
    m.contact_group("group", [FLOOR.on(m.ground), shape.on(a), S.Ball(0.1).on(b)], friction=0.5)
    sol = run(m, 0.2)
    assert sol["group.force1_z"][-1] == pytest.approx(-3.0 * G, rel=1e-3)
    assert sol["group.force3_z"][-1] == pytest.approx(G, rel=1e-3)
    assert abs(sol["b.position.z"][-1] - 2.0 * height - 0.1) < 1e-5


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_ball_on_a_lever_turns_it_with_the_inertia_of_both(coordinates):
    m = kt.Model("lever")
    rod = m.body("rod", kt.rod(mass=2.0, length=1.0, along="x"))
    m.joint("pivot", kt.Revolute(axis="y"), m.ground, rod)
    r, v = 0.4, 2.0
    ball = m.body(
        "ball", kt.sphere(mass=0.5, radius=0.05), position=(r, 0, 0.1), velocity=(0, 0, -v)
    )
    m.float(ball)
    m.contact_group(
        "group",
        [
            S.Capsule(0.02, 1.0).on(rod.at(0, 0, 0, rotation=("y", math.pi / 2))),
            S.Ball(0.05).on(ball),
        ],
    )
    m.gravity[:] = 0.0
    sol = run(m, 0.03, step=1e-4, coordinates=coordinates)
    J = 2.0 / 12.0
    after = 0.5 * v * r / (J + 0.5 * r * r)  # angular momentum about the pivot
    k = int(np.argmax(np.abs(np.diff(sol["pivot.rate"]))) + 1)
    assert sol["pivot.rate"][k] == pytest.approx(after, rel=1e-3)


def four_bar_in_a_heap():
    m = kt.Model("stirred heap")
    crank = m.body("crank", kt.rod(mass=0.5, length=0.3, along="x"))
    coupler = m.body("coupler", kt.rod(mass=1.0, length=0.8, along="x"))
    rocker = m.body("rocker", kt.rod(mass=0.75, length=0.6, along="x"))
    hinge = kt.Revolute(axis="y")
    m.joint("A", hinge, m.ground.at(0, 0, 0.3), crank.end("-"), start={"angle": 0.3})
    m.joint("B", hinge, crank.end("+"), coupler.end("-"))
    m.joint("C", hinge, coupler.end("+"), rocker.end("+"))
    m.joint("D", hinge, m.ground.at(0.9, 0, 0.3), rocker.end("-"))
    lying = coupler.at(0, 0, 0, rotation=("y", math.pi / 2))
    shapes = [FLOOR.on(m.ground), S.Capsule(0.03, 0.7).on(lying)]
    for k, x in enumerate(np.linspace(0.05, 0.8, 6)):
        ball = m.body(
            f"ball{k}", kt.sphere(0.3, 0.05), position=(x, 0.01 * (k % 3 - 1), 0.9 + 0.03 * k)
        )
        m.float(ball)
        shapes.append(S.Ball(0.05).on(ball))
    m.contact_group("group", shapes, friction=0.4)
    return m


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_machine_with_a_closed_loop_in_a_heap_keeps_its_loop(coordinates):
    sol = run(four_bar_in_a_heap(), 0.6, coordinates=coordinates)
    assert sol["group.force2_z"].min() < -5.0  # balls struck the coupler
    assert sol.constraint_error.max() < 1e-12


def test_reactions_contain_the_forces_of_the_contacts():
    m = kt.Model("tray")
    tray = m.body("tray", kt.box(3.0, (1.0, 1.0, 0.1)), position=(0, 0, 1.0))
    m.joint("slide", kt.Translational(axis="z"), m.ground.at(0, 0, 1), tray)
    m.constraint("held", kt.Driver("slide.displacement", 0.0))
    ball = m.body("ball", kt.sphere(2.0, 0.1), position=(0.2, 0, 1.15))
    m.float(ball)
    m.contact_group("group", [S.Box((1.0, 1.0, 0.1)).on(tray), S.Ball(0.1).on(ball)], friction=0.3)
    sol = run(m, 0.2)
    assert abs(sol["held.force"][-1]) == pytest.approx(5.0 * G, rel=1e-3)
    assert abs(sol["slide.torque.y"][-1]) == pytest.approx(2.0 * G * 0.2, rel=1e-2)


def test_a_run_goes_on_from_a_sample_without_a_slip():
    m = block(0.3, slope=0.2)
    first = run(m, 0.2)
    second = run(m, 0.5, state=first.at(0.2))
    assert np.ptp(second["box.position.x"]) < 1e-8


def test_storage_grows_in_a_run_without_changing_the_result(monkeypatch):
    whole = run(stack(6), 0.1)
    sized = storage.sized
    monkeypatch.setattr(
        storage, "sized", lambda old, *room: sized(old, *(min(k, 40) for k in room))
    )
    monkeypatch.setattr(storage, "grown", storage.grown)
    small = storage.arrays_of(whole.assembly.compiled.tables)
    assert len(small.heap_contacts) == 40
    monkeypatch.undo()
    start, used = storage.arrays_of, []

    def tight(tables):
        used.append(1)
        arrays = start(tables)
        return arrays._replace(
            heap_contacts=arrays.heap_contacts[:3].copy(),
            heap_old_contacts=arrays.heap_old_contacts[:3].copy(),
        )

    monkeypatch.setattr(storage, "arrays_of", tight)
    grown = run(stack(6), 0.1)
    assert used
    assert np.array_equal(whole["box5.position.z"], grown["box5.position.z"])


def test_conjugate_gradients_and_complete_factors_find_the_same_motion(monkeypatch):
    direct = run(stack(6), 0.1)
    monkeypatch.setattr(storage, "COMPLETE", 0)
    iterated = run(stack(6), 0.1)
    assert np.abs(direct["box5.position.z"] - iterated["box5.position.z"]).max() < 1e-8


def test_the_energy_balance_closes_to_first_order():
    coarse, fine = (run(ball_over_floor(0.0), 0.5, step=h).energy.imbalance for h in (4e-3, 1e-3))
    assert fine < 0.3 * coarse
    assert fine < 5e-3


def test_a_hundred_balls_come_to_rest_in_a_bin():
    """The floor carries their weight, and at the end contacts are at most a hundredth of a radius deep."""
    rng, m = np.random.default_rng(1), kt.Model("bin")
    shapes = [FLOOR.on(m.ground)]
    for n, turn in (
        ((1, 0), ("y", 90)),
        ((-1, 0), ("y", -90)),
        ((0, 1), ("x", -90)),
        ((0, -1), ("x", 90)),
    ):
        at = m.ground.at(-0.35 * n[0], -0.35 * n[1], 0, rotation=(turn[0], math.radians(turn[1])))
        shapes.append(FLOOR.on(at))
    for i in range(100):
        x = np.array([i % 5 - 2.0, i // 5 % 5 - 2.0, i // 25]) * 0.12 + (0, 0, 0.1)
        ball = m.body(f"ball{i}", kt.sphere(0.5, 0.05), position=x + rng.uniform(-4e-3, 4e-3, 3))
        m.float(ball)
        shapes.append(S.Ball(0.05).on(ball))
    m.contact_group("bin", shapes, friction=0.5)
    sol = run(m, 1.6, output_interval=0.02)
    assert sol["bin.gap"].min() > -1e-3
    assert sol["bin.gap"][-1] > -5e-4
    weight = 100 * 0.5 * G
    assert abs(np.mean(sol["bin.force1_z"][-25:]) + weight) < 0.05 * weight  # walls carry a part
    assert sol.energy.kinetic[-1] < 1e-2 * sol.energy.kinetic.max()
