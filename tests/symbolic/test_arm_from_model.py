"""Arms from models: planar models of bodies and beams become links with modes, and all names are
kept.
"""

import math

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.spatial.transform import Rotation

import kinetree as kt
from kinetree.apps.papers import ralf_beams
from kinetree.assembly.prepare import prepare
from kinetree.assembly.system import System
from kinetree.engine.equations.interface import evaluate_equations as equations
from kinetree.errors import ModelError, NameNotFound
from kinetree.models import ralf

from .arms import boom, evaluated, plain

STEEL = kt.Section.rectangle(0.02, 0.03, E=2e11, density=7800.0)
EI, RHO = 2e11 * 0.02 * 0.03**3 / 12.0, 7800.0 * 0.02 * 0.03


def four_bar(rng, turned=None) -> kt.Model:
    """Bodies with arbitrary axes, joints given from either side, in any plane: `turned` rotates the
    x-z plane.
    """
    R = np.eye(3) if turned is None else turned
    m = kt.Model("four-bar", gravity=R @ (0.0, 0.0, -9.81))
    corners = [R @ p for p in ((0, 0, 0), (0.2, 0, 0.5), (1.3, 0, 0.7), (1.0, 0, -0.1))]
    bodies = []
    for k, (a, b) in enumerate(zip(corners, corners[1:])):
        own = Rotation.random(random_state=rng.integers(1000)).as_matrix()
        inertia = own.T @ np.diag([0.1, 0.12, 0.15]) @ own
        bodies.append(
            m.body(
                f"b{k}",
                kt.mass(rng.uniform(1, 2), inertia, rng.normal(size=3) * 0.1),
                rotation=own,
                position=0.5 * (a + b),
            )
        )
    y = R @ (0.0, 1.0, 0.0)
    m.joint(
        "A", kt.Revolute(axis=y), m.ground, bodies[0], at=corners[0], axis=y, speed={"angle": 0.7}
    )
    m.joint("B", kt.Revolute(), bodies[1], bodies[0], at=corners[1], axis=y)
    m.joint("C", kt.Revolute(), bodies[1], bodies[2], at=corners[2], axis=-y)
    m.joint("D", kt.Revolute(), bodies[2], m.ground, at=corners[3], axis=y)
    return m


def slider(rng) -> kt.Model:
    """A crank, a rod, and a piston on an inclined slide, with a weight welded to it; the slide is
    given from the piston.
    """
    m = kt.Model("slider")
    crank = m.body("crank", kt.rod(1.0, 0.4, along="z"))
    rod = m.body("rod", kt.rod(rng.uniform(0.5, 2.0), 1.2, along="x"))
    piston = m.body("piston", kt.mass(2.0, (0.1, 0.1, 0.1), (0.0, 0.05, 0.1)))
    weight = m.body("weight", kt.mass(0.5, (0.02, 0.03, 0.02)))
    m.joint(
        "A",
        kt.Revolute(axis="-y"),
        crank.end("-"),
        m.ground.at(0, 0, 0),
        start={"angle": 0.5},
        speed={"angle": -1.0},
    )
    m.joint("B", kt.Revolute(axis="y"), crank.end("+"), rod.end("-"))
    m.joint("C", kt.Revolute(axis="y"), rod.end("+"), piston)
    along = (math.cos(0.2), 0.0, math.sin(0.2))
    m.joint(
        "S",
        kt.Translational(axis=along),
        piston,
        m.ground.at(0.1, 0, 0),
        start={"displacement": -1.3},
    )
    m.joint(
        "W", kt.Fixed(), piston.at(0.1, 0.2, 0.05), weight.at(0.0, 0.0, 0.3, rotation=("y", 0.4))
    )
    return m


