"""Writing a solution into a folder: numbers as CSV and JSON, pictures as PNG."""

from __future__ import annotations

import json
from pathlib import Path

from ..errors import ResultError
from .summary import summary


def write_all(solution, folder: Path) -> list[Path]:
    """Samples, summary and plots; the files written."""
    made = make_folder(folder)
    samples, report = made / "samples.csv", made / "summary.json"
    try:
        solution.to_csv(samples)
        report.write_text(json.dumps(summary(solution), indent=2) + "\n")
    except OSError as reason:
        raise ResultError(f"cannot write into {folder}: {reason.strerror or reason}.") from None
    return [samples, report, *write_figures(solution, made)]


def write_figures(solution, folder: Path) -> list[Path]:
    """The plots of a solution."""
    from .figures import figures

    made = make_folder(folder)
    files = []
    for name, figure in figures(solution).items():
        files.append(made / f"{name}.png")
        figure.savefig(files[-1], dpi=120)
    return files


def make_folder(folder: Path) -> Path:
    """The folder, made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as reason:
        raise ResultError(f"cannot make the folder {folder}: {reason.strerror or reason}.") from None
    return folder
