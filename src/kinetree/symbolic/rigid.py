"""Equations of a model of rigid bodies in symbolic form: an independent check of the numeric
engine, and code for other programs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..assembly.build import build
from ..core.display import Printable
from ..description.lowering.compiled import LoweredModel
from ..description.model import Model
from ..errors import counted
from . import module, printing
from .expanded import Terms, TooLarge, expanded
from .readable import latex_name
from .sampled import pattern
from .spatial import Spatial
from .straight import Function, Place

if TYPE_CHECKING:
    from ..description.lowering.lower import Lowering

_C_HEAD = """/* Equations of motion of {name}, written by Kinetree:  M vdot = f of an open tree.

   M ({n} x {n}, row by row) and f must be zero before the first call, which adds to f.
*/

#include <math.h>

/* The parameters p of the function below. */
const double parameters[{count}] = {{
{numbers}
}};

"""


class RigidMachine:
    """Generated equations of a tree of rigid bodies; loops, forces and controllers use the kernels
    of the tree.
    """

    flexible, digest = False, "rigid bodies written down"

    def lower(self, to: Lowering) -> np.ndarray:
        spatial = Spatial(to.links, to.model.gravity)
        source = module.text(
            to.model.name, _legend(to.links, to.places), [spatial.motion()], alone=False
        )
        to.pool(spatial.parameters)
        return module.load(source).EQUATIONS_OF_MOTION.addresses()

    def energies(self, compiled: Any, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        raise NotImplementedError("those of rigid bodies are known from the bodies")

    def channels(self, solution: Any) -> dict[str, Any]:
        return {}

    def bends(self, solution: Any | None) -> dict[str, Any]:
        return {}


def _legend(links: np.ndarray, places: dict[str, Any]) -> list[str]:
    """Description of the coordinates of the joints."""
    found = []
    for name, place in places.items():
        if place.link:
            first = int(links[place.link]["iq"])
            found += [
                f"    q[{first + k}]  {label} of {name}"
                for k, label in enumerate(place.spec.joint.labels)
            ]
    return found


@dataclass(frozen=True, repr=False)
class Rigid(Printable):
    """The equations of motion of rigid bodies, as a list of statements."""

    description: LoweredModel

    @cached_property
    def spatial(self) -> Spatial:
        return Spatial(self.description.tables.links, self.description.model.gravity)

    @cached_property
    def function(self) -> Function:
        return self.spatial.motion()

    @property
    def model(self) -> Model:
        """The model with these equations in place of the numeric engine's own."""
        return self.description.model.variant(generated=RigidMachine())

    def python(self) -> str:
        """The module that Kinetree compiles."""
        links, places = self.description.tables.links, self.description.joints
        return module.text(
            self.description.model.name, _legend(links, places), [self.function], alone=False
        )

    def c(self) -> str:
        """The function in C99, with the numbers of this model."""
        names, values = sorted(self.spatial.tape.numbers), self._values()
        numbers = "\n".join(
            f"    {value!r},  /* {k}: {name} */"
            for k, (name, value) in enumerate(zip(names, values))
        )
        head = _C_HEAD.format(
            name=repr(self.description.model.name).replace("*/", ""),
            n=self.spatial.nv,
            count=max(len(values), 1),
            numbers=numbers or "    0.0",
        )
        return head + printing.c(self.function, self.spatial.nv)

    def latex(self) -> str:
        """The statements in their order."""
        from sympy import latex

        rows = []
        for target, expression in self.function.statements:
            names = {s: latex_name(s.name) for s in expression.free_symbols}
            left = (
                latex_name(target)
                if isinstance(target, str)
                else f"{target.array}_{{{','.join(str(k + 1) for k in target.index)}}}"
            )
            rows.append(rf"{left} &= {latex(expression, symbol_names=names)}")
        body = " \\\\\n".join(rows)
        return (
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\allowdisplaybreaks\n\\begin{document}\n\\begin{align*}\n"
            f"{body}\n\\end{{align*}}\n\\end{{document}}\n"
        )

    def _values(self) -> list[float]:
        self.function  # noqa: B018  the numbers are known once it is written
        return self.spatial.parameters

    @cached_property
    def structure(self) -> Terms | None:
        """Structure of the expanded M and velocity terms, or None if they are too long to read."""
        try:
            return Terms(expanded(self.spatial, self.description))
        except TooLarge:
            return None

    @property
    def report(self) -> str:
        return str(self)

    def __str__(self) -> str:
        from sympy import count_ops

        operations = int(sum(count_ops(e) for _, e in self.function.statements))
        counts = (
            f"{counted(self.spatial.nv, 'degree', 'degrees')} of freedom of "
            f"{counted(len(self.spatial.bodies), 'rigid body', 'rigid bodies')}"
        )
        rows = [
            f"Equations of motion of {self.description.model.name!r}: {counts}.",
            f"{len(self.function.statements)} statements, {operations} operations, "
            f"{len(self._values())} numbers.",
            "",
            "Degrees of freedom",
            *(
                f"  {k:>3} {joint}.{label}"
                for k, (joint, label) in enumerate(self.description.dof_owner, 1)
            ),
            *self._structure(),
        ]
        if self.description.row_owner:
            rows += [
                "",
                "Equations of the cut joints and constraints, by the numeric engine: "
                + ", ".join(dict.fromkeys(self.description.row_owner)),
            ]
        return "\n".join(rows)

    def _structure(self) -> list[str]:
        """Mass matrix and velocity terms."""
        if self.structure is None:
            return self._sampled()
        numbers = [
            f"  {name:10} {value:.10g}" for name, value in sorted(self.spatial.tape.numbers.items())
        ]
        return [
            *self.structure.inertia(),
            *self.structure.velocity(),
            "",
            "Symbols (SI units)",
            *numbers,
        ]

    def _sampled(self) -> list[str]:
        """Pattern of the nonzero entries, if the expanded equations are too long to read."""
        n, known = range(self.spatial.nv), pattern(self.description)
        entries = {
            target.index
            for target, _ in self.function.statements
            if isinstance(target, Place) and target.array == "M"
        }
        rows = ["", "Mass matrix (. zero, x not)"]
        rows += ["  " + " ".join("x" if (i, j) in entries else "." for j in n) for i in n]
        rows += [
            "",
            "Velocity terms  sum C_jk(i) v_j v_k",
            f"  {int(known.sum())} of {known.size} C_jk(i) are not zero, by numbers at random "
            "positions; they are too long to be written out.",
            "  (33) C_jk(i) = C_kj(i) holds",
        ]
        rows += [f"  C({i + 1}) vanishes" for i in n if not known[i].any()]
        return rows


def rigid(model: Model) -> Rigid:
    """The equations of a model of rigid bodies in relative coordinates."""
    return Rigid(build(model.variant(generated=None)))
