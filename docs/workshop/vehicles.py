"""Pages of the vehicles toolbox, `kinetree.models.vehicles`."""

from __future__ import annotations

from .groups import Pages, group, hyphened, item

LEAD = (
    "`from kinetree.models.vehicles import DoubleWishbone, add_double_wishbone` and so on. Axes "
    "follow ISO 8855: x forward, y left, z up. Hard points are given for the left side of a "
    "vehicle, in meters from the origin of its drawing, and mirrored to the right. Names of parts "
    "end with the wheel to which they belong: FL, FR, RL, RR. The page [vehicles](../../vehicles.md) "
    "shows their use."
)


def pages() -> Pages:
    """Return the list of the public names, and their pages."""
    from kinetree.models import vehicles

    module = vehicles.__name__
    items = []
    for name in vehicles.__all__:
        twins = [n for n in vehicles.__all__ if hyphened(n) == hyphened(name)]  # Drive and drive
        file = hyphened(name) + ("-class" if len(twins) > 1 and name[0].isupper() else "")
        thing = getattr(vehicles, name)
        made = item("vehicles", f"{module}.{name}", thing, title=name, file=file)
        items.append(made._replace(name=name))
    return group("vehicles", "Vehicles toolbox", LEAD, items)
