"""Variables: one stack slot for each type that a variable has in the course of a function.

A variable may be an integer in one statement and a float in the next. It needs a common type only
where two paths through the function join with different types and the variable is read afterwards:
the name is then marked as *wide* and the function is translated again, with one slot for that name.
`now` has, for each variable at the current point of the function, the slot that contains it, and
the number of loops that were open when it was last set: inside a loop, a variable that was set
before the loop may also have the value of the previous iteration.
"""

from __future__ import annotations

import ast
from functools import reduce
from typing import NamedTuple

from ..types import Type, int32, int64
from .conversions import Conversions
from .values import Value, common


class Retry(Exception):
    """A variable, or the result, needs a wider type: the function is translated again."""


class Location(NamedTuple):
    """The slot of a variable (None: it depends on the path), and the loops open when it was set."""

    slot: int | None
    loops: int


State = dict[str, Location]


class Variables(Conversions):
    def begin(self) -> None:
        super().begin()
        self.now: State = {}
        self.slots_of: dict[tuple[str, int], tuple[Type, list[str]]] = {}
        # for each open loop: the variables that are read and that an earlier iteration may have set
        self.read_before: list[dict[str, set[int]]] = []

    def forget_types(self) -> None:
        self.types: dict[str, list[Type]] = {}
        self.wide: set[str] = set()

    def assign(self, name: str, value: Value, node: ast.AST | None = None) -> None:
        kind = int64 if value.type is int32 else value.type
        k = self._slot_for(name, kind, node)
        wide = self.types[name][k]
        if (name, k) not in self.slots_of:
            self.slots_of[name, k] = wide, self.stack_slots(wide)
        self.store_in(self.cast(Value(kind, value.parts), wide, node), self.slots_of[name, k][1])
        self.now[name] = Location(k, len(self.read_before))

    def _slot_for(self, name: str, kind: Type, node: ast.AST | None) -> int:
        """The number of the slot for values of this type; a wide name has one slot."""
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
        location = self.now.get(name)
        if location is None:
            return None
        if location.slot is None:
            self.widen(name, node)
        assert location.slot is not None
        for loop in self.read_before[location.loops :]:
            loop.setdefault(name, set()).add(location.slot)
        return self.load_from(*self.slots_of[name, location.slot])

    def _both(self, name: str, a: Type, b: Type, node: ast.AST | None) -> Type:
        both = common(a, b)
        if both is None:
            raise self.error(
                node, f"{name!r} is {a} on one path through the function and {b} on another"
            )
        return both

    def widen(self, name: str, node: ast.AST | None) -> None:
        """Give this variable one type that can represent all its values."""
        self.types[name] = [reduce(lambda a, b: self._both(name, a, b, node), self.types[name])]
        self.wide.add(name)
        raise Retry

    def merge(self, states: list[State]) -> State:
        """The variables where several paths join; one that only some paths set may have the value of
        an earlier iteration.
        """
        merged, deepest = {}, len(self.read_before)
        for name in dict.fromkeys(name for state in states for name in state):
            location = [state[name] for state in states if name in state]
            slot = location[0].slot if len({h.slot for h in location}) == 1 else None
            merged[name] = Location(
                slot,
                min(
                    deepest,
                    *(h.loops for h in location),
                    deepest if len(location) == len(states) else 0,
                ),
            )
        return merged

    def check_iterations(self, back: list[State], node: ast.AST) -> None:
        """At the end of a loop: widen variables that the next iteration reads from other slots."""
        for name, slots in self.read_before[-1].items():
            if any(state[name].slot != slot for state in back if name in state for slot in slots):
                self.widen(name, node)
