"""Models whose page of the gallery has a page that computes them, with its sliders."""

from __future__ import annotations

from pathlib import Path

from .things import Thing

LIVE: dict[str, dict[str, tuple[float, ...]]] = {
    "pendulum": {"length": (0.3, 2.0), "angle": (-3.0, 3.0)},
    "double-pendulum": {"length": (0.3, 2.0), "mass": (0.2, 5.0)},
    "four-bar": {"A.angle.rate": (-10.0, 10.0)},
    "quarter-car": {"damper": (300.0, 6000.0, 1500.0), "body": (150.0, 600.0)},
    "flyball-governor": {"spin.angle.rate": (2.0, 12.0)},
    "excavator": {},
    "bicycle": {},
}


def live(thing: Thing, machines: Path) -> None:
    """Write the page that computes a model, if it has one."""
    import kinetree as kt

    if thing.name in LIVE and thing.build is not None:
        kt.playground(
            thing.build,
            machines / place(thing),
            sliders=LIVE[thing.name],
            until=thing.until,
            rtol=1e-6,
            playing=False,
        )


def place(thing: Thing) -> str:
    """File of the page that computes a model."""
    return f"{thing.name}-live.html"
