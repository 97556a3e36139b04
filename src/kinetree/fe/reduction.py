"""From a part to a reduced part: basis, integrals over the mass, second-order terms, stresses."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from ..core.checks import flag, instance, mapping, number, whole, word
from ..description.reduced.reduced_part import ReducedPart
from ..errors import ModelError, no_such, short
from .bases import MORE, Shapes, Wanted, basis_of
from .checks import check_matrices
from .compliance import compliance_errors
from .damping import Damping, ratios
from .loads import Load, nodal_loads
from .part import Part
from .receipt import receipt
from .stresses import nodal_stresses
from .supported import Supported, hertz
from .surface import surface
from .ties import Tied, rigid_shape, tie

HIGHEST = 1e9  # Hz
FURTHER = (MORE, 2.0, 3.0)  # multiples of the wanted frequency, tried until the error is met


class LargeError(UserWarning):
    """A reduced part does not meet the error that was asked for.

    Examples
    --------
    >>> import kinetree as kt
    >>> issubclass(kt.fe.LargeError, UserWarning)
    True
    """


def reduce(
    part: Part,
    markers: Mapping[str, Any],
    upto: float,
    error: float = 1e-3,
    frame: str | None = None,
    basis: Literal["static-responses", "craig-bampton", "rubin", "krylov"] = "static-responses",
    modes: int | None = None,
    damping: Damping = None,
    stiffening: bool = True,
    stress: bool = True,
    loads: Mapping[str, Load] | None = None,
    seconds: float | None = None,
    progress: bool | Callable[[str], None] | None = None,
) -> ReducedPart:
    """Reduce a part from finite elements to markers and a few modal coordinates.

    `part.reduce(...)` is the same.

    Parameters
    ----------
    part : Part
        The part, of `kt.fe.read`, `kt.fe.mesh` or `kt.fe.matrices`.
    markers : mapping of str to selection
        The nodes to which each marker is tied: `kt.fe.cylinder(...)`, `kt.fe.plane(...)`, the name
        of a group of the mesh, numbers of nodes, or `kt.fe.interface(...)` of one of them.
    upto : float
        Highest frequency (Hz) that matters in the runs.
    error : float, default 1e-3
        Error of the responses at the markers up to that frequency. More modes are taken until it is
        met, and a warning states an error that is not.
    frame : str, optional
        The marker whose frame is that of the body; the first one by default. A model can use
        another one (`ReducedPart.with_frame`).
    basis : {"static-responses", "craig-bampton", "rubin", "krylov"}, default "static-responses"
        The space of motions. The default has the static responses to unit loads at the markers, to
        six accelerations and to the loads on the part, and the modes up to 1.5 times `upto`.
    modes : int, optional
        Number of modes in the basis, instead of those up to 1.5 times `upto`.
    damping : float or sequence of (float, float), optional
        Ratio of critical damping of all modes, or pairs (frequency in Hz, ratio up to it). Default:
        1 % up to 100 Hz, 10 % up to 1 kHz (or to `upto`, if it is higher), and critical above.
    stiffening : bool, default True
        Whether to form the terms of second order (geometric stiffening).
    stress : bool, default True
        Whether to form the stresses at the nodes of the surface.
    loads : mapping of str to Load, optional
        Loads on the part: `kt.fe.pressure(...)` and `kt.fe.heating()`.
    seconds : float, optional
        Time after which the search for modes is given up, with an error that states how many were
        found.
    progress : bool or callable, optional
        Whether to print the stages to the terminal, or a function that is called with each text. By
        default they are printed if the error output is a terminal.

    Returns
    -------
    ReducedPart
        The part as `Model.flexible` takes it. ``print`` shows its receipt, `save` writes a file.

    Raises
    ------
    ModelError
        If a marker has no nodes, or K or M are not those of a free part.

    Notes
    -----
    Rigid ties (RBE2) stiffen the nodes that they tie; ties to the mean motion (RBE3) do not. The
    error is the largest difference of the responses to unit loads at the markers and to unit
    accelerations of the frame, relative to the largest responses, with 2 % damping.

    Examples
    --------
    >>> import kinetree as kt
    >>> part = kt.fe.block((0.3, 0.02, 0.02), cells=(6, 1, 1), E=2.1e11, poisson=0.3, density=7850.0)
    >>> ends = {"left": kt.fe.plane((0, 0, 0), "x"), "right": kt.fe.plane((0.3, 0, 0), "x")}
    >>> rod = kt.fe.reduce(part, ends, upto=2000.0)
    >>> rod.markers, rod.facts["error"] < 1e-3
    (('left', 'right'), True)
    """
    instance(part, Part, "reduce: part", "a part of kt.fe.read, mesh, matrices or block")
    markers = mapping(markers, "reduce: markers", '{"big": kt.fe.cylinder(...)}')
    loads = {} if loads is None else mapping(loads, "reduce: loads", '{"gas": kt.fe.pressure(...)}')
    stiffening, stress = flag(stiffening, "reduce: stiffening"), flag(stress, "reduce: stress")
    if seconds is not None:
        seconds = number(seconds, "reduce: seconds", positive=True)
    upto = number(upto, "reduce: upto", positive=True)
    if upto > HIGHEST:
        raise ModelError(
            f"reduce: upto must be a frequency in Hz of at most {HIGHEST:g}, got {upto:g}."
        )
    error = number(error, "reduce: error", positive=True)
    say = _teller(progress)
    names = tuple(markers)
    frame = names[0] if frame is None and names else frame
    if names and word(frame, "reduce: frame") not in names:
        raise no_such("marker", frame, names, f" of part {part.name!r}")
    if modes is not None:
        modes = whole(modes, "reduce: modes", least=1)
    make = basis_of(basis)
    tied = tie(part, markers)
    at = names.index(str(frame))
    say(f"factorizing {tied.T.shape[1]} unknowns")
    supported = Supported(part, tied, at)
    check_matrices(part, supported)
    forces = nodal_loads(part, loads)
    others = [m for m in range(len(names)) if m != at]
    shapes, errors = None, np.zeros(0)
    for more in FURTHER if modes is None else FURTHER[:1]:
        wanted = Wanted(
            upto=2 * np.pi * upto,
            more=more,
            modes=modes,
            loads=tied.T.T @ forces,
            markers=np.hstack([np.zeros((tied.T.shape[1], 0)), *(tied.C[m] for m in others)]),
            seconds=seconds,
            tell=lambda n, w: say(f"{n} modes found, up to {w / (2 * np.pi):.0f} Hz"),
        )
        shapes = make(supported, wanted)
        say(f"comparing {len(shapes.w2)} coordinates with the full model")
        errors = compliance_errors(supported, shapes, wanted)
        if errors.max() <= error or basis == "krylov":
            break
    assert shapes is not None
    if errors.max() > error:
        warnings.warn(
            f"part {part.name!r}: the responses at the markers err by {errors.max():.1e} up to {upto:g} Hz; "
            f"{error:g} was asked for. print(rod) shows where.",
            LargeError,
            stacklevel=3,
        )
    return _build(
        part, tied, supported, shapes, at, errors, forces, loads,
        {
            "upto": upto, "basis": basis, "target": error, "damping": damping,
            "stiffening": stiffening and bool(part.elements), "stress": stress and bool(part.elements),
        },
        say,
    )  # fmt: skip


def _teller(progress: bool | Callable[[str], None] | None) -> Callable[[str], None]:
    if callable(progress) and not isinstance(progress, type):
        return progress
    if progress is not None and not isinstance(progress, (bool, np.bool_)):
        raise ModelError(
            f"reduce: progress must be True, False or a function, got {short(progress)}."
        )
    if not (sys.stderr.isatty() if progress is None else progress):
        return lambda text: None
    return lambda text: print(f"  {text} ...", file=sys.stderr)


def _build(
    part: Part,
    tied: Tied,
    supported: Supported,
    basis: Shapes,
    at: int,
    errors: np.ndarray,
    forces: np.ndarray,
    loads: Mapping[str, Load],
    options: dict[str, Any],
    say: Callable[[str], None],
) -> ReducedPart:
    n, size = len(basis.w2), len(part.X)
    origin = tied.centers[at]
    X = part.X - origin
    shapes = (tied.T @ basis.V).reshape(size, 3, n)
    flat = np.concatenate([X[:, :, None], shapes], axis=2)
    weighted = (part.Ms @ flat.reshape(size, -1)).reshape(flat.shape)
    grams = np.einsum("nil,njk->ijlk", flat, weighted, optimize=True)
    sums = weighted.sum(0)
    motions = np.einsum("myc,yk->mck", tied.C, basis.V)
    motions[at] = 0.0
    frequencies = hertz(basis.w2)
    s = int((frequencies <= MORE * options["upto"]).sum()) if options["stiffening"] else 0
    if s:
        say(f"second-order terms of {s} modes")
    E, E_marker = _second_order(part, tied, supported, X, shapes, weighted, at, s)
    ratio = ratios(frequencies, options["upto"], options["damping"])
    skin, triangles = surface(part)
    stress, load_stress = np.zeros((0, 6, n)), np.zeros((len(loads), 0, 6))
    mesh_error = None
    if options["stress"]:
        say("stresses at the nodes")
        stress, load_stress, mesh_error = nodal_stresses(part, shapes, loads, skin)
    row = np.full(size, -1)
    row[skin] = np.arange(len(skin))
    groups = {name: row[rows][row[rows] >= 0] for name, rows in part.groups.items()}
    wrench = rigid_shape(part.X, origin).T @ forces
    facts = {**options, "markers": {}, "damping": ratio[1]}
    facts.update(_facts(part, tied, at, basis, errors, mesh_error))
    reduced = ReducedPart(
        name=part.name,
        markers=tied.names,
        frame=tied.names[at],
        origin=origin,
        axes=np.eye(3),
        positions=tied.centers - origin,
        rotations=np.stack([np.eye(3)] * len(tied.names)),
        P=np.ascontiguousarray(motions[:, :3]),
        Theta=np.ascontiguousarray(motions[:, 3:]),
        mass=float(part.Ms.sum()),
        S0=sums[:, 0].copy(),
        A00=grams[:, :, 0, 0].copy(),
        a=sums[:, 1:].copy(),
        A0=grams[:, :, 0, 1:].copy(),
        A=grams[:, :, 1:, 1:].copy(),
        K=basis.w2,
        Z=2.0 * ratio[0] * np.sqrt(basis.w2),
        frequencies=frequencies,
        E=E,
        E_marker=E_marker,
        loads=tuple(loads),
        load_wrench=np.ascontiguousarray(wrench.T),
        load_modes=np.ascontiguousarray((shapes.reshape(-1, n).T @ forces).T),
        nodes=X[skin],
        numbers=part.numbers[skin],
        triangles=triangles,
        shapes=np.ascontiguousarray(shapes[skin]),
        stress=stress,
        load_stress=load_stress,
        groups={name: rows for name, rows in groups.items() if len(rows)},
        facts=facts,
    )
    facts["receipt"] = receipt(part, reduced)
    return reduced


def _second_order(
    part: Part,
    tied: Tied,
    supported: Supported,
    X: np.ndarray,
    shapes: np.ndarray,
    weighted: np.ndarray,
    at: int,
    s: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Stress stiffness of the loads M Phi of the wide basis and of unit loads at the markers."""
    n, m = shapes.shape[2], len(tied.names)
    E, E_marker = np.zeros((n + 12, s + 3, s + 3)), np.zeros((m, 6, s + 3, s + 3))
    if not s:
        return E, E_marker
    wide = np.zeros((len(X), 3, n + 12))
    wide[:, :, :n] = weighted[:, :, 1:]
    Ms1, MsX = np.asarray(part.Ms.sum(1)).ravel(), weighted[:, :, 0]
    for j in range(3):
        wide[:, j, n + j] = Ms1
        for i in range(3):
            wide[:, j, n + 3 + 3 * i + j] = MsX[:, i]
    F = np.hstack([tied.T.T @ wide.reshape(-1, n + 12), *tied.C])
    u = (tied.T @ supported.solve(F)).reshape(len(X), 3, -1)
    turns = rigid_shape(X, np.zeros(3)).reshape(-1, 3, 6)[:, :, 3:]
    bent = np.concatenate([shapes[:, :, :s], turns], axis=2)
    total = np.sum([e.stress_stiffness(u, bent) for e in part.elements], axis=0)
    E[:] = total[: n + 12]
    E_marker[:] = total[n + 12 :].reshape(E_marker.shape)
    E_marker[at] = 0.0
    return E, E_marker


