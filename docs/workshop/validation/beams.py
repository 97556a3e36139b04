"""Beams and a flexible body with exact and published deflections and motions."""

from __future__ import annotations

from ..problems import beams as published
from ..problems import flexible_slider_crank
from . import runs
from .results import Case


def bend() -> tuple[Case, ...]:
    exact = published.EXACT_BEND[600.0]
    rows = []
    for k, axis in enumerate("xyz"):
        for printed, within, by, elements in (
            (f"{exact[k]:.8f}", 4e-4, "exact", 64),
            (f"{published.GXBEAM[k]:.4f}", 0.03, "GXBeam, 16 elements", 16),
            (f"{published.BATHE[k]:.1f}", 0.25, "Bathe and Bolourchi", 64),
        ):
            rows.append(
                Case(
                    f"displacement {axis} of the tip (in)",
                    printed,
                    within,
                    by,
                    lambda k=k, n=elements: runs.bend(n)[k],
                )
            )
    return tuple(rows)


def cantilevers() -> tuple[Case, ...]:
    words = ("shortening (m)", "deflection (m)", "rotation (rad)")
    thick = [
        Case(f"thick: {word}", f"{printed:.10g}", within, by, lambda k=k: runs.thick()[k])
        for k, word in enumerate(words)
        for printed, within, by in (
            (published.THICK_TIP[k], 2e-5, "exact"),
            (published.THICK_PRINTED[k], 1e-3, "Geradin and Cardona"),
        )
    ]
    composite = [
        Case(
            f"composite: displacement {axis} (m)",
            f"{published.COMPOSITE_TIP[k]:.12g}",
            2e-5,
            "Wang 2017",
            lambda k=k: runs.composite()[k],
        )
        for k, axis in enumerate("xyz")
    ]
    return (*thick, *composite)


def flight() -> tuple[Case, ...]:
    def moved(t: float, k: int):
        return lambda: runs.flight()["b.160.position"][round(t / 0.05), k] - (6.0, 0.0)[k]

    return tuple(
        Case(
            f"displacement {axis} of the end at {t:g} s (m)",
            str(published.FLIGHTS[0][3][t][k]),
            published.FLIGHTS[0][3][t][2],
            "spectral method",
            moved(t, k),
        )
        for t in (2.5, 5.0)
        for k, axis in enumerate("xy")
    )


def crank() -> tuple[Case, ...]:
    return tuple(
        Case(
            f"{quantity} at 0.1 s ({'rad' if 'angle' in quantity else 'm'})",
            f"{end:.13g}",
            6e-11,
            "test set",
            lambda k=k: runs.crank()[k],
        )
        for k, (quantity, end) in enumerate(flexible_slider_crank.END.items())
    )
