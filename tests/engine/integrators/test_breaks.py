"""Steps end at breaks and stops, and no short event between two stops is missed."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from kinetree.engine.integrators.integrate import integrate
from kinetree.engine.integrators.segments import Breaks, evaluation_times, split_at_breaks
from kinetree.kernel.decorators import kernel
from kinetree.kernel.tables.status import Status
from support.methods import PLAIN

from .problems import kick, oscillator

ALL = [entry.name for entry in PLAIN]
ADAPTIVE = [entry.name for entry in PLAIN if entry.adaptive]
STEP = {entry.name: None if entry.adaptive else 0.013 for entry in PLAIN}


@kernel
def pulse(tables, work, t, y, ydot):
    """A push of one millisecond, up and down, in an hour of rest."""
    ydot[0] = max(0.0, 1.0 - abs(t - 0.5) / 1e-3)
    return 0


def test_a_run_is_split_at_its_jumps_and_stops():
    pieces = split_at_breaks(
        0.0, 3.0, Breaks((1.0, 2.0, 2.0 + 1e-15, 5.0, 0.0), (0.5, 1.0, 1.5, 3.0, -1.0))
    )
    assert [piece.start for piece in pieces] == [
        np.nextafter(0.0, 1.0),
        np.nextafter(1.0, 2.0),
        np.nextafter(2.0 + 1e-15, 3.0),
    ]
    assert [list(piece.stops) for piece in pieces] == [
        [0.5, np.nextafter(1.0, 0.0)],
        [1.5, np.nextafter(2.0, 0.0)],
        [3.0],
    ]


def test_samples_on_a_break_are_evaluated_after_it_and_at_the_end_before_it():
    assert_array_equal(
        evaluation_times(np.array([0.0, 1.0, 1.5, 2.0]), (1.0, 2.0), 2.0),
        [0.0, np.nextafter(1.0, 2.0), 1.5, np.nextafter(2.0, 0.0)],
    )


@pytest.mark.parametrize("name", ALL)
def test_a_jump_of_the_rate_is_exact_where_it_is_declared(name):
    result = integrate(
        kick,
        [0.0],
        2.0,
        method=name,
        step=STEP[name],
        breaks=Breaks((1.0,)),
        samples=[0.5, 1.0, 1.5, 2.0],
    )
    assert result.status == Status.DONE and result.t == 2.0
    # straight lines: rounding alone
    assert_allclose(result.samples_y[:, 0], [-0.5, -1.0, 0.0, 1.0], atol=1e-13)
    assert np.nextafter(1.0, 0.0) in result.log["t"]
    assert result.rejected == 0


@pytest.mark.parametrize("name", ALL)
def test_a_change_of_the_state_at_a_jump_persists(name):
    def double(t, y):
        y *= 2.0
        return Status.OK

    result = integrate(
        oscillator,
        [1.0, 0.0],
        2.0,
        method=name,
        step=STEP[name],
        jump=double,
        breaks=Breaks((1.0,)),
        samples=np.linspace(0.0, 2.0, 21),
    )
    exact = np.array([math.cos(2.0), -math.sin(2.0)]) * 2.0
    # of order 1 and 2, h = 0.013
    assert_allclose(result.y, exact, atol={"euler": 0.05, "heun": 2e-4}.get(name, 1e-6))
    at = result.samples_t == 1.0
    assert_allclose(result.samples_y[at][0], 2.0 * result.jumps[0].before, rtol=1e-15)


@pytest.mark.parametrize("name", ADAPTIVE)
def test_a_short_event_between_two_stops_is_not_stepped_over(name):
    blind, seen = (
        integrate(pulse, [0.0], 3600.0, method=name, breaks=Breaks((), stops), first_step=0.3)
        for stops in ((), (0.499, 0.5, 0.501))
    )
    assert blind.y[0] == 0.0
    # one step crosses each edge with an error within the tolerance, 1e-8
    assert_allclose(seen.y, 1e-3, rtol=1e-4)


@pytest.mark.parametrize("name", ALL)
def test_a_jump_that_fails_ends_the_run_before_it(name):
    result = integrate(
        kick,
        [0.0],
        2.0,
        method=name,
        step=STEP[name],
        breaks=Breaks((1.0,)),
        samples=[0.5, 1.5],
        jump=lambda t, y: Status.SINGULAR_CONSTRAINTS,
    )
    assert result.status == Status.SINGULAR_CONSTRAINTS
    assert result.t == np.nextafter(1.0, 0.0) and len(result.samples_t) == 1


def test_a_break_at_the_end_is_approached_from_before():
    result = integrate(kick, [0.0], 1.0, breaks=Breaks((1.0,)), samples=[0.5, 1.0])
    assert result.done and result.t == 1.0
    assert_allclose(result.samples_y[:, 0], [-0.5, -1.0], atol=1e-13)


@pytest.mark.parametrize("name", ADAPTIVE)
@pytest.mark.parametrize("rtol", [1e-5, 1e-8, 1e-11])
def test_the_first_step_is_accepted_and_not_wastefully_short(name, rtol):
    log = integrate(oscillator, [1.0, 0.0], 20.0, method=name, rtol=rtol).log
    assert log["rejected"][0] == 0
    order = {"dopri5": 5, "dop853": 8}.get(name, 1)
    assert log["error"][0] > 1e-4 ** (order + 1)  # within 1e4 of the longest


@pytest.mark.parametrize("name", ALL)
def test_quadratures_do_not_dilute_the_error_norm(name):
    idle = integrate(
        with_work,
        [1.0, 0.0, *np.zeros(20)],
        5.0,
        method=name,
        step=STEP[name],
        quadratures=np.full(20, 1e9),
    )
    alone = integrate(oscillator, [1.0, 0.0], 5.0, method=name, step=STEP[name])
    # rounding of the norm, magnified by the tolerance 1e-8 where steps change
    assert_allclose(idle.y, alone.y, atol=1e-9)
    assert idle.accepted == alone.accepted
    exact = 0.5 * math.sin(5.0) ** 2  # the integral of -y v = cos sin
    coarse = {"euler": 0.2, "heun": 1e-3}  # of order 1 and 2
    # not under the test in effect
    assert_allclose(idle.quadratures_end[:1], exact, atol=coarse.get(name, 1e-4))


@pytest.mark.parametrize("name", ADAPTIVE)
def test_quadratures_are_as_accurate_as_their_scale_requires(name):
    errors = [
        abs(
            integrate(
                with_work, [1.0, 0.0, 0.0], 5.0, method=name, rtol=rtol, quadratures=[1.0]
            ).quadratures_end[0]
            - 0.5 * math.sin(5.0) ** 2
        )
        / rtol
        for rtol in (1e-5, 1e-7, 1e-9)
    ]
    assert max(errors) < 100.0


@kernel
def with_work(tables, work, t, y, ydot):
    """The oscillator, and the work of its spring."""
    for i in range(len(y)):
        ydot[i] = 0.0
    ydot[0], ydot[1], ydot[2] = y[1], -y[0], -y[0] * y[1]
    return 0
