"""Derivatives of runs against closed forms: scaling laws, impacts, jumps at parameter times."""

import math

import numpy as np
import pytest

import kinetree as kt

# relative error allowed with rtol 1e-9: ten times the tolerance
CLOSE = 1e-8


def pendulum(length=0.5, mass=1.0, angle=1.0, g=9.81):
    m = kt.Model("pendulum", gravity=(0, 0, -g))
    rod = m.body("rod", kt.rod(mass=mass, length=length))
    m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"), start={"angle": angle})
    return m


METHODS = {
    "adams": {"rtol": 1e-9},
    "dop853": {"rtol": 1e-9},
    "dopri5": {"rtol": 1e-9},
    "bdf": {"rtol": 1e-9},
    "switching": {"rtol": 1e-9},
    "rk4": {"step": 1e-3},
    "adams-fixed": {"step": 1e-3, "order": 8},
    "heun": {"step": 1e-4},
    "euler": {"step": 1e-4},
}
# of fixed steps: their own global error; BDF adds up the errors of its steps
LOOSE = {"heun": 1e-5, "euler": 0.05, "bdf": 2e-7}


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
@pytest.mark.parametrize("integrator", METHODS)
def test_a_pendulum_scales_with_its_length_and_with_gravity(integrator, coordinates):
    """Its angle is a function of t sqrt(g / l): dA/dl = -t A' / 2 l and dA/dg = t A' / 2 g."""
    if coordinates == "cartesian" and integrator in ("heun", "euler"):
        pytest.skip("slow")
    t = 1.0
    found = kt.sensitivities(
        pendulum,
        ["final A.angle", "final A.rate"],
        until=t,
        integrator=integrator,
        coordinates=coordinates,
        **METHODS[integrator],
    )
    rate, close = found.outputs["final A.rate"], LOOSE.get(integrator, CLOSE)
    angle = found["final A.angle"]
    assert angle["length"] == pytest.approx(-t * rate / (2 * 0.5), rel=close)
    assert angle["g"] == pytest.approx(t * rate / (2 * 9.81), rel=close)
    assert abs(angle["mass"]) < 1e-9


def test_the_largest_speed_of_a_pendulum_follows_from_its_energy():
    """w^2 = 3 g (1 - sin a) / l at the lowest point, with a from the horizontal."""
    a, length, g = 1.0, 0.5, 9.81
    found = kt.sensitivities(pendulum, {"fastest": "max A.rate"}, until=2.0, rtol=1e-10)
    w = math.sqrt(3.0 * g * (1.0 - math.sin(a)) / length)
    assert found.outputs["fastest"] == pytest.approx(w, rel=1e-9)
    rates = found["fastest"]
    assert rates["angle"] == pytest.approx(-3.0 * g * math.cos(a) / (2.0 * length * w), rel=CLOSE)
    assert rates["length"] == pytest.approx(-w / (2.0 * length), rel=CLOSE)


def oscillator(k=50.0, c=3.0, mass=2.0, x=0.4):
    m = kt.Model("oscillator", gravity=(0, 0, 0))
    body = m.body("body", kt.mass(mass))
    m.joint("rail", kt.Translational(axis="x"), m.ground, body, start={"displacement": x})
    m.force("spring", kt.TorsionSpring("rail.displacement", stiffness=k, damping=c))
    return m


def motion(t, k=50.0, c=3.0, mass=2.0, x=0.4):
    """x e^(-d t) (cos w t + d/w sin w t)."""
    d = c / (2 * mass)
    w = math.sqrt(k / mass - d * d)
    return x * math.exp(-d * t) * (math.cos(w * t) + d / w * math.sin(w * t))


def by_differences(f, name, **values):
    """Central difference of a closed form; error 1e-10."""
    h = 1e-5 * values[name]
    up, down = (f(**{**values, name: values[name] + side * h}) for side in (1, -1))
    return (up - down) / (2 * h)


@pytest.mark.parametrize("integrator", ["adams", "bdf"])
def test_a_damped_oscillator_has_the_derivatives_of_its_solution(integrator):
    names = {"k": 50.0, "c": 3.0, "mass": 2.0, "x": 0.4}
    found = kt.sensitivities(
        oscillator,
        ["rail.displacement at 0.7", "rail.displacement"],
        until=1.0,
        integrator=integrator,
        rtol=1e-9,
    )
    for name in names:
        rates = found["rail.displacement"][name]
        expected = [by_differences(lambda t=t, **p: motion(t, **p), name, **names) for t in found.t]
        # errors of a run with rtol 1e-9 against the largest derivative
        atol = 1e-8 * np.abs(expected).max() * (20 if integrator == "bdf" else 1)
        np.testing.assert_allclose(rates, expected, rtol=0, atol=atol)
        at = by_differences(lambda **p: motion(0.7, **p), name, **names)
        assert found["rail.displacement at 0.7"][name] == pytest.approx(at, abs=atol)


