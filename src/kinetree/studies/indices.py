"""Indices of global sensitivity from the cases of a study, by SALib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.checks import whole, word
from ..errors import ModelError, counted, no_such

if TYPE_CHECKING:
    from .result import StudyResult

METHODS = ("rbd-fast", "pawn", "delta")
FEWEST = 32  # cases


def indices(table: StudyResult, output: str | None, method: str, seed: int) -> Any:
    """A DataFrame with one row per parameter."""
    from .result import one_output

    method = word(method, "indices: method")
    if method not in METHODS:
        raise no_such("method", method, METHODS, " of indices")
    seed = whole(seed, "indices: seed", 0)
    try:
        from SALib.analyze import delta, pawn, rbd_fast
    except ImportError:
        raise ModelError(
            "indices needs the package SALib; install it with  pip install kinetree[salib]."
        ) from None
    X, y = table.study.space.values, table[one_output(table, output)]
    names = [n for n, column in zip(table.study.space.names, X.T) if np.ptp(column) > 0.0]
    known = np.isfinite(y)
    X, y = X[known][:, [table.study.space.names.index(n) for n in names]], y[known]
    if len(y) < FEWEST or not names or not np.ptp(y) > 0.0:
        raise ModelError(
            f"indices needs at least {FEWEST} cases with different parameters and outputs, and this "
            f"study has {counted(len(y), 'case')} with {counted(len(names), 'parameter')} that vary."
        )
    problem = {
        "num_vars": len(names),
        "names": names,
        "bounds": np.column_stack([X.min(axis=0), X.max(axis=0)]).tolist(),
    }
    module = dict(zip(METHODS, (rbd_fast, pawn, delta)))[method]
    found = module.analyze(problem, np.ascontiguousarray(X), np.ascontiguousarray(y), seed=seed)
    return found.to_df()
