"""Assembly from poses that do not fit: closed to rounding, or an error that names joints; never a
wrong assembly.
"""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import kinetree as kt
from kinetree.assembly.build import build
from kinetree.assembly.components import components_of
from kinetree.assembly.positions import gauss_newton
from kinetree.assembly.prepare import prepare
from kinetree.assembly.sparse_system import system_of
from kinetree.assembly.start import drawn_position, initial_states
from kinetree.description.lowering.resolve import resolve
from kinetree.kernel.frames import Pose
from support.compare import well_posed
from support.linkages import four_bar
from support.machine import Machine
from support.random_models import joint_pose, mechanisms
from support.transform import retold


def gap(state: Machine, name: str) -> float:
    """Distance of the frames of a joint from a position that the joint allows (m or rad), measured
    on the bodies.
    """
    spec = state.compiled.model.joints[name]
    X_WF, X_WM = (
        (Pose(np.eye(3), np.zeros(3)) if m.body.is_ground else state.pose(m.body.name)) @ m.X_Bm
        for m in (spec.F, spec.M)
    )
    X = X_WF.inverse @ X_WM
    allowed = joint_pose(spec.joint, spec.joint.measure(X.R, X.p))
    return max(np.abs(allowed.R - X.R).max(), np.abs(allowed.p - X.p).max())


@pytest.mark.parametrize("size", [1e-6, 1e-2, 0.3])
@given(data=st.data())
@settings(max_examples=12)
def test_perturbed_mechanisms_close_or_are_refused_by_name(size, data):
    state = data.draw(mechanisms(most=5, closures=2, mass_ratio=10.0))
    assume(well_posed(state, 1e-2))
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    drawn = state.moved(size * rng.normal(size=state.nv))
    model = retold(state.compiled.model, poses={name: drawn.pose(name) for name in drawn.names})
    try:
        receipt = kt.assemble(model)
    except kt.AssemblyError as error:
        assert size > 0.1, "a drawing off by a centimetre must close"
        assert any(repr(name) in str(error) for name in model.joints)
        return
    found = Machine(receipt.compiled, receipt.q, receipt.v, receipt.x)
    scale = found.tables.settings[0]["length"] + np.abs(found.work.bodies["p"]).max()
    assert receipt.violation <= 1e-11 * scale
    for name in model.joints:
        assert gap(found, name) <= 1e-10 * scale, f"joint {name} is not assembled"


@pytest.mark.parametrize("angle", [0.0, 0.01, 0.3, -0.3, 1.2, 3.0])
def test_a_four_bar_closes_from_any_start_of_its_rocker(angle):
    """Below about half a radian the rocker is out of reach: the nearest position is taken."""
    receipt = kt.assemble(four_bar(D=angle))
    found = Machine(receipt.compiled, receipt.q, receipt.v, receipt.x)
    assert max(gap(found, name) for name in "ABCD") <= 1e-11


@pytest.mark.parametrize(
    "lengths", [(0.2, 0.3, 0.4), (0.5, 5.0, 0.75)], ids=["too short", "too long"]
)
def test_a_loop_that_cannot_close_is_refused_by_name(lengths):
    model = kt.Model("impossible")
    bars = [
        model.body(f"bar{k}", kt.rod(1.0, l, along="x", axial=1e-3)) for k, l in enumerate(lengths)
    ]
    model.joint("A", kt.Revolute(axis="y"), model.ground, bars[0].end("-"))
    model.joint("B", kt.Revolute(axis="y"), bars[0].end("+"), bars[1].end("-"))
    model.joint("C", kt.Revolute(axis="y"), bars[1].end("+"), bars[2].end("+"))
    model.joint("D", kt.Revolute(axis="y"), model.ground.at(1.1, 0, 0), bars[2].end("-"))
    with pytest.raises(
        kt.AssemblyError,
        match=r"'impossible' cannot be assembled .*gaps? of .* m (remains )?at joint '[ABCD]'",
    ):
        kt.assemble(model)


def test_an_assembly_with_an_axis_turned_over_is_refused():
    """The rows of a revolute joint also allow opposite axes, which is another mechanism."""
    model = kt.Model("turned")
    a, b = (model.body(name, kt.rod(1.0, 1.0, along="x", axial=1e-3)) for name in "ab")
    model.joint("A", kt.Revolute(axis="y"), model.ground, a.end("-"))
    model.joint("B", kt.Revolute(axis="y"), a.end("+"), b.end("-"))
    flipped = model.ground.at(1.5, 0, 0, rotation=("x", np.pi))  # its y axis points the other way
    model.joint("C", kt.Revolute(axis="y"), flipped, b.end("+"))
    with pytest.raises(kt.AssemblyError, match=r"'[ABC]' turned over"):
        kt.assemble(model)


