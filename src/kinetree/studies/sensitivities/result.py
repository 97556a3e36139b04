"""The result of `sensitivities`: outputs, and their derivatives with respect to the parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.display import NameDict, Printable
from ...errors import ResultError

if TYPE_CHECKING:
    from pandas import DataFrame

WIDEST = 8  # parameters in one block of the printed table


class Sensitivities(Printable):
    """Outputs of a run and their derivatives with respect to parameters. Made by `sensitivities`.

    ``result["max A.angle"]["length"]`` is one derivative.

    Attributes
    ----------
    parameters : dict of str to float
        Values of the parameters.
    outputs : dict of str to float
        Values of the outputs; an array over the times `t` for a whole channel.
    derivatives : dict of str to dict
        Derivative of each output with respect to each parameter, in units of the output per unit of
        the parameter.
    t : ndarray
        Times (s) of the outputs that are whole channels.
    steps : int
        Number of accepted steps of the run.
    exact : bool
        Whether the equations were differentiated exactly. Models with user code use differences,
        with smaller accuracy.
    relaxed : float
        Factor of the tolerance of the derivatives: 1, or more where kinks of the derivatives, or
        rounding, allow no smaller error. Beyond 1e200 their errors were not tested.

    Examples
    --------
    >>> import kinetree as kt
    >>> def pendulum(length=0.5):
    ...     m = kt.Model("pendulum")
    ...     rod = m.body("rod", kt.rod(mass=1.0, length=length))
    ...     m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"), start={"angle": 0.1})
    ...     return m
    >>> found = kt.sensitivities(pendulum, "final A.angle", until=1.0)
    >>> found.parameters
    {'length': 0.5}
    >>> round(found["final A.angle"]["length"], 3)
    7.278
    """

    def __init__(
        self,
        model: str,
        parameters: Mapping[str, float],
        found: Sequence[tuple[str, Any, np.ndarray]],
        t: np.ndarray,
        steps: int,
        exact: bool,
        relaxed: float = 1.0,
    ) -> None:
        self.relaxed = relaxed
        self.model, self.parameters, self.t = model, dict(parameters), t
        self.steps, self.exact = steps, exact
        self.outputs: dict[str, Any] = NameDict("output", items=[(n, v) for n, v, _ in found])
        self.derivatives: dict[str, dict[str, Any]] = NameDict(
            "output",
            items=[
                (name, NameDict("parameter", items=zip(self.parameters, _columns(rates))))
                for name, _, rates in found
            ],
        )

    def __getitem__(self, output: str) -> dict[str, Any]:
        """Derivatives of an output, by the names of the parameters."""
        return self.derivatives[output]

    def __iter__(self):
        return iter(self.outputs)

    def __len__(self) -> int:
        return len(self.outputs)

    @property
    def matrix(self) -> np.ndarray:
        """Derivatives of the outputs that are numbers, shape (outputs, parameters)."""
        return np.array([list(self.derivatives[name].values()) for name in self._numbers], float)

    @property
    def relative(self) -> dict[str, dict[str, float]]:
        """Relative change of each output per relative change of each parameter: p / c dc/dp."""
        return {
            name: {
                parameter: rate * self.parameters[parameter] / self.outputs[name]
                if self.outputs[name]
                else float("nan")
                for parameter, rate in self.derivatives[name].items()
            }
            for name in self._numbers
        }

    @property
    def _numbers(self) -> list[str]:
        return [name for name, value in self.outputs.items() if np.ndim(value) == 0]

    def to_pandas(self) -> DataFrame:
        """Return a table with one row per output: its value, and one column per parameter.

        Returns
        -------
        pandas.DataFrame
            The derivatives of all outputs that are numbers; whole channels are left out.

        Raises
        ------
        ResultError
            If pandas is not installed.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> start = {"hinge.angle": 0.3}
        >>> found = kt.sensitivities(pendulum(), "final hinge.angle", start, until=0.5)
        >>> list(found.to_pandas().columns)
        ['value', 'hinge.angle']
        """
        try:
            from pandas import DataFrame
        except ImportError:
            raise ResultError(
                "to_pandas needs the package pandas: pip install kinetree[results]"
            ) from None
        rows = {
            name: {"value": self.outputs[name], **self.derivatives[name]} for name in self._numbers
        }
        return DataFrame.from_dict(rows, orient="index")

    def __str__(self) -> str:
        count, k = len(self.outputs), len(self.parameters)
        lines = [
            f"Sensitivities of {self.model!r}: {count} output{'s' * (count != 1)}, "
            f"{k} parameter{'s' * (k != 1)}, {self.steps} steps"
        ]
        names = list(self.parameters)
        for first in range(0, k, WIDEST):
            lines += self._block(names[first : first + WIDEST], first == 0)
        arrays = [name for name in self.outputs if name not in self._numbers]
        if arrays:
            lines.append(f"over {len(self.t)} times: {', '.join(arrays)}")
        if not self.exact:
            lines.append("The model has user code: derivatives by differences.")
        elif self.relaxed > 1e200:
            lines.append(
                "The errors of the derivatives were not tested: their kinks are too sharp."
            )
        elif self.relaxed > 1.0:
            lines.append(f"The tolerance of the derivatives is {self.relaxed:g} times rtol.")
        return "\n".join(lines)

    def _block(self, names: list[str], with_values: bool) -> list[str]:
        """Lines of the table for some of the parameters."""
        head = ["output", *(["value"] if with_values else []), *(f"d/d {name}" for name in names)]
        rows = [
            [
                output,
                *([f"{self.outputs[output]:.6g}"] if with_values else []),
                *(f"{self.derivatives[output][name]:.5g}" for name in names),
            ]
            for output in self._numbers
        ]
        if not rows:
            return []
        widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
        return [
            "  "
            + "  ".join(
                f"{cell:<{w}}" if k == 0 else f"{cell:>{w}}"
                for k, (cell, w) in enumerate(zip(row, widths))
            ).rstrip()
            for row in (head, *rows)
        ]


def _columns(rates: np.ndarray) -> list[Any]:
    """The derivatives for each parameter: numbers, or arrays over time."""
    return [float(one) for one in rates] if rates.ndim == 1 else list(rates.T)
