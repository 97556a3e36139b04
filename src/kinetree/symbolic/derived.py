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
from ..description.lowering.groups import refuse_joint_inertia
from ..description.lowering.modal import refuse_flexible
from ..description.model import Model
from ..errors import ModelError, explains_arguments
from . import printing, write
from .arm_from_model import arm_from_model
from .bending import Bending
from .equations import Machine
from .report import Report, latex
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
    """The equations of motion of a model as symbols; ``print`` shows a report.

    Returned by `derive`.

    Attributes
    ----------
    model : Model
        The model, which runs on these equations.

    Examples
    --------
    >>> import kinetree as kt
    >>> arm = kt.Arm("pendulum")
    >>> link = arm.link("rod", "A", length=0.5, density=2.0)
    >>> derived = kt.derive(arm.model())
    >>> "def " in derived.python()
    True
    """

    model: Model  # runs on these equations

    @property
    def machine(self) -> Machine:
        """The generated equations."""
        assert isinstance(self.model.generated, Machine)
        return self.model.generated

    @cached_property
    def report(self) -> Report:
        """Report of the structure, the zeros and the rules of the equations."""
        return Report(self.machine.equations, self.machine.owners)

    def latex(self) -> str:
        """Return the equations as a LaTeX document.

        Returns
        -------
        str
            The document.
        """
        return latex(self.report)

    def python(self) -> str:
        """Return the Python module that Kinetree compiles.

        Returns
        -------
        str
            The source; coordinates have the order of the report.
        """
        return self.machine.code(self._order(), alone=True).source

    def c(self) -> str:
        """Return the same functions in C99, with the numbers of this model.

        Returns
        -------
        str
            The source.
        """
        writer = Writer(self.machine.equations, self._order())
        functions = write.functions(writer)
        values = writer.parameters.values(self.machine.equations.numbers)
        names = writer.parameters.names
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


@explains_arguments
def derive(model: Model, flexible: Mapping[str, int | Bending] | None = None) -> Derived | Rigid:
    """Derive the equations of motion of a model as symbols.

    Parameters
    ----------
    model : Model
        The model. For an arm (`Arm.model`) and for planar models with beams or flexible bodies, the
        equations are polynomials in cosines, sines and modal coordinates, with their loops. For any
        other model they are the equations of its rigid bodies on the spanning tree, as a list of
        statements; force elements and constraints are computed numerically.
    flexible : dict of str to int or Bending, optional
        Bodies of a planar model that bend: ``{"boom": 3}`` for three modes, or
        ``{"rod": kt.Bending(2, EI=4e3)}``; ``{}`` for rigid links.

    Returns
    -------
    Derived or Rigid
        The equations, as a report, LaTeX, Python and C. ``derived.model`` is a model that runs on
        them.

    Raises
    ------
    ModelError
        If a body cannot be a link of a planar arm, or `flexible` is given for an arm.

    Examples
    --------
    >>> import kinetree as kt
    >>> arm = kt.Arm("pendulum")
    >>> link = arm.link("rod", "A", length=0.5, density=2.0, start=0.3)
    >>> derived = kt.derive(arm.model())
    >>> kt.simulate(derived.model, 0.1).success
    True
    """
    instance(model, Model, "derive: model")
    refuse_joint_inertia(model, "derive")
    if flexible is not None:
        mapping(flexible, "derive: flexible", "{'boom': 2}")
    if isinstance(model.generated, Machine):
        if flexible is not None:
            raise ModelError(
                f"derive: the links of arm {model.name!r} have their modes already; `flexible` is "
                "for other models."
            )
        return Derived(model)
    refuse_flexible(model, "derive", "kt.equations has the numbers of its equations.")
    return (
        rigid(model)
        if flexible is None and not beams_of(model)
        else Derived(arm_from_model(model, flexible))
    )
