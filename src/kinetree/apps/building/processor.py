"""LLVM text of `kt.family`: 3 if the processor and the system can run code for x86-64-v3, else 1.

By the instructions cpuid and xgetbv, without any library. [x86-64 psABI, micro-architecture levels]
"""

from __future__ import annotations

_CPUID = 'call { i32, i32, i32, i32 } asm sideeffect "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}"'
_BASIC = sum(
    1 << bit for bit in (12, 22, 27, 28, 29)
)  # ecx of leaf 1: FMA, MOVBE, OSXSAVE, AVX, F16C
_MORE = sum(1 << bit for bit in (3, 5, 8))  # ebx of leaf 7: BMI1, AVX2, BMI2
_LZCNT = 1 << 5  # ecx of leaf 0x80000001
_SAVED = 6  # xcr0: the system saves SSE and AVX registers

FAMILY = f"""
define i64 @"kt.family"() nounwind {{
  %one = {_CPUID}(i32 1, i32 0)
  %basic = extractvalue {{ i32, i32, i32, i32 }} %one, 2
  %basic.has = and i32 %basic, {_BASIC}
  %basic.all = icmp eq i32 %basic.has, {_BASIC}
  br i1 %basic.all, label %more, label %no
more:
  %seven = {_CPUID}(i32 7, i32 0)
  %extended = extractvalue {{ i32, i32, i32, i32 }} %seven, 1
  %extended.has = and i32 %extended, {_MORE}
  %extended.all = icmp eq i32 %extended.has, {_MORE}
  %last = {_CPUID}(i32 {0x80000001 - (1 << 32)}, i32 0)
  %further = extractvalue {{ i32, i32, i32, i32 }} %last, 2
  %further.has = and i32 %further, {_LZCNT}
  %further.all = icmp ne i32 %further.has, 0
  %state = call {{ i32, i32 }} asm sideeffect "xgetbv", "={{ax}},={{dx}},{{cx}}"(i32 0)
  %saved = extractvalue {{ i32, i32 }} %state, 0
  %saved.has = and i32 %saved, {_SAVED}
  %saved.all = icmp eq i32 %saved.has, {_SAVED}
  %both = and i1 %extended.all, %further.all
  %all = and i1 %both, %saved.all
  br i1 %all, label %yes, label %no
yes:
  ret i64 3
no:
  ret i64 1
}}
"""
