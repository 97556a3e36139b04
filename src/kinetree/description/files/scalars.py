"""Plain scalars of YAML 1.2 (core schema): 1e-3 is a number, `on` and `no` are texts, 010 is ten."""

from __future__ import annotations

import math
import re
import sys

from ...errors import ModelError, short

_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WHOLE = re.compile(r"[-+]?[0-9]+")
_OTHER_BASE = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_ENDLESS = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_WORDS = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
LONGEST = 300  # characters of a number
LARGEST = sys.float_info.max  # of whole numbers, too


def plain_scalar(text: str):
    """The value of a scalar without quotes."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if _NUMBER.fullmatch(text):
        return _number(text)
    if _OTHER_BASE.fullmatch(text) and len(text) <= LONGEST:
        return _whole(int(text, 0), text)
    if _ENDLESS.fullmatch(text):
        raise ModelError(f"{text} is not finite; leave the option out where it has no limit")
    return text


def _number(text: str) -> float | int:
    if len(text) > LONGEST:
        raise ModelError(f"the number {short(text, 40)} has more than {LONGEST} characters")
    if _WHOLE.fullmatch(text):
        return _whole(int(text), text)
    value = float(text)
    if math.isinf(value):
        raise ModelError(f"the number {text} is too large")
    return value


def _whole(value: int, text: str) -> int:
    if abs(value) > LARGEST:
        raise ModelError(f"the number {short(text, 40)} is too large")
    return value
