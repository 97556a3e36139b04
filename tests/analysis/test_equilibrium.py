"""Equilibria compared with independently minimized potential energies, and the errors if there is
none.
"""

import numpy as np
import pytest
from scipy.optimize import brentq, minimize, minimize_scalar

import kinetree as kt
from kinetree.analysis.statics.equilibrium import equilibrium
from kinetree.models.andrews import START, andrews
from kinetree.models.five_dof import five_dof
from kinetree.models.four_bar import four_bar
from kinetree.models.rssr import rssr
from support.linkages import four_bar_rocker

both = pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
G = 9.81


def chain(links: int = 6, length: float = 0.3, span: float = 1.2) -> kt.Model:
    """Rods between two points of the ground, revolute about y; the last joint closes a redundant
    planar loop.
    """
    model = kt.Model("chain")
    previous, sag = model.ground.at(0, 0, 0), np.linspace(0.9, -0.9, links)
    for k in range(links):
        rod = model.body(f"rod{k}", kt.rod(1.0 + 0.2 * k, length, along="x", axial=1e-4))
        model.joint(
            f"J{k}",
            kt.Revolute(axis="y"),
            previous,
            rod.end("-"),
            start={"angle": float(np.diff(sag, prepend=0.0)[k])},
        )
        previous = rod.end("+")
    model.joint(f"J{links}", kt.Revolute(axis="y"), previous, model.ground.at(span, 0, 0))
    model.cut(f"J{links}")
    return model


def chain_by_hand(links: int = 6, length: float = 0.3, span: float = 1.2) -> np.ndarray:
    """Angles of the rods below the horizontal that minimize the potential energy, with the ends as
    constraints.
    """
    mass = 1.0 + 0.2 * np.arange(links)

    def height(a):
        drop = length * np.sin(a)
        return -G * mass @ (np.cumsum(drop) - 0.5 * drop)

    held = [
        {"type": "eq", "fun": lambda a: length * np.cos(a).sum() - span},
        {"type": "eq", "fun": lambda a: np.sin(a).sum()},
    ]
    return minimize(
        height,
        np.linspace(0.9, -0.9, links),
        constraints=held,
        method="SLSQP",
        options={"ftol": 1e-15},
    ).x


@both
@pytest.mark.parametrize("method", ["newton", "relaxation"])
def test_a_four_bar_rests_at_the_lowest_potential_energy(coordinates, method):
    def height(angle, side):
        B = 0.5 * np.array([np.cos(angle), -np.sin(angle)])
        C = four_bar_rocker(angle)[side]
        return G * (0.5 * B[1] / 2 + 1.0 * (B[1] + C[1]) / 2 + 0.75 * C[1] / 2)

    found = equilibrium(four_bar(), coordinates=coordinates, method=method)
    pin = found["rocker.end+.position"][[0, 2]]
    # the assembly branch
    side = int(
        np.argmin(np.linalg.norm(four_bar_rocker(found.coordinates["A.angle"]) - pin, axis=1))
    )
    best = minimize_scalar(
        height, bounds=(0.5, 2.5), args=(side,), method="bounded", options={"xatol": 1e-12}
    )
    # a minimum is accurate to the square root of rounding
    assert found.coordinates["A.angle"] == pytest.approx(best.x, abs=1e-7)
    assert found.stable is True and found.residual < 1e-11 and found.method == method
    h = 1e-3
    curvature = sum(c * height(best.x + k * h, side) for k, c in zip((-1, 0, 1), (1, -2, 1))) / h**2
    assert found.stiffness[0] == pytest.approx(curvature, rel=1e-5)  # second difference, h = 1e-3


@both
def test_a_hanging_chain_has_the_shape_of_least_potential_energy(coordinates):
    found = equilibrium(chain(), coordinates=coordinates)
    angles = np.cumsum([found.coordinates[f"J{k}.angle"] for k in range(6)])
    np.testing.assert_allclose(angles, chain_by_hand(), atol=1e-6)  # SLSQP
    assert found.stable is True
    total = 9.81 * sum(1.0 + 0.2 * k for k in range(6))
    # on the chain at both ends
    lift = found.reactions["J0"].force[0] - found.reactions["J6"].force[0]
    np.testing.assert_allclose(lift, [0.0, 0.0, total], atol=1e-9 * total)


