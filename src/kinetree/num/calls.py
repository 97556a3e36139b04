"""Lowering of kernels (lowering.py), second part: functions, what they are handed, and what they answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir as llvm

from .private import cgutils, ir, types
from .values import WORD, Counting, Slice, answered, apart, flat, flattened, gathered, packed, packed_type, slot, together
from .variables import Subscripts

BY_PARTS: dict[Any, Callable] = {}  # intrinsics that take values by their parts: (context, builder, types, values) -> value


def bare_call(builder, function, values: list):
    """A call in Numba's convention, without its test for errors."""
    answer = slot(builder, function.type.pointee.args[0].pointee)
    builder.call(function, [answer, builder.function.args[1], *values])  # where an error would go that never comes
    return builder.load(answer)


def _declared(context, module, about):
    """A function as others see it: pieces, which end within kernels, take arrays and tuples by their parts."""
    if not about.inline:
        return context.declare_function(module, about)
    usual = context.call_conv.get_function_type(about.restype, ())
    taken = [packed_type(context, about.restype).as_pointer(), usual.args[1]]
    taken += [part for kind in about.argtypes for part in flat(context, kind)]
    function = cgutils.get_or_insert_function(module, llvm.FunctionType(usual.return_type, taken), about.mangled_name)
    function.attributes.add("alwaysinline")
    return function


class Calls(Subscripts):
    """Functions and what they are handed."""

    def setup_function(self, fndesc) -> None:
        self.function = _declared(self.context, self.module, fndesc)
        self.entry_block = self.function.append_basic_block("entry")
        self.builder = llvm.IRBuilder(self.entry_block)
        self.call_helper = self.call_conv.init_call_helper(self.builder)

    def extract_function_arguments(self):
        given, kinds = iter(self.function.args[2:]), self.fndesc.argtypes
        if self.fndesc.inline:
            self.fnargs = [gathered(kind, lambda: next(given)) for kind in kinds]
        else:
            self.fnargs = [together(self.context, self.builder, kind, given) for kind in kinds]
        return self.fnargs

    def lower_inst(self, inst):
        """A piece answers with all parts in one value."""
        if not (isinstance(inst, ir.Return) and self.fndesc.inline):
            return super().lower_inst(inst)
        answer = packed(self.context, self.builder, self.fndesc.restype, self.known(inst.value.name))
        self.builder.store(answer, self.function.args[0])
        return self.builder.ret(llvm.Constant(self.function.ftype.return_type, 0))

    def _lower_call_normal(self, fnty, expr, signature):
        """Our own functions, and those of which we know more."""
        key = fnty.typing_key if isinstance(fnty, types.Function) else None
        if key is range and signature.return_type == types.range_state64_type:
            return self._range([self.number(a.name, types.int64) for a in expr.args])
        if key is slice and signature.return_type == types.slice2_type:
            return Slice(*(None if self.typeof(a.name) == types.none else self.number(a.name, types.int64) for a in expr.args))
        if key in BY_PARTS:
            return BY_PARTS[key](self.context, self.builder, signature.args, [self.known(a.name) for a in expr.args])
        if not isinstance(fnty, types.Dispatcher):
            return super()._lower_call_normal(fnty, expr, signature)
        return self._call(fnty, expr, signature)

    def _call(self, fnty, expr, signature):
        if expr.kws or expr.vararg or len(expr.args) != len(signature.args):
            raise NotImplementedError(f"{fnty}: kernels and pieces are handed all their arguments, by position")
        self.context.add_linking_libs(self.context.get_function(fnty, signature).libs)
        called = fnty.dispatcher.overloads[signature.args].fndesc
        values = zip(called.argtypes, (self.converted(a.name, kind) for a, kind in zip(expr.args, called.argtypes)))
        function = _declared(self.context, self.module, called)
        if called.inline:
            answer = bare_call(self.builder, function, [part for v in values for part in flattened(self.builder, *v)])
            return answered(called.restype, answer)
        answer = bare_call(self.builder, function, [part for v in values for part in apart(self.context, self.builder, *v)])
        return self.context.get_returned_value(self.builder, called.restype, answer)

    def _range(self, given: list) -> Counting:
        if len(given) == 1:
            return Counting(WORD(0), given[0], WORD(1))
        return Counting(given[0], given[1], given[2] if len(given) == 3 else WORD(1))