def test_integral_mean_and_rms_have_the_derivatives_of_their_integrals():
    names = {"k": 50.0, "c": 3.0, "mass": 2.0, "x": 0.4}
    found = kt.sensitivities(
        oscillator,
        [f"{what} rail.displacement" for what in ("integral", "mean", "rms")],
        until=1.5,
        rtol=1e-10,
    )
    s, w = np.polynomial.legendre.leggauss(60)
    t, w = 0.75 * (s + 1), 0.75 * w

    def integral(**p):
        return w @ [motion(one, **p) for one in t]

    def rms(**p):
        return math.sqrt(w @ [motion(one, **p) ** 2 for one in t] / 1.5)

    for name in names:
        expected = by_differences(integral, name, **names)
        assert found["integral rail.displacement"][name] == pytest.approx(expected, rel=1e-7)
        assert found["mean rail.displacement"][name] == pytest.approx(expected / 1.5, rel=1e-7)
        assert found["rms rail.displacement"][name] == pytest.approx(
            by_differences(rms, name, **names), rel=1e-7
        )


def pushed(begin=0.3, width=0.2, force=5.0, mass=2.0):
    m = kt.Model("pushed", gravity=(0, 0, 0))
    body = m.body("body", kt.mass(mass))
    m.joint("rail", kt.Translational(axis="x"), m.ground, body)
    m.force(
        "push", kt.PointForce((kt.Ramp(force / width, begin=begin, end=begin + width), 0, 0)), body
    )
    return m


def test_the_begin_of_a_ramp_may_be_a_parameter():
    """The force rises from `begin` to begin + width: v = F (T - begin - width / 2) / m."""
    found = kt.sensitivities(pushed, ["final rail.rate", "rail.rate at 0.4"], until=1.0, rtol=1e-9)
    expected = {"begin": -2.5, "width": -1.25, "force": 0.3, "mass": -0.75}
    early = {"begin": -1.25, "width": -0.3125, "force": 0.0125, "mass": -0.03125}
    assert found["final rail.rate"] == pytest.approx(expected, rel=CLOSE)
    assert found["rail.rate at 0.4"] == pytest.approx(early, rel=CLOSE)


def kicked(at=0.3, force=5.0):
    m = kt.Model("kicked", gravity=(0, 0, 0))
    body = m.body("body", kt.mass(2.0))
    m.joint("rail", kt.Translational(axis="x"), m.ground, body)
    kick = kt.Function(lambda t: force if t > at else 0.0, breakpoints=(at,))
    m.force("kick", kt.PointForce((kick, 0, 0)), body)
    return m


def test_the_time_of_a_jump_of_the_force_may_be_a_parameter():
    """x = F (T - t)^2 / 2 m. The function of time is user code, differentiated by differences."""
    outputs = ["final rail.displacement", "integral rail.acceleration"]
    found = kt.sensitivities(kicked, outputs, until=1.0, rtol=1e-9)
    assert not found.exact
    assert found[outputs[0]] == pytest.approx({"at": -1.75, "force": 0.1225}, rel=CLOSE)
    assert found[outputs[1]] == pytest.approx({"at": -2.5, "force": 0.35}, rel=CLOSE)


def driven(speed=0.7, begin=0.25):
    m = kt.Model("driven", gravity=(0, 0, 0))
    a, b = m.body("a", kt.mass(1.0)), m.body("b", kt.mass(2.0))
    m.joint("rail", kt.Translational(axis="x"), m.ground, a)
    m.joint("slide", kt.Translational(axis="x"), a, b)
    m.force("spring", kt.TorsionSpring("slide.displacement", stiffness=18.0))
    m.constraint("drive", kt.Driver("rail.displacement", kt.Ramp(speed, begin=begin)))
    return m


def test_velocities_that_jump_with_a_driver_are_differentiated():
    """The second body swings on a support that starts to move: x = v (t - sin(w t) / w), w = 3."""
    found = kt.sensitivities(driven, "final b.position.x", until=1.0, rtol=1e-9)
    w, t, v = 3.0, 0.75, 0.7
    assert found.outputs["final b.position.x"] == pytest.approx(
        v * (t - math.sin(w * t) / w), rel=1e-8
    )
    expected = {"speed": t - math.sin(w * t) / w, "begin": -v * (1 - math.cos(w * t))}
    assert found["final b.position.x"] == pytest.approx(expected, rel=CLOSE)


def test_initial_values_of_a_model_are_parameters():
    found = kt.sensitivities(
        oscillator(), "final rail.displacement", {"rail.displacement": 0.4, "rail.rate": 0.0}, 0.7
    )
    rates = found["final rail.displacement"]
    assert rates["rail.displacement"] == pytest.approx(motion(0.7) / 0.4, rel=1e-7)
    d, w = 0.75, math.sqrt(25.0 - 0.75**2)
    assert rates["rail.rate"] == pytest.approx(math.exp(-d * 0.7) * math.sin(w * 0.7) / w, rel=1e-7)
