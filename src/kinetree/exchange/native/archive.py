"""Static libraries: object files in an `ar` archive, with the table of their symbols.

Linux and Windows (MinGW and MSVC) read the GNU form, macOS the BSD form.
"""

from __future__ import annotations

from collections.abc import Mapping
from struct import pack

_START = b"!<arch>\n"
_BEFORE = 80  # bytes of the header and the name of a member for macOS


def archive(files: Mapping[str, bytes], symbols: Mapping[str, tuple[str, ...]], mac: bool) -> bytes:
    """An archive of object files; `symbols` are those that each file defines, as in C."""
    return (_bsd if mac else _gnu)(files, symbols)


def _gnu(files: Mapping[str, bytes], symbols: Mapping[str, tuple[str, ...]]) -> bytes:
    """First the member "/": number of symbols, places of their files, names; all big-endian."""
    pairs = [(name, symbol) for name in files for symbol in symbols[name]]
    names = b"".join(symbol.encode() + b"\0" for _, symbol in pairs)
    size = 4 + 4 * len(pairs) + len(names)
    places, body = {}, b""
    at = len(_START) + 60 + size + size % 2
    for name, content in files.items():
        places[name] = at + len(body)
        body += _member(f"{name}/", content)
    table = pack(f">I{len(pairs)}I", len(pairs), *(places[name] for name, _ in pairs)) + names
    return _START + _member("/", table) + body


def _bsd(files: Mapping[str, bytes], symbols: Mapping[str, tuple[str, ...]]) -> bytes:
    """First "__.SYMDEF": pairs of a place in the names and the place of a file; little-endian.

    Mach-O puts an underscore before the names of C.
    """
    pairs = sorted((f"_{symbol}", name) for name in files for symbol in symbols[name])
    names, starts = b"", []
    for symbol, _ in pairs:
        starts.append(len(names))
        names += symbol.encode() + b"\0"
    names += b"\0" * (-len(names) % 8)
    size = len(_START) + _BEFORE + 8 + 8 * len(pairs) + len(names)
    places, body = {}, b""
    for name, content in files.items():
        places[name] = size + len(body)
        body += _aligned_member(name, content)
    ranlibs = b"".join(pack("<II", start, places[name]) for start, (_, name) in zip(starts, pairs))
    table = pack("<I", 8 * len(pairs)) + ranlibs + pack("<I", len(names)) + names
    return _START + _aligned_member("__.SYMDEF SORTED", table) + body


def _aligned_member(name: str, content: bytes) -> bytes:
    """One file whose content begins and ends at multiples of 8 bytes, if the member does.

    Its name stands before the content, filled with zeros.
    """
    filled = name.encode().ljust(_BEFORE - 60, b"\0") + content + b"\0" * (-len(content) % 8)
    return _member(f"#1/{_BEFORE - 60}", filled)


def _member(name: str, content: bytes) -> bytes:
    """One file with its header, padded to an even size."""
    head = f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n"
    return head.encode() + content + b"\n" * (len(content) % 2)
