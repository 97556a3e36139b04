"""Ctrl-C and SystemExit end user code of every kind; the run keeps its results so far."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import kinetree as kt
from kinetree.kernel.decorators import JIT
from kinetree.kernel.usercode.capture import ErrorCapture

from .machines import METHODS, with_signal

pytestmark = pytest.mark.filterwarnings("ignore::kinetree.kernel.usercode.registry.SlowCallback")


@pytest.fixture(autouse=True)
def heard():
    """Ctrl-C as in a terminal: a shell that starts something in the background has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Pressed:
    """Ctrl-C comes at a call of this function."""

    def __init__(self, call, act=lambda: os.kill(os.getpid(), signal.SIGINT)):
        self.call, self.count, self.act, self.after = call, 0, act, []

    def __call__(self, t):
        self.count += 1
        if self.count > self.call:
            self.after.append(t)
        if self.count == self.call:
            self.act()
        for _ in range(100):  # where Python looks for signals
            pass
        return np.sin(20.0 * t)


def leave():
    raise SystemExit(3)


@pytest.mark.parametrize("method, options", METHODS)
def test_ctrl_c_in_plain_python_ends_the_run_and_keeps_what_it_has(method, options):
    f = Pressed(61)
    sol = kt.simulate(with_signal(f), 10.0, integrator=method, **options)
    assert sol.interrupted and not sol.success and "interrupted" in str(sol)
    assert 0.0 < sol.t[-1] == sol.result.t < 10.0 and np.isfinite(sol.y).all()
    assert (
        f.after and max(f.after) <= sol.result.t
    )  # called again for the samples reached, and for nothing else


def test_ctrl_c_in_every_call_of_the_first_steps_is_noticed():
    for call in range(1, 40):
        sol = kt.simulate(with_signal(Pressed(call)), 10.0)
        assert sol.interrupted and not sol.success


def test_system_exit_in_user_code_is_raised_with_the_solution():
    with pytest.raises(SystemExit) as caught:
        kt.simulate(with_signal(Pressed(61, leave)), 10.0)
    assert caught.value.code == 3
    assert 0.0 < caught.value.solution.t[-1] < 10.0


def test_ctrl_c_while_results_are_computed_reaches_the_caller():
    f = Pressed(10**9)
    sol = kt.simulate(with_signal(f), 1.0)
    f.call = f.count + 10
    with pytest.raises(KeyboardInterrupt):
        sol["push.power"]
    assert np.isfinite(sol["push.power"]).all()


def test_ctrl_c_between_kernel_and_user_code_is_stored_until_the_kernel_returns():
    errors = ErrorCapture()
    errors.handle_signal(signal.default_int_handler, signal.SIGINT, None)
    assert isinstance(errors.stop, KeyboardInterrupt)
    errors.inside = True
    with pytest.raises(KeyboardInterrupt):
        errors.handle_signal(signal.default_int_handler, signal.SIGINT, None)


def test_the_handler_of_the_user_is_replaced_during_the_run_and_put_back():
    before, during = signal.getsignal(signal.SIGINT), []
    kt.simulate(
        with_signal(Pressed(30, lambda: during.append(signal.getsignal(signal.SIGINT)))), 1.0
    )
    assert during != [before] and signal.getsignal(signal.SIGINT) is before


ENDLESS = """
    import os, signal, threading, time, warnings
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell may have set to be ignored
    import kinetree as kt
    from kernel.usercode.machines import with_signal

    class Slow:
        def __call__(self, t):
            while t > 0.05:
                pass
            return 0.0

    def fast(t):
        while t > 0.05:
            pass
        return 0.0

    def press():
        time.sleep(1.0)
        os.kill(os.getpid(), signal.SIGINT)

    kt.simulate(with_signal({warm}), 0.04)
    threading.Thread(target=press, daemon=True).start()
    sol = kt.simulate(with_signal({function}), 0.2)
    print(sol.interrupted, sol.success, 0.0 < sol.t[-1] <= 0.05, len(sol.t) > 10)
"""


@pytest.mark.parametrize(
    "function",
    ["Slow()", pytest.param("fast", marks=pytest.mark.skipif(not JIT, reason="plain Python"))],
)
def test_ctrl_c_gets_out_of_an_endless_function(function):
    script = textwrap.dedent(ENDLESS.format(warm=function, function=function))
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.stdout.split() == ["True", "False", "True", "True"], run.stderr
