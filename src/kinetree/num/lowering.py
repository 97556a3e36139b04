"""How statements of kernels become instructions of LLVM, as few as they need (variables.py and calls.py are part of it).

What Numba writes serves every program: a subscript copies its array to the stack and back (33 instructions), a call takes arrays
apart and together again and asks whether an error came back (35), a loop over a range has 55, each division asks whether
it is by zero, each variable is cleared when it is made and when it is left. Kernels count no references, never raise, and
divide like NumPy, so that all of it comes to nothing in the end; but it has to be written, read and optimised away, which was
half of all compiling.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial

from .calls import Calls
from .private import cgutils, ir, types
from .values import WORD, Array, Counting, Pair, Tuple, constant, slot

_ARITHMETIC: dict[types.Type, dict[Callable, str]] = {
    types.float64: {operator.add: "fadd", operator.sub: "fsub", operator.mul: "fmul", operator.truediv: "fdiv"},
    types.int64: {operator.add: "add", operator.sub: "sub", operator.mul: "mul"}}
_COMPARED = {operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">=", operator.eq: "==", operator.ne: "!="}
_INPLACE = {operator.iadd: operator.add, operator.isub: operator.sub, operator.imul: operator.mul,
            operator.itruediv: operator.truediv}


class LeanLower(Calls):
    """Numba's lowering for code that counts no references and raises nothing."""

    def lower_static_raise(self, inst) -> None:
        raise NotImplementedError(f"{self.fndesc.qualname}: kernels raise nothing, their callers would not see it")

    def lower_assign(self, ty, inst):
        value = inst.value
        if isinstance(value, ir.Var) and self.typeof(value.name) == ty:
            return self.known(value.name)
        if isinstance(value, ir.Arg) and self.typeof("arg." + value.name) == ty:
            return self.fnargs[value.index]
        if isinstance(value, (ir.Global, ir.FreeVar)) and isinstance(ty, types.Callable):
            return self.context.get_dummy_value()  # which function it is says its type
        return super().lower_assign(ty, inst)

    def lower_expr(self, resty, expr):
        lower = getattr(self, f"_lower_{expr.op}", None)
        value = lower(resty, expr) if lower else None
        return super().lower_expr(resty, expr) if value is None else value

    def _lower_getattr(self, resty, expr):
        kind = self.typeof(expr.value.name)
        if isinstance(kind, types.Record) and isinstance(field := kind.typeof(expr.attr), types.NestedArray):
            data = cgutils.get_record_member(self.builder, self.known(expr.value.name), kind.offset(expr.attr),
                                             self.context.get_data_type(field.dtype))
            return Array(data, [WORD(n) for n in field.shape])
        if isinstance(kind, types.Array) and kind.layout == "C" and expr.attr == "shape":
            return Tuple(self.known_parts(expr.value.name).shape)
        if hasattr(kind, "field"):
            return self._field(kind, self.known(expr.value.name), expr.attr)
        return None

    def _field(self, kind, block, name: str):
        """An array of a block, looked up once in a row of instructions."""
        known = self.__dict__.setdefault("_fields", {})
        key = self.builder.block, block, name
        if key not in known:
            known[key] = kind.field(self.context, self.builder, block, name)
        return known[key]

    def _lower_build_tuple(self, resty, expr):
        return Tuple([self.converted(item.name, kind) for item, kind in zip(expr.items, resty)])

    def _lower_cast(self, resty, expr):
        return self.converted(expr.value.name, resty)

    def _lower_exhaust_iter(self, resty, expr):
        return self.known_parts(expr.value.name) if isinstance(resty, types.BaseTuple) else None

    def _lower_static_getitem(self, resty, expr):
        kind = self.typeof(expr.value.name)
        if not isinstance(kind, types.BaseTuple) or not isinstance(expr.index, int):
            return None
        item, found = self.known_parts(expr.value.name).items[expr.index], kind[expr.index]
        return item if found == resty else self.context.cast(self.builder, item, found, resty)

    def _lower_getiter(self, resty, expr):
        counting = self.known(expr.value.name)
        if not isinstance(counting, Counting):
            return None
        place = slot(self.builder, WORD)
        self.builder.store(counting.start, place)
        return counting._replace(start=place)

    def _lower_iternext(self, resty, expr):
        counting = self.known(expr.value.name)
        if not isinstance(counting, Counting):
            return None
        value = self.builder.load(counting.start)
        self.builder.store(self.builder.add(value, counting.step, flags=["nsw"]), counting.start)
        return Pair(value, self._before(counting, value))

    def _before(self, counting: Counting, value):
        """Whether a number of a range comes before its end."""
        below, above = (partial(self.builder.icmp_signed, sign, value, counting.stop) for sign in "<>")
        step = constant(counting.step)
        if step is None:
            upwards = self.builder.icmp_signed(">", counting.step, WORD(0))
            return self.builder.select(upwards, below(), above())
        return below() if step > 0 else above()

    def _lower_pair_first(self, resty, expr):
        pair = self.known(expr.value.name)
        return pair.first if isinstance(pair, Pair) else None

    def _lower_pair_second(self, resty, expr):
        pair = self.known(expr.value.name)
        return pair.second if isinstance(pair, Pair) else None

    def lower_binop(self, resty, expr, op):
        """Sums, products, quotients and comparisons of floats and integers, each one instruction."""
        kinds = {types.unliteral(kind) for kind in self.fndesc.calltypes[expr].args}
        kind = next(iter(kinds)) if len(kinds) == 1 else types.float64 if kinds == {types.float64, types.int64} else None
        op = _INPLACE.get(op, op)
        if kind not in _ARITHMETIC or not (op in _COMPARED or op in _ARITHMETIC[kind]):
            return super().lower_binop(resty, expr, op)
        left, right = self.number(expr.lhs.name, kind), self.number(expr.rhs.name, kind)
        if op in _COMPARED:
            return self._compare(kind, _COMPARED[op], left, right)
        return getattr(self.builder, _ARITHMETIC[kind][op])(left, right)

    def _compare(self, kind, sign: str, left, right):
        if kind == types.int64:
            return self.builder.icmp_signed(sign, left, right)
        compare = self.builder.fcmp_unordered if sign == "!=" else self.builder.fcmp_ordered  # of NaN only != is true
        return compare(sign, left, right)
