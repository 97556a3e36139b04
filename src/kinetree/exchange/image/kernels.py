"""The kernels of an image, with their signatures."""

from __future__ import annotations

from functools import cache
from typing import Any

from ...engine.dynamics.observe import Record
from ...engine.dynamics.reactions import JointFrames
from ...engine.formulations.samples import entry as samples_entry
from ...engine.integrators.integrate import signature as loop_signature
from ...engine.integrators.memory import RunArrays
from ...kernel import types
from ...kernel.tables.signatures import signatures
from ...kernel.types import FunctionType, Signature
from .advance import advance_to
from .observe import View, observe_at, rates_at, settle
from .outputs import Outputs, read_outputs
from .session import Session

OF_ALL: tuple[tuple[str, Any], ...] = (
    ("advance", advance_to),
    ("observe", observe_at),
    ("outputs", read_outputs),
    ("rates", rates_at),
    ("settle", settle),
)


def _type(block: Any) -> Any:
    """Type of a block of arrays."""
    return block.type_of_all()


@cache
def signature_of(name: str) -> Signature:
    """Signature of a kernel in `OF_ALL`."""
    tables, work, rhs, project = signatures()
    f, project_type = FunctionType(rhs), FunctionType(project)
    _, step, dense = loop_signature()
    number, integer, vector = types.float64, types.int64, types.float64[::1]
    kinds: dict[str, Any] = {
        "advance": (
            tables,
            work,
            *map(FunctionType, (step, step, dense)),
            f,
            project_type,
            _type(RunArrays),
            _type(Session),
            number,
            integer,
            integer,
        ),
        "observe": (
            tables,
            work,
            f,
            project_type,
            _type(JointFrames),
            _type(View),
            integer,
            _type(Record),
        ),
        "outputs": (
            tables,
            work,
            _type(View),
            _type(Record),
            _type(Outputs),
        ),
        "rates": (tables, work, f, number, vector, vector),
        "settle": (tables, work, project_type, number, vector),
    }
    return integer(*kinds[name])


def compile_kernels() -> None:
    """Compile or load the kernels."""
    samples_entry()
    for name, kernel in OF_ALL:
        kernel.address_for(signature_of(name))