def accelerations(model: kt.Model) -> dict[str, float]:
    """Accelerations of the joints in the tree at the start, by either kind of equations."""
    found = prepare(model)
    work = found.compiled.workspace()
    equations(found.compiled.tables, work, 0.0, found.q, found.v, found.x)
    ng, nv = work.G.shape
    whole = np.block([[work.M, work.G.T], [work.G, np.zeros((ng, ng))]])
    vdot = np.linalg.lstsq(whole, np.concatenate([work.f, work.gamma]), rcond=1e-12)[0][:nv]
    return {
        f"{joint}.{label}": float(a) for (joint, label), a in zip(found.compiled.dof_owner, vdot)
    }


@pytest.mark.parametrize("machine", ["upright", "flat", "leaning", "slider"])
def test_a_planar_model_converted_to_an_arm_moves_as_its_bodies_do(machine):
    rng = np.random.default_rng(3)
    planes = {
        "upright": None,
        "flat": Rotation.from_euler("x", -90, degrees=True).as_matrix(),
        "leaning": Rotation.random(random_state=1).as_matrix(),
    }
    model = slider(rng) if machine == "slider" else four_bar(rng, planes[machine])
    derived = kt.derive(model, flexible={})
    ours, theirs = accelerations(derived.model), accelerations(model)
    shared = ours.keys() & theirs.keys()
    assert len(shared) >= 2
    for name in shared:
        assert ours[name] == pytest.approx(theirs[name], rel=1e-10, abs=1e-9)
    mine, engine = prepare(derived.model), prepare(model)
    for name in model.bodies:  # bodies keep their axes
        poses = [_pose(one, name) for one in (mine, engine)]
        np.testing.assert_allclose(*poses, atol=1e-9)


def _pose(found, name: str) -> np.ndarray:
    system = System(found.compiled)
    system.values(0.0, found.q, found.x)
    i = found.compiled.body_index(name)
    X_KB = found.compiled.X_BK[i].inverse
    body = system.work.bodies[i]
    R = np.array(body["R"]).reshape(3, 3)
    return np.hstack([np.array(body["p"]) + R @ X_KB.p, (R @ X_KB.R).ravel()])


def test_forces_drivers_and_controllers_are_converted_too():
    model = four_bar(np.random.default_rng(5), Rotation.from_euler("z", 0.7).as_matrix())
    model.force(
        "spring",
        kt.SpringDamper(40.0, 1.0),
        model.bodies["b0"].at(0.1, 0.0, 0.05),
        model.bodies["b2"],
    )
    model.force("bar", kt.TorsionSpring("A.angle", 3.0, 0.2, 0.1))
    runs = [
        kt.simulate(twin, 0.4, rtol=1e-10, output_interval=0.05)
        for twin in (model, kt.derive(model, flexible={}).model)
    ]
    for channel in ("A.angle", "b1.position", "b2.velocity", "spring.force"):
        np.testing.assert_allclose(runs[1][channel], runs[0][channel], atol=1e-7)
    assert runs[1].energy.imbalance < 1e-8


def test_ralf_of_beams_is_the_arm_of_its_position_vectors():
    start, rng = (50.0, -70.0), np.random.default_rng(0)
    taken = kt.derive(
        ralf.of_beams(start=start),
        {
            "lower": kt.Bending(2, slope=False),
            "upper": 2,
            "actuating": kt.Bending(2, "pinned-pinned"),
        },
    ).machine.arm
    arm = ralf.arm(start=start)
    names = [[link.joint for link in one.links] for one in (arm, taken)]
    bends = [[link.name for link in one.links if link.modes] for one in (arm, taken)]
    angles = dict(zip(names[0], rng.normal(size=4)))
    xi = {name: 0.1 * rng.normal(size=2) for name in bends[0]}
    zero = {link.joint: link.start for link in arm.links}
    # the joint coordinates of beams are zero as drawn
    q = [
        np.concatenate(
            [[angles[j] - s * zero[j] for j in joints], *(xi[name] for name in flexible)]
        )
        for joints, flexible, s in zip(names, bends, (0.0, 1.0))
    ]
    back = [names[1].index(j) for j in names[0]] + [
        4 + 2 * bends[1].index(name) + k for name in bends[0] for k in (0, 1)
    ]
    (M, f, U), (M2, f2, U2) = (evaluated(one, at, np.ones(10)) for one, at in zip((arm, taken), q))
    np.testing.assert_allclose(M2[np.ix_(back, back)], M, rtol=0, atol=1e-9 * np.abs(M).max())
    np.testing.assert_allclose(f2[back], f, rtol=0, atol=1e-9 * np.abs(f).max())
    assert U2 == pytest.approx(U, rel=1e-10)


