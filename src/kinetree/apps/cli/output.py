"""Output of a run: the summary as JSON, a folder with numbers and plots, or one file."""

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

OWN_FOLDER = Path("kinetree-output")  # default folder of the commands
SINGLE = (".nc", ".h5", ".csv", ".json")  # endings with which --out is one file with the run
OF_FILES = (
    *SINGLE,
    *(".png", ".svg", ".pdf", ".jpg", ".jpeg", ".gif", ".webp", ".mp4", ".html", ".htm"),
    *(".txt", ".yaml", ".yml", ".xlsx", ".parquet", ".mat", ".zip"),
)  # a folder with such a name would be a mistake


def summary(solution) -> dict[str, Any]:
    """Accuracy summary: closure error, energy balance, and the coordinates at the end."""
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


REQUEST = "request.json"  # identifies the model of the results in a folder
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
    """Hash of a model: its file, its parameters, and the code of its Python functions."""
    from ...assembly.build import build, build_nodes
    from ...description.files.opening import model_text
    from ...description.lowering.flexible import beams_of

    try:
        said = model_text(model, folder)
    except (
        ModelError
    ):  # functions without a name: their code is in the tables, all else is in the parts
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
    """Write samples, all results as JSON, and plots over those of an earlier run; return the files.

    `said` is the identity of the model. It is written last, and that of an earlier run is removed
    first, so that it is never next to the results of another model.
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
    """Refuse a folder with other results under the names to be written, before the run starts.

    `wanted` are the model and the options of the run, `said` is the identity of the model. If the
    results in the folder have the same, the run is repeated and may replace them.
    """
    there = [name for name in names if os.path.lexists(folder / name)]
    if there and not (
        wanted and _agrees(folder / "solution.json", wanted) and _is_of(folder / REQUEST, said)
    ):
        raise ResultError(
            f"the folder {folder} holds other results ({', '.join(there)}). Choose another folder, "
            "or use --force to replace them."
        )


def _agrees(path: Path, wanted: dict[str, Any]) -> bool:
    try:
        held = json.loads(path.read_bytes())["provenance"]
        found = {"model": held["model"], **held["options"]}
        return not path.is_symlink() and all(found[key] == value for key, value in wanted.items())
    except (OSError, ValueError, LookupError, TypeError):
        return False


def _is_of(path: Path, said: str) -> bool:
    """Whether the results belong to the model with this identity."""
    try:
        return not path.is_symlink() and json.loads(path.read_bytes())["identity"] == said
    except (OSError, ValueError, LookupError, TypeError):
        return False


def animation(solution, folder: Path) -> Path:
    """Write the page that plays the run, and return its path."""
    return solution.animate(make_folder(folder) / "animation.html").path


def single_file(out: Path | None, force: bool) -> Path | None:
    """The file if `--out` names one file, or None if it names a folder.

    An existing file is refused before the run starts, unless it may be replaced.
    """
    if out is None or out.suffix.lower() not in SINGLE or out.is_dir():
        return None
    if os.path.lexists(out) and not force:
        raise ResultError(
            f"the file {out} exists. Choose another name, or use --force to replace it."
        )
    make_folder(out.parent)
    return out


def write_single(solution, path: Path) -> Path:
    """Write the run to one file: NetCDF (.nc, .h5), CSV or JSON."""
    write = {".csv": solution.to_csv, ".json": solution.to_json}
    write.get(path.suffix.lower(), solution.save)(path, overwrite=True)
    return path


def make_folder(folder: Path) -> Path:
    """Make the folder if it does not exist, and return it; refuse the name of a file."""
    if folder.suffix.lower() in OF_FILES and not folder.is_dir():
        raise ModelError(
            f"a folder is needed here, and {folder.name!r} is the name of a file. Give the name of "
            f"a folder, such as {folder.stem!r}."
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as reason:
        raise ResultError(
            f"cannot make the folder {folder}: {reason.strerror or reason}."
        ) from None
    return folder
