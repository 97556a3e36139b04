"""Measured numbers in tables of pages are those of the recorded run that the page names."""

import json
import re

import pytest
from workshop.performance import RECORD

from .test_sentences import DOCS

ROWS = json.loads(RECORD.read_text(encoding="utf-8"))["rows"]
STIFF = {row["case"]: row for row in ROWS["stiff"]}
CHOOSE = (DOCS / "how-to-choose.md").read_text(encoding="utf-8")
WHY = (DOCS / "why-kinetree.md").read_text(encoding="utf-8")


def two_digits(value):
    return f"{value:.2g}" if value < 9.5 else f"{value:.0f}"


@pytest.mark.parametrize("case", STIFF)
def test_the_table_of_stiff_models_is_the_recorded_run(case):
    shown = re.search(rf"^\| {case} \| (\d+\.\d\d, .*) \|$", CHOOSE, re.MULTILINE)[1].split(" | ")
    methods = ("adams", "bdf", "switching", "switching_1500", "lsoda")
    row = STIFF[case]
    assert shown == [
        f"{1e3 * row[m]:.2f}, {row[f'evaluations_{m}']}, {row[f'error_{m}']:.1f}" for m in methods
    ]


def test_the_summary_states_the_worst_case_of_switching():
    worst = max(row["evaluations_against_fewest"] for row in STIFF.values())
    assert f"at most {worst:.2f} times the right-hand sides of the better" in CHOOSE


@pytest.mark.parametrize(
    ("case", "title"), [("rssr", "RSSR linkage"), ("andrews", "Andrews' squeezer")]
)
@pytest.mark.parametrize("error", ["1e-3", "1e-6"])
def test_the_comparison_with_exudyn_is_the_recorded_run(case, title, error):
    ours, other, ratio = re.search(
        rf"^\| {title}, {error} \| (\S+) ms \| (\S+) ms \| (\S+) \|$", WHY, re.MULTILINE
    ).groups()
    row = next(
        row for row in ROWS["closed_loops"] if (row["case"], row["wanted"]) == (case, float(error))
    )
    assert float(ours) == float(f"{1e3 * row['ours']:.2g}")
    assert float(other) == pytest.approx(1e3 * row["exudyn"], rel=0.02)  # two or three digits
    assert ratio in (two_digits(row["speed_up"]), f"{row['speed_up']:.0f}")


def test_the_times_of_open_trees_are_the_recorded_run():
    trees = {row["n"]: row for row in ROWS["tree_dynamics"]}
    found = re.search(
        r"100 bodies takes (\S+) µs in Kinetree, (\S+) µs in\s+Pinocchio and (\S+) µs in MuJoCo",
        WHY,
    ).groups()
    for shown, name in zip(found, ("ours", "pinocchio", "mujoco")):
        assert float(shown) == pytest.approx(1e6 * trees[100][name], rel=0.05)  # rounded to 1 µs
    small = re.search(r"6 bodies take (\S+) µs in Kinetree and (\S+) µs in MuJoCo", WHY).groups()
    assert float(small[0]) == pytest.approx(1e6 * trees[6]["ours_from_python"], rel=0.05)
    assert float(small[1]) == pytest.approx(1e6 * trees[6]["mujoco"], rel=0.05)


def test_the_gap_of_the_loop_is_the_recorded_run():
    gaps = {(row["program"], row.get("step")): row for row in ROWS["loop_gap"]}
    assert f"| Kinetree, defaults | {gaps['kinetree', None]['gap']:.0e} m |" in WHY
    soft, stiff = gaps["mujoco, default", 0.002], gaps["mujoco, stiff", 0.0001]
    assert f"| {1e3 * soft['gap']:.1f} mm | {100 * soft['energy']:.1f} % |" in WHY
    assert f"| {1e6 * stiff['gap']:.1f} µm | {100 * stiff['energy']:.2f} % |" in WHY