def test_ralf_with_six_modes_a_link_moves_as_beam_elements_do():
    """The tip agrees within 0.2 % of its travel with 16 elements, and converges; see
    apps/papers/ralf_beams.py.
    """
    claim = ralf_beams.check()
    assert claim.holds, claim


def test_a_beam_clamped_to_the_ground_with_a_weight_vibrates_as_its_elements_do():
    """Fixed joints: a cantilever with a body welded to its tip, with its mass center beside the
    beam.
    """
    m = kt.Model("flag", gravity=(0, 0, 0))
    beam = m.beam("pole", [(0, 0, 0), (0, 0, 2.0)], STEEL, elements=24, up=(1, 0, 0))
    weight = m.body("weight", kt.mass(3.0, (0.05, 0.05, 0.05), (0.25, 0.0, 0.0)))
    m.joint("clamp", kt.Fixed(), m.ground, beam.end("-"))
    m.joint("weld", kt.Fixed(), beam.end("+"), weight)
    derived = kt.derive(m, {"pole": 3})
    assert derived.machine.arm.links[0].slope and derived.machine.equations.rigid == 0
    wanted = kt.vibrations(m, count=4).frequencies
    found = kt.modes(derived.model).undamped_frequencies[:2]
    for f in found:  # modes in the plane; the others bend in the stiffer direction or twist
        assert np.abs(wanted / f - 1.0).min() < 5e-3


def test_a_link_of_two_welded_parts_has_the_frequencies_of_the_link():
    """The first frequencies of a cantilever, b = 1.87510, 4.69409, with the second part welded to
    the slope of the first.

    Cantilever modes would be inaccurate here: none of them has a curvature at the tip.
    """
    arm, length = kt.Arm("two halves", 0.0), 2.0
    first = arm.link(
        "first",
        "clamp",
        kind="fixed",
        length=1.2,
        density=3.0,
        EI=2000.0,
        modes=3,
        slope=True,
        angle=0.7,
        shape="polynomial",
    )
    arm.link(
        "second",
        "weld",
        kind="fixed",
        on=first,
        length=0.8,
        density=3.0,
        EI=2000.0,
        modes=3,
        shape="polynomial",
    )
    known, n = plain(arm), 6
    h, e = 1e-5, np.eye(n)
    M = evaluated(arm, np.zeros(n), np.zeros(n), known)[0]
    K = np.array(
        [
            (
                evaluated(arm, -h * e[k], 0 * e[k], known)[1]
                - evaluated(arm, h * e[k], 0 * e[k], known)[1]
            )
            / (2 * h)
            for k in range(n)
        ]
    )
    w = np.sqrt(eigh(K, M, eigvals_only=True)[:2])
    b = np.sqrt(w * np.sqrt(3.0 / 2000.0) * length**2)
    np.testing.assert_allclose(b, (1.87510407, 4.69409113), rtol=2e-3)  # three modes per half


def test_damping_of_a_beam_damps_its_modes():
    """Damping ratio beta w / 2 of a cantilever."""
    m = kt.Model("damped", gravity=(0, 0, 0))
    m.beam("arm", [(0, 0, 0), (1.5, 0, 0)], STEEL, damping=1e-3)
    m.joint("clamp", kt.Fixed(), m.ground, m.bodies["arm"].end("-"))
    found = kt.modes(kt.derive(m, {"arm": 1}).model)
    w = 1.87510407**2 * math.sqrt(EI / RHO) / 1.5**2
    assert found.undamped_frequencies[0] == pytest.approx(w / (2 * math.pi), rel=1e-6)
    assert found.modes[0].damping_ratio == pytest.approx(0.5e-3 * w, rel=1e-5)