def _facts(
    part: Part,
    tied: Tied,
    at: int,
    basis: Shapes,
    errors: np.ndarray,
    mesh_error: Sequence[float] | None,
) -> dict[str, Any]:
    others = [name for k, name in enumerate(tied.names) if k != at]
    per = [float(errors[6 * k : 6 * k + 6].max()) for k in range(len(others) + 1)]
    M = part.M
    left_out = []
    upper = np.flatnonzero(~_contained(basis))[:3]
    for k in upper:
        u = (tied.T @ basis.exact[:, k]).reshape(-1, 3)
        share = np.einsum("nc,nc->c", u, (M @ u.ravel()).reshape(-1, 3))
        left_out.append([float(hertz(basis.exact_w2[k])), "xyz"[int(share.argmax())]])
    return {
        "part": part.summary(),
        "markers": {
            name: {"nodes": len(n), "tie": kind, "at": c.tolist()}
            for name, n, kind, c in zip(tied.names, tied.nodes, tied.kinds, tied.centers)
        },
        "errors": dict(zip([*others, tied.names[at]], per)),
        "error": max(per),
        "full": hertz(basis.exact_w2[:10]).tolist(),
        "left_out": left_out,
        "mesh_error": mesh_error,
    }


def _contained(basis: Shapes) -> np.ndarray:
    """Which of the exact modes the reduced frequencies contain, to 1 %."""
    ours, exact = np.sqrt(np.abs(basis.w2)), np.sqrt(np.abs(basis.exact_w2))
    return np.array([np.abs(ours - w).min() < 0.01 * w for w in exact], bool)
