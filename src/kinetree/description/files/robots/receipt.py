"""What was read from a robot file: names in the model, and what was changed or left out."""

from __future__ import annotations

from dataclasses import dataclass, field

from ....core.display import Printable
from ...body import Marker
from .robot import Actuator


@dataclass(frozen=True, repr=False)
class Receipt(Printable):
    """Record of an imported robot, ``model.receipt``.

    Attributes
    ----------
    file : str
        The file.
    base : str
        Name of the root link, and whether it floats or is fixed to the ground.
    frames : dict of str to Marker
        Marker of every link of the file, also of links that are part of another body.
    coordinates : dict of str to str
        Channel of every joint coordinate by the name of the joint in the file.
    limits : dict of str to tuple of float
        Range of every limited joint coordinate (rad or m) by the name of the joint in the file.
    notes : tuple of str
        What was changed, and what the file has but the model has not.
    actuators : dict of str to Actuator
        Drives of the file by name; ``actuators=True`` makes inputs of them.

    Examples
    --------
    >>> import kinetree as kt
    >>> text = '''<robot name="arm"><link name="world"/><link name="rod"><inertial>
    ... <mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial></link>
    ... <joint name="A" type="continuous"><parent link="world"/><child link="rod"/></joint></robot>'''
    >>> from pathlib import Path
    >>> written = Path("arm.urdf").write_text(text)
    >>> kt.load("arm.urdf").receipt.coordinates
    {'A': 'A.angle'}
    """

    file: str
    base: str
    frames: dict[str, Marker]
    coordinates: dict[str, str]
    limits: dict[str, tuple[float, float]]
    notes: tuple[str, ...]
    actuators: dict[str, Actuator] = field(default_factory=dict)

    def __str__(self) -> str:
        bodies = {marker.body.name for marker in self.frames.values()}
        lines = [
            f"{self.file}: {self.base}; {len(self.frames)} links in {len(bodies)} bodies, "
            f"{len(self.coordinates)} joint coordinates, {len(self.limits)} of them with limits."
        ]
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])
