"""Pages of runs: how large they are and how long it takes to write one.

size      bytes of the page, the viewer itself included
first     CPU s of the first page of a run, with all that is read off it
write     CPU s of a further one
"""

import tempfile
from pathlib import Path

import kinetree as kt
from common import arguments, best_of, cpu_seconds, show
from kinetree.models.flexible_four_bar import flexible_four_bar
from kinetree.models.ralf import ralf
from kinetree.models.rssr import rssr
from kinetree.models.tracked_vehicle import tracked_vehicle

FRAMES = 600


def runs() -> dict:
    """Runs of 600 samples."""
    band = kt.TrackBand(tension=25e3, bridging=2e5)
    return {
        "rssr": kt.simulate(rssr(), 2.0, rtol=1e-6, output_interval=2.0 / (FRAMES - 1)),
        "tracked-vehicle": kt.simulate(
            tracked_vehicle(track=band), 4.0, rtol=1e-6, output_interval=4.0 / (FRAMES - 1)
        ),
        "flexible four-bar": kt.simulate(
            flexible_four_bar(), 1.0, integrator="energy-conserving", step=1.0 / (FRAMES - 1)
        ),
        "ralf": kt.simulate(ralf(), 1.0, rtol=1e-6, output_interval=1.0 / (FRAMES - 1)),
    }


def rows(repeat: int) -> list[dict]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name, run in runs().items():
            path = Path(folder) / "page.html"

            def write(run=run, path=path):
                run.animate(path)

            first = cpu_seconds(write)
            found.append(
                {
                    "case": name,
                    "bodies": len(run.model.bodies),
                    "frames": len(run.t),
                    "size": path.stat().st_size,
                    "first": first,
                    "write": best_of({name: write}, repeat)[name],
                }
            )
    return found


if __name__ == "__main__":
    given = arguments(__doc__ or "", repeat=5)
    show(rows(given.repeat), given.json, "bytes and CPU seconds. See the head of this file.")
