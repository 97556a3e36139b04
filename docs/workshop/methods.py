"""Pages of the formulations, the integrators and their options."""

from __future__ import annotations

from . import docstrings, method_texts
from .entries import joined
from .groups import Item, Pages, group

CHOOSE = "[How to choose](../../how-to-choose.md) compares them."


def pages() -> Pages:
    """Return the pages of all methods, and the table of options."""
    return _formulations() | _integrators() | {"options": _options()}


def _formulations() -> Pages:
    from kinetree.engine.formulations.catalogue import FORMULATIONS

    items = [
        _item(
            "formulations",
            "formulation",
            f,
            f.source,
            "Closed loops and constraints: " + ("yes." if f.loops else "no."),
            cells=("yes" if f.loops else "no", f"[{f.source}]"),
        )
        for f in FORMULATIONS
    ]
    lead = (
        "Treatment of the constraints: `kt.simulate(model, until, formulation=...)`. By default "
        f"`tree` without loops, `augmented` with them. {CHOOSE}"
    )
    return group("formulations", "Formulations", lead, items, ("loops", "source"))


def _integrators() -> Pages:
    from kinetree.engine.integrators.catalogue import INTEGRATORS

    items = [
        _item(
            "integrators",
            "integrator",
            i,
            i.reference,
            f"Order: {i.order}{' at most' if i.adaptive else ''}. "
            f"Step: {'variable' if i.adaptive else 'fixed'}"
            f"{', or variable if `rtol` is given' if _both(i) else ''}.",
            cells=(str(i.order), "variable" if i.adaptive else "fixed", f"[{i.reference}]"),
        )
        for i in INTEGRATORS
    ]
    lead = (
        "Integration over time: `kt.simulate(model, until, integrator=...)`. By default `adams`, "
        f"and `energy-conserving` for models with beams. {CHOOSE}"
    )
    return group("integrators", "Integrators", lead, items, ("order", "step", "source"))


def _both(integrator) -> bool:
    return not integrator.adaptive and any(o.name == "rtol" for o in integrator.options)


def _item(
    folder: str, kind: str, method, source: str, properties: str, cells: tuple[str, ...]
) -> Item:
    text = getattr(method_texts, folder.upper())[method.name]
    page = joined(
        f"# {method.name}",
        f"```{{api}} {method.name} data\n```",
        f"{method.summary[0].upper()}{method.summary[1:]}. {text.method}",
        f'```python\nkt.simulate(model, until, {kind}="{method.name}")\n```',
        f"```{{math}}\n{text.equation}\n```",
        f"{properties} Source: [{source}].",
        f"**When to use.** {text.use}",
        "## Options" if method.options else "",
        docstrings.definitions(_option(o) for o in method.options),
    )
    return Item(method.name, {f"{folder}/{method.name}": page}, method.summary, "", cells)


def _finite(allowed: str) -> str:
    return "" if "inf" in allowed else allowed


def _option(option) -> tuple[str, tuple[str, ...], str]:
    default = str(option).partition("=")[2]
    shown = f"default `{default}`" if default else ("required" if option.required else "optional")
    return (
        option.name,
        (option.type.__name__, shown, _finite(option.allowed)),
        option.description,
    )


def _options() -> str:
    from kinetree.apps.cli.listing import LISTS

    _, rows = LISTS["options"]()
    shown = [
        (
            name,
            ("" if default == "-" else f"default `{default}`", _finite(allowed)),
            f"{about}. {_of(methods)}",
        )
        for name, about, default, allowed, methods in rows
    ]
    lead = (
        "Options of formulations and integrators: keywords of `kt.simulate`, flags of `kinetree "
        "run` (`--max-step`). Options that the chosen methods do not have raise an error."
    )
    return joined("# Options", lead, docstrings.definitions(shown))


def _of(methods: str) -> str:
    names = methods.split(", ")
    return f"Methods: {', '.join(names)}." if len(names) <= 6 else f"{len(names)} methods have it."
