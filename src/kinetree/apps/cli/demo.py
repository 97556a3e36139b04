"""`kinetree demo`: one closed mechanism from its description to plots, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

OWN_FOLDER = Path("kinetree-output") / "demo"
FILES = ("samples.csv", "motion.png", "acceleration.png")


def demo(
    out: Annotated[Path, typer.Option(help="Folder for the plots.")] = OWN_FOLDER,
    force: Annotated[
        bool, typer.Option("--force", help="Replace other results in that folder.")
    ] = False,
) -> None:
    """Simulate a closed spatial mechanism, print the results, and write plots."""
    from ...models.catalogue import model_entry
    from ...simulation.simulate import simulate
    from .figures import plot_motion
    from .output import animation, make_folder, refuse_other

    make_folder(out)
    if out != OWN_FOLDER and not force:
        refuse_other(out, (*FILES, "animation.html"))
    entry = model_entry("rssr")
    model = entry.build()
    _heading("1. Model: crank and rocker on hinges, a coupler with a ball joint at each end")
    print(model.topology())
    _heading("2. Assembled and simulated for 2 s under gravity")
    solution = simulate(model, entry.until, rtol=1e-9)
    print(solution.assembly)
    _heading("3. Results")
    print(solution)
    z = solution["crank.acceleration.z"]
    print(
        f"  The vertical acceleration of the center of the crank is {z.min():.3f} to "
        f"{z.max():.3f} m/s^2."
    )
    _heading("4. Files")
    solution.to_csv(
        out / "samples.csv",
        ["crank.position", "coupler.position", "rocker.position", "crank.acceleration"],
        overwrite=True,
    )
    plot_motion(solution, out / "motion.png")
    solution.plot("crank.acceleration.z", path=out / "acceleration.png")
    for name in FILES:
        print(f"  {out / name}")
    print(
        f"\nTo see the motion, open this file in a browser:\n  {animation(solution, out).resolve()}"
    )
    print(
        "\nNext: `kinetree list models`, `kinetree run four-bar --animate`, `kinetree papers rssr`."
    )


def _heading(text: str) -> None:
    print(f"\n{text}\n{'-' * len(text)}")
