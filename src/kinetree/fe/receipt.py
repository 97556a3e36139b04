"""The receipt of a reduction: what the part is, what was kept, and how large the errors are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .checks import asymmetry, rigid_forces
from .part import Part

if TYPE_CHECKING:
    from ..description.reduced.reduced_part import ReducedPart

SHOWN = 1.5  # frequencies up to this multiple of the wanted one


def receipt(part: Part, reduced: ReducedPart) -> str:
    """One page of text."""
    facts = reduced.facts
    lines = [f"Reduced part {part.name!r}", "=" * (15 + len(part.name)), ""]
    lines += _full_model(part)
    lines += ["", "Markers"] + [
        f"  {name:<12} {entry['nodes']:>5} nodes, {_tie(entry['tie'])}"
        f" at ({', '.join(f'{x / part.scale:.4g}' for x in entry['at'])}) {part.unit}"
        + (", frame of the body" if name == reduced.frame else "")
        for name, entry in facts["markers"].items()
    ]
    lines += ["", "Reduced model"]
    lines += _reduced_model(reduced)
    lines += ["", *_frequencies(reduced)]
    lines += ["", "Errors"]
    lines += _errors(reduced)
    return "\n".join(lines)


def _plain(values: np.ndarray, size: float) -> np.ndarray:
    """Without what is only rounding."""
    return np.where(np.abs(values) > 1e-9 * size, values, 0.0)


def _tie(kind: str) -> str:
    return "rigid (RBE2)" if kind == "rigid" else "mean (RBE3)"


def _full_model(part: Part) -> list[str]:
    kinds = ", ".join(f"{len(e.nodes)} {e.cell.words}" for e in part.elements)
    size = " x ".join(f"{x:.4g}" for x in np.ptp(part.X, axis=0) / part.scale)
    com = ", ".join(f"{x / part.scale:.5g}" for x in _plain(part.com, part.size))
    inertia = _plain(part.inertia, np.trace(part.inertia))
    lines = [
        "Full model",
        f"  {len(part.X)} nodes, {kinds or 'given by K and M'}; size {size} {part.unit}",
    ]
    if part.elements:
        volume = part.volume
        lines.append(
            f"  mass {part.mass:.6g} kg = {part.mass / volume:.5g} kg/m^3 x {volume * 1e6:.6g} cm^3"
        )
    else:
        lines.append(f"  mass {part.mass:.6g} kg")
    lines += [
        f"  center of mass ({com}) {part.unit}",
        "  inertia about it  xx {:.5g}  yy {:.5g}  zz {:.5g}  xy {:.3g}  yz {:.3g}  zx {:.3g} kg m^2".format(
            *inertia.diagonal(), inertia[0, 1], inertia[1, 2], inertia[2, 0]
        ),
        f"  six rigid motions need forces of {rigid_forces(part).max():.0e} of K; "
        f"asymmetry of K {asymmetry(part.K):.0e}, of M {asymmetry(part.Ms):.0e}",
    ]
    return [*lines, *(f"  note: {note}" for note in part.notes)]


def _reduced_model(reduced: ReducedPart) -> list[str]:
    facts = reduced.facts
    slow = int((reduced.frequencies <= facts["upto"]).sum())
    lines = [
        f"  {reduced.n} coordinates by basis {facts['basis']!r}; wanted up to {facts['upto']:g} Hz, where "
        f"{slow} {'lies' if slow == 1 else 'lie'}",
        f"  damping: {facts['damping']}",
    ]
    if reduced.stiffened:
        lines.append(f"  geometric stiffening by the first {reduced.stiffened} modes")
    else:
        lines.append(
            "  NO geometric stiffening"
            + ("" if facts["part"]["elements"] else ": K and M alone do not contain it")
        )
    if not len(reduced.stress):
        lines.append("  no stresses")
    if reduced.loads:
        lines.append(f"  loads on the part: {', '.join(reduced.loads)}")
    return lines


def _frequencies(reduced: ReducedPart) -> list[str]:
    every = np.array(reduced.facts["full"])
    full = every[: max(3, int((every <= SHOWN * reduced.facts["upto"]).sum()))]
    ours = reduced.frequencies[: len(full)]
    full = full[: len(ours)]
    rows = [
        f"Frequencies (Hz), frame {reduced.frame!r} fixed",
        "  mode      " + "".join(f"{k + 1:>10}" for k in range(len(full))),
        "  full      " + "".join(f"{f:>10.5g}" for f in full),
        "  reduced   " + "".join(f"{f:>10.5g}" for f in ours),
        "  error     " + "".join(f"{f:>10.1e}" for f in np.abs(ours / full - 1)),
    ]
    high = reduced.frequencies[-1]
    return [*rows, f"  highest   {high:>10.5g}"]


def _errors(reduced: ReducedPart) -> list[str]:
    facts = reduced.facts
    lines = [
        f"  responses up to {facts['upto']:g} Hz with 2 % damping: "
        + ", ".join(
            f"{name} {error:.1e}" + (" (acceleration)" if name == reduced.frame else "")
            for name, error in facts["errors"].items()
        )
    ]
    if facts["error"] > facts["target"]:
        lines.append(
            f"  NOT MET: {facts['target']:g} was asked for; take another basis or a higher upto="
        )
    if facts["mesh_error"] is not None:
        text = ", ".join(f"{100 * e:.2g} %" for e in facts["mesh_error"])
        lines.append(f"  mesh, estimated from jumps of stress: first frequencies {text} too high,")
        lines.append("  within a factor of about four; compare with half the size of elements")
    if facts["left_out"]:
        text = ", ".join(f"{f:.0f} Hz (mostly along {axis})" for f, axis in facts["left_out"])
        lines.append(f"  first modes left out: {text}")
    return lines
