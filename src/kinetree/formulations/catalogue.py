"""The formulations, by name: append only."""

from __future__ import annotations

from ..errors import no_such
from . import augmented, tree
from .contract import Formulation

FORMULATIONS: tuple[Formulation, ...] = (
    Formulation("augmented", "augmented equations, mass-weighted projection with one factorised matrix",
                augmented.rhs, augmented.settle, True, "Lee1994"),
    Formulation("tree", "open trees by the articulated-body algorithm", tree.rhs, tree.settle, False, "Featherstone1983"),
)


def formulation(name: str) -> Formulation:
    """The formulation of that name."""
    for entry in FORMULATIONS:
        if entry.name == name:
            return entry
    raise no_such("formulation", name, [f.name for f in FORMULATIONS])
