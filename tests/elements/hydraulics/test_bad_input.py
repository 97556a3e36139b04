"""Cylinders, valves and pumps that cannot be right are refused with the field and the reason."""

import math

import pytest

import kinetree as kt

from .machines import cylinder, slider

NAN, INF = math.nan, math.inf
NOT_POSITIVE = (0.0, -1.0, NAN, INF, "1e-3", True, None, [1.0])
NEGATIVE = (-1.0, NAN, INF, "1e-3", True, None)


def made(**options):
    return kt.HydraulicCylinder(
        **{
            "bore": 0.07,
            "rod": 0.04,
            "stroke": 0.6,
            "dead_volume": 2e-4,
            "supply": 2e7,
            "closed_length": 1.0,
            **options,
        }
    )


def pump(**options):
    return kt.Pump(**{"flow": 1e-4, "relief": 1e7, "volume": 1e-3, **options})


FIELDS = {
    **{
        f"cylinder.{k}": (lambda v, k=k: made(**{k: v}), f"HydraulicCylinder: .*{k}", NOT_POSITIVE)
        for k in ("bore", "rod", "stroke", "tank", "bulk_modulus")
    },
    **{
        f"cylinder.{k}": (lambda v, k=k: made(**{k: v}), f"HydraulicCylinder: {k}", NEGATIVE)
        for k in ("air", "leakage", "damping", "stop_damping")
    },
    "cylinder.rod (thick)": (lambda v: made(rod=v), "thinner than bore", (0.07, 0.1)),
    "cylinder.dead_volume": (
        lambda v: made(dead_volume=v),
        "dead_volume",
        (0.0, (1e-4,), (1e-4, 0.0), (1e-4, NAN), None, "1"),
    ),
    "cylinder.pressure": (
        lambda v: made(pressure=v),
        "pressure",
        (1e5, (1e5,), (1e5, 0.0), (1e5, -1.0), (1e5, NAN), "ab"),
    ),
    "cylinder.stop_stiffness": (
        lambda v: made(stop_stiffness=v),
        "stop_stiffness",
        (0.0, -1.0, NAN, "1"),
    ),
    "cylinder.supply": (lambda v: made(supply=v), "supply", (0.0, -1.0, NAN, None, True, [1.0])),
    "cylinder.closed_length": (
        lambda v: made(closed_length=v),
        "closed_length",
        (-1.0, NAN, "1", None),
    ),
    "cylinder.extension": (
        lambda v: made(closed_length=None, extension=v),
        "extension",
        (-0.1, 0.7, NAN, "1", None),
    ),
    "cylinder.both": (lambda v: made(extension=v), "either closed_length or extension", (0.1,)),
    "cylinder.valve": (
        lambda v: made(valve=v),
        "valve must be a kt.Valve",
        (1.0, "v", (1, 2, 3, 4)),
    ),
    "cylinder.printed_sign": (lambda v: made(printed_sign=v), "printed_sign", (1, None, "yes")),
    "valve": (
        lambda v: kt.Valve(**v),
        "either four openings or a spool",
        ({}, {"openings": (0,) * 4, "spool": 0.0, "area": 1e-5}),
    ),
    "valve.openings": (
        lambda v: kt.Valve(openings=v),
        "openings must be four",
        (1.0, (1.0,) * 3, "abcd", {}),
    ),
    "valve.area": (lambda v: kt.Valve(spool=0.0, area=v), "area", NOT_POSITIVE),
    "valve.area (no spool)": (
        lambda v: kt.Valve(openings=(0,) * 4, area=v),
        "belongs to a spool",
        (1e-5,),
    ),
    "valve.dead_band": (
        lambda v: kt.Valve(spool=0.0, area=1e-5, dead_band=v),
        "dead_band",
        (-0.1, 1.0, NAN, None, "0"),
    ),
    **{
        f"valve.{k}": (lambda v, k=k: kt.Valve(spool=0.0, area=1e-5, **{k: v}), k, NOT_POSITIVE)
        for k in ("discharge", "density", "transition")
    },
    "pump": (
        lambda v: kt.Pump(**v),
        "either a pressure or a flow",
        ({}, {"pressure": 1e7, "flow": 1e-4}),
    ),
    "pump.pressure": (lambda v: kt.Pump(pressure=v), "pressure", (0.0, -1.0, NAN, "1", True)),
    **{
        f"pump.{k}": (lambda v, k=k: pump(**{k: v}), k, NOT_POSITIVE)
        for k in ("relief", "volume", "override", "bulk_modulus")
    },
    "pump.flow": (lambda v: pump(flow=v), "flow", (0.0, -1.0, NAN, "1", True)),
    "pump.initial": (lambda v: pump(initial=v), "initial", (0.0, -1.0, NAN, "1")),
    "pump.relief (constant)": (
        lambda v: kt.Pump(pressure=1e7, relief=v),
        "belong to a pump with a flow",
        (1e7,),
    ),
}


@pytest.mark.parametrize(
    "give, says, value",
    [
        pytest.param(give, says, v, id=f"{name}={v}")
        for name, (give, says, bad) in FIELDS.items()
        for v in bad
    ],
)
def test_a_wrong_field_is_refused(give, says, value):
    with pytest.raises(kt.ModelError, match=says):
        give(value)


@pytest.mark.parametrize("value", [NAN, INF, None, True, [1.0], "nobody.opening"])
@pytest.mark.parametrize(
    "valve",
    [lambda v: kt.Valve(spool=v, area=1e-5), lambda v: kt.Valve(openings=(0.0, 0.0, 0.0, v))],
)
def test_a_wrong_command_is_refused_with_the_name_of_the_cylinder(valve, value):
    with pytest.raises(
        kt.ModelError, match=r"force 'cylinder': .*(spool|opening 4)|either four openings"
    ):
        kt.assemble(slider(valve=valve(value)))


@pytest.mark.parametrize("at", [-0.1, 0.7])
def test_a_start_outside_the_stroke_is_refused_with_the_extension(at):
    with pytest.raises(
        kt.AssemblyError, match=rf"force 'cylinder': .* extension of {at:g} m .* stroke is 0\.6 m"
    ):
        kt.assemble(slider(at=at))


def test_a_piston_may_start_pressed_into_its_stop():
    assert kt.assemble(slider(at=-0.001)).coordinates["slide.displacement"] == pytest.approx(0.999)


def test_an_unknown_pump_is_refused_with_those_there_are():
    m = slider(pump=kt.Pump(pressure=1e7))
    body = m.body("more", kt.sphere(1.0, 0.1))
    m.float(body)
    m.force("second", cylinder(supply="pmp"), m.ground, body)
    with pytest.raises(
        kt.ModelError, match=r"force 'second': no pump named 'pmp'.*Did you mean 'pump'"
    ):
        kt.assemble(m)
