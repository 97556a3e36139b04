"""The command line as a user meets it: what it prints, what it writes, how it ends."""

import json
import subprocess
import sys

import numpy as np
import pytest

from kinetree.apps.cli import main as entry
from kinetree.apps.papers import catalogue
from kinetree.apps.papers.claim import Claim
from kinetree.errors import (
    AssemblyError,
    KinetreeError,
    ModelError,
    ResultError,
    SimulationError,
    TopologyError,
)
from kinetree.models.catalogue import MODELS


@pytest.fixture
def kinetree(monkeypatch, capsys, tmp_path):
    """Run a command in an empty folder: (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["kinetree", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            entry.main()
        return (end.value.code or 0, *capsys.readouterr())

    return run


def test_help_names_every_command(kinetree):
    code, out, _ = kinetree("--help")
    assert code == 0
    assert all(
        name in out for name in ("demo", "list", "topology", "run", "view", "papers", "version")
    )


def test_version_is_that_of_the_package(kinetree):
    import kinetree as kt

    assert kinetree("version")[1].startswith(f"kinetree {kt.__version__}\n")
    assert kinetree("--version") == kinetree("version")


@pytest.mark.parametrize("arguments", [(), ("--all",)])
def test_warmup_has_nothing_to_do(kinetree, arguments):
    code, out, err = kinetree("warmup", *arguments)
    assert (code, err) == (0, "") and out.startswith(
        "Nothing to do: kernels are compiled when Kinetree is built"
    )


def test_it_runs_as_a_module_too():
    found = subprocess.run(
        [sys.executable, "-m", "kinetree", "--version"], capture_output=True, text=True
    )
    assert found.returncode == 0 and found.stdout.startswith("kinetree ")


def test_completion_for_the_shell_is_offered(kinetree):
    assert "--install-completion" in kinetree("--help")[1]


@pytest.mark.parametrize(
    "what, expected",
    [
        ("joints", ("kt.Revolute", "displacement", "kt.Free")),
        ("forces", ("kt.SpringDamper", "kt.UserForce")),
        ("constraints", ("kt.Driver", "kt.Distance")),
        ("signals", ("kt.Sine", "kt.Table")),
        ("formulations", ("augmented", "Lee1994")),
        ("integrators", ("adams", "euler", "variable")),
        ("models", tuple(m.name for m in MODELS)),
        ("papers", ("rssr", "euler-2")),
    ],
)
def test_list_prints_the_catalogue(kinetree, what, expected):
    code, out, _ = kinetree("list", what)
    assert code == 0
    assert all(name in out for name in expected)


def test_topology_explains_a_planar_loop(kinetree):
    code, out, _ = kinetree("topology", "four-bar")
    assert code == 0
    assert "3 of the 5 equations of joint 'C' are redundant" in out


def test_topology_as_json(kinetree):
    report = json.loads(kinetree("topology", "rssr", "--json")[1])
    assert (report["coordinates"], report["equations"], report["mobility"]) == (5, 3, 2)


def test_run_prints_how_it_went(kinetree):
    code, out, _ = kinetree("run", "rssr", "--until", 0.5, "--coordinates", "cartesian")
    assert code == 0
    assert "reached t = 0.5 s" in out and "18 velocities, 16 equations" in out


def test_run_as_json_prints_json_only_and_honours_the_options(kinetree):
    code, out, _ = kinetree(
        "run", "pendulum", "--until", 0.5, "--integrator", "rk4", "--step", 0.01, "--json"
    )
    result = json.loads(out)
    assert code == 0
    assert result["success"] and result["statistics"]["accepted"] == 50
    assert result["options"]["formulation"] == "tree" and set(result["end"]) == {"hinge.angle"}


def test_run_writes_numbers_and_pictures_into_the_folder(kinetree, tmp_path):
    code, out, _ = kinetree(
        "run", "four-bar", "--until", 0.2, "--output-interval", 0.1, "--out", "deep/results"
    )
    names = {path.name for path in (tmp_path / "deep" / "results").iterdir()}
    assert code == 0
    assert names == {
        "samples.csv",
        "solution.json",
        "motion.png",
        "energy.png",
        "steps.png",
        "request.json",
    }
    assert (
        len((tmp_path / "deep/results/samples.csv").read_text().splitlines()) == 4
    )  # a heading and three samples
    assert all(
        name in out for name in names - {"request.json"}
    )  # kept for the next run into the same folder


def test_demo_tells_the_story_and_writes_where_it_says(kinetree, tmp_path):
    code, out, _ = kinetree("demo")
    assert code == 0
    for text in (
        "Cut joints",
        "Idle degree of freedom: coupler",
        "Assembly of 'rssr'",
        "Constraints are satisfied within",
        "drift",
    ):
        assert text in out
    named = [
        line.strip() for line in out.splitlines() if line.strip().startswith("kinetree-output")
    ]
    assert named and all((tmp_path / name).stat().st_size > 0 for name in named)


def test_papers_as_json_has_exactly_the_promised_shape(kinetree):
    code, out, _ = kinetree("papers", "euler-1", "--json")
    result = json.loads(out)
    assert code == 0
    assert set(result) == {"name", "claims"} and result["name"] == "euler-1"
    assert all(
        set(c) == {"claim", "paper", "ours", "holds", "note"} and c["holds"] is True
        for c in result["claims"]
    )


def test_papers_writes_figures_by_their_numbers_and_tables_as_csv(kinetree, tmp_path):
    assert kinetree("papers", "spring-linear", "--plot", "figures")[0] == 0
    assert sorted(p.name for p in (tmp_path / "figures").iterdir()) == ["fig-02.png", "fig-03.png"]
    assert kinetree("papers", "euler-1", "--plot", "tables")[0] == 0
    assert (
        (tmp_path / "tables" / "table-01.csv")
        .read_text()
        .splitlines()[3]
        .startswith("h = 1e-2,y1,30.95999933034182")
    )
    code, _, err = kinetree("papers", "--plot", "figures")
    assert code == 3 and "name of one example" in err


def test_report_as_json_lists_paper_item_verdict_and_reason(kinetree, tmp_path):
    code, out, _ = kinetree("report", "--json", "spring-linear", "euler-2")
    found = json.loads(out)
    assert code == 0 and [one["item"] for one in found] == ["Fig. 2", "Fig. 3", "Table 2"]
    assert all(set(one) == {"paper", "item", "verdict", "reason"} for one in found)
    assert found[2]["verdict"] == "reproduced after a correction" and "E-13" in found[2]["reason"]
    assert not (tmp_path / "report").exists()


def test_papers_without_a_name_runs_all_and_prints_a_table(kinetree, monkeypatch):
    few = tuple(e._replace(check=lambda: [Claim("one", 1, 1, True)]) for e in catalogue.PAPERS)
    monkeypatch.setattr(catalogue, "PAPERS", few)
    code, out, _ = kinetree("papers")
    assert code == 0
    assert out.count("1 of 1") == 2 * len(few)


def test_papers_ends_with_one_if_a_claim_does_not_hold(kinetree, monkeypatch):
    wrong = catalogue.PAPERS[0]._replace(
        check=lambda: [Claim("right", 1, 1, True), Claim("wrong", 1, 2, False)]
    )
    monkeypatch.setattr(catalogue, "PAPERS", (wrong,))
    assert kinetree("papers", "rssr", "--json")[0] == 1
    code, out, _ = kinetree("papers", "rssr")
    assert code == 1 and "NO" in out and "1 of 2 claims hold" in out


@pytest.mark.parametrize(
    "arguments, code, text",
    [
        (("run",), 2, "Missing argument"),
        (("run", "rssr", "--until", "soon"), 2, "--until"),
        (("dance",), 2, "No such command"),
        (("run", "rsrs"), 3, "Did you mean 'rssr'"),
        (("topology", "dor"), 3, "Did you mean 'door'"),
        (("list", "joint"), 3, "Did you mean 'joints'"),
        (("papers", "euler"), 3, "Did you mean 'euler-"),
        (("run", "rssr", "--integrator", "admas"), 3, "Did you mean 'adams'"),
        (("run", "rssr", "--formulation", "tree"), 3, "open trees"),
        (("run", "rssr", "--coordinates", "polar"), 3, "relative, cartesian"),
        (("run", "rssr", "--output-interval", "1e-12"), 3, "samples; at most"),
        (("run", "rssr", "--until", "-1"), 3, "must be positive"),
    ],
)
def test_a_wrong_request_ends_with_one_clear_sentence(kinetree, arguments, code, text):
    found, out, err = kinetree(*arguments)
    assert found == code
    assert text in err and "Traceback" not in err and out == ""


def test_a_folder_that_cannot_be_made_is_a_result_error(kinetree, tmp_path):
    (tmp_path / "taken").write_text("a file")
    code, _, err = kinetree("run", "pendulum", "--out", "taken/results")
    assert code == 5 and err.startswith("ResultError: cannot make the folder taken")


def test_a_run_that_cannot_go_on_ends_with_four(kinetree, monkeypatch):
    import kinetree as kt
    from kinetree.models import catalogue as models

    def ends_early():
        model = models.model_entry("pendulum").build()
        push = kt.Function(lambda t: np.sqrt(0.1 - t))  # not a number after 0.1 s
        model.force("push", kt.PointForce((push, 0, 0)), model.bodies["rod"])
        return model

    monkeypatch.setattr(
        models, "MODELS", (models.MODELS[0], models.Entry("stuck", "", ends_early, 1.0))
    )
    code, out, err = kinetree("run", "stuck")
    assert (
        code == 4
        and out == ""
        and "SimulationError: at t = 0.1 s" in err
        and "Traceback" not in err
    )


@pytest.mark.parametrize(
    "error, code",
    [
        (ModelError("x"), 3),
        (SimulationError("x"), 4),
        (ResultError("x"), 5),
        (AssemblyError("x"), 7),
        (TopologyError("x"), 7),
        (KinetreeError("x"), 9),
    ],
)
def test_every_kind_of_error_has_its_exit_code(error, code):
    assert entry.exit_code(error) == code


def test_the_command_line_itself_loads_no_heavy_package():
    code = (
        "import sys, kinetree.apps.cli.main; "
        "print([p for p in ('numpy', 'llvmlite', 'scipy', 'matplotlib', 'xarray') if p in "
        "sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "option, first",
    [
        ("--report", "Equations of motion of 'ralf'"),
        ("--latex", r"\documentclass{article}"),
        ("--python", '"""Equations of motion of \'ralf\''),
        ("--c", "/* Equations of motion"),
    ],
)
def test_derive_prints_equations(kinetree, option, first):
    code, out, _ = kinetree("derive", "ralf", option)
    assert code == 0 and out.startswith(first)


def test_derive_takes_any_model_and_one_form(kinetree):
    code, out, _ = kinetree("derive", "double-pendulum")
    assert code == 0 and "2 degrees of freedom of 2 rigid bodies" in out
    code, _, err = kinetree("derive", "ralf", "--c", "--latex")
    assert code == 3 and "give only one of" in err
