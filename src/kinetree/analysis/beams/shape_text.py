"""A mode shape in a few words: directions and parts that move most."""

from __future__ import annotations

import numpy as np

_TORSION = 0.01  # squared displacement, in model sizes, relative to the squared rotation
_LEAST = 0.015  # smallest share that is listed
_MOVING = 0.3  # smallest amplitude that is listed, relative to the largest


def describe_shape(shape: np.ndarray, bodies: tuple[str, ...], length: float) -> str:
    """Shares of the world directions, and the bodies and beams that move most.

    `shape` (nb, 6) are displacements and rotations of bodies and of nodes "beam.3".
    """
    moves, turns = np.abs(shape[:, :3]), np.abs(shape[:, 3:])
    torsion = np.sum(moves**2) < _TORSION * length**2 * np.sum(turns**2)
    size, word = (turns, "rotation about") if torsion else (moves, "along")
    total = float(np.sum(size**2))
    if total == 0.0:
        return "no motion"
    shares = np.sum(size**2, axis=0) / total
    directions = [
        f"{'xyz'[k]} {100.0 * shares[k]:.0f} %"
        for k in np.argsort(-shares, kind="stable")
        if shares[k] > _LEAST
    ]
    largest: dict[str, float] = {}
    for name, amplitude in zip(bodies, np.linalg.norm(size, axis=1)):
        part = name.rsplit(".", 1)[0] if name.rsplit(".", 1)[-1].isdigit() else name
        largest[part] = max(largest.get(part, 0.0), float(amplitude))
    top = max(largest.values())
    # rounded, so that equal parts of a symmetric model keep the order of the model
    parts = sorted(
        (part for part in largest if largest[part] > _MOVING * top),
        key=lambda part: -round(largest[part] / top, 2),
    )
    more = f" and {len(parts) - 3} more" if len(parts) > 3 else ""
    return f"{word} {', '.join(directions)}: {', '.join(parts[:3])}{more}"
