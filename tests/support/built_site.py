"""The pages, built once per run of the suite, whichever worker needs them first."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 600.0  # s for the worker that builds


def build_once(folder: Path) -> Path:
    """Return the folder of the built pages; the first process builds, the others wait."""
    work = folder / "pages"
    done = work / "done"
    try:
        work.mkdir()
    except FileExistsError:
        return _waited(done)
    done.with_suffix(".part").write_text(_build(work))
    done.with_suffix(".part").rename(done)
    return _waited(done)


def _build(work: Path) -> str:
    """Build from a copy, with nothing to ask on the network; returns the errors."""
    shutil.copytree(
        ROOT / "docs",
        work / "docs",
        ignore=shutil.ignore_patterns("_build", "_generated", "__pycache__"),
    )
    shutil.copytree(ROOT / "examples", work / "examples")
    for page in ("CHANGELOG.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / page, work)
    closed = {f"{how}_proxy": "http://127.0.0.1:9" for how in ("http", "https", "HTTP", "HTTPS")}
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "docs", "built"],
        cwd=work,
        env={**os.environ, **closed},
        capture_output=True,
        text=True,
    )
    return "" if built.returncode == 0 else built.stderr or "the build failed"


def _waited(done: Path) -> Path:
    end = time.monotonic() + PATIENCE
    while not done.exists():
        assert time.monotonic() < end, "the pages were not built in time"
        time.sleep(0.5)
    assert done.read_text() == "", done.read_text()
    return done.parent / "built"
