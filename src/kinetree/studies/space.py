"""The plan of a study: which values of the parameters make its cases."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.checks import mapping, whole
from ..core.display import Printable
from ..errors import ModelError, counted, no_such, short
from ..kernel.frames import number
from .ranges import Range, range_of, values_of

PLANS = ("grid", "list", "latin hypercube", "sobol", "random")
MOST = 50_000_000  # values in a plan: 400 MB
_EXAMPLE = "{'length': (0.4, 0.6)}"


@dataclass(frozen=True, eq=False, repr=False)
class Space(Printable):
    """The cases of a study: one row of parameter values for each.

    Made by its class methods: `grid`, `table`, `latin_hypercube`, `sobol` and `random`.

    Parameters
    ----------
    names : tuple of str
        The parameters.
    values : ndarray, shape (cases, parameters)
        Their values, one row for each case.
    low, high : ndarray, shape (parameters,)
        Limits of the values.
    plan : str
        Name of the plan: "grid", "list", "latin hypercube", "sobol" or "random".
    whole : tuple of bool, default ()
        Per parameter, whether all its values were given as integers, and are passed so.

    See Also
    --------
    Study : Simulate the cases.

    Examples
    --------
    >>> import kinetree as kt
    >>> space = kt.Space.grid(length=[0.4, 0.5, 0.6], mass=[1.0, 2.0])
    >>> print(space)
    grid of 6 cases: length (0.4 to 0.6), mass (1 to 2)
    """

    names: tuple[str, ...]
    values: np.ndarray
    low: np.ndarray
    high: np.ndarray
    plan: str
    whole: tuple[bool, ...] = ()

    def __len__(self) -> int:
        return len(self.values)

    def __str__(self) -> str:
        ends = [
            f"{name} ({low:.6g} to {high:.6g})" if low < high else f"{name} ({low:.6g})"
            for name, low, high in zip(self.names, self.low, self.high)
        ]
        cases = counted(len(self), "case", "cases")
        plan = {"list": "list", "sobol": "Sobol sequence"}.get(self.plan, self.plan)
        return f"{plan} of {cases}: {', '.join(ends)}"

    def case(self, k: int) -> dict[str, float]:
        """Return the parameters of a case.

        Parameters
        ----------
        k : int
            Number of the case, from 0 on.

        Returns
        -------
        dict of str to float
            The values by name.

        Examples
        --------
        >>> import kinetree as kt
        >>> kt.Space.grid(length=[0.4, 0.5]).case(1)
        {'length': 0.5}
        """
        return self.named(self.values[k])

    def named(self, p: Any) -> dict[str, float]:
        """Return parameters in the order of `names` as a dict, integers where they were given.

        Parameters
        ----------
        p : sequence of float
            The values.

        Returns
        -------
        dict of str to float
            The values by name.

        Examples
        --------
        >>> import kinetree as kt
        >>> kt.Space.grid(length=[0.4, 0.5]).named([0.45])
        {'length': 0.45}
        """
        kinds = self.whole or (False,) * len(self.names)
        return {
            name: int(one) if is_whole else float(one)
            for name, one, is_whole in zip(self.names, p, kinds)
        }

    @classmethod
    def grid(cls, parameters: Mapping[str, Any] | None = None, **named: Any) -> Space:
        """Return all combinations of given values.

        Parameters
        ----------
        parameters : dict, optional
            Values by name: a list, a number, or ``{"low": 0.4, "high": 0.6, "count": 5}``.
        **named
            The same by keywords.

        Returns
        -------
        Space
            The cases; the last parameter changes fastest.

        Examples
        --------
        >>> import kinetree as kt
        >>> len(kt.Space.grid(length={"low": 0.4, "high": 0.6, "count": 5}, mass=[1.0, 2.0]))
        10
        """
        given = _given(parameters, named)
        lists = {name: values_of(name, one) for name, one in given.items()}
        _check_size(math.prod(map(len, lists.values())), len(lists), "grid")
        columns = [np.asarray(one, float) for one in lists.values()]
        rows = np.stack(np.meshgrid(*columns, indexing="ij"), axis=-1).reshape(-1, len(lists))
        return _space(tuple(lists), rows, "grid", tuple(map(_whole, given.values())))

    @classmethod
    def table(cls, cases: Any) -> Space:
        """Return the cases of a table.

        Parameters
        ----------
        cases : sequence of dict, dict of lists, or DataFrame
            The values of the parameters in each case.

        Returns
        -------
        Space
            The cases, in the same order.

        Examples
        --------
        >>> import kinetree as kt
        >>> len(kt.Space.table([{"length": 0.4, "mass": 1.0}, {"length": 0.5, "mass": 1.5}]))
        2
        """
        if hasattr(cases, "to_dict") and hasattr(cases, "columns"):
            cases = {str(name): np.asarray(cases[name], float) for name in cases.columns}
        if isinstance(cases, Mapping):
            lists = {name: values_of(name, one) for name, one in cases.items()}
            sizes = {name: len(one) for name, one in lists.items()}
            if len(set(sizes.values())) > 1:
                told = ", ".join(f"{name}: {count}" for name, count in sizes.items())
                raise ModelError(f"the columns of a table must have equal lengths; got {told}.")
            rows = np.column_stack(list(lists.values())) if lists else np.zeros((0, 0))
            return _space(tuple(lists), rows, "list", tuple(map(_whole, cases.values())))
        if not isinstance(cases, Iterable) or isinstance(cases, str):
            raise ModelError(
                "a table of cases must be a list of dicts such as [{'length': 0.5}], a dict of "
                f"lists, or a DataFrame; got {short(cases)}."
            )
        found = [mapping(one, f"case {k}", "{'length': 0.5}") for k, one in enumerate(cases)]
        names = tuple(found[0]) if found else ()
        for k, one in enumerate(found):
            for name in one:
                if name not in names:
                    raise no_such("parameter", name, names, f" in case 0, but in case {k}")
            missing = [name for name in names if name not in one]
            if missing:
                raise ModelError(f"case {k} has no value for parameter {missing[0]!r}.")
        what = "case {}: parameter {!r}"
        rows = np.array(
            [[number(one[n], what.format(k, n)) for n in names] for k, one in enumerate(found)]
        ).reshape(len(found), len(names))
        return _space(
            names, rows, "list", tuple(all(_whole(one[n]) for one in found) for n in names)
        )

    @classmethod
    def latin_hypercube(
        cls, cases: int, parameters: Mapping[str, Any] | None = None, seed: int = 0, **named: Any
    ) -> Space:
        """Return a Latin hypercube: each parameter has one value in each of n equal parts.

        Parameters
        ----------
        cases : int
            Number of cases.
        parameters : dict, optional
            Ranges by name: ``(low, high)``, ``{"mean": 0.5, "sd": 0.01}``, ``{"nominal": 0.5,
            "tolerance": 0.01}``, a distribution of scipy.stats, or a number.
        seed : int, default 0
            Seed of the random numbers.
        **named
            The same ranges by keywords.

        Returns
        -------
        Space
            The cases.

        Examples
        --------
        >>> import kinetree as kt
        >>> len(kt.Space.latin_hypercube(100, length=(0.4, 0.6), mass={"mean": 1.0, "sd": 0.05}))
        100
        """
        from scipy.stats import qmc

        return _sampled(cases, parameters, named, seed, "latin hypercube", lambda d: (
            qmc.LatinHypercube(d, rng=np.random.default_rng(seed)).random(cases)
        ))  # fmt: skip

    @classmethod
    def sobol(
        cls, cases: int, parameters: Mapping[str, Any] | None = None, seed: int = 0, **named: Any
    ) -> Space:
        """Return a scrambled Sobol sequence, which fills the ranges evenly.

        Parameters
        ----------
        cases : int
            Number of cases; powers of two fill the ranges best.
        parameters : dict, optional
            Ranges by name, as for `latin_hypercube`.
        seed : int, default 0
            Seed of the scrambling.
        **named
            The same ranges by keywords.

        Returns
        -------
        Space
            The cases.

        Examples
        --------
        >>> import kinetree as kt
        >>> len(kt.Space.sobol(64, length=(0.4, 0.6), mass=(1.0, 2.0)))
        64
        """
        from scipy.stats import qmc

        def points(d: int) -> np.ndarray:
            sequence = qmc.Sobol(d, rng=np.random.default_rng(seed))
            power = max(0, int(np.ceil(np.log2(cases))))
            return sequence.random_base2(power)[:cases]

        return _sampled(cases, parameters, named, seed, "sobol", points)

    @classmethod
    def random(
        cls, cases: int, parameters: Mapping[str, Any] | None = None, seed: int = 0, **named: Any
    ) -> Space:
        """Return independent random values.

        Parameters
        ----------
        cases : int
            Number of cases.
        parameters : dict, optional
            Ranges or distributions by name, as for `latin_hypercube`.
        seed : int, default 0
            Seed of the random numbers.
        **named
            The same ranges by keywords.

        Returns
        -------
        Space
            The cases.

        Examples
        --------
        >>> import kinetree as kt
        >>> len(kt.Space.random(50, stiffness={"mean": 2e4, "sd": 500.0}, seed=3))
        50
        """
        return _sampled(cases, parameters, named, seed, "random", lambda d: (
            np.random.default_rng(seed).random((cases, d))
        ))  # fmt: skip


def _given(parameters: Mapping[str, Any] | None, named: dict[str, Any]) -> dict[str, Any]:
    found = {
        **dict(mapping({} if parameters is None else parameters, "parameters", _EXAMPLE)),
        **named,
    }
    if not found:
        raise ModelError(f"a study needs parameters, such as {_EXAMPLE}.")
    for name in found:
        if not isinstance(name, str) or not name.isidentifier():
            raise ModelError(f"a parameter must be named like a variable, got {short(name)}.")
    return found


def _whole(given: Any) -> bool:
    """Whether values were given as integers."""
    if isinstance(given, np.ndarray):
        return given.dtype.kind in "iu"
    if isinstance(given, (list, tuple)):
        return bool(given) and all(map(_whole, given))
    return isinstance(given, (int, np.integer)) and not isinstance(given, bool)


def _space(
    names: tuple[str, ...], rows: np.ndarray, plan: str, whole: tuple[bool, ...] = ()
) -> Space:
    if not len(rows):
        raise ModelError("the plan of the study has no cases.")
    if not np.isfinite(rows).all():
        k, j = np.argwhere(~np.isfinite(rows))[0]
        raise ModelError(f"case {k}: parameter {names[j]!r} is {rows[k, j]}; give finite numbers.")
    return Space(names, rows, rows.min(axis=0), rows.max(axis=0), plan, whole)


def _sampled(
    cases: int, parameters: Mapping[str, Any] | None, named: dict[str, Any], seed: int, plan: str,
    points: Any,
) -> Space:  # fmt: skip
    whole(cases, f"{plan}: cases", least=1)
    whole(seed, f"{plan}: seed", least=0)
    given = _given(parameters, named)
    _check_size(cases, len(given), plan)
    varied = {name: one for name, one in given.items() if not _single(one)}
    if not varied:
        raise ModelError(f"{plan}: no parameter varies; give a range such as (0.4, 0.6).")
    ranges: dict[str, Range] = {name: range_of(name, one) for name, one in varied.items()}
    unit = points(len(ranges))
    columns = {name: one.quantile(unit[:, k]) for k, (name, one) in enumerate(ranges.items())}
    rows = np.column_stack([
        columns[name] if name in columns else np.full(cases, number(one, f"parameter {name!r}"))
        for name, one in given.items()
    ])  # fmt: skip
    return _space(tuple(given), np.asarray(rows, float), plan)


def _check_size(cases: int, parameters: int, plan: str) -> None:
    """Refuse a plan whose table alone is larger than the memory of a usual computer."""
    if cases * parameters > MOST:
        raise ModelError(
            f"{plan}: {cases:,} cases of {counted(parameters, 'parameter', 'parameters')} are too many: "
            f"a study has at most {MOST:,} values of parameters. Give fewer values; kt.Space.sobol "
            "fills the same ranges with any number of cases."
        )


def _single(given: Any) -> bool:
    return isinstance(given, (int, float)) and not isinstance(given, bool)


def space_of(given: Any) -> Space:
    """The plan of a study, from a space or a table of cases."""
    if isinstance(given, Space):
        return given
    if (
        isinstance(given, Mapping)
        or (isinstance(given, Sequence) and not isinstance(given, str))
        or hasattr(given, "columns")
    ):
        if isinstance(given, Mapping) and any(isinstance(one, tuple) for one in given.values()):
            raise ModelError(
                "space: ranges such as (0.4, 0.6) need a plan. Use for example kt.Space.sobol(64, "
                f"{dict(given)!r}), or give lists of values."
            )
        return Space.table(given)
    raise ModelError(
        "space must be made by kt.Space, such as kt.Space.grid(length=[0.4, 0.5]), or be a table of "
        f"cases; got {short(given)}."
    )
