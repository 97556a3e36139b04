"""Robots from MJCF files, compared with MuJoCo, which compiles the same text."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import kinetree as kt
from kinetree.engine.equations.interface import evaluate_equations
from kinetree.simulation.states import state_of

mujoco = pytest.importorskip("mujoco", reason="the program mujoco is not installed")

WIDTH = (6, 3, 1, 1)  # velocities of the kinds of joints


def load(tmp_path, text: str, **options) -> kt.Model:
    path = tmp_path / "robot.xml"
    path.write_text(text)
    return kt.load_robot(path, **options)


def whole(body: str, options: str = "", rest: str = "") -> str:
    return f"<mujoco><option {options}/><worldbody>{body}</worldbody>{rest}</mujoco>"


TREE = whole(
    """
  <body name="torso" pos="0.1 -0.2 1" quat="0.9 0.1 -0.3 0.2" gravcomp="0.4">
    <freejoint name="root"/>
    <geom type="box" size=".2 .1 .3" pos=".02 .01 .03" euler="10 20 30" mass="3"/>
    <body name="thigh" pos="0 .2 -.3" euler="20 -10 5">
      <joint name="hip_x" axis="1 0 0" pos="0 0 .05" armature=".3" damping=".7"/>
      <joint name="hip_y" axis="0 1 .2" stiffness="4" springref="15" ref="20" armature=".1"/>
      <joint name="hip_z" axis="0 0 1" type="slide" damping="2" stiffness="30" ref=".05"/>
      <geom type="capsule" fromto="0 0 0 .1 0 -.4" size=".05" mass="1.5"/>
      <body name="plate" pos=".1 0 -.2"><geom type="sphere" size=".08" mass=".6"/></body>
      <body name="foot" pos=".1 0 -.4">
        <joint name="ankle" type="ball" armature=".05" stiffness="3"/>
        <geom type="ellipsoid" size=".2 .1 .05" pos=".05 0 0" mass=".8"/>
      </body>
    </body>
  </body>
  <body name="pole" pos="2 0 0"><joint name="pole.1" axis="0 1 0" armature="1"/>
    <geom type="cylinder" size=".05 .5" mass="2" pos="0 0 .5"/></body>""",
    'gravity="0.3 -0.2 -9"',
)


def compared(model: kt.Model, mj, seed: int):
    """M and f of both programs at a random state, in the order of MuJoCo."""
    rng = np.random.default_rng(seed)
    state = state_of(model, None, "relative", "auto", 1e-6, None, regular=False)
    tables, compiled = state.compiled.tables, state.compiled
    data, q, v = mujoco.MjData(mj), state.q.copy(), np.zeros(len(state.v))
    order = np.zeros(mj.nv, int)
    for k in range(mj.njnt):
        place = compiled.joints[mj.joint(k).name.replace(".", "_")]
        iq, iv = (int(tables.links[place.link][key]) for key in ("iq", "iv"))
        at, dof, kind = int(mj.jnt_qposadr[k]), int(mj.jnt_dofadr[k]), int(mj.jnt_type[k])
        four = rng.normal(size=4)
        x = [rng.uniform(-1, 1)] if kind > 1 else [*rng.normal(size=3)] * (kind == 0)
        x = [*x, *(four / np.linalg.norm(four))] if kind < 2 else x
        q[iq : iq + len(x)] = x
        data.qpos[at : at + len(x)] = np.array(x) + (mj.qpos0[at] if kind > 1 else 0.0)
        n = WIDTH[kind]
        v[iv : iv + n] = data.qvel[dof : dof + n] = rng.normal(size=n)
        order[dof : dof + n] = range(iv, iv + n)
    mujoco.mj_forward(mj, data)
    M = np.zeros((mj.nv, mj.nv))
    try:
        mujoco.mj_fullM(mj, M, data.qM)
    except (AttributeError, TypeError):  # the order of version 4
        mujoco.mj_fullM(mj, data, M)
    work = compiled.workspace()
    evaluate_equations(tables, work, 0.0, q, v, state.x)
    ours = work.M[np.ix_(order, order)], work.f[order]
    return ours, (M, data.qfrc_passive - data.qfrc_bias)


def test_warnings_of_the_compiler_are_in_the_receipt_and_not_in_a_log_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = whole('<body><joint axis="0 1 0"/><geom size="0.1"/></body>')
    old = text.replace("<mujoco>", '<mujoco><compiler settotalmass="1"/>')
    if not any("settotalmass" in note for note in load(tmp_path, old).receipt.notes):
        pytest.skip("this version of mujoco does not warn of settotalmass")
    assert [file.name for file in tmp_path.iterdir()] == ["robot.xml"]
    assert mujoco.get_mju_user_warning() is None


@pytest.mark.parametrize("seed", range(3))
def test_mass_matrix_and_forces_agree_with_mujoco(tmp_path, seed):
    model = load(tmp_path, TREE)
    mj = mujoco.MjModel.from_xml_string(TREE)
    mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    (M, f), (M_theirs, f_theirs) = compared(model, mj, seed)
    # rounding of entries of both signs
    np.testing.assert_allclose(M, M_theirs, atol=1e-13 * np.abs(M_theirs).max())
    np.testing.assert_allclose(f, f_theirs, atol=1e-13 * np.abs(f_theirs).max())


def test_the_reference_pose_is_that_of_the_file(tmp_path):
    model = load(tmp_path, TREE)
    mj = mujoco.MjModel.from_xml_string(TREE)
    data = mujoco.MjData(mj)
    mujoco.mj_forward(mj, data)
    sol = kt.simulate(model, until=1e-6)
    for body in ("torso", "thigh", "foot"):
        found = [sol[f"{body}.position.{axis}"][0] for axis in "xyz"]
        np.testing.assert_allclose(found, data.body(body).xpos, atol=1e-12)
    assert set(model.receipt.frames) > {"plate", "world", "foot"}
    assert model.receipt.coordinates["pole.1"] == "pole_1.angle"


FOUR_BAR = whole(
    """
  <body name="crank" pos="0 0 0"><joint name="A" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 .5 0 0" size=".01" mass=".5"/>
    <body name="coupler" pos=".5 0 0"><joint name="B" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 1.2 0 0" size=".01" mass="1"/></body></body>
  <body name="rocker" pos="1.1 0 0"><joint name="D" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 0 0 .75" size=".01" mass=".75"/></body>""",
    rest='<equality><connect name="C" body1="coupler" body2="rocker" anchor="1.2 0 0"/></equality>',
)


