"""Runs of the blocks of an image in this process, with the kernels that the image names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...engine.integrators.integrate import loop, no_projection
from ...errors import ModelError
from ...kernel.decorators import compiled, pointer
from ...kernel.tables.signatures import signatures
from ...results.solution import Solution
from .advance import advance_to
from .kernels import signature_of
from .observe import observe_at
from .outputs import read_outputs
from .prepare import Blocks
from .readings import Reading

# relative difference of an output and its channel: noise where large numbers cancel; an output that
# means something else differs by much more
AGREE = 1e-6


def advance(blocks: Blocks, t: float, exact: bool = False, most: int = 1 << 30) -> int:
    """Advance the session to the time t; returns a Status."""
    _, _, rhs, project = signatures()
    kernel = compiled(advance_to, signature_of("advance"))
    methods = loop(blocks.integrator.kernels)[1]
    of_method = pointer(blocks.method.rhs, rhs), pointer(blocks.method.project, project)
    return kernel(
        blocks.tables, blocks.work, *methods, *of_method, blocks.run, blocks.session, t, exact, most
    )


def outputs_at(blocks: Blocks, t: float, y: np.ndarray, what: int) -> np.ndarray:
    """Values of the outputs at a state that satisfies the constraints."""
    _, _, rhs, project = signatures()
    seen = blocks.seen, blocks.seen_work
    blocks.view.t[0], blocks.view.y[0] = t, y
    compiled(observe_at, signature_of("observe"))(
        *seen,
        pointer(blocks.method.rhs, rhs),
        pointer(no_projection, project),
        blocks.frames,
        blocks.view,
        what,
        blocks.record,
    )
    read = compiled(read_outputs, signature_of("outputs"))
    read(*seen, blocks.view, blocks.record, blocks.outputs)
    return blocks.outputs.values.copy()


def compare(blocks: Blocks, readings: Sequence[Reading], sol: Solution) -> None:
    """Raise an error if an output differs from its channel at any sample."""
    what = 0
    for one in readings:
        what |= one.parts
    found = np.array([outputs_at(blocks, t, y, what) for t, y in zip(sol.t, _states(sol))])
    for values, one in zip(found.T, readings):
        expected = sol[one.name]
        head, _, last = one.name.rpartition(".")  # noise of a component is that of its vector
        vector = sol[head] if last in ("x", "y", "z", "w") and head in sol.channels else expected
        size = np.abs(vector).max() + 1e-3
        if not np.abs(values - expected).max() <= AGREE * size:
            raise ModelError(
                f"channel {one.name!r} of model {sol.model.name!r} cannot be exported: the output "
                "differs from the channel in a short run. Please report this, with the model."
            )


def _states(sol: Solution) -> np.ndarray:
    return np.concatenate([sol.q, sol.v, sol.x], axis=1)
