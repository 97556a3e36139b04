"""Elastic forces and damping of the modes of a flexible body: one element per body, which the
compiler adds for `model.flexible`.

    tau = -K q - Z qdot,      E = 1/2 q.K q
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...kernel.decorators import kernel
from .contract import Force


@dataclass(frozen=True, eq=False)
class ModalStrain(Force):
    """Elastic forces of a flexible body, added by `Model.flexible`."""

    stiffness: Any = ()
    damping: Any = ()

    kind = "modal-strain"
    markers = (0, 0)
    meanings = {
        "strain_energy": "elastic energy stored in the modes",
        "dissipation": "power that the damping of the modes takes",
    }

    @property
    def readings(self):
        return ("strain_energy", "J"), ("dissipation", "W")

    def lower(self, row, to) -> None:
        link = to.links[to.places[to.force_names[len(to.rows["forces"])]].link]
        row["first"], row["count"] = to.pool([*self.stiffness, *self.damping]), len(self.stiffness)
        row["input"][:2] = link["iq"], link["iv"]


@kernel
def apply(tables, work, force, t, q, v, x):
    n, first, iq, iv = force.count, force.first, force.input[0], force.input[1]
    for k in range(n):
        work.f[iv + k] -= (
            tables.pool[first + k] * q[iq + k] + tables.pool[first + n + k] * v[iv + k]
        )


@kernel
def energy(tables, work, force, t, q, x):
    total = 0.0
    for k in range(force.count):
        a = q[force.input[0] + k]
        total += 0.5 * tables.pool[force.first + k] * a * a
    return total


@kernel
def read(tables, work, force, t, q, v, x, out):
    out[0] = energy(tables, work, force, t, q, x)
    out[1] = 0.0
    for k in range(force.count):
        rate = v[force.input[1] + k]
        out[1] += tables.pool[force.first + force.count + k] * rate * rate
