"""A solution given to others: plots, animations, files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ..core.checks import row
from . import export, plots


class SolutionOutput:
    """What a solution draws and writes of itself."""

    def plot(
        self: Any,
        *names: str,
        path: str | os.PathLike | None = None,
        show: bool = False,
        x: str | None = None,
        ax=None,
        degrees: bool = False,
    ):
        """Plot channels (none named: the joints that move most) against time, or against the
        channel `x`, one axis per unit.

        `ax=` draws on axes of your own, `degrees=True` shows angles in degrees; a path ends in
        .png, .svg or .pdf. Answers
        the matplotlib figure.
        """
        return plots.plot(self, names, path, show, x, ax, degrees)

    def plot_steps(self: Any, path: str | os.PathLike | None = None, show: bool = False):
        """Step size, order and constraint violation over the run."""
        return plots.plot_steps(self, path, show)

    def plot_stiffness(self: Any, path: str | os.PathLike | None = None, show: bool = False):
        """The Lipschitz constant L, its threshold, the method in use and the cost, of a run with
        "switching".
        """
        return plots.plot_stiffness(self, path, show)

    def plot_energy(self: Any, path: str | os.PathLike | None = None, show: bool = False):
        """Kinetic, potential and total energy, and what is left of their balance."""
        return plots.plot_energy(self, path, show)

    def animate(
        self: Any, path: str | os.PathLike | None = None, *, others: Sequence = (), **options
    ):
        """A page that plays the run in any browser, with `others` over it, or inline in a notebook;
        options of kt.animate.
        """
        from ..viewer.show import animate

        return animate(
            [self, *row(others, "animate: others", "solutions in a list")], path, **options
        )

    def picture(
        self: Any, path: str | os.PathLike | None = None, t: float | None = None, **options
    ):
        """The machine at time t (default: the end) as a matplotlib figure, without a browser;
        options: viewer/picture.py.
        """
        from ..viewer.picture import picture

        return picture(self, path, t, **options)

    def film(self: Any, path: str | os.PathLike, **options):
        """The run as a film: .gif or .webp, or .mp4 where an encoder is found; answers the path. No
        browser needed.
        """
        from ..viewer.film import film

        return film(self, path, **options)

    def save(
        self: Any,
        path: str | os.PathLike,
        names: Sequence[str] | None = None,
        *,
        overwrite: bool = False,
    ):
        """Write the run as NetCDF (HDF5), which kt.open_solution opens again: channels with units,
        states, the model, options.

        `names` are the channels to write; by default all, or, where they would be very many, those
        that cannot be computed again from the states.
        """
        from .storage import archive

        return archive.save(self, path, names, overwrite)

    def to_csv(
        self: Any,
        path: str | os.PathLike,
        names: Sequence[str] | None = None,
        *,
        overwrite: bool = False,
    ) -> None:
        """One column per scalar channel, headed "name [unit]", times first, all digits; keeps what
        another run left there.
        """
        export.to_csv(self, path, names, overwrite)

    def to_json(
        self: Any,
        path: str | os.PathLike,
        names: Sequence[str] | None = None,
        *,
        overwrite: bool = False,
    ) -> None:
        """Channels, units, options, statistics and provenance in one file; keeps what another run
        left there.
        """
        export.to_json(self, path, names, overwrite)

    def to_pandas(self: Any, names: Sequence[str] | None = None):
        """A pandas DataFrame: one column per scalar channel, times as index; units in its `attrs`."""
        return export.to_pandas(self, names)

    def to_xarray(self: Any, names: Sequence[str] | None = None):
        """An xarray Dataset: one variable per channel with units and a long name, provenance as
        attributes.
        """
        return export.to_xarray(self, names)
