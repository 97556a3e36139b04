"""Runs of models and examples: pictures and animation for the site, facts for the page."""

from __future__ import annotations

import contextlib
import io
import os
import runpy
import tempfile
from pathlib import Path

from .checks import checks
from .film import HEIGHT, WIDTH, film, still
from .live import live
from .things import Thing, thing

FRAMES = 150  # of an animation


def result(name: str, machines: Path) -> dict:
    """Run a thing, write its pictures and its animation to `machines`, and return its facts."""
    shown = thing(name)
    if shown.is_model:
        return _of_model(shown, machines)
    printed, scope = run_script(shown.path)
    sol = _named(scope, shown.run) if shown.run else None
    _show(sol, shown, machines, scope)
    facts = {"printed": printed, "model": None}
    if sol is None:
        return facts
    model = scope.get("m") or scope.get("model") or sol.model
    return {**facts, "model": counts(model), **_elements(model)}


def _of_model(shown: Thing, machines: Path) -> dict:
    import kinetree as kt

    model = shown.build()
    sol = kt.simulate(model, shown.until, progress=False)
    _show(sol, shown, machines, {})
    live(shown, machines)
    return {
        "model": counts(model),
        "topology": str(model.topology()),
        "steps": int(sol.statistics["accepted"]),
        "method": sol.result.method,
        "checks": [check.row() for check in checks(shown.name)],
        **_elements(model),
    }


def run_script(path: Path) -> tuple[str, dict]:
    """Run a script in an empty folder; return what it printed and its namespace."""
    here, out = Path.cwd(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            with contextlib.redirect_stdout(out):
                scope = runpy.run_path(str(path), run_name="__main__")
        finally:
            os.chdir(here)
    return out.getvalue(), scope


def _named(scope: dict, name: str):
    first, *rest = name.split(".")
    found = scope[first]
    for part in rest:
        found = getattr(found, part)
    return found


def _show(sol, shown: Thing, machines: Path, scope: dict) -> None:
    path = machines / shown.name
    if shown.film and shown.film != shown.name:
        return None
    if sol is None:
        ode = scope["adams"]
        return _curve(ode.t, ode.y, "y1, y2", path)
    if shown.plot:
        return _curve(sol.t, sol[shown.plot], shown.plot, path)
    sol.animate(path.with_suffix(".html"), frames=FRAMES, title=shown.title)
    return film(sol, path)


def _curve(t, values, name: str, path: Path) -> None:
    """A still picture of values over time."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image

    figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100, layout="constrained")
    axes = figure.subplots()
    axes.plot(t, values, linewidth=2)
    axes.set(xlabel="t [s]", ylabel=name)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    still(
        Image.frombytes("RGBA", canvas.get_width_height(), canvas.buffer_rgba()).convert("RGB"),
        path,
    )


def counts(model) -> str:
    """Degrees of freedom, equations, loops and bodies in words; beams have more degrees of freedom
    than their joints.
    """
    report = model.topology()
    beams = [body for body in model.bodies.values() if hasattr(body, "nodes")]
    spare = sum(n for _, n in report.redundant)
    parts = [
        _count(report.mobility, "degree") + " of freedom" + (" of the joints" if beams else ""),
        f"{_count(report.coordinates, 'velocity', 'velocities')} and "
        f"{_count(report.equations, 'constraint equation')} in relative coordinates",
        _count(len(report.loops), "loop"),
        _count(len(model.bodies), "body", "bodies"),
    ]
    if spare and not beams:
        parts.insert(2, f"{spare} of them redundant")
    if beams:
        parts.append(_count(sum(len(b.nodes) - 1 for b in beams), "beam element"))
    return ", ".join(parts) + (", equations derived symbolically" if model.generated else "")


def _elements(model) -> dict:
    """Public names of the classes that a model consists of."""
    from kinetree.api import __all__ as public

    kinds = [j.joint for j in model.joints.values()]
    kinds += [e.spec for e in (*model.forces.values(), *model.constraints.values())]
    return {"elements": sorted({type(kind).__name__ for kind in kinds} & set(public))}


def _count(n: int, one: str, many: str = "") -> str:
    return f"{n or 'no'} {one if n == 1 else many or one + 's'}"
