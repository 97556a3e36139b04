"""The built pages, once for all workers of a test session."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 900.0  # s, for a worker that waits for the build of another one


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """All pages as a reader has them, built from a copy, without a network.

    The worker that creates the folder builds; the others wait for its file `result`.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "site"
    result = folder / "result"
    try:
        folder.mkdir()
    except FileExistsError:
        _wait_for(result)
    else:
        _build(folder, result)
    errors = result.read_text(encoding="utf-8")
    assert errors == "", errors
    return folder / "built"


def _build(folder: Path, result: Path) -> None:
    """Build the pages; `result` holds the errors, and is empty without them."""
    shutil.copytree(
        ROOT / "docs",
        folder / "docs",
        ignore=shutil.ignore_patterns("_build", "_generated", "__pycache__"),
    )
    shutil.copytree(ROOT / "examples", folder / "examples")
    for page in ("CHANGELOG.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / page, folder)
    closed = {f"{how}_proxy": "http://127.0.0.1:9" for how in ("http", "https", "HTTP", "HTTPS")}
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "docs", "built"],
        cwd=folder,
        env={**os.environ, **closed},
        capture_output=True,
        text=True,
    )
    failed = f"sphinx ended with {built.returncode}:\n{built.stderr}" if built.returncode else ""
    unready = result.with_suffix(".new")
    unready.write_text(failed, encoding="utf-8")
    unready.rename(result)


def _wait_for(file: Path) -> None:
    end = time.monotonic() + PATIENCE
    while not file.exists():
        assert time.monotonic() < end, f"no worker has built the pages within {PATIENCE:g} s"
        time.sleep(0.2)
