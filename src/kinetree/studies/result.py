"""The table of a study: one row for each case."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.checks import whole
from ..core.display import Printable
from ..errors import ModelError, counted, no_such
from ..results.storage.frame import library
from .cases.rows import STATUS, WAYS
from .parts import Part

if TYPE_CHECKING:
    from .store.folder import Store
    from .study import Study


class StudyResult(Printable):
    """The table of a study, with parameters, outputs and status of every case.

    Returned by `Study.run` and `Study.stored`. ``table["max A.angle"]`` is the column of an output or
    a parameter.

    Attributes
    ----------
    study : Study
        The study.
    interrupted : bool
        Whether the study was ended by Ctrl-C.
    status : ndarray of str
        "done", "not run", "not assembled", "refused", "stopped" or "error", for each case.
    reasons : list of str
        Why a case has no outputs; empty for cases that are done.
    moved : list of str
        Start values that could not be kept, with the values used instead.
    ways : ndarray of str
        "patched", "built" or "general": how the case was made.
    steps : ndarray of int
        Number of accepted steps.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.pendulum import pendulum
    >>> space = kt.Space.grid(length=[0.4, 0.5, 0.6])
    >>> table = kt.Study(pendulum, space, {"speed": "max hinge.rate"}, 1.0).run(workers=1)
    >>> bool((table["speed"] > 0).all())
    True
    """

    def __init__(
        self,
        study: Study,
        size: int,
        parts: Mapping[int, Part] | None,
        store: Store | None,
        interrupted: bool = False,
    ) -> None:
        self.study, self._size, self._memory, self._store = study, size, parts, store
        self.interrupted = interrupted
        self._small: dict[str, Any] = {}

    def _parts(self) -> Iterator[Part]:
        """All parts in the order of the cases; those of a folder are read one by one."""
        values = self.study.space.values
        for first in range(0, len(self.study), self._size):
            if self._memory is not None:
                yield self._memory[first]
                continue
            P = values[first : first + self._size]
            assert self._store is not None
            yield self._store.load(first, P) or Part.empty(first, P)

    def _of(self, name: str) -> Any:
        """A column that is not an output, read once."""
        if not self._small:
            parts = list(self._parts())
            for key in ("status", "way", "steps"):
                self._small[key] = np.concatenate([getattr(part, key) for part in parts])
            for key in ("reasons", "moved"):
                self._small[key] = [text for part in parts for text in getattr(part, key)]
            shapes: dict[str, tuple[int, ...]] = {}
            for part in parts:
                for key, column in part.columns.items():
                    shape = column.shape[1:]
                    old = shapes.setdefault(key, shape)
                    if old != shape and len(old) == len(shape):
                        shapes[key] = tuple(map(max, old, shape))
            self._small["shapes"] = shapes
        return self._small[name]

    def __len__(self) -> int:
        return len(self.study)

    @property
    def status(self) -> np.ndarray:
        """The status of each case."""
        return np.array(STATUS)[self._of("status")]

    @property
    def reasons(self) -> list[str]:
        """Why a case has no outputs."""
        return self._of("reasons")

    @property
    def moved(self) -> list[str]:
        """Start values that could not be kept, for each case."""
        return self._of("moved")

    @property
    def ways(self) -> np.ndarray:
        """How each case was made."""
        return np.array(WAYS)[self._of("way")]

    @property
    def steps(self) -> np.ndarray:
        """Number of accepted steps of each case."""
        return self._of("steps")

    @property
    def done(self) -> int:
        """Number of cases that reached their end."""
        return int((self._of("status") == 0).sum())

    @property
    def failed(self) -> np.ndarray:
        """Numbers of the cases that were run and have no outputs."""
        return np.flatnonzero(self._of("status") > 1)

    @property
    def names(self) -> tuple[str, ...]:
        """Parameters and outputs, the columns of the table."""
        return (*self.study.space.names, *self.outputs)

    @property
    def outputs(self) -> tuple[str, ...]:
        """The columns of the outputs."""
        order = [one.name for one in self.study.outputs]

        def rank(name: str) -> int:
            fits = [k for k, one in enumerate(order) if name == one or name.startswith(f"{one}.")]
            return fits[0] if fits else len(order)

        return tuple(sorted(self._of("shapes"), key=rank))

    def __getitem__(self, name: str) -> np.ndarray:
        """The column of a parameter or an output; NaN for cases without it."""
        names = self.study.space.names
        if name in names:
            return self.study.space.values[:, names.index(name)].copy()
        shapes = self._of("shapes")
        if name not in shapes:
            raise no_such("column", name, self.names, " in this study")
        found = np.full((len(self), *shapes[name]), np.nan)
        for part in self._parts():
            column = part.columns.get(name)
            if column is not None:
                inside = tuple(map(slice, column.shape[1:]))
                found[(slice(part.first, part.first + len(part)), *inside)] = column
        return found

    def scalars(self) -> tuple[str, ...]:
        """Return the outputs that are one number per case.

        Returns
        -------
        tuple of str
            Their columns.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> study = kt.Study(pendulum, kt.Space.grid(length=[0.4, 0.5]), ["max hinge.rate"], 1.0)
        >>> study.run(workers=1).scalars()
        ('max hinge.rate',)
        """
        shapes = self._of("shapes")
        return tuple(name for name in self.outputs if not shapes[name])

    def explain(self, k: int) -> str:
        """Return why a case failed, with the diagnosis that the table leaves out.

        Parameters
        ----------
        k : int
            Number of the case, from 0 on.

        Returns
        -------
        str
            The text of the error, or a sentence that the case runs.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> study = kt.Study(pendulum, kt.Space.grid(length=[0.4, 0.5]), ["max hinge.rate"], 1.0)
        >>> study.run(workers=1).explain(0)
        'case 0 runs to its end.'
        """
        return self.study.explain(k)

    def to_pandas(self) -> Any:
        """Return the table as a DataFrame.

        Returns
        -------
        DataFrame
            One row per case: parameters, outputs that are numbers, status, reason, moved, way.

        Raises
        ------
        ResultError
            If pandas is not installed.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> study = kt.Study(pendulum, kt.Space.grid(length=[0.4, 0.5]), ["max hinge.rate"], 1.0)
        >>> list(study.run(workers=1).to_pandas().columns)
        ['length', 'max hinge.rate', 'status', 'reason', 'moved', 'way']
        """
        pandas = library("pandas")
        columns: dict[str, Any] = {
            name: self[name] for name in (*self.study.space.names, *self.scalars())
        }
        columns |= {
            "status": self.status, "reason": self.reasons, "moved": self.moved, "way": self.ways,
        }  # fmt: skip
        return pandas.DataFrame(columns, index=pandas.RangeIndex(len(self), name="case"))

    def to_xarray(self) -> Any:
        """Return the table as a Dataset, with whole channels.

        Returns
        -------
        Dataset
            Parameters as coordinates of the dimension "case"; channels also have "time". A grid also
            has its parameters as attributes.

        Raises
        ------
        ResultError
            If xarray is not installed.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> study = kt.Study(pendulum, kt.Space.grid(length=[0.4, 0.5]), ["hinge.angle"], 1.0)
        >>> study.run(workers=1).to_xarray()["hinge.angle"].dims
        ('case', 'time')
        """
        xarray = library("xarray")
        time, variables = self.time, {}
        for k, name in enumerate(self.outputs):
            values = self[name]
            dims = ["case"]
            for axis, size in enumerate(values.shape[1:]):
                is_time = time is not None and axis == 0 and size == len(time)
                dims.append("time" if is_time else f"{name}_{axis}" if axis else f"n{k}")
            variables[name] = (dims, values)
        variables["status"] = (["case"], self.status)
        variables["reason"] = (["case"], np.array(self.reasons, object))
        coordinates: dict[str, Any] = {"case": np.arange(len(self))}
        if time is not None and any("time" in dims for dims, _ in variables.values()):
            coordinates["time"] = time
        for name in self.study.space.names:
            coordinates[name] = (["case"], self[name])
        return xarray.Dataset(variables, coordinates, {"plan": self.study.space.plan})

    @property
    def time(self) -> np.ndarray | None:
        """Times of the samples of whole channels (s); None in a study without runs."""
        study = self.study
        if study.until is None:
            return None
        from ..results.sampling import sample_times
        from ..simulation.run import interval_of

        plan = study.job.finder().plan
        options = plan.options(study.until, study.interval)
        return sample_times(
            study.until, interval_of(options, plan.assembly.t), "study", plan.assembly.t
        )

    def save(self, path: str | os.PathLike[str], overwrite: bool = False) -> Any:
        """Write the table to a file.

        Parameters
        ----------
        path : str or path-like
            The file: ``.csv`` for the numbers, ``.nc`` for everything.
        overwrite : bool, default False
            Whether an existing file may be replaced.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ResultError
            If the file exists or cannot be written.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> study = kt.Study(pendulum, kt.Space.grid(length=[0.4, 0.5]), ["max hinge.rate"], 1.0)
        >>> study.run(workers=1).save("table.csv").name
        'table.csv'
        """
        from .store.tables import save

        return save(self, path, overwrite)

    def __str__(self) -> str:
        from .store.printed import printed

        return printed(self)

    def report(self, path: str | os.PathLike[str], overwrite: bool = True) -> Any:
        """Write one HTML page with the table's summary and plots.

        Parameters
        ----------
        path : str or path-like
            The file.
        overwrite : bool, default True
            Whether an existing file may be replaced.

        Returns
        -------
        Path
            The file.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> study = kt.Study(pendulum, kt.Space.grid(length=[0.4, 0.5]), ["max hinge.rate"], 1.0)
        >>> study.run(workers=1).report("study.html").name
        'study.html'
        """
        from .pages import write_page

        return write_page(self, path, overwrite)

    def plot(
        self, kind: str = "scatter", path: Any = None, *, output: str | None = None, **options: Any
    ) -> Any:
        """Plot the table and return the figure.

        Parameters
        ----------
        kind : {"scatter", "contour", "tornado", "parallel", "convergence"}, default "scatter"
            Scatter matrix of parameters and outputs; contours of an output over two parameters; the
            change of an output with each parameter; one line per case over all columns; mean and
            standard deviation over the number of cases.
        path : str or path-like, optional
            File for the figure.
        output : str, optional
            The output; by default the first one.
        **options
            ``x=`` and ``y=``, the parameters of the contours.

        Returns
        -------
        Figure
            The figure of matplotlib.

        Raises
        ------
        ModelError
            If the study has too few cases or parameters for the plot.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> space = kt.Space.grid(length=[0.4, 0.5, 0.6])
        >>> table = kt.Study(pendulum, space, ["max hinge.rate"], 1.0).run(workers=1)
        >>> figure = table.plot("tornado", "tornado.png")
        """
        from .plots.catalogue import plot

        return plot(self, kind, path, output, options)

    def indices(self, output: str | None = None, method: str = "rbd-fast", seed: int = 0) -> Any:
        """Return how much of an output each parameter determines, from the cases of the study.

        The methods are those of SALib for given samples. They need no special plan, but cases that
        fill the ranges evenly, such as those of `Space.sobol` or `Space.latin_hypercube`.

        Parameters
        ----------
        output : str, optional
            The output; by default the first one.
        method : {"rbd-fast", "pawn", "delta"}, default "rbd-fast"
            First-order Sobol index by Fourier amplitudes; index of cumulative distributions;
            moment-independent index, which takes longer.
        seed : int, default 0
            Seed of the confidence intervals.

        Returns
        -------
        DataFrame
            One row per parameter that varies, with the indices and their confidence intervals.

        Raises
        ------
        ModelError
            If SALib is not installed (``pip install kinetree[salib]``), or the study has too few
            cases.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> space = kt.Space.sobol(64, length=(0.4, 0.6), angle=(0.1, 0.2))
        >>> table = kt.Study(pendulum, space, ["max hinge.rate"], 1.0).run(workers=1)
        >>> found = table.indices()  # doctest: +SKIP
        """
        from .indices import indices

        return indices(self, output, method, seed)

    def case(self, k: int) -> dict[str, Any]:
        """Return one row.

        Parameters
        ----------
        k : int
            Number of the case, from 0 on.

        Returns
        -------
        dict
            Parameters, outputs that are numbers, status and reason.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> study = kt.Study(pendulum, kt.Space.grid(length=[0.4, 0.5]), ["max hinge.rate"], 1.0)
        >>> study.run(workers=1).case(1)["status"]
        'done'
        """
        k = whole(k, "case", least=0, most=len(self) - 1)
        numbers = {name: float(self[name][k]) for name in self.scalars()}
        return {
            **self.study.space.case(k),
            **numbers,
            "status": str(self.status[k]),
            "reason": self.reasons[k],
        }


def one_output(table: StudyResult, name: str | None) -> str:
    """The named output, or the first one; it must be a number."""
    known = table.scalars()
    if not known:
        raise ModelError(
            f"the study has no output that is a number: {counted(table.done, 'case is', 'cases are')} "
            "done. Give outputs such as 'max A.angle'."
        )
    if name is None:
        return known[0]
    if name not in known:
        raise no_such("output", name, known, " of this study")
    return name