@pytest.mark.parametrize("reach", [1.9999, 2.0001])
def test_a_chain_at_the_end_of_its_reach_closes_or_is_refused(reach):
    model = kt.Model("reach")
    a, b = (model.body(name, kt.rod(1.0, 1.0, along="x", axial=1e-3)) for name in "ab")
    model.joint("A", kt.Revolute(axis="y"), model.ground, a.end("-"))
    model.joint("B", kt.Revolute(axis="y"), a.end("+"), b.end("-"))
    model.joint("C", kt.Revolute(axis="y"), model.ground.at(reach, 0, 0), b.end("+"))
    if reach < 2.0:
        assert kt.assemble(model).violation <= 1e-11
    else:
        with pytest.raises(kt.AssemblyError, match=r"gap of 0\.0001 m remains at joint '[ABC]'"):
            kt.assemble(model)


def row_of_loops(n: int, stuck: bool) -> kt.Model:
    """Four-bars side by side, drawn open; in one more all links lie in line, from where no Newton
    step closes it.
    """
    m = kt.Model("row")
    for k in range(n + stuck):
        (x1, z1), (x2, z2) = ((0.2, 1.0), (2.0, 1.4)) if k < n else ((1.0, 0.0), (3.0, 0.0))
        foot = 3.0 if k < n else 4.5
        a, b, c = (
            m.body(f"{name}{k}", kt.box(1.0, (0.1, 0.1, 0.1)), position=(x1, k, z1))
            for name in "abc"
        )
        m.joint(f"A{k}", kt.Revolute(), m.ground, a, at=(0, k, 0), axis="y")
        m.joint(f"B{k}", kt.Revolute(), a, b, at=(x1, k, z1), axis="y")
        m.joint(
            f"C{k}",
            kt.Revolute(axis="y"),
            b.at(x2 - x1, 0, z2 - z1),
            c.at(x2 - 0.1 - x1, 0, z2 - z1),
        )
        m.joint(f"D{k}", kt.Revolute(), m.ground, c, at=(foot, k, 0), axis="y")
    return m


@pytest.mark.parametrize("n", [8, 60])
def test_a_loop_that_restarts_does_not_move_the_closed_ones(n):
    """The other loops close at the same position as without that loop."""
    alone, beside = (kt.assemble(row_of_loops(n, stuck)).coordinates for stuck in (False, True))
    for name, value in alone.items():
        assert beside[name] == pytest.approx(value, abs=1e-9), name  # closed to 1e-13 m


def test_components_have_the_dofs_and_coordinates_of_their_joints():
    """Loops side by side are separate components; the dofs and the coordinates of a ball joint are
    in the same one.
    """
    m = row_of_loops(4, False)
    for k in range(4):
        for name, on, end in (("E", "a", (0.0, k, 2.0)), ("F", "b", (1.0, k, 2.0))):
            body = m.body(f"{name.lower()}{k}", kt.box(1.0, (0.1, 0.1, 0.1)), position=end)
            m.joint(f"{name}{k}", kt.Spherical(), m.bodies[f"{on}{k}"], body, at=end)
        m.constraint(
            f"rod{k}",
            kt.Distance(1.0),
            m.bodies[f"e{k}"].at(0.1, 0, 0),
            m.bodies[f"f{k}"].at(0, 0.1, 0),
        )
    assembly = prepare(m)
    compiled = assembly.compiled
    pieces = components_of(system_of(compiled), assembly.q, assembly.x)
    assert pieces.number == 5  # and what belongs to none
    for i, (name, link) in enumerate(zip(compiled.bodies[1:], compiled.tables.links[1:]), 1):
        freedoms = pieces.dofs[link["iv"] : link["iv"] + link["nv"]]
        coordinates = pieces.coordinates[link["iq"] : link["iq"] + compiled.joint_class(i).nq]
        assert len({*freedoms.tolist(), *coordinates.tolist()}) == 1, name
        same = compiled.tables.links[compiled.bodies.index(f"a{name[1:]}")]
        assert pieces.dofs[same["iv"]] == freedoms[0], name
    for row, owner in zip(pieces.rows, compiled.row_owner):
        crank = compiled.tables.links[compiled.bodies.index(f"a{owner[-1]}")]
        # across the plane nothing moves
        assert row in (pieces.dofs[crank["iv"]], pieces.number - 1), owner


def test_no_component_gets_worse_while_others_close():
    """A loop whose links lie in line is stuck: it stays where it is drawn while the others close."""
    description = build(row_of_loops(4, True))
    work = description.workspace(())
    q, x = drawn_position(description, work), initial_states(description, work)
    system = system_of(resolve(description, {}))
    parts = components_of(system, q, x)
    before = parts.largest(system.values(0.0, q, x), parts.rows)
    found = gauss_newton(system, 0.0, q, x, system.natural**2, parts)
    after = parts.largest(found.values, parts.rows)
    stuck = after > 1e-9
    assert stuck.sum() == 1 and np.all(after <= before)
    assert np.array_equal(found.q[stuck[parts.coordinates]], q[stuck[parts.coordinates]])