def test_connect_closes_a_loop_exactly(tmp_path):
    text = FOUR_BAR.replace('pos="1.1 0 0"', 'pos="1.7 0 -0.75"')  # closed in the reference pose
    model = load(tmp_path, text)
    sol = kt.simulate(model, until=0.5, rtol=1e-9)
    assert sol.constraint_error.max() < 1e-12
    assert sol.energy.drift < 1e-7
    ends = []
    for body, end in (("coupler", 1.2), ("rocker", 0.75)):
        angle = sol["A.angle"] + sol["B.angle"] if body == "coupler" else sol["D.angle"]
        along = (
            (np.cos(angle), -np.sin(angle))
            if body == "coupler"
            else (
                np.sin(angle),
                np.cos(angle),
            )
        )
        ends.append([sol[f"{body}.position.{c}"] + end * a for c, a in zip("xz", along)])
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-11)


def test_weld_makes_two_bodies_one(tmp_path):
    text = whole(
        """<body name="a" pos="0 0 1"><joint name="A" axis="0 1 0"/>
          <geom type="sphere" size=".1" pos=".3 0 0" mass="1"/></body>
        <body name="b" pos=".5 0 1" euler="0 40 0"><freejoint name="F"/>
          <geom type="sphere" size=".1" mass="2"/></body>""",
        rest='<equality><weld body1="a" body2="b"/></equality>',
    )
    sol = kt.simulate(load(tmp_path, text), until=0.3, rtol=1e-9)
    # one pendulum: I = 2 (2/5 m r^2 summed) + m l^2 about the hinge
    turning = 0.4 * 0.01 * 3.0 + 1.0 * 0.09 + 2.0 * 0.25
    torque = 9.81 * (1.0 * 0.3 + 2.0 * 0.5)
    assert sol["A.angle.acceleration"][0] == pytest.approx(torque / turning, rel=1e-9)


def test_equal_joints_are_coupled_and_inactive_equalities_are_left_out(tmp_path):
    text = whole(
        "".join(
            f'<body><joint name="{k}" axis="0 0 1"/><geom size=".1" pos=".1 0 0" mass="1"/></body>'
            for k in "abc"
        ),
        rest="""<equality><joint joint1="a" joint2="b" polycoef=".1 -2 0 0 0"/>
          <joint name="late" joint1="c" joint2="b" active="false"/></equality>""",
    )
    model = load(tmp_path, text)
    assert any("'late', which is not active" in note for note in model.receipt.notes)
    sol = kt.simulate(model, until=0.2, state={"b.angle": 0.2})
    np.testing.assert_allclose(sol["a.angle"], 0.1 - 2.0 * sol["b.angle"], atol=1e-12)


