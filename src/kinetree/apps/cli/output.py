"""What a run leaves behind: the summary as JSON, and a folder with numbers and pictures."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.atomic_write import write as write_file
from ...errors import ModelError, ResultError

if TYPE_CHECKING:
    from ...description.model import Model

OWN_FOLDER = Path("kinetree-output")  # where a command writes unless told otherwise


def summary(solution) -> dict[str, Any]:
    """Whether to trust the run, in numbers, and where it ended."""
    error, energy, motion = solution.constraint_error, solution.energy, solution.model.joints
    labels = [f"{name}.{label}" for name, spec in motion.items() for label in spec.joint.labels]
    return {
        "model": solution.model.name,
        "success": solution.success,
        "message": solution.message,
        "options": solution.options,
        "statistics": solution.statistics,
        "constraint_error": {
            "position": error.max(),
            "velocity": float(error.velocity.max(initial=0.0)),
        },
        "energy": {
            "start": float(energy.total[0]),
            "end": float(energy.total[-1]),
            "drift": energy.drift,
            "imbalance": energy.imbalance,
        },
        "end": {label: float(solution[label][-1]) for label in labels},
    }


REQUEST = "request.json"  # what the results in a folder are those of
FILES = (
    REQUEST,
    "samples.csv",
    "solution.json",
    "motion.png",
    "energy.png",
    "steps.png",
    "stiffness.png",
    "animation.html",
)


def identity(model: Model, folder: Path) -> str:
    """A hash of all that a model says, with the Python functions in it by their code: its file,
    parameters and code decide it.
    """
    from ...assembly.build import build, build_nodes
    from ...description.files.opening import model_text
    from ...description.lowering.flexible import beams_of

    try:
        said = model_text(model, folder)
    except (
        ModelError
    ):  # functions without a name: their code is in the tables, all else is said here
        parts = repr(
            [
                *((name, spec.start, spec.speed) for name, spec in model.joints.items()),
                *model.bodies.values(),
                *(part.spec for part in model.forces.values()),
                *(part.spec for part in model.constraints.values()),
            ]
        )
        said = re.sub(r" at 0x[0-9a-fA-F]+", "", parts)  # addresses differ from process to process
    tables = build_nodes(model) if beams_of(model) and model.generated is None else build(model)
    return hashlib.sha256(f"{said}\n{tables.hash}".encode()).hexdigest()


def write_all(solution, folder: Path, said: str) -> list[Path]:
    """Samples, everything as JSON, and plots, in place of those of an earlier run; answers the
    files written.

    `said` is the identity of the model; it is written last, and that of an earlier run is removed
    first, so that it never stands beside the results of another.
    """
    from .figures import plot_motion

    made = make_folder(folder)
    (made / REQUEST).unlink(missing_ok=True)
    writers = {
        "samples.csv": lambda path: solution.to_csv(path, overwrite=True),
        "solution.json": lambda path: solution.to_json(path, overwrite=True),
        "motion.png": lambda path: plot_motion(solution, path),
        "energy.png": solution.plot_energy,
        "steps.png": solution.plot_steps,
    }
    if solution.options["integrator"] == "switching":
        writers["stiffness.png"] = solution.plot_stiffness
    for name, write in writers.items():
        write(made / name)
    write_file(
        made / REQUEST,
        json.dumps({"model": solution.model.name, "identity": said}, indent=2) + "\n",
        overwrite=True,
    )
    return [made / name for name in (*writers, REQUEST)]


def refuse_other(
    folder: Path, names: Sequence[str], wanted: dict[str, Any] | None = None, said: str = ""
) -> None:
    """Refuse a folder that holds other results under the names to be written, before anything is
    computed.

    `wanted` are the model and the options asked for, `said` the identity of the model: if the
    results there have the same, it is the same run again, which may take the place of the first.
    """
    there = [name for name in names if os.path.lexists(folder / name)]
    if there and not (
        wanted and _agrees(folder / "solution.json", wanted) and _is_of(folder / REQUEST, said)
    ):
        raise ResultError(
            f"the folder {folder} holds other results ({', '.join(there)}). Choose another folder, "
            "or say --force "
            "to replace them."
        )


def _agrees(path: Path, wanted: dict[str, Any]) -> bool:
    try:
        held = json.loads(path.read_bytes())["provenance"]
        found = {"model": held["model"], **held["options"]}
        return not path.is_symlink() and all(found[key] == value for key, value in wanted.items())
    except (OSError, ValueError, LookupError, TypeError):
        return False


def _is_of(path: Path, said: str) -> bool:
    """Whether results are those of the model with this identity."""
    try:
        return not path.is_symlink() and json.loads(path.read_bytes())["identity"] == said
    except (OSError, ValueError, LookupError, TypeError):
        return False


def animation(solution, folder: Path) -> Path:
    """Write the page that plays the run; answers its path."""
    return solution.animate(make_folder(folder) / "animation.html").path


def make_folder(folder: Path) -> Path:
    """The folder, made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as reason:
        raise ResultError(
            f"cannot make the folder {folder}: {reason.strerror or reason}."
        ) from None
    return folder
