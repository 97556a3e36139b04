"""Processor instructions without an operator in Python, as functions that also run in plain Python."""

from __future__ import annotations

import struct

from ..intrinsics import Instruction
from ..types import boolean, float64, int64


def _bits(x: float) -> int:
    return struct.unpack("<q", struct.pack("<d", x))[0]


def _float(k: int) -> float:
    return struct.unpack("<d", struct.pack("<q", k))[0]


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


bits_of = Instruction("bitcast double {} to i64", int64, (float64,), _bits)
float_of = Instruction("bitcast i64 {} to double", float64, (int64,), _float)
left = Instruction("shl i64 {}, {}", int64, (int64, int64), lambda k, n: k << n)
# with the sign of k
right = Instruction("ashr i64 {}, {}", int64, (int64, int64), lambda k, n: k >> n)
# rounded towards zero, for b not 0 or -1
quotient = Instruction("sdiv i64 {}, {}", int64, (int64, int64), _quotient)
rest = Instruction("srem i64 {}, {}", int64, (int64, int64), lambda a, b: a - b * _quotient(a, b))
# whether a*b + c is fused on this target
rounds_once = Instruction("call i1 @rounds_once()", boolean, (), lambda: False)
