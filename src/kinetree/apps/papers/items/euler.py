"""[Han1994] Tables 1 and 2: explicit Euler on two stiff systems."""

from __future__ import annotations

import numpy as np

from ..euler import EQUATION_4, EQUATION_7, UNTIL, System, euler, exact
from ..item import CORRECTED, Item, Table

_COLUMNS = (
    "row",
    "component",
    "paper",
    "ours, h in single precision",
    "ours, h in double precision",
)
Rows = tuple[tuple[str, ...], ...]


def _rows(label: str, paper: tuple[str, str], single, double) -> Rows:
    """Return one row for y1 and one for y2."""
    return tuple(
        (label, name, digits, f"{a:.16g}", f"{b:.16g}")
        for name, digits, a, b in zip(("y1", "y2"), paper, single, double)
    )


def _exact(system: System, paper: tuple[str, str]) -> Rows:
    return _rows("exact", paper, exact(system, float(np.float32(UNTIL))), exact(system))


def _stepped(system: System, label: str, paper: tuple[str, str]) -> Rows:
    h = float(label)
    n = round(UNTIL / h)
    return _rows(f"h = {label}", paper, euler(system, float(np.float32(h)), n), euler(system, h, n))


def table_1() -> Table:
    s = EQUATION_4
    return Table(
        _COLUMNS,
        (
            *_exact(s, ("3.960063136062115", "-1.979963468121192")),
            *_stepped(s, "1e-2", ("30.95999933034182", "-28.97999932989478")),
            *_stepped(s, "1e-4", ("3.960117671546983", "-1.980018993663977")),
            *_stepped(s, "1e-6", ("3.960063795254293", "-1.979964137606469")),
        ),
        "y' = A y with eigenvalues -1 and -1000 at t = 0.01 s. With h (and t of the exact row) in "
        "single precision the printed digits return, up to the last two of the rows h = 1e-4 and "
        "1e-6.",
    )


def table_2() -> Table:
    s = EQUATION_7
    return Table(
        _COLUMNS,
        (
            *_exact(s, ("3.960199335881846", "-1.980099667940923")),
            *_stepped(s, "1e-2", ("10020.95977603644", "-10018.97977603599")),
            *_stepped(s, "1e-4", ("-3.667627387418176E199", "3.667627387418176E199")),
            *_stepped(
                s, "1e-6", ("1.982077791839361 (printed as h = 0.00001)", "-1.978121536111712E-3")
            ),
        ),
        "The same with eigenvalues -1 and -1000000. The printed exact row is 4 e^-t, -2 e^-t, the "
        "solution of the other system; with h = 0.00001 the method overflows.",
    )


ITEMS = (
    Item(
        "Han1994",
        "Table 1",
        "table",
        "euler-1",
        "Explicit Euler on the stiff system (4), t = 0.01 s",
        "Euler's method needs small steps",
        CORRECTED,
        "With the step in single precision all printed digits but the last two return, once the "
        "coefficient 99 of eq. (6) is read as 998 (erratum E-12).",
        tabulate=table_1,
    ),
    Item(
        "Han1994",
        "Table 2",
        "table",
        "euler-2",
        "Explicit Euler on the stiffer system (7), t = 0.01 s",
        "the solution does not converge even when h decreases",
        CORRECTED,
        "With the step in single precision the printed digits return, up to the last one and to a "
        "digit 7 that the paper lost. But the exact row belongs to the other system, and the last "
        "row to h = 0.000001; compared with the right exact row, Euler's method converges "
        "(erratum E-13).",
        tabulate=table_2,
    ),
)
