"""A vehicle at rest on its tyres, and rolling from there: the start of a drive."""

from __future__ import annotations

import kinetree as kt


def standing(m: kt.Model):
    """The equilibrium of a vehicle on its wheels, its drives left out."""
    still = {name: e for name, e in m.forces.items() if not isinstance(e.spec, kt.Drive)}
    return kt.equilibrium(m.variant(forces=still))


def wheel_loads(found) -> dict[str, float]:
    """Load (N) of every wheel and tyre of an equilibrium or of a solution at one time, by name."""
    model = found.assembly.compiled.model
    return {name: float(found[f"{name}.load"]) for name, e in model.forces.items() if isinstance(e.spec, kt.Wheel | kt.Tyre)}


def rolling_start(m: kt.Model):
    """The vehicle in its equilibrium on its tyres, with the speeds that the model gives its bodies: a start for kt.simulate."""
    return kt.assemble(m, targets=standing(m).coordinates)
