"""The page of the validation: published values beside ours, as a table and as plots.

A case is one published number; `cases.py` lists them, by problem. At the build all of them are
computed, and written to `_generated/validation.txt` and to the figures `validation-*.svg`.

cd docs && python -m workshop.validation FOLDER           the same without Sphinx
"""

from __future__ import annotations

from pathlib import Path

from ..fingerprint import fingerprint


def write(folder: Path) -> None:
    """Write the table and the plots into a folder, unless they are up to date."""
    from .page import save_plots, table
    from .results import results

    problems = Path(__file__).parents[1] / "problems"
    sources = sorted([*Path(__file__).parent.glob("*.py"), *problems.glob("*.py")])
    stamp, now = folder / "validation.stamp", fingerprint(*sources)
    if stamp.exists() and stamp.read_text() == now:
        return
    (folder / "figures").mkdir(parents=True, exist_ok=True)
    found = results()
    (folder / "validation.txt").write_text(table(found), encoding="utf-8")
    save_plots(found, folder / "figures")
    stamp.write_text(now)
