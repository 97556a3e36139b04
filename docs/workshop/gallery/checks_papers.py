"""Checks of models with published values, or with equations by hand in `kinetree.apps.papers`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .checks import Check


def _rssr() -> list[Check]:
    import kinetree as kt
    from kinetree.apps.papers.references.rssr import crank_centre_acceleration
    from kinetree.models.rssr import rssr

    t = np.array([0.0, 0.5, 1.0])
    sol = kt.simulate(rssr(), 1.0, rtol=1e-9, output_interval=0.5)
    exact, ours = crank_centre_acceleration(t), sol["crank.acceleration.z"]
    return [
        Check(
            f"vertical acceleration of the center of the crank at {t[k]:g} s, m/s²",
            float(exact[k]),
            float(ours[k]),
            1e-5,
            "equations in two angles and one distance by hand, SciPy",
        )
        for k in (1, 2)
    ]


def _five_dof() -> list[Check]:
    import kinetree as kt
    from kinetree.models.five_dof import five_dof
    from kinetree.models.units import INCH

    low = 1e-3  # of the height of the road: the published equations are linear
    sol = kt.simulate(five_dof(low), 2.5, rtol=1e-9, output_interval=0.005)
    seat = np.abs(sol["seat.acceleration.z"]) / (INCH * low)
    return [
        Check(
            "peak acceleration of the seat on a low road, scaled to the full one, in/s²",
            331.82,
            float(seat.max()),
            5e-3,
            "linear equations of the published design [Haug1979], SciPy",
        ),
        Check(
            "time of the peak, s", 1.505, float(sol.t[seat.argmax()]), 5e-3, "the same, every 5 ms"
        ),
    ]


def _andrews() -> list[Check]:
    import kinetree as kt
    from kinetree.models.andrews import andrews

    sol = kt.simulate(andrews(), 0.03, rtol=1e-10)
    ends = {"O": 15.81077119629904, "B": 0.04082224013073101, "A7": 1.048080741042263}
    return [
        Check(
            f"angle of joint {joint} at 0.03 s, rad",
            angle,
            float(sol[f"{joint}.angle"][-1]),
            1e-7,
            "reference solution of the IVP test set [Mazzia2008]",
        )
        for joint, angle in ends.items()
    ]


def _n_four_bar() -> list[Check]:
    import kinetree as kt
    from kinetree.models.n_four_bar import n_four_bar

    tip = kt.simulate(n_four_bar(), 5.0, rtol=1e-9)["upright0.end+.position"][-1]
    source = "equivalent pendulum, 3 θ'' = -(7/2) g cos θ, SciPy"
    return [
        Check("x of the first tip at 5 s, m", -0.811310461002, float(tip[0]), 1e-6, source),
        Check("z of the first tip at 5 s, m", -0.584615545354, float(tip[2]), 1e-6, source),
    ]


def _heavy_top() -> list[Check]:
    import kinetree as kt
    from kinetree.models.heavy_top import heavy_top

    ours = kt.simulate(heavy_top(), 2.0, rtol=1e-10)["top.position"][-1]
    published = (-0.150416985652933, -0.724164450779749, -0.673023460701136)
    return [
        Check(
            f"{axis} of the mass center at 2 s, m",
            value,
            float(found),
            2e-6,
            "published [Bruels2012]",
        )
        for axis, value, found in zip("xyz", published, ours)
    ]


def _bicycle() -> list[Check]:
    import kinetree as kt
    from kinetree.models.bicycle import bicycle

    found = kt.linearize(bicycle(5.0, 0.0)).eigenvalues
    weave = next(e for e in found if e.imag > 1.0)
    capsize, caster = sorted((e.real for e in found if e.imag == 0.0 and e.real), reverse=True)
    rows = (
        ("real part of the weave mode at 5 m/s, 1/s", -0.775341882, weave.real),
        ("imaginary part of the weave mode, 1/s", 4.464867714, weave.imag),
        ("capsize mode, 1/s", -0.322866429, capsize),
        ("caster mode, 1/s", -14.078389693, caster),
    )
    return [
        Check(what, value, float(ours), 1e-9, "published matrices [Meijaard2007]")
        for what, value, ours in rows
    ]


def _quarter_car() -> list[Check]:
    import kinetree as kt
    from kinetree.apps.papers.references.quarter_car import histories
    from kinetree.models.quarter_car import quarter_car

    sol = kt.simulate(quarter_car(), 2.5, rtol=1e-9)
    _, accelerations = histories(np.array([0.0, 2.5]))
    return [
        Check(
            "vertical acceleration of the body at 2.5 s, m/s²",
            float(accelerations[-1, 0]),
            float(sol["body.acceleration.z"][-1]),
            1e-4,
            "two equations by hand, SciPy",
        ),
        Check(
            "time at which the largest eigenvalue exceeds 1500 1/s, s",
            1.7,
            _exceeds(quarter_car(), 1500.0, 1.5, 2.0),
            0.05,
            "printed as about 1.7 s [Han1994]",
        ),
    ]


def _flyball_governor() -> list[Check]:
    import kinetree as kt
    from kinetree.apps.papers.references.flyball import spin, states
    from kinetree.models.flyball_governor import flyball_governor

    sol = kt.simulate(flyball_governor(), 10.0, integrator="bdf", rtol=1e-8)
    exact = states((0.0, 10.0))[-1]
    source = "two equations by hand, SciPy Radau"
    return [
        Check(
            "height of the slider at 10 s, m", exact[0], sol["slide.displacement"][-1], 1e-6, source
        ),
        Check(
            "speed of the shaft at 10 s, rad/s",
            spin(exact[1]),
            sol["spin.angle.rate"][-1],
            1e-5,
            source,
        ),
    ]


def _excavator() -> list[Check]:
    import kinetree as kt
    from kinetree.models.excavator import excavator

    runs = [
        kt.simulate(excavator(), 1.0, integrator="switching", rtol=1e-8),
        kt.simulate(excavator(), 1.0, coordinates="cartesian", rtol=1e-10),
    ]
    ours, other = (run["bucket.tip.position"][-1] for run in runs)
    source = "Adams in Cartesian coordinates"
    return [
        Check("x of the bucket tip at 1 s, m", float(other[0]), float(ours[0]), 1e-5, source),
        Check("z of the bucket tip at 1 s, m", float(other[2]), float(ours[2]), 1e-5, source),
        Check(
            "time at which the largest eigenvalue exceeds 1500 1/s, s",
            0.45,
            _exceeds(excavator(), 1500.0, 0.3, 0.6),
            0.03,
            "printed as about 0.45 s [Han1994]",
        ),
    ]


def _exceeds(model, limit: float, begin: float, end: float) -> float:
    """First time (s), in steps of 0.01 s, at which the largest eigenvalue exceeds a limit (1/s)."""
    import kinetree as kt

    sol = kt.simulate(model, end, rtol=1e-8, output_interval=0.01)
    times = np.arange(begin, end, 0.01)
    return float(next(t for t in times if kt.modes(model, (sol, t)).spectral_radius > limit))


def _ralf() -> list[Check]:
    from kinetree.apps.papers.ralf import STATIC_TIP, TORQUES, static_shape

    tip, torques = static_shape()
    source = "second implementation by quadrature"
    return [
        Check(
            "x of the tip under the weight at (60°, -60°), m", STATIC_TIP[0], tip[0], 1e-8, source
        ),
        Check("z of the tip, m", STATIC_TIP[1], tip[1], 1e-8, source),
        Check("holding torque at the base, N m", TORQUES[0], torques[0], 1e-5, source),
    ]


def _ralf_open() -> list[Check]:
    import kinetree as kt
    from kinetree.models.ralf import arm

    free = arm(closed=False, gravity=0.0, name="ralf-open").model()
    for joint in ("A", "B"):
        free.force(
            f"push {joint}",
            kt.TorsionSpring(f"{joint}.angle", torque=kt.Sine(500.0, 10.0, end=0.1)),
        )
    sol = kt.simulate(free, 0.3, rtol=1e-10)
    return [
        Check(
            "energy balance without gravity after a torque pulse, relative",
            0.0,
            float(sol.energy.imbalance),
            1e-8,
            "first law; as printed, the equations do not conserve energy [LeeJoo]",
        )
    ]


def _ralf_rigid() -> list[Check]:
    import kinetree as kt
    from kinetree.models.ralf import ralf_rigid

    model = ralf_rigid()
    ours, other = (
        kt.simulate(one, 2.0, rtol=1e-9)["B.angle"][-1]
        for one in (model, model.variant(generated=None))
    )
    return [
        Check(
            "angle of joint B at 2 s, rad (equations derived symbolically)",
            float(other),
            float(ours),
            1e-6,
            "numeric equations of rigid bodies",
        )
    ]


def _tracked_vehicle() -> list[Check]:
    import kinetree as kt
    from kinetree.apps.papers.references import tracked
    from kinetree.models.tracked_vehicle import tracked_vehicle

    still = tracked_vehicle(speed=0.0, bump=False)
    modes = kt.modes(still, state=kt.equilibrium(still))
    ours = np.sort(modes.undamped_frequencies)[-15:]
    exact = tracked.frequencies(tracked.equilibrium())[3:]
    source = "second derivatives of the energy by hand"
    return [
        Check(f"natural frequency of {name}, Hz", float(exact[k]), float(ours[k]), 1e-4, source)
        for k, name in enumerate(("pitch", "bounce", "roll"))
    ]


def _car() -> list[Check]:
    from kinetree.models import vehicles as v
    from kinetree.models.car import car

    loads = v.wheel_loads(v.standing(car()))
    weight = 9.81 * sum(body.properties.mass for body in car().bodies.values())
    return [
        Check("sum of the wheel loads at rest, N", weight, sum(loads.values()), 1e-2, "weight"),
        Check("degrees of freedom", 14, car().topology().mobility, 0.1, "count of [Kim1997]"),
    ]


PAPERS: dict[str, Callable[[], list[Check]]] = {
    "rssr": _rssr,
    "five-dof": _five_dof,
    "andrews": _andrews,
    "n-four-bar": _n_four_bar,
    "heavy-top": _heavy_top,
    "quarter-car": _quarter_car,
    "flyball-governor": _flyball_governor,
    "excavator": _excavator,
    "ralf": _ralf,
    "ralf-open": _ralf_open,
    "ralf-rigid": _ralf_rigid,
    "tracked-vehicle": _tracked_vehicle,
    "car": _car,
    "bicycle": _bicycle,
}
