"""Output of a model: files, the topology report, pages and pictures, and its own display."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ..core.checks import a_path, flag
from ..core.display import parts_table
from ..errors import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..viewer.page import Page
    from .files.robots.write_urdf import WrittenUrdf
    from .topology.report import TopologyReport


class Presented:
    """Methods of a model that write and draw it."""

    name: str
    bodies: dict[str, Any]
    joints: dict[str, Any]
    constraints: dict[str, Any]
    forces: dict[str, Any]
    contacts: Any
    controllers: dict[str, Any]

    def save(self, path: str | os.PathLike, overwrite: bool = False) -> Path:
        """Write the model to a file (YAML) that `load` reads.

        Parameters
        ----------
        path : str or path-like
            The file; docs/files.md describes the format.
        overwrite : bool, default False
            Whether an existing file with other contents may be replaced.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ModelError
            If the model has functions that a file cannot name, such as lambdas.
        ResultError
            If the file exists with other contents, or cannot be written.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> path = four_bar().save("four-bar.yaml")
        >>> kt.load(path).name
        'four-bar'
        """
        from .files.opening import save

        return save(cast(Any, self), path, overwrite)

    def to_urdf(self, path: str | os.PathLike, overwrite: bool = False) -> WrittenUrdf:
        """Write the bodies and joints of the model as a robot file (URDF).

        The frame of a link is that of the joint that carries it, with the axis z of the joint. Closed
        loops, and joints and constraints that URDF does not have, raise an error.

        Parameters
        ----------
        path : str or path-like
            The file.
        overwrite : bool, default False
            Whether an existing file with other contents may be replaced.

        Returns
        -------
        WrittenUrdf
            The path of the file, and what the model has but the file has not.

        Raises
        ------
        ModelError
            If URDF cannot describe the model.

        See Also
        --------
        load_robot : Read a robot file.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> print(pendulum().to_urdf("pendulum.urdf"))
        written: pendulum.urdf
        >>> sorted(kt.load("pendulum.urdf").bodies)
        ['rod']
        """
        from .files.robots.write_urdf import write_urdf

        path = a_path(path, "to_urdf: path")
        return write_urdf(cast(Any, self), path, flag(overwrite, "to_urdf: overwrite"))

    def topology(self, method: str = "auto") -> TopologyReport:
        """Return the topology report: tree, cut joints, counts, mobility, redundant constraints.

        Parameters
        ----------
        method : {"auto", "dijkstra", "minimum", "shallow"}, default "auto"
            Choice of the spanning tree.

        Returns
        -------
        TopologyReport
            The report; ``print`` shows it as text.

        Raises
        ------
        TopologyError
            If a body is not connected to the ground.

        Examples
        --------
        >>> from kinetree.models.four_bar import four_bar
        >>> four_bar().topology().mobility
        1
        """
        from ..analysis.topology import topology_report

        return topology_report(cast(Any, self), method)

    def show(self, path: str | os.PathLike | None = None, opened: bool | None = None) -> Page:
        """Show the assembled model in the browser, or inline in a notebook.

        Parameters
        ----------
        path : str or path-like, optional
            HTML file to write; by default a temporary file.
        opened : bool, optional
            Whether to open the page in the browser; by default yes, except in a notebook.

        Returns
        -------
        Page
            The page; ``page.path`` is the file.

        Examples
        --------
        >>> from kinetree.models.four_bar import four_bar
        >>> four_bar().show("four-bar.html", opened=False).path.name
        'four-bar.html'
        """
        from ..viewer.show import show

        return show(cast(Any, self), path, opened)

    def draw(
        self,
        path: str | os.PathLike | None = None,
        *,
        view: str | Sequence[float] | None = None,
        names: bool = True,
        size: tuple[float, float] = (8.0, 5.5),
    ) -> Figure:
        """Draw the assembled model with matplotlib.

        Parameters
        ----------
        path : str or path-like, optional
            Picture to write, such as "model.png".
        view : {"home", "front", "side", "top"} or array_like, shape (2,), optional
            View, or azimuth and elevation of the camera (rad); by default chosen from the model.
        names : bool, default True
            Whether to write the names of bodies and joints.
        size : tuple of float, default (8.0, 5.5)
            Width and height of the figure (inches).

        Returns
        -------
        matplotlib.figure.Figure
            The figure.

        Examples
        --------
        >>> from kinetree.models.four_bar import four_bar
        >>> figure = four_bar().draw("four-bar.png", view="front")
        """
        from ..viewer.picture import draw

        return draw(cast(Any, self), path, view=view, names=names, size=size)

    def __repr__(self) -> str:
        touching = len(self.contacts)
        return (
            f"<model {self.name!r}: {counted(len(self.bodies), 'body', 'bodies')}, "
            f"{counted(len(self.joints), 'joint')}, {counted(len(self.constraints), 'constraint')}, "
            f"{counted(len(self.forces) - touching, 'force')}"
            f"{', ' + counted(touching, 'contact') if touching else ''}>"
        )

    def _repr_html_(self) -> str:
        """A table for notebooks: the parts by kind and name."""
        contacts = self.contacts
        return parts_table(
            self.name,
            {
                "bodies": self.bodies,
                "joints": self.joints,
                "constraints": self.constraints,
                "forces": {n: e for n, e in self.forces.items() if n not in contacts},
                "contacts": contacts,
                "controllers": self.controllers,
            },
        )
