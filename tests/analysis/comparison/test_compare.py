"""The comparison: its rows agree with each other and with the reference, and combinations that
cannot run give a reason.
"""

import json

import pytest

import kinetree as kt
from kinetree.analysis.comparison.compare import compare
from kinetree.analysis.comparison.precision import work_precision
from kinetree.errors import ModelError, NameNotFound, ResultError
from kinetree.models.catalogue import model_entry

FORMULATIONS = ("augmented", "tree", "baumgarte")
PROJECTING = "augmented"


@pytest.fixture(scope="module")
def rssr():
    """The spatial linkage for half a second, both coordinates, three formulations."""
    return compare(model_entry("rssr").build(), until=0.5, formulations=FORMULATIONS, repeats=1)


def test_there_is_one_row_per_combination_in_the_requested_order(rssr):
    assert [(r.coordinates, r.formulation) for r in rssr.rows] == [
        (c, f) for c in ("relative", "cartesian") for f in FORMULATIONS
    ]


def test_rows_agree_with_a_reference_that_two_coordinates_confirm(rssr):
    assert rssr.reference.doubt < 1e-9  # two runs at rtol 1e-11
    assert len(rssr.working) == 4
    # rtol 1e-8 over some hundred steps
    assert all(r.difference < 1e-6 and r.angle < 1e-6 for r in rssr.working)
    # the reference is the better one
    assert all(r.difference > rssr.reference.doubt for r in rssr.working)


def test_a_looser_tolerance_gives_a_larger_difference(rssr):
    loose = compare(
        model_entry("rssr").build(),
        until=0.5,
        coordinates=["relative"],
        formulations=["augmented"],
        rtol=1e-4,
        repeats=1,
    )
    assert loose.rows[0].difference > 10.0 * rssr.rows[0].difference


def test_projection_satisfies_the_constraints_and_stabilization_nearly_does(rssr):
    errors = {(r.coordinates, r.formulation): r.position_error for r in rssr.working}
    for coordinates in ("relative", "cartesian"):
        assert errors[coordinates, PROJECTING] <= 1e-10 * rssr.size
        assert errors[coordinates, "baumgarte"] > errors[coordinates, PROJECTING]


def test_counts_are_those_of_the_machine(rssr):
    assert {(r.coordinates, r.velocities, r.equations, r.dof) for r in rssr.working} == {
        ("relative", 5, 3, 2),
        ("cartesian", 18, 16, 2),
    }
    for r in rssr.working:
        assert r.evaluations >= 2 * r.accepted and r.accepted > 10 and r.factorisations > 0
        assert r.energy_measure == "drift" and r.energy_error < 1e-6


def test_the_fastest_row_has_ratio_one(rssr):
    assert min(r.ratio for r in rssr.working) == 1.0
    assert all(r.seconds > 0.0 for r in rssr.working)


def test_a_combination_that_cannot_work_is_refused_in_its_row(rssr):
    refused = [r for r in rssr.rows if r.refusal]
    assert [r.formulation for r in refused] == ["tree", "tree"]
    assert all("is for open trees" in r.refusal and r.seconds is None for r in refused)
    assert "tree - refused: formulation 'tree' is for open trees" in str(rssr)


def test_a_run_that_ends_early_gives_a_reason_and_the_others_continue():
    model = kt.Model("stuck")
    rod = model.body("rod", kt.rod(mass=1.0, length=1.0, along="x"))
    model.joint("hinge", kt.Revolute(axis="y"), model.ground, rod.end("-"))
    model.force(
        "push", kt.PointForce((kt.Function(lambda t: 1.0 if t < 0.1 else float("nan")), 0, 0)), rod
    )
    found = compare(model, until=0.5, coordinates=["relative"], formulations=["tree"], repeats=1)
    assert found.working == () and found.reference.solution is None
    assert "NaN" in found.rows[0].refusal and "err.solution" not in found.rows[0].refusal
    assert "No reference" in str(found)
    with pytest.raises(ResultError, match="nothing to plot"):
        found.plot(".")


