"""Address of the kernel that runs controllers: compiled for models with controllers, called by
address.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ...kernel import types
from ...kernel.decorators import JIT
from ...kernel.intrinsics import address_of, by_address
from ...kernel.tables.signatures import signatures
from .controller import run_controllers


@cache
def _signature() -> Any:
    (tables, work), vector = signatures()[:2], types.float64[::1]
    return types.none(tables, work, types.float64, vector, vector, vector)


control = by_address("tables, work, t, q, v, x", _signature)


def control_kernel(wanted: bool) -> np.ndarray:
    """Return its address, compiled or loaded now, or 0 for a model without controllers."""
    return np.array(
        [address_of(run_controllers, _signature() if JIT else None) if wanted else 0], np.int64
    )


def compile_kernels() -> None:
    """Compile or load the kernel."""
    control_kernel(True)
