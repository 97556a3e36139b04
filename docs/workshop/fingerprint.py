"""Whether something made at an earlier build is up to date: hashes of the sources it is made of."""

from __future__ import annotations

import hashlib
from pathlib import Path


def fingerprint(*sources: str | Path) -> str:
    """Return the hash of the package, and of further source files."""
    import kinetree

    package = Path(kinetree.__file__).parent
    files = sorted(p for p in package.rglob("*") if p.suffix in (".py", ".js", ".css", ".html"))
    return hashlib.sha256(b"".join(Path(p).read_bytes() for p in (*files, *sources))).hexdigest()