def test_a_mass_on_two_springs_balances_between_them():
    model = kt.Model("springs")
    block = model.body("block", kt.box(2.0, (0.1, 0.1, 0.1)))
    model.joint("rail", kt.Translational(axis="z"), model.ground, block)
    model.force(
        "below",
        kt.SpringDamper(stiffness=300.0, damping=5.0, length=0.5),
        model.ground.at(0, 0, -0.5),
        block,
    )
    model.force(
        "above", kt.SpringDamper(stiffness=200.0, length=0.3), model.ground.at(0, 0, 0.4), block
    )
    found = equilibrium(model)
    z = brentq(lambda z: -300.0 * z + 200.0 * (0.4 - z - 0.3) - 2.0 * G, -0.3, 0.3, xtol=1e-15)
    assert found.coordinates["rail.displacement"] == pytest.approx(z, abs=1e-14)
    assert found["below.force"] == pytest.approx(-300.0 * z, rel=1e-12)
    assert found.assembly.mobility == 1 and found.stable is True
    assert found.matrix[0, 0] == pytest.approx(
        500.0, rel=1e-9
    ) and "rail.displacement 500 N/m" in str(found)


def test_each_stiffness_is_listed_with_its_coordinate_and_unit():
    """A soft slide listed before a stiff hinge, and in the other order: the stiffness is that of
    each spring.
    """
    for order in ((0, 1), (1, 0)):
        model = kt.Model("two", gravity=(0, 0, 0))
        for k in order:
            body = model.body(f"b{k}", kt.box(1.0, (0.5, 0.5, 0.5)))
            if k:
                model.joint("turn", kt.Revolute(axis="y"), model.ground, body)
                model.force("bar", kt.TorsionSpring("turn.angle", stiffness=7000.0))
            else:
                model.joint("slide", kt.Translational(axis="x"), model.ground, body)
                model.force("coil", kt.TorsionSpring("slide.displacement", stiffness=30.0))
        found = equilibrium(model)
        text = str(found)
        assert "slide.displacement 30 N/m" in text and "turn.angle 7000 N m/rad" in text
        assert list(found.stiffness) == sorted(found.stiffness)


def test_unstable_and_neutral_directions_are_named():
    model = kt.Model("pendulums")
    for k, (name, along) in enumerate((("hanging", "-z"), ("standing", "z"))):
        rod = model.body(name, kt.rod(1.0 + k, 1.0, along="z"))
        model.joint(
            f"{name} hinge",
            kt.Revolute(axis="y"),
            model.ground,
            rod.end("+" if along == "-z" else "-"),
        )
    assert "unstable along standing hinge.angle:" in str(equilibrium(model))
    assert "neutral along B.wx" in str(equilibrium(rssr()))


def test_an_inverted_pendulum_is_unstable_and_a_perturbed_one_ends_at_the_bottom():
    model = kt.Model("pendulum")
    rod = model.body("rod", kt.rod(1.0, 1.0, along="z"))
    # upright at zero
    model.joint("hinge", kt.Revolute(axis="y"), model.ground, rod.end("-"))
    assert equilibrium(model).stable is False
    found = equilibrium(model, guess={"hinge.angle": 1e-3})
    assert abs(found.coordinates["hinge.angle"]) == pytest.approx(np.pi, abs=1e-12)
    assert found.stable is True


def test_a_squeezer_started_in_equilibrium_stays_there():
    """Forward dynamics from the joint coordinates found: no acceleration compared with that of the
    drawn start.
    """
    found = equilibrium(andrews())
    assert found.stable is True
    drawn = kt.assemble(andrews())
    there = kt.assemble(
        andrews(),
        targets={f"{name}.angle": found.coordinates[f"{name}.angle"] for name in START},
    )
    assert np.abs(there.vdot).max() < 1e-8 * np.abs(drawn.vdot).max()


