"""Undefined symbols of an object for Linux, out of its symbol table [System V ABI, ELF-64]."""

import struct

_SYMBOLS, _UNDEFINED = 2, 0  # type of the section, and the section of what is elsewhere


def undefined(code: bytes) -> set[str]:
    assert code[:5] == b"\x7fELF\x02"
    (at,) = struct.unpack_from("<Q", code, 40)
    size, count = struct.unpack_from("<HH", code, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", code, at + k * size) for k in range(count)]
    found = set()
    for _, kind, _, _, start, length, names, *_ in sections:
        if kind != _SYMBOLS:
            continue
        text = sections[names][4]
        for offset in range(start, start + length, 24):
            name, _, _, section = struct.unpack_from("<IBBH", code, offset)
            if name and section == _UNDEFINED:
                found.add(code[text + name : code.index(b"\0", text + name)].decode())
    return found
