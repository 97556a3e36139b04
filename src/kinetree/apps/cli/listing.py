"""`kinetree list WHAT`: the catalogues as tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from ...description.names import how_many


def list_catalogue(
    what: Annotated[
        str,
        typer.Argument(
            help="Catalogue: joints, forces, constraints, signals, formulations, integrators, options, units, "
            "models or papers."
        ),
    ],
) -> None:
    """Print a catalogue: the names that models and commands can use."""
    from ...errors import no_such

    if what not in LISTS:
        raise no_such("catalogue", what, LISTS)
    columns, rows = LISTS[what]()
    print_table(columns, rows)


def print_table(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Print a table on the terminal."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for k, name in enumerate(columns):
        table.add_column(name, no_wrap=k == 0)
    for row in rows:
        table.add_row(*row)
    Console(markup=False, highlight=False).print(table)


def _joints():
    from ...elements.joints.catalogue import JOINTS

    return ("joint", "degrees of freedom", "equations", "coordinates", "description"), [
        (f"kt.{j.__name__}", str(j.nv), str(6 - j.nv), ", ".join(j.labels), _first_line(j))
        for j in (entry.joint for entry in JOINTS)
    ]


def _forces():
    from ...elements.forces.catalogue import FORCES

    return ("force", "markers", "description"), [
        (f"kt.{f.__name__}", how_many(f.markers), _first_line(f))
        for f in (entry.force for entry in FORCES)
    ]


def _constraints():
    from ...elements.constraints.catalogue import CONSTRAINTS

    return ("constraint", "markers", "description"), [
        (f"kt.{c.__name__}", how_many(c.markers), _first_line(c)) for c in CONSTRAINTS
    ]


def _signals():
    from ...elements.signals.catalogue import SIGNALS

    return ("signal", "description"), [(f"kt.{s.__name__}", _first_line(s)) for s, *_ in SIGNALS]


def _formulations():
    from ...engine.formulations.catalogue import FORMULATIONS

    return ("formulation", "loops", "description", "options", "source"), [
        (f.name, "yes" if f.loops else "no", f.summary, _options_of(f), f.source)
        for f in FORMULATIONS
    ]


def _integrators():
    from ...engine.integrators.catalogue import INTEGRATORS

    return ("integrator", "step", "order", "description", "options", "source"), [
        (
            i.name,
            "variable" if i.adaptive else "fixed",
            str(i.order),
            i.summary,
            _options_of(i),
            i.reference,
        )
        for i in INTEGRATORS
    ]


def _options():
    from ...engine.formulations.catalogue import FORMULATIONS
    from ...engine.integrators.catalogue import INTEGRATORS
    from ...options import OPTIONS, has

    return ("option", "description", "default", "allowed", "methods"), [
        (
            o.name,
            o.help,
            str(o).partition("=")[2] or "-",
            o.allowed,
            ", ".join(m.name for m in (*FORMULATIONS, *INTEGRATORS) if has(m, o.name)),
        )
        for o in OPTIONS
    ]


def _options_of(method) -> str:
    return ", ".join(map(str, method.options)) or "-"


def _units():
    from ...description.files.unit_list import ALONE, PREFIXES, TOGETHER, WITH_PREFIX, units
    from ...description.files.units import in_words

    rows = [
        (
            name,
            f"{units()[name].factor:.10g} {of}".removesuffix(" %"),
            in_words(units()[name].dimension).partition(" (")[0],
        )
        for names in (WITH_PREFIX, ALONE)
        for of, members in names.items()
        for name in members
    ]
    able = ", ".join(name for names in WITH_PREFIX.values() for name in names)
    first = ("with a prefix", ", ".join(PREFIXES), f"before {able}")
    gapless = [(name, " ".join(parts), "written without a gap") for name, parts in TOGETHER.items()]
    return ("unit", "value", "quantity"), [first, *rows, *gapless]


def _models():
    from ...models.catalogue import MODELS

    return ("model", "runs for", "title", "source"), [
        (m.name, f"{m.until:g} s", m.title, m.source) for m in MODELS
    ]


def _papers():
    from ..papers.catalogue import PAPERS

    return ("paper", "source", "description"), [(p.name, p.source, p.summary) for p in PAPERS]


LISTS: dict[str, Callable] = {
    "joints": _joints,
    "forces": _forces,
    "constraints": _constraints,
    "signals": _signals,
    "formulations": _formulations,
    "integrators": _integrators,
    "options": _options,
    "units": _units,
    "models": _models,
    "papers": _papers,
}


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]
