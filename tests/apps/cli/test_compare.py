"""`kinetree compare` as a user meets it."""

import json
import sys

import pytest

from kinetree.apps.cli import main as entry


@pytest.fixture
def kinetree(monkeypatch, capsys, tmp_path):
    """Run a command in an empty folder: (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["kinetree", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            entry.main()
        return (end.value.code or 0, *capsys.readouterr())

    return run


def test_it_prints_the_table_and_writes_what_it_says(kinetree, tmp_path):
    code, out, _ = kinetree(
        "compare",
        "rssr",
        "--until",
        0.2,
        "--formulations",
        "augmented, tree",
        "--repeats",
        1,
        "--out",
        "deep/found",
    )
    assert code == 0
    assert (
        "relative coordinates: 5 velocities" in out
        and "cartesian coordinates: 18 velocities" in out
    )
    names = {path.name for path in (tmp_path / "deep" / "found").iterdir()}
    assert names == {"comparison.txt", "comparison.json", "constraints.png", "steps.png"}
    assert all(name in out for name in names)
    assert (tmp_path / "deep/found/comparison.txt").read_text().strip() in out


def test_precision_adds_the_diagram(kinetree, tmp_path):
    code, out, _ = kinetree(
        "compare",
        "rssr",
        "--until",
        0.1,
        "--coordinates",
        "relative",
        "--formulations",
        "augmented",
        "--repeats",
        1,
        "--precision",
        "--out",
        "found",
    )
    assert code == 0 and "work-precision.png" in out
    assert (tmp_path / "found" / "work-precision.png").stat().st_size > 10_000


def test_json_is_json_only(kinetree):
    code, out, _ = kinetree(
        "compare",
        "rssr",
        "--until",
        0.2,
        "--coordinates",
        "relative",
        "--formulations",
        "augmented",
        "--rtol",
        "1e-6",
        "--repeats",
        1,
        "--json",
    )
    found = json.loads(out)
    assert code == 0
    assert [(r["formulation"], r["rtol"]) for r in found["rows"]] == [("augmented", 1e-6)]
    assert found["until"] == 0.2


@pytest.mark.parametrize(
    "arguments, code, text",
    [
        (("rsrs",), 3, "Did you mean 'rssr'"),
        (("rssr", "--formulations", "agumented"), 3, "Did you mean 'augmented'"),
        (("rssr", "--integrators", "admas"), 3, "Did you mean 'adams'"),
        (("rssr", "--coordinates", "polar"), 3, "relative, cartesian"),
        (("rssr", "--until", "-1"), 3, "must be positive"),
        (("rssr", "--repeats", "0"), 2, "--repeats"),
        (
            ("rssr", "--until", "0.1", "--formulations", "tree"),
            3,
            "none of the 2 combinations can run",
        ),
    ],
)
def test_a_wrong_request_ends_with_one_clear_sentence(kinetree, arguments, code, text):
    found, out, err = kinetree("compare", *arguments)
    assert found == code
    assert text in err and "Traceback" not in err and out == ""
