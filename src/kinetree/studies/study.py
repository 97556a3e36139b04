"""Studies: many runs of a model that depends on parameters, as one table."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any

import numpy as np

from ..core.checks import flag, mapping, whole
from ..core.display import Printable
from ..errors import (
    KinetreeError,
    ModelError,
    NameNotFound,
    SimulationError,
    UnknownArgument,
    counted,
    explains_arguments,
    no_such,
    short,
)
from ..kernel.frames import number
from ..release import VERSION
from ..results.solution import Solution
from ..simulation.prepared import _DEFAULTS, _OF_A_RUN
from ..simulation.simulate import simulate
from .engines.cluster import cluster
from .engines.contract import Done, Job, Stopped
from .engines.processes import processes
from .engines.threads import threads, usual_workers
from .outputs import Output, outputs_of
from .parameters.source import source_of
from .parameters.texts import text_of_function
from .parts import Part, part_size
from .progress import progress_of
from .result import StudyResult
from .space import Space, space_of
from .store.folder import Store

ENGINES = ("threads", "processes", "dask")
LONG = 86400.0  # seconds of a study that needs yes=True
FEW = 12  # values of a parameter that are all compared
TRIAL = 3  # cases that are timed for the estimate


class Study(Printable):
    """Many runs of a model for different values of its parameters.

    Parameters
    ----------
    make : callable or path
        Function that returns the model for parameters given by name, or a model file with
        `parameters`.
    space : Space or table
        The cases: `Space.grid`, `Space.sobol` and others, a list of dicts, a dict of lists, or a
        DataFrame.
    outputs : str, sequence of str, dict, or callable
        What is kept of each run: texts such as "max A.angle", see Notes, or functions of the
        solution; a dict gives names.
    until : float, optional
        End time (s). Without it nothing is simulated, and outputs are functions of the model.
    fixed : dict, optional
        Values of other parameters, the same in all cases.
    output_interval : float, optional
        Time between samples (s); by default 1/500 of the run.
    **options
        Other arguments of `simulate`, such as ``rtol=1e-6`` or ``events=``.

    Attributes
    ----------
    space : Space
        The cases.
    outputs : tuple of Output
        The outputs.

    Raises
    ------
    ModelError
        If a parameter, an output or an option is wrong.

    See Also
    --------
    Space : The cases of a study.
    simulate : Run one model.

    Notes
    -----
    Outputs are "final C", "initial C", "max C", "min C", "peak C" (largest magnitude), "range C",
    "mean C", "rms C" (over time), "integral C" and "C at 0.5" for a channel C, "time of E" and "count
    of E" for an event E, and "C" alone for the whole time history.

    The numbers in the tables of the model that depend on parameters are found by comparing models. A
    case then writes its numbers into compiled tables, closes the loops and runs, without building a
    model. Results agree with those of `simulate` within the tolerance of the run. Cases for which this
    is not possible are simulated in the usual way, and the table says so.

    Examples
    --------
    >>> import kinetree as kt
    >>> def make(length=0.5, angle=1.0):
    ...     m = kt.Model("pendulum")
    ...     rod = m.body("rod", kt.rod(mass=1.0, length=length))
    ...     m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"), start={"angle": angle})
    ...     return m
    >>> space = kt.Space.grid(length=[0.4, 0.5], angle=[0.5, 1.0])
    >>> study = kt.Study(make, space, ["max A.rate"], until=1.0)
    >>> table = study.run()
    >>> table.done
    4
    """

    @explains_arguments
    def __init__(
        self,
        make: Any,
        space: Any,
        outputs: Any,
        until: float | None = None,
        *,
        fixed: Mapping[str, Any] | None = None,
        output_interval: float | None = None,
        **options: Any,
    ) -> None:
        self.space: Space = space_of(space)
        self._source = source_of(make)
        self.outputs: tuple[Output, ...] = outputs_of(outputs)
        self.until = None if until is None else number(until, "Study: until")
        self.interval = (
            None
            if output_interval is None
            else number(output_interval, "Study: output_interval", positive=True)
        )
        self.fixed = dict(mapping(fixed or {}, "Study: fixed", "{'mass': 1.0}"))
        self.options = checked_options(options)
        self._check_parameters()
        self._job: Job | None = None
        _ = self._keys  # before anything that the functions refer to changes

    def __len__(self) -> int:
        return len(self.space)

    def __str__(self) -> str:
        outputs = ", ".join(one.name for one in self.outputs)
        run = "no runs" if self.until is None else f"runs until {self.until:g} s"
        return f"Study of {self._source.what}, {self.space}; {run}; outputs: {outputs}"

    @property
    def job(self) -> Job:
        """What the parts have in common, made once."""
        if self._job is None:
            space = self.space
            self._job = Job(
                self._source,
                space.names,
                space.low,
                space.high,
                space.values[_nearest_first(space)],
                [_levels(column) for column in space.values.T],
                space.named,
                self.fixed,
                self.outputs,
                self.until,
                self.interval,
                self.options,
                self.key,
            )
        return self._job

    def model(self, k: int) -> Any:
        """Return the model of a case.

        Parameters
        ----------
        k : int
            Number of the case, from 0 on.

        Returns
        -------
        Model
            The model.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> study = kt.Study(pendulum, kt.Space.grid(length=[0.4, 0.5]), ["max hinge.rate"], 1.0)
        >>> study.model(1).name
        'pendulum'
        """
        k = whole(k, "Study.model: case", least=0, most=len(self) - 1)
        return self._source({**self.fixed, **self.space.case(k)})

    def solution(self, k: int) -> Solution:
        """Simulate a case once more, with all that `simulate` does, and return the solution.

        Parameters
        ----------
        k : int
            Number of the case, from 0 on.

        Returns
        -------
        Solution
            The solution.

        Raises
        ------
        KinetreeError
            The full explanation, if the case fails.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> study = kt.Study(pendulum, kt.Space.grid(length=[0.4, 0.5]), ["max hinge.rate"], 1.0)
        >>> study.solution(0).success
        True
        """
        if self.until is None:
            raise ModelError("this study has no runs; give until=.")
        return simulate(
            self.model(k),
            self.until,
            output_interval=self.interval,
            progress=False,
            **self.options,
        )

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
        >>> study.explain(0)
        'case 0 runs to its end.'
        """
        try:
            self.model(k) if self.until is None else self.solution(k)
        except Exception as error:  # also of the user's function
            return str(error)
        return f"case {k} runs to its end."

    @explains_arguments
    def run(
        self,
        engine: Any = "threads",
        *,
        workers: int | None = None,
        store: str | os.PathLike[str] | None = None,
        progress: bool | None = None,
        yes: bool = False,
    ) -> StudyResult:
        """Run the cases and return the table.

        Parameters
        ----------
        engine : {"threads", "processes", "dask"}, str or Client, default "threads"
            Threads, other processes of this computer, a Dask cluster on it, the address of a Dask
            scheduler such as "tcp://10.0.0.5:8786", or a Dask client.
        workers : int, optional
            Number of threads or processes; by default the number of processors.
        store : path, optional
            Folder for the results. If it has results of this study, only missing cases are run.
        progress : bool, optional
            Whether to show the rate and the time left; by default on a terminal.
        yes : bool, default False
            Whether a study of more than a day may start.

        Returns
        -------
        StudyResult
            One row for each case. Ctrl-C ends the study and returns what is done.

        Raises
        ------
        ModelError
            If no case can be simulated, an output does not exist, or the study would take more than
            a day.
        ResultError
            If the folder has the results of another study.

        Notes
        -----
        A case that fails is a row with its reason, never an error. The numbers in the table do not
        depend on the engine, the number of workers or the order of the cases.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> study = kt.Study(pendulum, kt.Space.grid(length=[0.4, 0.5]), ["max hinge.rate"], 1.0)
        >>> study.run(workers=1)["max hinge.rate"].shape
        (2,)
        """
        count = usual_workers() if workers is None else whole(workers, "workers", least=1)
        compute = _engine(engine, count)
        folder = None if store is None else Store(store, self.manifest)
        size = part_size(len(self)) if folder is None else int(folder.manifest["size"])
        parts = self._parts(size, folder)
        missing = [part for part in parts.values() if not part.complete]
        left = sum(int((part.status == 1).sum()) for part in missing)
        if missing:
            self._try_first(missing[0], left, count, flag(yes, "Study.run: yes"))
        shown = progress_of(left, progress)
        keep = None if folder is not None and self._is_large() else parts
        interrupted = False
        with shown as show:

            def done(part: Part) -> None:
                if folder is not None:
                    folder.save(part)
                if keep is not None:
                    keep[part.first] = part
                show(part)

            try:
                if missing:
                    compute(self.job, missing, done, lambda: False)
            except KeyboardInterrupt:
                interrupted = True
        return StudyResult(self, size, keep, folder, interrupted)

    def stored(self, store: str | os.PathLike[str]) -> StudyResult:
        """Return the results in a folder, without running anything.

        Parameters
        ----------
        store : path
            The folder.

        Returns
        -------
        StudyResult
            The rows that are there; others have the status "not run".

        Raises
        ------
        ResultError
            If the folder has the results of another study.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> study = kt.Study(pendulum, kt.Space.grid(length=[0.4, 0.5]), ["max hinge.rate"], 1.0)
        >>> table = study.run(store="runs", workers=1)
        >>> study.stored("runs").done
        2
        """
        folder = Store(store, self.manifest)
        return StudyResult(self, int(folder.manifest["size"]), None, folder)

    # --- identity

    @property
    def manifest(self) -> dict[str, Any]:
        """What is studied, for a stored study."""
        return {
            "key": self.key,
            "keys": self._keys,
            "size": part_size(len(self)),
            "cases": len(self),
            "parameters": list(self.space.names),
            "outputs": [one.name for one in self.outputs],
            "model": self._source.what,
            "version": VERSION,
        }

    @property
    def key(self) -> str:
        """Hash of everything that determines the table."""
        return _hash(json.dumps(self._keys))

    @cached_property
    def _keys(self) -> dict[str, str]:
        outputs = [
            (one.name, one.kind, one.of, one.t, one.function and text_of_function(one.function))
            for one in self.outputs
        ]
        events = self.options.get("events", ())
        plain = {name: one for name, one in self.options.items() if name != "events"}
        watched = [
            {
                name: text_of_function(value) if callable(value) else repr(value)
                for name, value in (vars(one) if hasattr(one, "__dict__") else {"": one}).items()
            }
            for one in (events if isinstance(events, (list, tuple)) else [events])
        ]
        return {
            "model": _hash(self._source.text + repr(sorted(self.fixed.items()))),
            "space": _hash(repr(self.space.names) + self.space.values.tobytes().hex()),
            "outputs": _hash(repr(outputs)),
            "run": _hash(
                repr((self.until, self.interval, sorted(plain.items()), watched, VERSION))
            ),
        }

    # --- inside

    def _check_parameters(self) -> None:
        self._source.check((*self.space.names, *self.fixed))
        both = [name for name in self.fixed if name in self.space.names]
        if both:
            raise ModelError(f"parameter {both[0]!r} is both fixed and part of the space.")
        given = {*self.space.names, *self.fixed}
        missing = [name for name in self._source.required() if name not in given]
        if missing:
            raise ModelError(
                f"{self._source.what} needs parameter {missing[0]!r}; put it into the space, or give "
                f"fixed={{{missing[0]!r}: ..}}."
            )

    def _parts(self, size: int, folder: Store | None) -> dict[int, Part]:
        found = {}
        for first in range(0, len(self), size):
            P = self.space.values[first : first + size]
            stored = None if folder is None else folder.load(first, P)
            found[first] = stored or Part.empty(first, P)
        return found

    def _is_large(self) -> bool:
        """Whether whole channels are kept, so that the table stays in its folder."""
        return any(one.kind in ("series", "function") for one in self.outputs)

    def _try_first(self, part: Part, left: int, workers: int, yes: bool) -> None:
        """Refuse outputs that no case has, and plans that take more than a day."""
        maker = self.job.maker()
        at = np.flatnonzero(part.status == 1)[:TRIAL]
        began = time.process_time()
        rows = [maker.row(part.P[k]) for k in at]
        each = (time.process_time() - began) / len(at)
        if self.until is not None and all(row.status != 0 for row in rows):
            self._refuse_outputs(maker)
        whole_time = each * left / workers
        if whole_time > LONG and not yes:
            raise ModelError(
                f"this study takes about {_duration(whole_time)}: {left} cases of {each:.3g} s with "
                f"{counted(workers, 'worker', 'workers')}. Give yes=True (--yes at the command line) "
                "to start it, more workers, or fewer cases."
            )

    def _refuse_outputs(self, maker: Any) -> None:
        """Raise the error of an output that no model of the study has."""
        assert self.until is not None
        try:
            sol = simulate(
                maker.finder.plan.model,
                self.until,
                progress=False,
                output_interval=self.interval,
                **self.options,
            )
        except SimulationError as error:
            sol = error.solution
        for one in self.outputs:
            try:
                one.values(sol)
            except NameNotFound:
                raise
            except KinetreeError:  # the rows report it
                continue


