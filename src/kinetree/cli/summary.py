"""What a run found, in a few numbers: as a dictionary for JSON and as lines for people."""

from __future__ import annotations

from typing import Any

import numpy as np


def summary(solution) -> dict[str, Any]:
    """Model, method and the figures that say whether to trust the run."""
    options, assembly, steps = solution.options, solution.assembly, solution.steps
    energy = solution.energy
    return {
        "model": assembly.compiled.model.name,
        **{k: options[k] for k in ("until", "coordinates", "formulation", "integrator", "rtol")},
        "velocities": len(assembly.v), "equations": assembly.compiled.size["ng"], "freedoms": assembly.mobility,
        "samples": len(solution.t), "steps": len(steps.t), "rejected": int(np.sum(steps.rejected)),
        "evaluations": int(np.sum(steps.evaluations)),
        "step_min": float(np.min(steps.h)), "step_max": float(np.max(steps.h)), "order_max": int(np.max(steps.order)),
        "constraint_error": float(np.max(solution.constraint_error, initial=0.0)),
        "velocity_error": float(np.max(solution.constraint_error.velocity, initial=0.0)),
        "energy_start": float(energy.total[0]), "energy_end": float(energy.total[-1]), "energy_drift": float(energy.drift),
        "conservative": is_conservative(assembly.compiled.model),
        "seconds": float(solution.statistics["seconds"]),
    }


def is_conservative(model) -> bool:
    """True if nothing in the model feeds or eats energy: gravity and undamped linear springs only, no drivers."""
    from ..constraints.driver import Driver
    from ..forces.spring_damper import SpringDamper
    from ..forces.torsion_spring import TorsionSpring

    def stores(spec) -> bool:
        actuator = getattr(spec, "force", None) or getattr(spec, "torque", None) or 0.0
        return (isinstance(spec, SpringDamper | TorsionSpring) and not callable(spec.law)
                and all(isinstance(part, int | float) and part == 0.0 for part in (spec.damping, actuator)))

    return (all(stores(e.spec) for e in model.forces.values())
            and not any(isinstance(e.spec, Driver) for e in model.constraints.values()))


def summary_text(solution) -> str:
    """The summary in lines."""
    s = summary(solution)
    lines = [
        f"{s['model']}, {s['until']:g} s in {s['coordinates']} coordinates; {s['formulation']} formulation, "
        f"{s['integrator']} integrator, rtol {s['rtol']:g}",
        _line("size", f"{_plural(s['velocities'], 'velocity', 'velocities')}, {_plural(s['equations'], 'equation')}, "
                      f"{_plural(s['freedoms'], 'degree')} of freedom"),
        _line("steps", f"{s['steps']} of {s['step_min']:.2g} to {s['step_max']:.2g} s, order up to {s['order_max']}; "
                       f"{s['rejected']} rejected, {s['evaluations']} evaluations"),
        _line("energy", _energy(s))]
    if s["equations"]:
        lines.append(_line("constraints", f"kept to {s['constraint_error']:.1e} m and {s['velocity_error']:.1e} m/s "
                                          "at every accepted step"))
    lines.append(_line("time", f"{s['seconds']:.3g} s"))
    return "\n".join(lines)


def _energy(s: dict[str, Any]) -> str:
    if s["conservative"]:
        return f"{s['energy_start']:.6g} J, relative drift {s['energy_drift']:.1e}"
    return f"from {s['energy_start']:.6g} to {s['energy_end']:.6g} J (the model has dampers, motors or drivers)"


def _line(label: str, text: str) -> str:
    return f"  {label:12} {text}"


def _plural(count: int, one: str, many: str | None = None) -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"
