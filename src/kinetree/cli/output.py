"""What a run leaves behind: the summary as JSON, and a folder with numbers and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import ResultError

OWN_FOLDER = Path("kinetree-output")  # where a command writes unless told otherwise


def summary(solution) -> dict[str, Any]:
    """Whether to trust the run, in numbers, and where it ended."""
    error, energy, motion = solution.constraint_error, solution.energy, solution.model.joints
    labels = [f"{name}.{label}" for name, spec in motion.items() for label in spec.joint.labels]
    return {
        "model": solution.model.name, "success": solution.success, "message": solution.message,
        "options": solution.options, "statistics": solution.statistics,
        "constraint_error": {"position": error.max(), "velocity": float(error.velocity.max(initial=0.0))},
        "energy": {"start": float(energy.total[0]), "end": float(energy.total[-1]), "drift": energy.drift,
                   "imbalance": energy.imbalance},
        "end": {label: float(solution[label][-1]) for label in labels}}


def write_all(solution, folder: Path) -> list[Path]:
    """Samples, everything as JSON, and plots; answers the files written."""
    from .figures import plot_motion

    made = make_folder(folder)
    writers = {
        "samples.csv": solution.to_csv, "solution.json": solution.to_json,
        "motion.png": lambda path: plot_motion(solution, path), "energy.png": solution.plot_energy,
        "steps.png": solution.plot_steps}
    if solution.options["integrator"] == "switching":
        writers["stiffness.png"] = solution.plot_stiffness
    for name, write in writers.items():
        try:
            write(made / name)
        except OSError as reason:
            raise ResultError(f"cannot write {made / name}: {reason.strerror or reason}.") from None
    return [made / name for name in writers]


def animation(solution, folder: Path) -> Path:
    """Write the page that plays the run; answers its path."""
    return solution.animate(make_folder(folder) / "animation.html").path


def make_folder(folder: Path) -> Path:
    """The folder, made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as reason:
        raise ResultError(f"cannot make the folder {folder}: {reason.strerror or reason}.") from None
    return folder