def _engine(engine: Any, workers: int) -> Callable[[Job, list[Part], Done, Stopped], None]:
    """The function that computes parts."""
    if isinstance(engine, str):
        if engine == "threads":
            return partial(threads, workers=workers)
        if engine == "processes":
            return partial(processes, workers=workers)
        if engine != "dask" and "://" not in engine:
            raise no_such(
                "engine", engine, ENGINES, "; an address looks like 'tcp://10.0.0.5:8786'"
            )
    elif not hasattr(engine, "submit") or not hasattr(engine, "scheduler_info"):
        raise ModelError(
            f"engine must be 'threads', 'processes', 'dask', the address of a Dask scheduler, or a "
            f"Dask client; got {short(engine)}."
        )
    return partial(cluster, engine, workers=workers)


def checked_options(options: Mapping[str, Any]) -> dict[str, Any]:
    unknown = next((name for name in options if name not in _DEFAULTS), None)
    if unknown in _OF_A_RUN:
        raise ModelError(f"Study: {unknown}= is no option of a study.")
    if unknown is not None:
        known = [*_DEFAULTS, "until", "fixed", "output_interval"]
        raise UnknownArgument(str(no_such("argument", unknown, known, " of Study")))
    return dict(options)


def _nearest_first(space: Space) -> np.ndarray:
    """Cases in the order of their distance from the middle of the ranges, the first ones."""
    width = np.where(space.high > space.low, space.high - space.low, 1.0)
    apart = np.abs((space.values - 0.5 * (space.low + space.high)) / width).max(axis=1)
    return np.argsort(apart, kind="stable")[:40]


def _levels(column: np.ndarray) -> np.ndarray:
    """All values of a parameter if there are few, otherwise none."""
    found = np.unique(column)
    return found if len(found) <= FEW else found[:0]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _duration(seconds: float) -> str:
    for unit, length in (("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 2.0 * length:
            return f"{seconds / length:.3g} {unit}"
    return f"{seconds:.3g} s"
