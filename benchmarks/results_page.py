"""One page of all rows that `all.py` measured: a table per script, and plots over the size."""

import html
import io
from importlib.util import find_spec

STYLE = """body { font: 15px/1.5 system-ui, sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em }
table { border-collapse: collapse; font-size: 13px; display: block; overflow-x: auto }
td, th { padding: .2em .7em; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap }
td:first-child, th:first-child { text-align: left } svg { max-width: 100%; height: auto }"""


def page(record: dict) -> str:
    """The page as HTML that needs no other file."""
    versions = ", ".join(f"{name} {number}" for name, number in record["versions"].items())
    setup = f"{record['date']}, {record['processor']}, {record['system']}; {versions}."
    parts = [
        "<h1>Benchmarks</h1>",
        f"<p>Measured on {html.escape(setup)} Times are CPU seconds. The computer may be busy: "
        "compare ratios within one row, not seconds between runs.</p>",
        *(_section(script, rows) for script, rows in record["rows"].items()),
    ]
    head = f'<!doctype html><meta charset="utf-8"><title>Benchmarks</title><style>{STYLE}</style>'
    return head + "\n".join(parts) + "\n"


def _section(script: str, rows: list[dict]) -> str:
    title = f"<h2>{html.escape(script)}.py</h2>"
    if not rows:
        return f"{title}<p>No rows: a program that it compares with is not installed.</p>"
    return "\n".join([title, _plot(rows), _table(rows)])


def _table(rows: list[dict]) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = ["".join(f"<th>{html.escape(name)}</th>" for name in names)]
    lines += ["".join(f"<td>{_cell(row.get(name))}</td>" for name in names) for row in rows]
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3g}" if isinstance(value, float) else html.escape(str(value))


def _plot(rows: list[dict]) -> str:
    """Seconds over the size, one line per case; nothing for rows without sizes."""
    size = next((name for name in ("n", "elements", "bodies") if name in rows[0]), None)
    seconds = next((name for name in ("seconds", "ours") if name in rows[0]), None)
    if size is None or seconds is None or find_spec("matplotlib") is None:
        return ""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(9.0, 5.0))
    for case in dict.fromkeys(str(row.get("case", "")) for row in rows):
        own = [row for row in rows if str(row.get("case", "")) == case and row.get(seconds)]
        (line,) = axes.loglog([r[size] for r in own], [r[seconds] for r in own], "o-", label=case)
        peer = [row for row in own if row.get("exudyn")]
        axes.loglog(
            [r[size] for r in peer], [r["exudyn"] for r in peer], "s:", color=line.get_color()
        )
    axes.set(xlabel=size, ylabel="CPU time (s); dotted: Exudyn")
    axes.grid(color="#b8bec6", lw=0.4)
    if any("case" in row for row in rows):
        axes.legend(fontsize=7, bbox_to_anchor=(1.01, 1.0), loc="upper left")
    text = io.StringIO()
    figure.savefig(text, format="svg", bbox_inches="tight")
    plt.close(figure)
    return text.getvalue()[text.getvalue().index("<svg") :]
