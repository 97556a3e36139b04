"""Large random machines: trees of all sorts of joints with loops closed in the drawn position,
doubled hinges, free parts.
"""

import numpy as np

import kinetree as kt

_TREE = (kt.Revolute, kt.Spherical, kt.Universal, kt.Cylindrical, kt.Translational)
_CUT = (kt.Revolute, kt.Universal, kt.Cylindrical, kt.Spherical)
_WITHOUT_AXIS = (kt.Spherical, kt.Universal)


def _unit(rng) -> np.ndarray:
    d = rng.normal(size=3)
    return d / np.linalg.norm(d)


def _join(m: kt.Model, name: str, joint, parent, child, at: np.ndarray, axis: np.ndarray) -> None:
    where = {} if joint in _WITHOUT_AXIS else {"axis": tuple(axis)}
    m.joint(name, joint(), parent, child, at=tuple(at), **where)


def large_machine(bodies: int, seed: int, loops: float = 0.15, doubled: float = 0.0) -> kt.Model:
    """Two parts, one on the ground and one free; `loops` per body are closed, a part of the hinges
    has a second one in line.
    """
    rng, m = np.random.default_rng(seed), kt.Model(f"large {seed}")
    for part in range(2):
        _part(
            m,
            f"p{part}",
            bodies // 2,
            np.array([20.0 * part, 0.0, 0.0]),
            bool(part),
            loops,
            doubled,
            rng,
        )
    return m


def _part(
    m: kt.Model, name: str, n: int, base: np.ndarray, free: bool, loops: float, doubled: float, rng
) -> None:
    found, at = [], []
    for i in range(n):
        k = i - 1 - int(rng.integers(0, min(4, i))) if i else -1
        before = at[k] if i else base
        p, axis = before + 0.5 * _unit(rng), _unit(rng)
        at.append(p)
        found.append(
            m.body(
                f"{name} b{i}",
                kt.mass(rng.uniform(0.3, 3.0), tuple(rng.uniform(0.02, 0.03, 3))),
                position=tuple(p),
            )
        )
        if not i and free:
            m.float(found[0])
            continue
        joint, on = _TREE[int(rng.integers(len(_TREE)))], found[k] if i else m.ground
        _join(m, f"{name} j{i}", joint, on, found[i], (before + p) / 2, axis)
        if joint is kt.Revolute and rng.random() < doubled:
            _join(m, f"{name} h{i}", joint, on, found[i], (before + p) / 2 + 0.3 * axis, axis)
    for c in range(int(loops * n)):
        i = int(rng.integers(8, n))
        k = i - int(rng.integers(5, 8))
        joint = _CUT[int(rng.integers(len(_CUT)))] if rng.random() < 0.3 else kt.Spherical
        _join(
            m,
            f"{name} c{c}",
            joint,
            found[i],
            found[k],
            (at[i] + at[k]) / 2 + 0.1 * rng.normal(size=3),
            _unit(rng),
        )
