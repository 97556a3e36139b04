"""Matrices in files: Matrix Market, CalculiX (.sti, .mas), Abaqus (.mtx) and Nastran DMIG (.pch)."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..core.regular_files import existing
from ..errors import ModelError, ResultError, short


@dataclass(frozen=True)
class Numbered:
    """A sparse matrix, with the node and direction (from 1) of each row where the file has them."""

    matrix: Any
    dofs: np.ndarray | None = None


def matrix_of(given: Any, what: str) -> Numbered:
    """Read a matrix from a file, or take it as it is."""
    import scipy.sparse as sp

    if isinstance(given, (str, os.PathLike)):
        return read_matrix(given)
    try:
        found = given if sp.issparse(given) else np.asarray(given)
        if found.ndim != 2 or found.dtype.kind not in "fiu" or np.ma.is_masked(given):
            raise TypeError
        found = sp.csr_matrix(found, dtype=float)
    except Exception:  # of an object that only claims to be an array
        raise ModelError(f"{what} must be a matrix or a file, got {short(given)}.") from None
    if found.shape[0] != found.shape[1]:
        raise ModelError(f"{what} must be square, got {found.shape[0]} x {found.shape[1]}.")
    if not np.isfinite(found.data).all():
        raise ModelError(f"{what} contains numbers that are not finite.")
    return Numbered(mirrored(found))


def read_matrix(path: Any) -> Numbered:
    """Read a matrix; the format is found from the content."""
    path = existing(path, "matrices: path")
    with open(path, errors="replace") as file:
        head = [file.readline() for _ in range(20)]
    try:
        if head[0].startswith("%%MatrixMarket"):
            from scipy.io import mmread

            return Numbered(mirrored(mmread(path).tocsr()))
        if any(line.upper().lstrip().startswith("DMIG") for line in head):
            return _dmig(path)
        return _rows(path)
    except (ValueError, IndexError, KeyError) as error:
        raise ResultError(
            f"cannot read {os.fspath(path)!r} as a matrix ({error}). Formats: Matrix Market, CalculiX .sti and "
            ".mas, Abaqus *MATRIX GENERATE, Nastran DMIG punch."
        ) from None


def mirrored(A: Any) -> Any:
    """The whole matrix, if only one triangle is stored."""
    import scipy.sparse as sp

    A = A.tocsr()
    lower, upper = sp.tril(A, -1), sp.triu(A, 1)
    if lower.nnz and upper.nnz and abs(lower).max() > 0.0 and abs(upper).max() > 0.0:
        return A
    return (A + A.T - sp.diags(A.diagonal())).tocsr()


def _rows(path: Path) -> Numbered:
    """Lines `row column value` (CalculiX) or `node dof node dof value` (Abaqus)."""
    text = re.sub(r"^\s*(\*|//|#).*$", "", path.read_text(), flags=re.M).replace(",", " ")
    lines = text.split("\n")
    width = next((len(line.split()) for line in lines if line.strip()), 0)
    if width not in (3, 5):
        raise ValueError(f"{width} numbers in a line, expected 3 or 5")
    values = np.array(text.replace("D", "E").split(), float).reshape(-1, width)
    if width == 3:
        return Numbered(_assembled(*values.T))
    ends = values[:, :4].astype(int).reshape(-1, 2)
    dofs, index = np.unique(ends, axis=0, return_inverse=True)
    index = index.reshape(-1, 2)
    return Numbered(_assembled(index[:, 0] + 1, index[:, 1] + 1, values[:, 4]), dofs)


def _assembled(i: np.ndarray, j: np.ndarray, values: np.ndarray) -> Any:
    import scipy.sparse as sp

    i, j = i.astype(int) - 1, j.astype(int) - 1
    size = int(max(i.max(), j.max())) + 1
    return mirrored(sp.coo_matrix((values, (i, j)), shape=(size, size)).tocsr())


def _dmig(path: Path) -> Numbered:
    """Nastran punch: `DMIG* NAME GJ CJ` begins a column; `* GI CI value` are its entries.

    Fields have 16 characters after the first one of 8, or 8 without a star; or commas separate them.
    """
    column: tuple[int, int] | None = None
    rows: list[tuple[int, int, int, int]] = []
    values: list[float] = []
    square = False
    for line in path.read_text().splitlines():
        fields = _fields(line)
        if not fields or fields[0].startswith("$"):
            continue
        key = fields[0].upper().rstrip("*")
        if key == "DMIG" and fields[2:3] == ["0"]:
            square = int(fields[3]) == 1
            if int(fields[4]) not in (1, 2):
                raise ValueError("complex matrix")
        elif key == "DMIG":
            column = int(fields[2]), int(fields[3])
            rest = fields[4:]
            while len(rest) >= 3 and rest[0]:  # entries in the same line, without stars
                rows.append((*column, int(rest[0]), int(rest[1])))
                values.append(_number(rest[2]))
                rest = rest[4:]
        elif key in ("", "+") and column is not None and len(fields) >= 4:
            rows.append((*column, int(fields[1]), int(fields[2])))
            values.append(_number(fields[3]))
    if not rows:
        raise ValueError("no entries")
    ends = np.array(rows).reshape(-1, 2)
    dofs, index = np.unique(ends, axis=0, return_inverse=True)
    index = index.reshape(-1, 2)
    matrix = _assembled(index[:, 0] + 1, index[:, 1] + 1, np.array(values))
    del square  # both forms are completed by `mirrored`
    return Numbered(matrix, dofs)


def _fields(line: str) -> list[str]:
    if "," in line:
        return [field.strip() for field in line.split(",")]
    wide = line[:8].rstrip().endswith("*")
    width = 16 if wide else 8
    body = [line[k : k + width].strip() for k in range(8, max(len(line.rstrip()), 9), width)]
    return [line[:8].strip(), *body]


def _number(text: str) -> float:
    """A number of Nastran: 1.5D+3, 1.5+3."""
    text = text.upper().replace("D", "E")
    return float(re.sub(r"(?<=[0-9.])([+-])", r"E\1", text) if "E" not in text else text)
