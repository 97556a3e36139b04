"""What models with contact groups cannot do: only one integrator finds their contacts."""

from __future__ import annotations

from ...core.checks import instance
from ...elements.forces.contact_group import ContactGroup
from ...elements.forces.contact_law import ContactLaw
from ...errors import ModelError
from ..model import Model
from .modal import refuse_flexible

TIME_STEPPING = "time-stepping"


def refuse_groups(model: Model, what: str) -> None:
    """Raise an error if the model has contact groups."""
    forces = instance(model, Model, f"{what}: model").forces
    names = [name for name, e in forces.items() if isinstance(e.spec, ContactGroup)]
    if names:
        raise ModelError(
            f"{what}: only integrator {TIME_STEPPING!r} of kt.simulate finds the contacts of groups, "
            f"and model {model.name!r} has the contact group {names[0]!r}. Simulate it with "
            f"integrator={TIME_STEPPING!r} and step=, or use m.contact for single contacts."
        )


def refuse_joint_inertia(model: Model, what: str) -> None:
    """Raise an error if joint coordinates of the model have inertia."""
    names = [name for name, spec in model.joints.items() if spec.inertia]
    if names:
        raise ModelError(
            f"{what} has no inertia of joint coordinates, and joint {names[0]!r} of model "
            f"{model.name!r} has inertia=. Model the rotor as a body, with kt.Coupling between its "
            "angle and that of the joint."
        )


def refuse_for_time_stepping(model: Model) -> None:
    """Raise an error for what integrator "time-stepping" cannot compute."""
    refuse_flexible(model, f"integrator {TIME_STEPPING!r}", "Use an integrator such as 'adams'.")
    if instance(model, Model, "model").generated is not None:
        raise ModelError(
            f"integrator {TIME_STEPPING!r} needs bodies, and model {model.name!r} has generated "
            "equations. Use an integrator such as 'adams'."
        )
    refuse_joint_inertia(model, f"integrator {TIME_STEPPING!r}")
    names = [name for name, e in model.forces.items() if isinstance(e.spec, ContactLaw)]
    if names:
        raise ModelError(
            f"integrator {TIME_STEPPING!r} finds rigid contacts itself, and contact {names[0]!r} of "
            f"model {model.name!r} has a law of its own. Put its two shapes into m.contact_group, or "
            "use an integrator such as 'adams'."
        )
