"""Tables and plots of the performance, from `evidence/performance.json`, which `benchmarks/all.py`
writes; nothing is measured here.

cd docs && python -m workshop.performance FOLDER           the same without Sphinx
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

from .docstrings import table

RECORD = Path(__file__).resolve().parents[1] / "evidence" / "performance.json"
NAMES = {
    "rssr": "RSSR linkage, 2 s",
    "andrews": "Andrews' squeezer, 0.03 s",
    "four-bar": "two four-bars through singular positions, 10 s",
    "four-bar short": "two four-bars, 0.5 s",
}


def write(folder: Path) -> None:
    """Write the tables and the plots into a folder."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    (folder / "figures").mkdir(parents=True, exist_ok=True)
    for name, text in tables(record).items():
        (folder / f"performance-{name}.txt").write_text(text + "\n", encoding="utf-8")
    save_plots(record["rows"], folder / "figures")


def tables(record: dict) -> dict[str, str]:
    """Return the tables of the page by name."""
    rows = record["rows"]
    versions = ", ".join(f"{name} {number}" for name, number in record["versions"].items())
    return {
        "setup": f"Measured on {record['date']}, {record['processor']}, {record['system']}; {versions}.",
        "loops": table(
            ("machine", "error", "Kinetree (ms)", "Exudyn (ms)", "ratio"),
            [
                (
                    NAMES.get(r["case"], r["case"]),
                    _power(r["wanted"]),
                    _ms(r["ours"]),
                    _ms(r["exudyn"]),
                    f"{r['exudyn'] / r['ours']:.1f}",
                )
                for r in rows["closed_loops"]
            ],
        ),
        "trees": table(
            ("bodies", "Kinetree (µs)", "from Python (µs)", "Pinocchio (µs)", "MuJoCo (µs)"),
            [(str(r["n"]), *(f"{1e6 * r[k]:.2f}" for k in TREES)) for r in rows["tree_dynamics"]],
        ),
        "stiff": table(
            ("machine", *STIFF),
            [(r["case"], *(_ms(r[k]) for k in STIFF)) for r in rows["stiff"]],
        ),
        "beams": table(
            (
                "beam",
                "elements",
                "Kinetree (ms)",
                "Exudyn (ms)",
                "energy change, Kinetree",
                "Exudyn",
            ),
            [
                (
                    r["case"],
                    str(r["elements"]),
                    _ms(r["ours"]),
                    _ms(r["exudyn"]),
                    f"{r['energy_ours']:.0e}",
                    f"{r['energy_exudyn']:.0e}",
                )
                for r in rows["beams"]
                if r["case"] != "equal error"
            ],
        ),
        "growth": table(
            (
                *("machine", "n", "Kinetree (ms)", "Exudyn (ms)", "ratio", "exponent"),
                *("steps, evaluations", "Exudyn: steps, iterations"),
            ),
            _growth(rows["growth"]),
        ),
        "overhead": table(
            ("model", *(name.replace("edited", "after an edit") for name in OVERHEAD)),
            [(r["model"], *(f"{r[name]:.2g}" for name in OVERHEAD)) for r in rows["overhead"]],
        ),
        "vehicles": table(
            ("vehicle", "Kinetree (ms)", "Exudyn (ms)", "ratio", "seconds of motion per second"),
            [
                (
                    r["case"],
                    _ms(r["ours"]),
                    _ms(r["exudyn"]),
                    f"{r['exudyn_over_ours']:.0f}",
                    f"{r['real_time_factor']:.0f}",
                )
                for r in rows["vehicles"]
            ],
        ),
        "gap": table(
            ("program", "step (s)", "loop opens by (m)", "range of energy / peak kinetic energy"),
            [
                (
                    r["program"],
                    f"{r['step']:g}" if r["step"] else "adaptive",
                    f"{r['gap']:.1e}",
                    f"{r['energy']:.1e}",
                )
                for r in rows["loop_gap"]
            ],
        ),
    }


