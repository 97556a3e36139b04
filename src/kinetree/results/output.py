"""Output of a solution: plots, animations, films and files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ..core.checks import row
from . import plots
from .storage import export

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from pandas import DataFrame
    from xarray import Dataset

    from ..viewer.page import Page
    from .solution import Solution


class SolutionOutput:
    """Methods of a solution that draw and write it."""

    @property
    def _solution(self) -> Solution:
        return cast("Solution", self)

    def plot(
        self,
        *names: str,
        path: str | os.PathLike | None = None,
        show: bool = False,
        x: str | None = None,
        ax: Axes | Sequence[Axes] | None = None,
        degrees: bool = False,
    ) -> Figure:
        """Plot channels against time or against another channel, with one axis per unit.

        Parameters
        ----------
        *names : str
            Channels, such as "A.angle" or "rocker.position"; by default the joint coordinates that
            move most.
        path : str or path-like, optional
            Picture to write; its name ends in .png, .svg or .pdf.
        show : bool, default False
            Whether to open a window.
        x : str, optional
            Channel for the horizontal axis; by default the time.
        ax : matplotlib.axes.Axes or sequence of Axes, optional
            Axes to draw on, one per unit; by default those of a new figure.
        degrees : bool, default False
            Whether to show angles in degrees.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.

        Raises
        ------
        NameNotFound
            If there is no such channel.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> sol = kt.simulate(four_bar(), 0.2)
        >>> figure = sol.plot("A.angle", "rocker.position.z", path="motion.png", degrees=True)
        >>> len(figure.axes)
        2
        """
        return plots.plot(self._solution, names, path, show, x, ax, degrees)

    def plot_steps(self, path: str | os.PathLike | None = None, show: bool = False) -> Figure:
        """Plot step size, order and constraint violation over the run.

        Parameters
        ----------
        path : str or path-like, optional
            Picture to write.
        show : bool, default False
            Whether to open a window.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> figure = kt.simulate(four_bar(), 0.2).plot_steps("steps.png")
        """
        return plots.plot_steps(self._solution, path, show)

    def plot_stiffness(self, path: str | os.PathLike | None = None, show: bool = False) -> Figure:
        """Plot the Lipschitz constant, its threshold, the method in use and the cost.

        Parameters
        ----------
        path : str or path-like, optional
            Picture to write.
        show : bool, default False
            Whether to open a window.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.

        Raises
        ------
        ResultError
            If the integrator of the run is not "switching".

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> sol = kt.simulate(four_bar(), 0.2, integrator="switching")
        >>> figure = sol.plot_stiffness("stiffness.png")
        """
        return plots.plot_stiffness(self._solution, path, show)

    def plot_energy(self, path: str | os.PathLike | None = None, show: bool = False) -> Figure:
        """Plot kinetic, potential and total energy, and the error of the energy balance.

        Parameters
        ----------
        path : str or path-like, optional
            Picture to write.
        show : bool, default False
            Whether to open a window.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> figure = kt.simulate(four_bar(), 0.2).plot_energy("energy.png")
        """
        return plots.plot_energy(self._solution, path, show)

    def animate(
        self,
        path: str | os.PathLike | None = None,
        *,
        others: Sequence[Solution] = (),
        channels: Sequence[str] | None = None,
        traces: Sequence[str] | None = None,
        forces: Sequence[str] | None = None,
        frames: int | None = None,
        title: str | None = None,
        color: str | None = "stress",
        scale: float = 1.0,
    ) -> Page:
        """Make an HTML page that plays the run in a browser, or inline in a notebook.

        Parameters
        ----------
        path : str or path-like, optional
            File to write, such as "run.html".
        others : sequence of Solution, default ()
            Solutions to show over this one, at its times.
        channels : sequence of str, optional
            Channels to plot below the picture; by default a selection.
        traces : sequence of str, optional
            Points whose path is drawn, such as "bucket.tip", or bodies; by default those that move
            farthest.
        forces : sequence of str, optional
            Joints and force elements whose forces are drawn as arrows; by default all, switched
            off.
        frames : int, optional
            Largest number of samples to keep; by default 600.
        title : str, optional
            Title of the page; by default the name of the model.
        color : {"stress", "displacement"} or None, default "stress"
            What the colors of flexible bodies show: von Mises stress or displacement.
        scale : float, default 1.0
            Factor on the displacements of flexible bodies.

        Returns
        -------
        Page
            The page; ``page.path`` is the file.

        See Also
        --------
        kinetree.animate : Animate several solutions on one page.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> page = kt.simulate(four_bar(), 0.2).animate("four-bar.html", frames=20)
        >>> page.path.name
        'four-bar.html'
        """
        from ..viewer.show import animate

        return animate(
            [self._solution, *row(others, "animate: others", "solutions in a list")],
            path,
            channels=channels,
            traces=traces,
            forces=forces,
            frames=frames,
            title=title,
            color=color,
            scale=scale,
        )

    def picture(
        self,
        path: str | os.PathLike | None = None,
        t: float | None = None,
        *,
        view: str | Sequence[float] | None = None,
        traces: Sequence[str] | None = None,
        forces: Sequence[str] = (),
        names: bool = False,
        size: tuple[float, float] = (8.0, 5.5),
        color: str | None = "stress",
        scale: float = 1.0,
    ) -> Figure:
        """Draw the model at one time with matplotlib.

        Parameters
        ----------
        path : str or path-like, optional
            Picture to write, such as "end.png".
        t : float, optional
            Time (s); the nearest sample is drawn, by default the last one.
        view : {"home", "front", "side", "top"} or array_like, shape (2,), optional
            View, or azimuth and elevation of the camera (rad); by default chosen from the model.
        traces : sequence of str, optional
            Points whose path is drawn, as in `Solution.animate`.
        forces : sequence of str, default ()
            Joints and force elements whose forces are drawn as arrows.
        names : bool, default False
            Whether to write the names of bodies and joints.
        size : tuple of float, default (8.0, 5.5)
            Width and height of the figure (inches).
        color : {"stress", "displacement"} or None, default "stress"
            What the colors of flexible bodies show, as in `Solution.animate`.
        scale : float, default 1.0
            Factor on the displacements of flexible bodies.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.

        Raises
        ------
        ModelError
            If the time is outside the run.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> figure = kt.simulate(four_bar(), 0.2).picture("half.png", t=0.1, view="front")
        """
        from ..viewer.picture import picture

        return picture(
            self._solution,
            path,
            t,
            view=view,
            traces=traces,
            forces=forces,
            names=names,
            size=size,
            color=color,
            scale=scale,
        )

    def film(
        self,
        path: str | os.PathLike,
        *,
        rate: float = 20.0,
        speed: float = 1.0,
        view: str | Sequence[float] | None = None,
        traces: Sequence[str] | None = None,
        forces: Sequence[str] = (),
        size: tuple[float, float] = (5.2, 3.6),
        color: str | None = "stress",
        scale: float = 1.0,
    ) -> Path:
        """Write the run as a film, without a browser.

        Parameters
        ----------
        path : str or path-like
            File to write: .gif, .webp, or .mp4 if ffmpeg is installed.
        rate : float, default 20.0
            Pictures per second of the film (1/s).
        speed : float, default 1.0
            Speed of the film relative to real time.
        view : {"home", "front", "side", "top"} or array_like, shape (2,), optional
            View, or azimuth and elevation of the camera (rad); by default chosen from the model.
        traces : sequence of str, optional
            Points whose path is drawn, as in `Solution.animate`.
        forces : sequence of str, default ()
            Joints and force elements whose forces are drawn as arrows.
        size : tuple of float, default (5.2, 3.6)
            Width and height of the pictures (inches).
        color : {"stress", "displacement"} or None, default "stress"
            What the colors of flexible bodies show, as in `Solution.animate`.
        scale : float, default 1.0
            Factor on the displacements of flexible bodies.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ModelError
            If the ending is not known or the film has too many pictures.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> kt.simulate(four_bar(), 0.2).film("run.gif", rate=10.0, size=(2.0, 1.5)).name
        'run.gif'
        """
        from ..viewer.film import film

        return film(
            self._solution,
            path,
            rate=rate,
            speed=speed,
            view=view,
            traces=traces,
            forces=forces,
            size=size,
            color=color,
            scale=scale,
        )

    def save(
        self,
        path: str | os.PathLike,
        names: Sequence[str] | None = None,
        *,
        overwrite: bool = False,
    ) -> Path:
        """Write the run as NetCDF (HDF5), which `open_solution` reads.

        The file holds channels with units, states, the model and the options.

        Parameters
        ----------
        path : str or path-like
            The file, such as "run.nc".
        names : sequence of str, optional
            Channels to write; by default all, or, for very large runs, only those that cannot be
            computed from the states.
        overwrite : bool, default False
            Whether a file with another result may be replaced.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ResultError
            If the file exists with another result, or cannot be written.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> path = kt.simulate(four_bar(), 0.2).save("run.nc")
        >>> kt.open_solution(path).success
        True
        """
        from .storage import archive

        return archive.save(self._solution, path, names, overwrite)

    def to_csv(
        self,
        path: str | os.PathLike,
        names: Sequence[str] | None = None,
        *,
        overwrite: bool = False,
    ) -> None:
        """Write channels as CSV: the time, then one column per scalar channel with all digits.

        Parameters
        ----------
        path : str or path-like
            The file. Each column has the heading "name [unit]".
        names : sequence of str, optional
            Channels to write; by default all.
        overwrite : bool, default False
            Whether a file with other contents may be replaced.

        Raises
        ------
        ResultError
            If the file exists with other contents, or cannot be written.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> kt.simulate(four_bar(), 0.2).to_csv("run.csv", ["A.angle", "rocker.position"])
        >>> open("run.csv").readline().strip().split(",")[:3]
        ['t [s]', 'A.angle [rad]', 'rocker.position.x [m]']
        """
        export.to_csv(self._solution, path, names, overwrite)

    def to_json(
        self,
        path: str | os.PathLike,
        names: Sequence[str] | None = None,
        *,
        overwrite: bool = False,
    ) -> None:
        """Write channels, units, options, statistics and provenance as JSON.

        Parameters
        ----------
        path : str or path-like
            The file.
        names : sequence of str, optional
            Channels to write; by default all.
        overwrite : bool, default False
            Whether a file with another result may be replaced.

        Raises
        ------
        ResultError
            If the file exists with another result, or cannot be written.

        Examples
        --------
        >>> import json
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> kt.simulate(four_bar(), 0.2).to_json("run.json", ["A.angle"])
        >>> json.load(open("run.json"))["units"]
        {'t': 's', 'A.angle': 'rad'}
        """
        export.to_json(self._solution, path, names, overwrite)

    def to_pandas(self, names: Sequence[str] | None = None) -> DataFrame:
        """Return the channels as a pandas DataFrame.

        Parameters
        ----------
        names : sequence of str, optional
            Channels; by default all.

        Returns
        -------
        pandas.DataFrame
            One column per scalar channel, with the times (s) as index and the units in `attrs`.

        Raises
        ------
        ResultError
            If pandas is not installed.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> list(kt.simulate(four_bar(), 0.2).to_pandas(["A.angle", "D.angle"]).columns)
        ['A.angle', 'D.angle']
        """
        return export.to_pandas(self._solution, names)

    def to_xarray(self, names: Sequence[str] | None = None) -> Dataset:
        """Return the channels as an xarray Dataset.

        Parameters
        ----------
        names : sequence of str, optional
            Channels; by default all.

        Returns
        -------
        xarray.Dataset
            One variable per channel with unit and long name, and the provenance as attributes.

        Raises
        ------
        ResultError
            If xarray is not installed.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> data = kt.simulate(four_bar(), 0.2).to_xarray(["A.angle", "rocker.position"])
        >>> data["rocker.position"].attrs["units"]
        'm'
        """
        return export.to_xarray(self._solution, names)
