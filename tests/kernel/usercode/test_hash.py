"""The hash of a model knows its user code: what it does, not where it lies; the same in every
process.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np

from kinetree.assembly.build import build
from kinetree.kernel.usercode.fingerprint import fingerprint

from .machines import with_controllers, with_force, with_law, with_signal

GAIN = 2.0
TABLE = np.array([1.0, 2.0])


def scaled(x):
    return GAIN * x


def law(t, x, xdot):
    return -scaled(x) - TABLE[0]


def made(k, word="soft"):
    def inner(t, x, xdot):
        return -k * x if word == "soft" else 0.0

    return inner


def law_hash(function) -> str:
    return build(with_law(function)).hash


def some_hashes() -> list[str]:
    return [law_hash(law), law_hash(made(3.0)), law_hash(Spring(5.0))]


class Spring:
    def __init__(self, k):
        self.k, self.names = k, {"a", "b", "c"}

    def __call__(self, t, x, xdot):
        return -self.k * x


def test_other_code_gives_another_hash():
    different = [
        lambda t, x, xdot: -x,
        lambda t, x, xdot: -2.0 * x,
        lambda t, x, xdot: -x * x,
        law,
        made(1.0),
        made(2.0),
        made(1.0, "hard"),
        Spring(1.0),
        Spring(2.0),
        lambda t, x, xdot, k=1.0: k,
        lambda t, x, xdot, k=2.0: k,
    ]
    assert len({law_hash(f) for f in different}) == len(different)


def test_equal_code_gives_the_same_hash():
    assert law_hash(made(3.0)) == law_hash(made(3.0)) and law_hash(Spring(3.0)) == law_hash(
        Spring(3.0)
    )
    assert law_hash(lambda t, x, xdot: -x) == law_hash(lambda t, x, xdot: -x)


def test_a_global_or_a_helper_that_has_changed_gives_another_hash(monkeypatch):
    before = law_hash(law)
    monkeypatch.setitem(globals(), "GAIN", 3.0)
    assert law_hash(law) != before
    monkeypatch.undo()
    assert law_hash(law) == before
    monkeypatch.setitem(globals(), "scaled", lambda x: 4.0 * x)
    assert law_hash(law) != before


def test_the_state_of_an_object_counts_when_the_model_is_lowered():
    spring = Spring(1.0)
    model = with_law(spring)
    first = build(model)
    spring.k = 2.0
    assert build(model).hash == law_hash(Spring(2.0)) != first.hash == law_hash(Spring(1.0))


def test_user_code_of_every_kind_enters_the_hash():
    def f(t, u, x, parameters, xdot, out):
        out[0] = 1.0

    def g(t, u, x, parameters, xdot, out):
        out[0] = 2.0

    def push(t, a, b, parameters, force, torque):
        force[0] = 1.0

    def pull(t, a, b, parameters, force, torque):
        force[0] = -1.0

    assert build(with_controllers(f)).hash != build(with_controllers(g)).hash
    assert build(with_force(push)).hash != build(with_force(pull)).hash
    assert build(with_signal(lambda t: t)).hash != build(with_signal(lambda t: -t)).hash


def test_another_process_finds_the_same_hashes():
    tests = Path(__file__).resolve().parents[2]
    script = "from kernel.usercode.test_hash import some_hashes; print(*some_hashes())"
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], cwd=tests, capture_output=True, text=True
    )
    assert run.stdout.split() == some_hashes(), run.stderr


def test_an_object_that_cannot_be_taken_apart_equals_itself_only():
    import threading

    class Held:
        def __init__(self):
            self.lock = threading.Lock()

        def __call__(self, t):
            return 0.0

    one, other = Held(), Held()
    assert fingerprint(one) == fingerprint(one) != fingerprint(other)


def test_the_hash_of_objects_that_refer_to_each_other_is_finite():
    one, other = Spring(1.0), Spring(2.0)
    one.friend, other.friend = other, one
    assert fingerprint(one) != fingerprint(other) and fingerprint(one) == fingerprint(one)
