"""Published results of other programs, and stiff equations."""

from __future__ import annotations

from ..problems import hydraulic_arm, stiff_equations
from ..problems import modelica as library
from . import runs
from .results import Case

# case, column, time in s, unit, reliable digits of the largest number of its vector
JOINTS = (
    ("REVOLUTE_01", "x", 5.0, "m", 2e-5),
    ("REVOLUTE_01", "fz", 2.5, "N", 6e-3),
    ("SPHERICAL_01", "z", 2.5, "m", 2e-3),
    ("UNIVERSAL_01", "fz", 2.5, "N", 3e-2),
    ("CYLINDRICAL_02", "x", 4.0, "m", 2e-5),
    ("PRISMATIC_02", "y", 5.0, "m", 6e-4),
    ("PRISMATIC_02", "fz", 5.0, "N", 2e-3),
    ("DISTANCE_01", "y", 4.0, "m", 2e-5),
    ("DISTANCE_01", "fz", 2.5, "N", 6e-3),
    ("ROTSPRING_01", "ty", 0.25, "N m", 6e-3),
    ("TRANSPRING_02", "z", 5.0, "m", 6e-5),
    ("TRANSPRING_02", "fz", 1.0, "N", 2e-3),
)
KINDS = {"rotspring": "torsion spring", "transpring": "spring"}
WORDS = {"x": "position x", "y": "position y", "z": "position z", "fz": "force z", "ty": "torque y"}


def _kind(case: str) -> str:
    name = case.partition("_")[0].lower()
    return KINDS.get(name, name)


def joints() -> tuple[Case, ...]:
    return tuple(
        Case(
            f"{_kind(case)}: {WORDS[column]} at {t:g} s ({unit})",
            f"{runs.printed(case, column, t):g}",
            within,
            "Adams",
            lambda case=case, column=column, t=t: runs.adams(case, column, t),
        )
        for case, column, t, unit, within in JOINTS
    )


def modelica() -> tuple[Case, ...]:
    pendulum, double, crank = (
        getattr(library, name)[-1] for name in ("PENDULUM", "DOUBLE_PENDULUM", "FOUR_BAR")
    )
    return (
        Case(
            "pendulum: angle at 5 s (rad)",
            f"{pendulum[1]:.10g}",
            6e-6,
            "Dymola",
            runs.of_run("modelica pendulum", "rev.angle", 5.0),
        ),
        Case(
            "double pendulum: first angle at 3 s (rad)",
            f"{double[1]:.10g}",
            5e-5,
            "Dymola",
            runs.of_run("modelica double pendulum", "revolute1.angle", 3.0),
        ),
        Case(
            "spatial slider-crank: angle at 5 s (rad)",
            f"{crank[1]:.7g}",
            8e-4,
            "Dymola",
            runs.of_run("modelica slider-crank", "j1.angle", 5.0),
        ),
        Case(
            "spatial slider-crank: angle at 5 s (rad)",
            "40.6645402",
            5e-8,
            "reduced equations",
            runs.of_run("modelica slider-crank", "j1.angle", 5.0),
        ),
    )


def arm() -> tuple[Case, ...]:
    return tuple(
        Case(
            f"pressure {k} at 0.4 s (Pa)",
            f"{p:.2f}",
            3e-5 * p,
            "Exudyn",
            runs.of_run("arm", f"actuator.pressure{k}", 0.4),
        )
        for k, p in enumerate(hydraulic_arm.PRESSURES, 1)
    )


def stiff() -> tuple[Case, ...]:
    return tuple(
        Case(
            f"{name.title()}: y{k + 1} at the end",
            f"{stiff_equations.PROBLEMS[name][3][k]:.13g}",
            5e-9 * abs(stiff_equations.PROBLEMS[name][3][k]),
            "reference solution",
            lambda name=name, k=k: runs.stiff(name)[k],
        )
        for name, k in (("robertson", 0), ("robertson", 2), ("oregonator", 1), ("hires", 6))
    )
