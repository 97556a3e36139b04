"""Generated equations in the interface of the engine: every formulation, integrator, event,
controller and analysis uses them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..description.arm import SLENDER, Arm, Link
from ..description.generated import Bend
from ..description.lowering.links import dof_parents
from ..engine.equations.interface import EquationsOfMotion
from ..errors import ModelError
from ..kernel.linalg import norm, product
from ..kernel.mathematics import hypot
from ..results.channels import Channel
from . import module, write
from .frames import bend_name
from .planar import Equations, derive
from .straight import Parameters, Writer

if TYPE_CHECKING:
    from ..description.lowering.compiled import CompiledModel
    from ..description.lowering.lower import Lowering
    from ..description.model import Model

STATIONS = (25, 50, 75, 100)  # percent of a link at which its deflection is a channel
POINTS = 17  # points along a flexible link, as it is drawn


class Code(NamedTuple):
    """A generated module and its parameters."""

    source: str
    module: ModuleType
    parameters: Parameters


_written: dict[Any, Code] = {}  # arms that differ only in their numbers have the same code


def _chain(k: int, parents: np.ndarray) -> set[int]:
    """A degree of freedom and all those inboard of it."""
    found = set()
    while k >= 0:
        found.add(k)
        k = int(parents[k])
    return found


class Machine:
    """Generated equations of a model, kept in `model.generated`; `owners` maps each coordinate to
    its joint.
    """

    def __init__(self, arm: Arm, owners: Mapping[str, str]) -> None:
        self.arm, self.owners = arm, dict(owners)

    @property
    def flexible(self) -> bool:
        return any(link.flexible for link in self.arm.links)

    @cached_property
    def equations(self) -> Equations:
        return derive(self.arm)

    @cached_property
    def digest(self) -> str:
        e = self.equations
        whole = (
            e.q,
            e.T,
            e.frames.offsets,
            e.M,
            e.gravity,
            e.loops,
            e.K,
            sorted(e.numbers),
            e.zeros,
            self.arm.terms,
        )
        return sha256(repr(whole).encode()).hexdigest()

    def code(self, order: Mapping[str, int], alone: bool) -> Code:
        """The generated module for this order of the degrees of freedom."""
        key = (self.arm.name, self.digest, tuple(order.items()), alone)
        if key not in _written:
            writer = Writer(self.equations, order)
            functions = write.functions(writer, alone)
            source = module.text(
                self.arm.name, self.legend(order), functions, alone, len(writer.parameters.names)
            )
            _written[key] = Code(source, module.load(source), writer.parameters)
        return _written[key]

    def parameters(self, code: Code, model: Model) -> list[float]:
        """The parameters at the front of the pool; the last one is the reach of the arm."""
        # gravity normal to the plane has no effect
        aside, _, up = product(self.arm.X_WA.R.T, model.gravity)
        if abs(aside) > 1e-12 * norm(model.gravity):
            raise ModelError(
                f"model {model.name!r}: its equations have gravity along z, not "
                f"{tuple(map(float, model.gravity))}."
            )
        numbers = {**self.equations.numbers, "grav": -float(up)}
        return [*code.parameters.values(numbers), self._reach()]

    def legend(self, order: Mapping[str, int]) -> list[str]:
        """Description of the coordinates, in the order of q."""
        return [
            f"    q[{k}]  {name}, of {self.owners[name]}"
            for name, k in sorted(order.items(), key=lambda item: item[1])
        ]

    def _reach(self) -> float:
        """Upper limit of the distance of any point from the origin (m)."""
        links = self.arm.links
        return float(sum(link.length + hypot(*link.at) for link in links)) or 1.0

    # --- interface of a model

    def lower(self, to: Lowering) -> np.ndarray:
        """Addresses of the kernels; if there are further elements, the kernels of the tree evaluate
        them.
        """
        order = self._order(to)
        alone = not (to.model.forces or to.model.controllers or to.model.constraints)
        code = self.code(order, alone)
        to.full = not self._fits(order, dof_parents(to))
        to.pool(self.parameters(code, to.model))
        supplied: EquationsOfMotion = code.module.EQUATIONS_OF_MOTION
        return supplied.addresses()

    def _fits(self, order: Mapping[str, int], parents: np.ndarray) -> bool:
        """Whether M has entries only between degrees of freedom on one path to the root, as the
        tree assumes.
        """
        M, at = self.equations.relative_M, [order[name] for name in self.equations.q]
        inboard = [_chain(k, parents) for k in range(len(parents))]
        n = range(len(at))
        return all(
            at[i] in inboard[at[j]] or at[j] in inboard[at[i]]
            for i in n
            for j in n
            if i < j and M[i][j]
        )

    def _order(self, to: Lowering) -> dict[str, int]:
        """Degree of freedom of each coordinate; the equations must contain all of them."""
        links = {joint: to.links[place.link] for joint, place in to.places.items() if place.link}
        known = {*self.owners.values(), *(link.joint for link in self.arm.links)}
        missing = [name for name in known if name not in links]
        extra = [name for name in links if name not in known]
        if missing or extra:
            raise ModelError(
                f"model {to.model.name!r}: its equations were generated for the joints of an arm; "
                f"{', '.join(map(repr, missing or extra))} "
                f"{'is missing' if missing else 'was added later'}. Describe the whole mechanism "
                "as an arm, and add only forces, controllers and constraints to its model."
            )
        return {name: int(links[joint]["iv"]) for name, joint in self.owners.items()}

    def energies(self, compiled: CompiledModel, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Kinetic and potential energy of the links at the given states (J)."""
        order = {
            name: int(compiled.tables.links[compiled.joints[joint].link]["iv"])
            for name, joint in self.owners.items()
        }
        model = compiled.model
        alone = not (model.forces or model.controllers or model.constraints)
        code, n, rows = self.code(order, alone), len(order), len(self.equations.loops)
        M, f, out = np.zeros((n, n)), np.zeros(n), np.zeros((2, len(y)))
        loops = (np.zeros((rows, n)), np.zeros(rows)) if alone else ()
        code.module.energies(
            np.array(self.parameters(code, model)), np.ascontiguousarray(y), n, M, f, *loops, *out
        )
        return out[0], out[1]

    def channels(self, sol: Any) -> dict[str, Channel]:
        """Deflections along every flexible link, and the motion of its tip."""
        found: dict[str, Channel] = {}
        for link in self.arm.links:
            if not link.flexible:
                continue
            at = np.array(STATIONS) * link.length / 100.0
            shapes = np.array([one.psi(at) for one in link.modes])
            found[f"{link.name}.deflection"] = Channel(
                "m",
                f"deflection of {link.name} at {', '.join(map(str, STATIONS))} % of its length",
                lambda link=link, shapes=shapes: product(self.modal(sol, link), shapes),
                tuple(map(str, STATIONS)),
            )
            if link.depth:
                found[f"{link.name}.strain"] = Channel(
                    "1",
                    f"strain of the outer fibre of {link.name} at {', '.join(map(str, STATIONS))} "
                    "% of its length",
                    lambda link=link, at=at: self._strain(sol, link, at),
                    tuple(map(str, STATIONS)),
                )
        return found

    def _strain(self, sol: Any, link: Link, at: np.ndarray) -> np.ndarray:
        """Strain, shape (nt, n): half the depth times the curvature, positive if the upper side is
        stretched.
        """
        return product(
            -0.5 * link.depth * self.modal(sol, link),
            np.array([one.curvature(at) for one in link.modes]),
        )

    def bends(self, sol: Any | None) -> dict[str, Bend]:
        """Lines of the flexible links, in the axes of their bodies."""
        found = {}
        slender = 2.0 * SLENDER * max((link.length for link in self.arm.links), default=1.0)
        for link in self.arm.links:
            if not link.flexible:
                continue
            x = np.linspace(0.0, link.length, POINTS)
            shapes = np.array([one.psi(x) for one in link.modes])
            u = np.zeros((1, POINTS)) if sol is None else product(self.modal(sol, link), shapes)
            line = np.stack([np.broadcast_to(x, u.shape), np.zeros_like(u), u], axis=-1)
            X_BL, side = link.X_LB.inverse, link.depth or slender
            strain = np.abs(self._strain(sol, link, x)) if link.depth and sol is not None else None
            found[link.name] = Bend(product(line, X_BL.R.T) + X_BL.p, (side, side), None, strain)
        return found

    def modal(self, sol: Any, link) -> np.ndarray:
        """Modal coordinates of a link, shape (nt, modes) (m)."""
        label, per = (
            ("angle", 1.0 / link.integrals.slope)
            if link.slope
            else ("displacement", np.ones(len(link.modes)))
        )
        names = [self.owners[bend_name(link, k)] for k in range(1, len(link.modes) + 1)]
        return np.column_stack([sol[f"{name}.{label}"] for name in names]) * per
