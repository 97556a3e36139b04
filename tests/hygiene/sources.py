"""The source files of the repository and their syntax trees."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "kinetree"
MODULES = sorted(PACKAGE.rglob("*.py"))
PATTERNS = (
    "src/**/*.py",
    "src/**/*.js",
    "src/**/*.css",
    "src/**/*.html",
    "src/**/*.bib",
    "tests/**/*.py",
    "examples/*.py",
    "benchmarks/**/*.py",
    "docs/**/*.md",
    "*.md",
    "pyproject.toml",
    ".ci/*",
    ".github/**/*",
    ".pre-commit-config.yaml",
    "CITATION.cff",
)
TEXTS = sorted(path for pattern in PATTERNS for path in ROOT.glob(pattern) if path.is_file())


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