def test_a_fixed_step_integrator_gets_a_step():
    found = compare(
        model_entry("pendulum").build(),
        until=0.5,
        coordinates=["relative"],
        formulations=["tree"],
        integrators=["rk4"],
        repeats=1,
    )
    assert found.rows[0].refusal is None
    assert (found.rows[0].step, found.rows[0].accepted) == (pytest.approx(1e-4), 5000)
    # fourth order, 1e-4 s against a period of about a second
    assert found.rows[0].difference < 1e-9


def test_the_energy_error_is_the_imbalance_if_forces_do_work():
    model = model_entry("pendulum").build()
    model.force("brake", kt.TorsionSpring("hinge.angle", damping=0.5))
    row = compare(
        model, until=0.5, coordinates=["relative"], formulations=["tree"], repeats=1
    ).rows[0]
    assert row.energy_measure == "imbalance" and row.energy_error < 1e-6


@pytest.mark.parametrize(
    "asked, kind, text",
    [
        ({"formulations": ["agumented"]}, NameNotFound, "Did you mean 'augmented'"),
        ({"integrators": ["admas"]}, NameNotFound, "Did you mean 'adams'"),
        ({"coordinates": ["polar"]}, ModelError, "relative, cartesian"),
        ({"formulations": []}, ModelError, "at least one of each"),
        ({"until": -1.0}, ModelError, "must be positive"),
    ],
)
def test_a_name_that_does_not_exist_is_an_error_and_not_a_row(asked, kind, text):
    with pytest.raises(kind, match=text):
        compare(model_entry("rssr").build(), **asked)


def test_json_has_the_promised_keys(rssr, tmp_path):
    found = json.loads(rssr.to_json(tmp_path / "found.json"))
    assert json.loads((tmp_path / "found.json").read_text()) == found
    assert set(found) == {"model", "until", "size", "reference", "rows"}
    assert set(found["reference"]) == {"rtol", "doubt", "refusal"}
    assert set(found["rows"][0]) == {
        "coordinates",
        "formulation",
        "integrator",
        "rtol",
        "step",
        "refusal",
        "velocities",
        "equations",
        "rank",
        "dof",
        "evaluations",
        "factorisations",
        "accepted",
        "rejected",
        "seconds",
        "ratio",
        "position_error",
        "velocity_error",
        "energy_error",
        "energy_measure",
        "difference",
        "angle",
    }


def test_the_table_names_every_method_and_keeps_its_columns_aligned(rssr):
    text = str(rssr)
    assert all(name in text for name in FORMULATIONS)
    assert (
        "cartesian coordinates: 18 velocities, 16 equations of rank 16, 2 degrees of freedom"
        in text
    )
    rows = [line for line in text.splitlines() if line.startswith(("  augmented", "  baumgarte"))]
    assert len({len(line) for line in rows[:2]}) == 1 and max(map(len, text.splitlines())) <= 112


def test_plots_are_not_blank(rssr, tmp_path):
    from matplotlib.image import imread

    files = rssr.plot(tmp_path)
    assert [f.name for f in files] == ["constraints.png", "steps.png"]
    for file in files:
        assert imread(file).std() > 0.05  # not a single color


def test_a_missing_folder_is_a_result_error(rssr, tmp_path):
    with pytest.raises(ResultError, match="cannot write"):
        rssr.plot(tmp_path / "nowhere")
    with pytest.raises(ResultError, match="cannot write"):
        rssr.to_json(tmp_path / "nowhere" / "found.json")


def test_more_work_gives_more_precision(tmp_path):
    found = work_precision(
        model_entry("rssr").build(),
        until=0.5,
        formulations=["augmented", "tree"],
        integrators=["adams", "rk4"],
        rtols=(1e-4, 1e-8),
        repeats=1,
    )
    loose, tight = found.points
    assert (loose.rtol, tight.rtol) == (1e-4, 1e-8)
    assert tight.difference < 1e-2 * loose.difference and tight.evaluations > loose.evaluations
    assert any("'rk4' has a fixed step" in r for r in found.refusals) and any(
        "open trees" in r for r in found.refusals
    )
    assert found.plot(tmp_path / "work.png").stat().st_size > 10_000
    assert len(json.loads(found.to_json())["points"]) == 2