def test_the_receipt_has_actuators_limits_and_what_is_left_out(tmp_path):
    text = whole(
        """<body><joint name="A" axis="0 1 0" range="-30 60" limited="true" ref="10"/>
          <geom size=".1" mass="1"/></body>""",
        'density="1.2"',
        """<actuator><motor name="M" joint="A" gear="5" ctrlrange="-1 2" ctrllimited="true"/>
          <position name="P" joint="A" kp="20" gear="2"/></actuator>""",
    )
    receipt = load(tmp_path, text).receipt
    assert receipt.limits["A"] == pytest.approx((np.radians(-40), np.radians(50)))
    motor, servo = receipt.actuators["M"], receipt.actuators["P"]
    assert (motor.coordinate, motor.gain, motor.range) == ("A.angle", 5.0, (-1.0, 2.0))
    assert (servo.gain, servo.bias[1]) == (40.0, -80.0)  # gear kp u - gear^2 kp x
    assert any("surrounding fluid" in note for note in receipt.notes)
    assert any("contacts of 1 shape" in note for note in receipt.notes)


def test_actuators_become_inputs_on_request(tmp_path):
    """Against MuJoCo, which computes their forces."""
    text = whole(
        """<body><joint name="A" axis="0 1 0" ref="10" damping=".1" armature=".2"/>
          <geom size=".1" pos=".3 0 0" mass="1"/></body>""",
        rest="""<actuator><motor name="M" joint="A" gear="5"/>
          <position name="P" joint="A" kp="20" kv="3" gear="2"/></actuator>""",
    )
    model = load(tmp_path, text, actuators=True)
    stepper = kt.Stepper(model, ("A.angle.acceleration",))
    stepper.inputs["M"], stepper.inputs["P"] = 0.7, 0.4
    stepper.reset({"A.angle": 0.3, "A.rate": -1.0})
    assert set(stepper.inputs) == {"M", "P"}
    stepper.inputs["M"], stepper.inputs["P"] = 0.7, 0.4
    mj = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(mj)
    data.qpos[:], data.qvel[:], data.ctrl[:] = mj.qpos0 + 0.3, -1.0, (0.7, 0.4)
    mujoco.mj_forward(mj, data)
    assert stepper.outputs()[0] == pytest.approx(data.qacc[0], rel=1e-12)


def test_limits_become_stops_and_friction_acts(tmp_path):
    text = whole(
        """<body><joint name="A" axis="0 0 1" range="-60 60" limited="true" frictionloss=".1"/>
          <geom size=".1" pos=".1 0 0" mass="1"/></body>"""
    )
    turning = {"A.rate": 8.0}
    free = kt.simulate(load(tmp_path, text, friction=False), until=1.0, state=turning)
    np.testing.assert_allclose(free["A.angle"][-1], 8.0, rtol=1e-9)
    stopped = kt.simulate(load(tmp_path, text, stops=True), until=1.0, state=turning)
    assert stopped["A.angle"].max() < np.radians(80.0)
    slowed = kt.simulate(load(tmp_path, text), until=0.1, state=turning)
    # I = 2/5 m r^2 + m d^2, deceleration torque / I
    assert slowed["A.angle.rate"][-1] == pytest.approx(8.0 - 0.1 * 0.1 / 0.014, rel=1e-3)


def test_gravity_may_be_switched_off(tmp_path):
    text = TREE.replace("<option", '<option><flag gravity="disable"/></option><option')
    assert tuple(load(tmp_path, text).gravity) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (whole("<body><joint/></body>"), "cannot compile the file: .*mass and inertia"),
        (whole('<geom size=".1"/>'), "no joints"),
        ("<mujoco><worldbody>", "cannot compile"),
        ("", "cannot compile"),
    ],
)
def test_a_wrong_file_is_refused_in_words(tmp_path, text, message):
    with pytest.raises(kt.ModelError, match=message) as found:
        load(tmp_path, text)
    assert "robot.xml" in str(found.value)


def test_a_missing_file_and_a_missing_program_are_named(tmp_path, monkeypatch):
    with pytest.raises(kt.ModelError, match="no such file"):
        kt.load(tmp_path / "lost.xml")
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(kt.ModelError, match=r"kinetree\[robots\]"):
        load(tmp_path, TREE)


def test_shapes_are_drawn_with_their_body(tmp_path):
    model = load(tmp_path, TREE)
    kinds = [type(one).__name__ for one in model.bodies["thigh"].look]
    assert kinds == ["Cylinder", "Sphere", "Sphere", "Sphere"]  # a capsule, and the plate's ball
    assert [type(one).__name__ for one in model.bodies["torso"].look] == ["Box"]
