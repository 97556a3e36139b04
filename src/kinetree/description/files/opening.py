"""Load and save model files. The readers use libraries that import slowly, so they load on demand."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ...core.atomic_write import write
from ...core.checks import a_path, flag, mapping, row
from ...errors import ModelError, explains_arguments, short
from ..flexible_body import FlexibleBody
from ..model import Model

ROBOTS = (".urdf", ".xml", ".mjcf", ".sdf")  # endings of robot files


@explains_arguments
def load(
    path: str | os.PathLike[str],
    parameters: Mapping[str, Any] | None = None,
    *,
    allow_python: bool = False,
) -> Model:
    """Load a model from a model file (YAML) or a robot file (URDF, MJCF, SDF).

    Parameters
    ----------
    path : str or path-like
        The file; docs/files.md describes the format. A name that ends with ".urdf", ".xml", ".mjcf"
        or ".sdf" is read by `load_robot` with its default options.
    parameters : dict of str to Any, optional
        Values that replace the parameters of the file, such as ``{"L": 0.5}``.
    allow_python : bool, default False
        Whether Python functions that the file names as `module:function` may run. Their modules must
        be in the folder of the file.

    Returns
    -------
    Model
        The model.

    Raises
    ------
    ModelError
        If the file cannot be read or the model is wrong; the message names the line.

    See Also
    --------
    Model.save : Write a model to a file.
    load_robot : Read a robot file with other options.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.four_bar import four_bar
    >>> path = four_bar().save("four-bar.yaml")
    >>> sorted(kt.load(path).bodies)
    ['coupler', 'crank', 'rocker']
    """
    from .document import read_text
    from .load import load_text

    path = a_path(path, "kt.load: path")
    given = mapping({} if parameters is None else parameters, "kt.load: parameters", "{'L': 0.5}")
    if path.suffix.lower() in ROBOTS:
        if given:
            raise ModelError(f"kt.load: {path.name} is a robot file, which has no parameters.")
        return load_robot(path)
    with _no_collection():
        return load_text(read_text(path), path, given, flag(allow_python, "kt.load: allow_python"))


@explains_arguments
def load_robot(
    path: str | os.PathLike[str],
    *,
    base: str | None = None,
    stops: bool = False,
    friction: bool = True,
    actuators: bool = False,
    meshes: bool = True,
    strict: bool = False,
    folders: Sequence[str | os.PathLike[str]] = (),
) -> Model:
    """Load a robot from a URDF, MJCF or SDF file.

    Parameters
    ----------
    path : str or path-like
        The file. Its name ends with ".urdf", ".sdf", or ".xml" or ".mjcf" for MJCF, which MuJoCo
        compiles (``pip install kinetree[robots]``).
    base : {"floating", "fixed"}, optional
        Whether the root link moves freely or belongs to the ground. By default it floats if it has
        mass and is not named "world". MJCF and SDF files say themselves what is connected to the
        ground; "fixed" fixes the one part of an SDF file that floats.
    stops : bool, default False
        Whether limits of joints become elastic stops (`kt.BumpStop`).
    friction : bool, default True
        Whether friction and damping of joints are included.
    actuators : bool, default False
        Whether motors and servos of MJCF files act on their joints, each with a `kt.Input` of its
        name. The ranges of their inputs are in ``model.receipt.actuators``.
    meshes : bool, default True
        Whether meshes are read for pictures (STL and OBJ).
    strict : bool, default False
        Whether an inertia that no body can have is refused. By default it is used as given, as
        other programs do, with a note in the receipt.
    folders : sequence of path-like, optional
        Folders in which meshes of ``package://`` are searched besides those around the file.

    Returns
    -------
    Model
        The model. Its `receipt` has the names of frames and coordinates, the limits, and notes on
        what was changed or left out.

    Raises
    ------
    ModelError
        If the file cannot be read, or describes what no model can be.

    See Also
    --------
    load : Load a model from a file of any format.

    Notes
    -----
    Links that fixed joints connect are one body; ``model.receipt.frames`` has a marker for each
    link. Joints that mimic another one become `kt.Coupling`. Rotor inertia ("armature") becomes the
    ``inertia`` of joint coordinates, and loops (`connect`, `weld`, graphs of SDF) joints that close
    exactly.

    Examples
    --------
    >>> import kinetree as kt
    >>> text = '''<robot name="arm"><link name="world"/><link name="rod"><inertial>
    ... <origin xyz="0 0 -0.5"/><mass value="2"/><inertia ixx="0.2" iyy="0.2" izz="0.01"/>
    ... </inertial></link><joint name="A" type="continuous"><parent link="world"/>
    ... <child link="rod"/><axis xyz="0 1 0"/><dynamics damping="0.1"/></joint></robot>'''
    >>> from pathlib import Path
    >>> written = Path("arm.urdf").write_text(text)
    >>> robot = kt.load_robot("arm.urdf")
    >>> print(robot.receipt)
    arm.urdf: the base 'world' is fixed to the ground; 2 links in 2 bodies, 1 joint coordinates, 0 of them with limits.
      without mass: 1 link
    """
    from .robots.build import Wanted, build
    from .robots.read import read

    path = a_path(path, "kt.load_robot: path")
    if path.suffix.lower() not in ROBOTS:
        raise ModelError(f"kt.load_robot: {path.name}: the ending must be {' or '.join(ROBOTS)}.")
    if not (base is None or isinstance(base, str)) or base not in (None, "floating", "fixed"):
        raise ModelError(f"kt.load_robot: base must be 'floating' or 'fixed', got {short(base)}.")
    choices = {"stops": stops, "friction": friction, "strict": strict, "actuators": actuators}
    wanted = Wanted(base, **{k: flag(v, f"kt.load_robot: {k}") for k, v in choices.items()})
    flag(meshes, "kt.load_robot: meshes")
    searched = [
        a_path(one, "kt.load_robot: folders")
        for one in row(folders, "kt.load_robot: folders", "paths in a list")
    ]
    return build(read(path, searched, meshes), os.fspath(path), wanted)


def parameters_in(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The parameters of a model file with their values in SI units."""
    from .sources import Sources

    path = a_path(path, "model file")
    found = Sources(path.parent).tree(path, {})["parameters"]
    return {name: float(v) if isinstance(v, float) else v for name, v in found.items()}


@contextmanager
def _no_collection() -> Iterator[None]:
    """Turn the garbage collector off: the values of a large file have no cycles to search for."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def copy_parts(model: Model, folder: Path) -> None:
    """Copy the files of reduced parts into the folder of a model file, if they lie outside."""
    from .describe import beside

    for body in model.bodies.values():
        if isinstance(body, FlexibleBody) and body.source is not None:
            data, target = Path(body.source).read_bytes(), folder / beside(body.source, folder)
            if target.exists() and target.read_bytes() != data:
                raise ModelError(
                    f"model {model.name!r} cannot be saved: {str(target)!r} is another file than the "
                    f"part {body.source!r} of body {body.name!r}. Save the model elsewhere."
                )
            if not target.exists():
                target.write_bytes(data)


def model_text(model: Model, folder: str | os.PathLike[str] = ".") -> str:
    """The text of the file of a model; Python functions are named relative to that folder."""
    from .describe import described
    from .write import text_of

    return text_of(described(model, Path(folder)))


def save(model: Model, path: str | os.PathLike[str], overwrite: bool = False) -> Path:
    """Write the file of a model, complete or not at all, and return its path."""
    path = a_path(path, "save: path")
    text = model_text(model, path.parent)
    copy_parts(model, path.parent)
    write(path, text, overwrite)
    return path