def test_a_slender_body_with_a_given_stiffness_bends():
    m = kt.Model("boom", gravity=(0, 0, -9.81))
    m.body("boom", kt.rod(6.0, 2.0, along="x"))
    m.joint("A", kt.Revolute(axis="-y"), m.ground, m.bodies["boom"].end("-"), start={"angle": 0.4})
    m.force("push", kt.PointForce((0, 0, 5.0)), m.bodies["boom"].end("+"))
    derived = kt.derive(m, {"boom": kt.Bending(2, EI=2000.0)})
    q = np.array([0.4, 0.01, 0.002])
    for a, b in zip(
        evaluated(derived.machine.arm, q, np.ones(3)), evaluated(boom(2), q, np.ones(3))
    ):
        np.testing.assert_allclose(a, b, rtol=1e-12)
    assert derived.model.forces["push"].markers[0].body.name == "boom_tip"


def wrong() -> dict:
    def one(body=None, axis="y", **beam):
        m = kt.Model("wrong")
        made = (
            body(m)
            if body
            else m.beam("arm", beam.get("line", [(0, 0, 0), (1, 0, 0)]), beam.get("section", STEEL))
        )
        m.joint(
            "A",
            kt.Revolute(axis=axis),
            m.ground,
            made.end("-") if not beam.get("at") else made.at(*beam["at"]),
        )
        return m, made

    def ball():
        m, made = one()
        m.joint("B", kt.Universal(), made.end("+"), m.body("more", kt.sphere(1.0, 0.1)))
        return m

    def twisted():
        m, made = one()
        m.joint("B", kt.Revolute(axis="z"), made.end("+"), m.body("more", kt.sphere(1.0, 0.1)))
        return m

    def middle():
        m, made = one()
        m.force("push", kt.PointForce((0, 0, 1.0)), made.node(5))
        return m

    C = np.diag([1e6, 1e6, 1e6, 10.0, 20.0, 30.0])
    C[4, 5] = C[5, 4] = 1.0
    curved, lopsided = [(0, 0, 0), (0.5, 0, 0.1), (1, 0, 0)], kt.Section(C, 1.0)
    return {
        "a universal joint cannot be part of an arm": (ball(), None),
        "not parallel to that of the others": (twisted(), None),
        "at 0.5 m: elements can act at its joint": (middle(), None),
        "is curved or twisted": (one(line=curved)[0], None),
        "would also bend out of the plane": (one(section=lopsided)[0], None),
        "mass center of its section at": (
            one(section=kt.Section(np.diag(C), 1.0, centre=(0.0, 0.01)))[0],
            None,
        ),
        "its joint is 0.5 m from its ends": (one(at=(0.5, 0, 0))[0], None),
        "give its stiffness": (one(lambda m: m.body("arm", kt.rod(1.0, 1.0)))[0], {"arm": 2}),
        "does not have two ends": (one(lambda m: _ended(m))[0], {"arm": kt.Bending(2, EI=3.0)}),
        "must be a number of modes": (one()[0], {"arm": "many"}),
        "count must be at least 0": (one()[0], {"arm": -1}),
        "flexible must be a dict": (one()[0], 3),
        "have their modes already": (boom().model(), {"boom": 2}),
    }


def _ended(m):
    body = m.body("arm", kt.sphere(1.0, 0.1))
    return type("Ends", (), {"end": lambda self, which: body.at(0, 0, 0)})()


@pytest.mark.parametrize("sentence", wrong())
def test_a_model_that_is_not_an_arm_is_refused_with_the_reason(sentence):
    model, flexible = wrong()[sentence]
    with pytest.raises(ModelError, match=sentence):
        kt.derive(model, flexible)


def test_a_misspelt_body_gets_a_suggestion():
    m = kt.Model("m")
    m.beam("arm", [(0, 0, 0), (1, 0, 0)], STEEL)
    m.joint("A", kt.Revolute(axis="y"), m.ground, m.bodies["arm"].end("-"))
    with pytest.raises(NameNotFound, match="Did you mean 'arm'"):
        kt.derive(m, {"amr": 2})
