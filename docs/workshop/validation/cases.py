"""All problems with the published numbers that the page shows."""

from __future__ import annotations

from . import beams, mechanisms, programs
from .results import Problem

PROBLEMS = (
    Problem(
        "Simple pendulum (A01)",
        "rigid",
        "IFToMM benchmark A01, [Gonzalez2006]",
        mechanisms.pendulum(),
    ),
    Problem(
        "Chain of four-bars (A02)",
        "rigid",
        "IFToMM benchmark A02, [Gonzalez2006]; Exudyn test suite",
        mechanisms.four_bars(),
    ),
    Problem(
        "Andrews' squeezer (A03)",
        "rigid",
        "[Schiehlen1990]; Test Set for IVP Solvers, [Mazzia2008]",
        mechanisms.squeezer(),
    ),
    Problem(
        "Flyball governor (A05)",
        "rigid",
        "[Gonzalez2006], A05; values computed independently",
        mechanisms.governor(),
    ),
    Problem("Heavy top", "rigid", "[Bruels2012]", mechanisms.top()),
    Problem(
        "Joints and springs", "rigid", "Project Chrono, Adams validation series", programs.joints()
    ),
    Problem(
        "Modelica Standard Library",
        "rigid",
        "Reference results of version 4.0 (Dymola 2020x, Dassl, 1e-6)",
        programs.modelica(),
    ),
    Problem(
        "Arm with hydraulic cylinder",
        "rigid",
        "Exudyn test suite, hydraulicActuatorSimpleTest",
        programs.arm(),
    ),
    Problem("Stiff equations", "rigid", "Test Set for IVP Solvers, [Mazzia2008]", programs.stiff()),
    Problem(
        "45 degree bend, 600 lb",
        "beams",
        "Bathe and Bolourchi 1979; GXBeam and AeroBeams documentation",
        beams.bend(),
    ),
    Problem(
        "Cantilevers", "beams", "Geradin and Cardona 2001; Wang et al. 2017", beams.cantilevers()
    ),
    Problem(
        "Flying beam, EI = 500",
        "beams",
        "Simo and Vu-Quoc 1986; values computed independently",
        beams.flight(),
    ),
    Problem(
        "Slider-crank with a flexible rod",
        "beams",
        "Simeon 1996; Test Set for IVP Solvers, [Mazzia2008]",
        beams.crank(),
    ),
)
