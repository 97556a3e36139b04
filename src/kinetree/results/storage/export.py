"""Results for other programs: CSV, JSON and xarray, each channel with its unit."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...core.atomic_write import write
from ...core.checks import words
from ...errors import ResultError
from .. import channels
from .provenance import provenance

if TYPE_CHECKING:
    from ..solution import Solution


def chosen(sol: Solution, names: Sequence[str] | None) -> list[str]:
    """The given names, or those of all channels at the samples."""
    if names is None:
        return [name for name, c in sol.channels.items() if not c.at_steps]
    names = list(words(names, "names of channels"))
    for name in names:
        if channels.find(sol.channels, name, sol.model.name)[0].at_steps:
            raise ResultError(
                f"channel {name!r} lives at the steps, not at the samples; its numbers are in "
                "sol.steps."
            )
    return names


def scalars(sol: Solution, names: Sequence[str] | None) -> Iterator[tuple[str, str, np.ndarray]]:
    """Name, unit and values of every scalar channel and every component."""
    for name in chosen(sol, names):
        channel, component = channels.find(sol.channels, name, sol.model.name)
        values = channels.values(channel, component)
        if values.ndim == 1:
            yield name, channel.unit, values
        else:
            yield from (
                (f"{name}.{k}", channel.unit, values[:, n])
                for n, k in enumerate(channel.components)
            )


def to_csv(
    sol: Solution, path: str | os.PathLike, names: Sequence[str] | None, overwrite: bool
) -> None:
    columns, text = [("t", "s", sol.t), *scalars(sol, names)], io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([f"{name} [{unit}]" for name, unit, _ in columns])
    writer.writerows(zip(*(map(repr, values.tolist()) for _, _, values in columns)))
    write(path, text.getvalue(), overwrite)


def to_json(
    sol: Solution, path: str | os.PathLike, names: Sequence[str] | None, overwrite: bool
) -> None:
    content = {
        "provenance": {**provenance(sol), "options": sol.options, "statistics": sol.statistics},
        "t": sol.t.tolist(),
        "units": {"t": "s", **{name: sol.unit(name) for name in chosen(sol, names)}},
        "channels": {name: sol[name].tolist() for name in chosen(sol, names)},
        "steps": {name: values.tolist() for name, values in vars(sol.steps).items()},
    }
    write(
        path,
        json.dumps(content),
        overwrite,
        same=lambda there: _same_run(there, content["provenance"]),
    )


def _same_run(there: bytes, provenance: dict) -> bool:
    """Whether a file has the results of the same model with the same options."""
    try:
        found = json.loads(there)["provenance"]
        return all(found[key] == provenance[key] for key in ("model_hash", "options"))
    except (ValueError, LookupError, TypeError):
        return False


def to_xarray(sol: Solution, names: Sequence[str] | None):
    try:
        import xarray
    except ImportError:
        raise ResultError(
            "to_xarray needs the package xarray: pip install kinetree[results]"
        ) from None
    data = {}
    for name in chosen(sol, names):
        channel, component = channels.find(sol.channels, name, sol.model.name)
        values = channels.values(channel, component)
        dims = (
            ("time",)
            if values.ndim == 1
            else ("time", "axis" if len(channel.components) == 3 else "quaternion")
        )
        data[name] = (dims, values, {"units": channel.unit, "long_name": channel.about})
    time = ("time", sol.t, {"units": "s", "long_name": "time"})
    return xarray.Dataset(data, {"time": time, **_axes(data)}, provenance(sol))


def to_pandas(sol: Solution, names: Sequence[str] | None):
    try:
        import pandas
    except ImportError:
        raise ResultError(
            "to_pandas needs the package pandas: pip install kinetree[results]"
        ) from None
    columns = list(scalars(sol, names))
    frame = pandas.DataFrame(
        {name: values for name, _, values in columns}, index=pandas.Index(sol.t, name="t")
    )
    frame.attrs = {**provenance(sol), "units": {name: unit for name, unit, _ in columns}}
    return frame


def _axes(data: dict) -> dict[str, list[str]]:
    """Labels of the components that occur."""
    used = {dim for dims, _, _ in data.values() for dim in dims}
    return {
        dim: labels
        for dim, labels in (("axis", list("xyz")), ("quaternion", list("wxyz")))
        if dim in used
    }
