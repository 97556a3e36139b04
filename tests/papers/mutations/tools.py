"""A mutation: what is changed in which example, and the claims it must break; with the usual ways
to change something.

A mutation is applied with a MonkeyPatch and taken back afterwards. Where a whole example is long,
`check` evaluates the part of its claims that the mutation is about.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import kinetree as kt
from kinetree.apps.papers.claim import Claim

Patch = Any
Apply = Callable[[Patch], Any]


class Mutation(NamedTuple):
    """What is changed in which example, how, which claims must fail (parts of their texts), and how
    they are evaluated.
    """

    system: str
    what: str
    apply: Apply
    fails: tuple[str, ...]
    check: Callable[[], list[Claim]] | None = None


def forget() -> None:
    """Empty the caches of runs in the papers' modules."""
    for name, module in list(sys.modules.items()):
        if name.startswith("kinetree.apps.papers"):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def options(**new: Any) -> Apply:
    """Runs with other options."""
    return lambda patch: simulated(patch, lambda asked: {**asked, **new})


def swapped(option: str, names: dict[str, str]) -> Apply:
    """Runs with another method by the name of the first."""
    return lambda patch: simulated(
        patch,
        lambda asked: (
            {**asked, option: names[asked[option]]} if asked.get(option) in names else asked
        ),
    )


def simulated(patch: Patch, change: Callable[[dict], dict]) -> None:
    """Runs with their options changed."""
    real = kt.simulate
    patch.setattr(kt, "simulate", lambda model, until, **asked: real(model, until, **change(asked)))


def loose(rtol: float = 1e-2) -> Apply:
    """A tolerance so large that methods differ."""
    return options(rtol=rtol, atol=1e-6)


def value(module: Any, name: str, new: Any) -> Apply:
    return lambda patch: patch.setattr(module, name, new)


def times(module: Any, name: str, factor: float) -> Apply:
    return lambda patch: patch.setattr(module, name, getattr(module, name) * factor)


def wrapped(module: Any, name: str, change: Callable) -> Apply:
    """A function in the place of another: change(real, *arguments)."""

    def apply(patch: Patch) -> None:
        real = getattr(module, name)
        patch.setattr(
            module,
            name,
            functools.wraps(real)(lambda *args, **kwargs: change(real, *args, **kwargs)),
        )

    return apply


def altered(module: Any, name: str, change: Callable[[kt.Model], Any]) -> Apply:
    """A builder whose model is changed after it is built."""

    def build(real, *args, **kwargs):
        made = real(*args, **kwargs)
        change(made)
        return made

    return wrapped(module, name, build)


def both(*applied: Apply) -> Apply:
    def apply(patch: Patch) -> None:
        for one in applied:
            one(patch)

    return apply


def one_more_body(m: kt.Model) -> None:
    last = list(m.bodies.values())[-1]
    m.joint(
        "one more joint",
        kt.Revolute(axis="y"),
        last,
        m.body("one more body", kt.sphere(0.01, 0.01)),
    )


def gravity(share: float) -> Callable[[kt.Model], None]:
    def change(m: kt.Model) -> None:
        m.gravity = m.gravity * share

    return change
