"""Lowering of kernels (lowering.py), first part: variables, and the items of arrays."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .private import Lower, compute_cfg_from_blocks, compute_use_defs, ir, must_use_alloca, types
from .values import Array, Slice, element, parts, sliced, slot, whole


class Variables(Lower):
    """Where values are kept."""

    def _find_singly_assigned_variable(self) -> None:
        """Variables set in one place that all their uses lie behind need no place on the stack."""
        uses, before = compute_use_defs(self.blocks), compute_cfg_from_blocks(self.blocks).dominators()
        count = Counter(s.target.name for block in self.blocks.values() for s in block.find_insts(ir.Assign))
        used: dict[str, set] = {}
        for label, names in uses.usemap.items():
            for name in names:
                used.setdefault(name, set()).add(label)
        stack = must_use_alloca(self.blocks)
        self._singly_assigned_vars = {
            name for label, names in uses.defmap.items() for name in names
            if count[name] == 1 and name not in stack and all(label != at and label in before[at] for at in used.get(name, ()))}
        self._blk_local_varmap: dict[str, Any] = {}

    def pre_block(self, block) -> None:
        """Places on the stack are made when they are asked for, and nothing is tried."""

    def alloca_lltype(self, name, lltype, datamodel=None):
        return slot(self.builder, lltype)

    def storevar(self, value, name, argidx=None) -> None:
        if name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self.builder.store(self._whole(value, name), self.getvar(name))

    def loadvar(self, name):
        return self._whole(self.known(name), name)

    def known(self, name: str):
        """The value of a variable, by its parts where they are known."""
        value = self._blk_local_varmap.get(name)
        return self.builder.load(self.getvar(name)) if value is None else value

    def known_parts(self, name: str):
        """The value of a variable by its parts."""
        return parts(self.builder, self.typeof(name), self.known(name))

    def _whole(self, value, name: str):
        return whole(self.context, self.builder, self.typeof(name), value) if isinstance(value, tuple) else value

    def delvar(self, name) -> None:
        """Nothing is counted, so nothing is given back."""

    def number(self, name: str, kind):
        return self.context.cast(self.builder, self.known(name), self.typeof(name), kind)

    def converted(self, name: str, kind):
        """The value of a variable as another type."""
        if self.typeof(name) == kind:
            return self.known(name)
        return self.context.cast(self.builder, self.loadvar(name), self.typeof(name), kind)


class Subscripts(Variables):
    """Reading and writing items."""

    def lower_getitem(self, resty, expr, value, index, signature):
        kind, at = self.typeof(value.name), self._subscripts(index.name)
        if isinstance(kind, types.Array) and kind.ndim == 1 and kind.layout == "C" and isinstance(at, Slice):
            return sliced(self.builder, self.known_parts(value.name), at)
        if not isinstance(kind, types.Array) or not isinstance(at, list) or len(at) > kind.ndim or kind.layout != "C":
            return super().lower_getitem(resty, expr, value, index, signature)
        array = self.known_parts(value.name)
        place = element(self.builder, array, at)
        if len(at) < kind.ndim:
            return Array(place, array.shape[len(at):])
        return self.context.cast(self.builder, self.context.unpack_value(self.builder, kind.dtype, place), kind.dtype, resty)

    def lower_setitem(self, target_var, index_var, value_var, signature) -> None:
        kind, at = self.typeof(target_var.name), self._subscripts(index_var.name)
        if (not isinstance(kind, types.Array) or not isinstance(at, list) or len(at) != kind.ndim or kind.layout != "C"
                or not isinstance(kind.dtype, (types.Number, types.Boolean))):
            super().lower_setitem(target_var, index_var, value_var, signature)
            return
        value = self.number(value_var.name, kind.dtype)
        self.context.pack_value(self.builder, kind.dtype, value, element(self.builder, self.known_parts(target_var.name), at))

    def _subscripts(self, name: str) -> list | Slice | None:
        """The integers of a subscript, or a slice; None where it is another kind."""
        kind = self.typeof(name)
        if isinstance(kind, types.Integer):
            return [self.number(name, types.int64)]
        if isinstance(kind, types.BaseTuple) and all(isinstance(k, types.Integer) for k in kind):
            items = self.known_parts(name).items
            return [self.context.cast(self.builder, item, k, types.int64) for k, item in zip(kind, items)]
        return value if isinstance(value := self.known(name), Slice) else None
