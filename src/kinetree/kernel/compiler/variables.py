"""Variables: a place on the stack for each type that a variable has in the course of a function.

A variable may be an integer here and a float there. Only where two paths through the function meet
with different types, and the variable is read again, does it need one type that holds both: the
name is then marked as *wide* and the function written once more, with one place for that name.
`now` has, for each variable at this point of the function, the place that holds it, and how many
loops were open when it was last set: inside a loop, a variable that was set before the loop may
also have the value of the iteration before.
"""

from __future__ import annotations

import ast
from functools import reduce
from typing import NamedTuple

from ..types import Type, int32, int64
from .conversions import Conversions
from .values import Value, common


class Retry(Exception):
    """A variable, or the result, needs a wider type: the function is written once more."""


class Location(NamedTuple):
    """Which place holds a variable (None: different ones, depending on the path taken), and the
    loops open when it was set.
    """

    place: int | None
    loops: int


State = dict[str, Location]


class Variables(Conversions):
    def begin(self) -> None:
        super().begin()
        self.now: State = {}
        self.slots_of: dict[tuple[str, int], tuple[Type, list[str]]] = {}
        self.read_before: list[
            dict[str, set[int]]
        ] = []  # for each open loop: what is read that an earlier turn may have set

    def forget_types(self) -> None:
        self.types: dict[str, list[Type]] = {}
        self.wide: set[str] = set()

    def assign(self, name: str, value: Value, node: ast.AST | None = None) -> None:
        kind = int64 if value.type is int32 else value.type
        k = self._place_for(name, kind, node)
        wide = self.types[name][k]
        if (name, k) not in self.slots_of:
            self.slots_of[name, k] = wide, self.stack_slots(wide)
        self.store_in(self.cast(Value(kind, value.parts), wide, node), self.slots_of[name, k][1])
        self.now[name] = Location(k, len(self.read_before))

    def _place_for(self, name: str, kind: Type, node: ast.AST | None) -> int:
        """The number of the place for values of this type; of a wide name there is one."""
        kinds = self.types.setdefault(name, [])
        if name not in self.wide:
            if kind not in kinds:
                kinds.append(kind)
            return kinds.index(kind)
        both = self._both(name, kinds[0], kind, node)
        if kinds != [both]:
            self.types[name] = [both]
            raise Retry
        return 0

    def variable(self, name: str, node: ast.AST | None = None) -> Value | None:
        """The value of a variable; None if there is none of this name."""
        held = self.now.get(name)
        if held is None:
            return None
        if held.place is None:
            self.widen(name, node)
        assert held.place is not None
        for loop in self.read_before[held.loops :]:
            loop.setdefault(name, set()).add(held.place)
        return self.load_from(*self.slots_of[name, held.place])

    def _both(self, name: str, a: Type, b: Type, node: ast.AST | None) -> Type:
        both = common(a, b)
        if both is None:
            raise self.error(
                node, f"{name!r} is {a} on one path through the function and {b} on another"
            )
        return both

    def widen(self, name: str, node: ast.AST | None) -> None:
        """From now on this variable has one type, which holds all values it is given."""
        self.types[name] = [reduce(lambda a, b: self._both(name, a, b, node), self.types[name])]
        self.wide.add(name)
        raise Retry

    def merge(self, states: list[State]) -> State:
        """The variables where several paths meet; one that only some paths set may have the value
        of an earlier iteration.
        """
        met, deepest = {}, len(self.read_before)
        for name in dict.fromkeys(name for state in states for name in state):
            held = [state[name] for state in states if name in state]
            place = held[0].place if len({h.place for h in held}) == 1 else None
            met[name] = Location(
                place,
                min(deepest, *(h.loops for h in held), deepest if len(held) == len(states) else 0),
            )
        return met

    def check_iterations(self, back: list[State], node: ast.AST) -> None:
        """At the end of a loop: what it reads of the turn before must lie where it is read."""
        for name, places in self.read_before[-1].items():
            if any(
                state[name].place != place for state in back if name in state for place in places
            ):
                self.widen(name, node)
