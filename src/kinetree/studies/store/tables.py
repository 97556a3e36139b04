"""Files with the table of a study: CSV for spreadsheets, NetCDF for everything."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.atomic_write import write
from ...core.checks import a_path, flag
from ...errors import ResultError

if TYPE_CHECKING:
    from ..result import StudyResult


def save(table: StudyResult, path: str | os.PathLike[str], overwrite: bool) -> Path:
    """Write the table by the ending of the name."""
    path = a_path(path, "save: path")
    if path.suffix == ".csv":
        write(path, text(table), flag(overwrite, "save: overwrite"))
    elif path.suffix == ".nc":
        write(path, netcdf(table), flag(overwrite, "save: overwrite"))
    else:
        raise ResultError(f"cannot write {str(path)!r}: a table is written to a .csv or .nc file.")
    return path


def text(table: StudyResult) -> str:
    """The table as comma-separated values; numbers are written in full."""
    names = (*table.study.space.names, *table.scalars())
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["case", *names, "status", "reason", "moved", "way"])
    columns = [[repr(float(v)) for v in table[name]] for name in names]
    others = table.status, table.reasons, table.moved, table.ways
    for k, row in enumerate(zip(*columns, *others)):
        writer.writerow([k, *row])
    return out.getvalue()


def netcdf(table: StudyResult) -> bytes:
    """The table as a NetCDF-4 file: parameters, outputs and status of every case."""
    import h5netcdf
    import numpy as np

    memory = io.BytesIO()
    with h5netcdf.File(memory, "w") as file:
        file.dimensions = {"case": len(table)}
        for name in table.study.space.names:
            file.create_variable(f"parameter {name}", ("case",), data=table[name])
        for k, name in enumerate(table.outputs):
            values, dims = table[name], ["case"]
            for axis, size in enumerate(values.shape[1:]):
                dims.append(f"n{k}_{axis}")
                file.dimensions[dims[-1]] = size
            variable = file.create_variable(f"output_{k}", tuple(dims), data=values)
            variable.attrs["long_name"] = name
        status = file.create_variable("status", ("case",), data=np.array(table._of("status")))
        status.attrs["flag_meanings"] = "done not_run not_assembled refused stopped error"
    return memory.getvalue()
