"""The equations of a model to read, to check and to take elsewhere: a report, LaTeX, Python and C.

derived = kt.derive(arm.model())
print(derived.report)
open("arm.c", "w").write(derived.c())
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ..core.checks import instance, mapping
from ..core.display import Printable
from ..description.lowering.flexible import beams_of
from ..description.model import Model
from ..errors import ModelError
from . import printing, write
from .arm_from_model import taken
from .bending import Bending
from .document import latex
from .equations import Machine
from .report import Report
from .rigid import Rigid, rigid
from .straight import Writer

_C_HEAD = """/* Equations of motion of {name}, written by Kinetree:  M vdot = f - G^T lambda,  g = 0,  G vdot = gamma.

   n = {n} coordinates, {rows} loop equations; matrices row by row. M, f and G must be zero before the first call; it adds to f.

{legend}
*/

#include <math.h>

/* The parameters p of the functions below. */
const double parameters[{count}] = {{
{numbers}
}};

"""


@dataclass(frozen=True, repr=False)
class Derived(Printable):
    """What was derived for a model."""

    model: Model  # runs on these equations

    @property
    def machine(self) -> Machine:
        assert isinstance(self.model.generated, Machine)
        return self.model.generated

    @cached_property
    def report(self) -> Report:
        return Report(self.machine.equations, self.machine.owners)

    def latex(self) -> str:
        """A LaTeX document."""
        return latex(self.report)

    def python(self) -> str:
        """The module that Kinetree compiles: coordinates in the order of the report."""
        return self.machine.code(self._order(), alone=True).source

    def c(self) -> str:
        """The same functions in C99, with the numbers of this model."""
        writer = Writer(self.machine.equations, self._order())
        functions = write.functions(writer)
        values, names = (
            writer.parameters.values(self.machine.equations.numbers),
            writer.parameters.names,
        )
        numbers = "\n".join(
            f"    {value!r},  /* {k}: {name} */"
            for k, (name, value) in enumerate(zip(names, values))
        )
        n = len(self.machine.equations.q)
        head = _C_HEAD.format(
            name=repr(self.machine.arm.name).replace("*/", ""),
            n=n,
            rows=len(self.machine.equations.loops),
            legend="\n".join(self.machine.legend(self._order())).replace("*/", ""),
            count=len(values),
            numbers=numbers,
        )
        return head + "\n".join(printing.c(function, n) for function in functions)

    def _order(self) -> dict[str, int]:
        return {name: k for k, name in enumerate(self.machine.equations.q)}

    def __str__(self) -> str:
        return str(self.report)


def derive(model: Model, flexible: Mapping[str, int | Bending] | None = None) -> Derived | Rigid:
    """The equations of motion of a model as symbols: a report, LaTeX, Python and C; `derived.model`
    runs on them.

    Of an arm, `kt.Arm(...).model()`, they are polynomials in cosines, sines and modal coordinates,
    with their loops. So they
    are of a planar model with beams, or with bodies that `flexible` names: {"boom": 3}, or {"rod":
    kt.Bending(2, EI=4e3)}, or {}
    for rigid links. Of any other model they are those of its rigid bodies on the tree of its
    joints, in space, as a list of statements; force elements and constraints stay with the numeric
    engine.
    """
    instance(model, Model, "derive: model")
    if flexible is not None:
        mapping(flexible, "derive: flexible", "{'boom': 2}")
    if isinstance(model.generated, Machine):
        if flexible is not None:
            raise ModelError(
                f"derive: the links of arm {model.name!r} have their modes already; `flexible` is "
                "for other models."
            )
        return Derived(model)
    return (
        rigid(model)
        if flexible is None and not beams_of(model)
        else Derived(taken(model, flexible))
    )