GROWTH = {
    "chain": "open chain in space, `adams`",
    "four-bars relative": "row of four-bars, `adams`",
    "ring": "closed ring, `adams`",
    "ladder": "ladder, `adams`",
    "hub": "platform on n legs, `adams`",
    "stiff-chain-bdf": "stiff chain, `bdf`",
    "stiff-chain-switching": "stiff chain, `switching`",
    "stiff four-bars bdf": "stiff row of four-bars, `bdf`",
    "stiff four-bars bdf-direct": "the same, `bdf-direct`",
    "stiff four-bars bdf-direct cartesian": "the same in Cartesian coordinates",
}
OVERHEAD = ("simulate", "loop", "outside", "around", "edited")


def _growth(rows: list[dict]) -> list[tuple[str, ...]]:
    """The rows of sizes from 100 on."""
    return [
        (
            GROWTH[r["case"]],
            str(r["n"]),
            _ms(r["seconds"]),
            _ms(r["exudyn"]) if r["exudyn"] else "",
            f"{r['speed_up']:.1f}" if r["speed_up"] else "",
            "" if r["exponent"] is None or r["n"] <= 100 else f"{r['exponent']:.2f}",
            f"{r['steps']}, {r['evaluations']}",
            f"{r['steps_exudyn']}, {r['iterations_exudyn']}" if r["steps_exudyn"] else "",
        )
        for r in rows
        if r["case"] in GROWTH and r["n"] >= 100
    ]


TREES = ("ours", "ours_from_python", "pinocchio", "mujoco")
STIFF = ("adams", "bdf", "switching", "lsoda")


def _power(error: float) -> str:
    """Return a power of ten that does not break at its sign."""
    return "10⁻" + "⁰¹²³⁴⁵⁶⁷⁸⁹"[-round(math.log10(error))]


def _ms(seconds: float) -> str:
    return f"{1e3 * seconds:.3g}"


def save_plots(rows: dict, folder: Path) -> None:
    """Draw the times over the errors, and over the number of bodies."""
    import matplotlib

    from .figures import save

    with matplotlib.rc_context({"svg.hashsalt": "kinetree", "svg.fonttype": "none"}):
        save(_loops(rows["closed_loops"]), folder / "performance-loops.svg")
        save(_trees(rows["tree_dynamics"]), folder / "performance-trees.svg")


def _loops(rows: list[dict]):
    import matplotlib.pyplot as plt

    cases = list(dict.fromkeys(r["case"] for r in rows if r["case"] in list(NAMES)[:3]))
    figure, panels = plt.subplots(1, len(cases), figsize=(8.0, 2.9), sharey=True)
    for axes, case in zip(panels, cases):
        of_case = [r for r in rows if r["case"] == case]
        for key, label, color, mark in (
            ("ours", "Kinetree", "#4878a8", "o-"),
            ("exudyn", "Exudyn", "#d9a441", "s-"),
        ):
            axes.loglog(
                [r["wanted"] for r in of_case],
                [1e3 * r[key] for r in of_case],
                mark,
                color=color,
                label=label,
            )
        axes.set_title(NAMES[case].replace(" through", "\nthrough"), fontsize=9)
        axes.invert_xaxis()
        axes.set_xlabel("error at the end")
        axes.grid(color="#b8bec6", lw=0.4)
    panels[0].set_ylabel("CPU time (ms)")
    panels[0].legend(fontsize=8)
    figure.tight_layout()
    return figure


def _trees(rows: list[dict]):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(5.6, 3.2))
    labels = ("Kinetree, in a run", "Kinetree, called from Python", "Pinocchio", "MuJoCo")
    for key, label, mark in zip(TREES, labels, ("o-", "o--", "s-", "^-")):
        axes.loglog([r["n"] for r in rows], [1e6 * r[key] for r in rows], mark, label=label)
    axes.set_xlabel("bodies in the chain")
    axes.set_ylabel("CPU time per evaluation (µs)")
    axes.grid(color="#b8bec6", lw=0.4)
    axes.legend(fontsize=8)
    figure.tight_layout()
    return figure


if __name__ == "__main__":
    write(Path(sys.argv[1]))