def test_an_idle_spin_is_neutral():
    assert equilibrium(rssr()).stable is None  # the coupler may rotate about its own line


def test_the_vehicle_without_gravity_is_balanced_as_drawn():
    found = equilibrium(five_dof())
    np.testing.assert_allclose(list(found.coordinates.values()), 0.0, atol=1e-12)
    assert found.stable is True and found.iterations == 0


def test_the_static_deflection_of_the_vehicle_follows_the_linear_equations():
    """A thousandth of gravity: K z = -m g with the stiffness matrix of the published equations,
    small motions.
    """
    from kinetree.apps.papers.references.five_dof import MASS, matrices
    from kinetree.models.units import INCH

    model, g = five_dof(), 1e-3
    model.gravity = np.array([0.0, 0.0, -g * 386.09 * INCH])
    weight = MASS * 386.09 * g
    weight[2] = 0.0
    z = np.linalg.solve(matrices()[0], -weight)
    found = equilibrium(model)
    ours = [found[f"{body}.position.z"] / INCH for body in ("seat", "chassis", "front", "rear")]
    # geometric terms are quadratic
    np.testing.assert_allclose(ours, z[[0, 1, 3, 4]], atol=1e-5 * np.abs(z).max())
    assert found.coordinates["pitch.angle"] == pytest.approx(z[2], rel=1e-3)


def test_a_driven_coordinate_stays_where_the_driver_holds_it():
    model = kt.Model("double")
    upper, lower = (model.body(name, kt.rod(1.0, 0.5, along="z")) for name in ("upper", "lower"))
    model.joint("A", kt.Revolute(axis="y"), model.ground, upper.end("+"))
    model.joint("B", kt.Revolute(axis="y"), upper.end("-"), lower.end("+"), start={"angle": 0.1})
    model.constraint("hold", kt.Driver("A.angle", kt.Sine(0.4, 1.0)))
    found = equilibrium(model, t=0.25)  # the sine is at its peak
    assert found.coordinates["A.angle"] == pytest.approx(0.4, abs=1e-13)
    # the lower rod hangs straight down
    assert found.coordinates["B.angle"] == pytest.approx(-0.4, abs=1e-12)
    assert found["hold.force"] == pytest.approx(G * 0.5 * np.sin(0.4) * (0.5 + 1.0), rel=1e-12)


def test_an_unsupported_body_has_no_equilibrium():
    model = kt.Model("stone")
    model.float(model.body("stone", kt.sphere(1.0, 0.1)))
    with pytest.raises(
        kt.SimulationError, match=r"no equilibrium of 'stone'.*9.81 N along stone.free.vz.*spring"
    ):
        equilibrium(model)


def test_the_result_reports_the_method():
    text = str(equilibrium(four_bar()))
    assert "stable" in text and "newton" in text and "A.angle" in text
    with pytest.raises(kt.ModelError, match="choose one of auto, newton, relaxation"):
        equilibrium(four_bar(), method="magic")


@pytest.mark.parametrize(
    "place",
    [(0.3, 0.0, -1.0), (0.3, 0.1, -0.2), (0.0, 0.0, 0.9)],
    ids=["taut", "slack", "overhead"],
)
def test_a_floating_load_hangs_below_its_cable(place):
    """A load free to rotate about the cable: below by the cable length, its elongation and the arm
    of its eye.
    """
    m = kt.Model("load")
    load = m.body("load", kt.sphere(10.0, 0.1), position=place)
    m.float(load)
    m.force("cable", kt.Cable(1e5, length=1.0), m.ground, load.at(0, 0, 0.05))
    found = kt.equilibrium(m)
    np.testing.assert_allclose(
        found["load.position"], (0.0, 0.0, -1.0 - 10.0 * 9.81 / 1e5 - 0.05), atol=1e-8
    )
