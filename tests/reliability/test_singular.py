"""Change points, started from, stepped on and passed at 10^-k rad: the right branch or an error
with a name, never a flip.

The branches part by 0.1 m within some hundredths of a second, so a run that is right to 10^-3 m is
on its branch.
"""

import numpy as np
import pytest

import kinetree as kt
from kinetree.analysis.topology import singularity
from kinetree.assembly.singular import NEAREST
from support.folding import MACHINES, crank_angle, deviation, passing_time
from support.linkages import bennett, bricard, door, four_bar

UNTIL, SPEED, BEFORE = 1.0, 4.0, -0.3  # the fold is reached after some 0.08 s
HOW = {
    "adams": ({"rtol": 1e-8}, 2e-5),
    "rk4": ({"step": 1.9e-3}, 1e-5),  # 2e-6 and 4e-7 m were measured; no step ends on a fold
    "bdf": ({"rtol": 1e-8}, 1e-4),
    "switching": ({"rtol": 1e-8}, 1e-4),
}  # errors of BDF add up
FORMULATIONS = ("augmented", "projection", "qr", "svd", "partitioning", "overdetermined")
each = pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
both = pytest.mark.parametrize("coordinates", ["relative", "cartesian"])


def run(model: kt.Model, until: float = UNTIL, **options):
    return kt.simulate(model, until, output_interval=until / 40, progress=False, **options)


def names_the_place(error: kt.KinetreeError, machine) -> bool:
    """A joint of the loop in quotes and, of a run, the time."""
    named = any(f"'{joint}'" in str(error) for joint in machine.loop) and "change point" in str(
        error
    )
    return named and (isinstance(error, kt.ModelError) or f"at t = {error.t:.6g} s" in str(error))


def outcome(machine, angle: float, until: float = UNTIL, **options) -> float | None:
    """How far from the exact path a run is, or None where it ended with an error that says where."""
    try:
        sol = run(machine.build(angle, SPEED), until, **options)
    except (kt.SimulationError, kt.ModelError) as error:
        assert names_the_place(error, machine), error
        return None
    assert sol.success and len(sol.t) == 41
    return deviation(machine, sol, angle, SPEED)


@each
@both
@pytest.mark.parametrize("integrator", HOW)
def test_a_start_beside_the_fold_keeps_its_branch_or_is_refused(machine, coordinates, integrator):
    options, allowed = HOW[integrator]
    for k in range(17):
        for side in (1.0, -1.0):  # leaving the fold, and about to pass it
            off = outcome(
                machine, side * 10.0**-k, coordinates=coordinates, integrator=integrator, **options
            )
            assert off is None or off < allowed, (k, side)
            creeps = (
                integrator == "bdf" and side < 0
            )  # its first steps are short: one may end at the fold
            assert (off is None) == (k >= 6) or (creeps and k > 2), (k, side)


@each
@both
@pytest.mark.parametrize("integrator", ["adams", "bdf", "switching"])
def test_adaptive_steps_pass_the_fold_wherever_they_would_end(machine, coordinates, integrator):
    for k in range(1, 17):
        beyond = (-1.0) ** k * 10.0**-k
        step = passing_time(machine, BEFORE, SPEED, beyond) / 20
        off = outcome(
            machine, BEFORE, coordinates=coordinates, integrator=integrator, max_step=step
        )
        assert off is not None or integrator != "adams", k  # the others may stop there, and say so
        assert off is None or off < HOW[integrator][1], k


@each
@both
@pytest.mark.parametrize("integrator", ["rk4", "adams-fixed"])
def test_a_fixed_step_that_ends_beside_the_fold_is_right_or_stops(machine, coordinates, integrator):
    """Right to 4 times the error of a step that ends well away, or to what settling may take away
    of the velocity.
    """
    usual = outcome(
        machine,
        BEFORE,
        coordinates=coordinates,
        integrator=integrator,
        step=passing_time(machine, BEFORE, SPEED, 0.01) / 20,
    )
    for k in range(1, 17):
        for side in (1.0, -1.0):
            step = passing_time(machine, BEFORE, SPEED, side * 10.0**-k) / 20
            off = outcome(
                machine, BEFORE, coordinates=coordinates, integrator=integrator, step=step
            )
            assert k > 3 or off is not None
            assert k < 7 or off is None
            assert off is None or off < 4 * usual + (0.0 if k < 4 else 2e-3), (k, side)


@each
@both
def test_a_run_that_ends_beside_the_fold_is_right_or_stops(machine, coordinates):
    for k in range(1, 17):
        until = passing_time(machine, BEFORE, SPEED, (-1.0) ** k * 10.0**-k)
        off = outcome(machine, BEFORE, until, coordinates=coordinates)
        assert k > 4 or off is not None
        assert off is None or off < 1e-6, k


@each
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_every_formulation_tells_the_branches_apart(machine, formulation):
    for k in (2, 4, 5, 6, 9, 16):
        landing = passing_time(machine, BEFORE, SPEED, 10.0**-k) / 20
        start = outcome(machine, -(10.0**-k), formulation=formulation)
        over = outcome(machine, BEFORE, formulation=formulation, max_step=landing)
        on = outcome(machine, BEFORE, formulation=formulation, integrator="rk4", step=landing)
        assert (start is None) == (k >= 6) and over is not None
        assert all(off is None or off < 2e-3 for off in (start, over, on)), (k, start, over, on)


@both
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_every_formulation_closes_to_rounding_and_passes_folds_at_tight_tolerances(
    formulation, coordinates
):
    """Loops left open by e turn velocities by e / d^2 at a distance d from the fold: with e = 1e-12
    steps shrink into it.
    """
    parallelogram = MACHINES["parallelogram"]
    for angle, step in zip(np.linspace(-0.7, -0.2, 6), np.linspace(0.02, 0.005, 6)):
        sol = run(
            parallelogram.build(angle, SPEED),
            formulation=formulation,
            coordinates=coordinates,
            rtol=1e-10,
            max_step=step,
        )
        assert (
            sol.constraint_error.max() < 2e-14
        )  # of a machine of 3 m, each of its bodies rounded to 4e-16
        assert deviation(parallelogram, sol, angle, SPEED) < 1e-8  # some hundred steps of 1e-10


@both
def test_samples_that_fall_on_the_fold_are_as_good_as_others(coordinates):
    """Without gravity the cranks turn steadily: pi rad in 1 s, the fold at every second sample."""
    parallelogram = MACHINES["parallelogram"]
    sol = kt.simulate(
        parallelogram.build(-np.pi / 2, np.pi, gravity=0.0),
        4.0,
        coordinates=coordinates,
        output_interval=0.25,
        progress=False,
    )
    th = np.pi * (sol.t - 0.5)
    out = np.column_stack([np.cos(th), np.sin(th)])
    assert sol.success and len(sol.t) == 17
    np.testing.assert_allclose(sol["right.position"][:, [0, 2]], (2, 0) + 0.5 * out, atol=1e-6)
    np.testing.assert_allclose(
        sol["right.velocity"][:, [0, 2]], 0.5 * np.pi * out[:, ::-1] * (-1, 1), atol=1e-6
    )
    # on the fold they are those of d = 1e-3 rad before, so off by d pi^2 / 2; the error s = 1e-8 of
    # a sample adds s / d
    np.testing.assert_allclose(
        sol["right.acceleration"][:, [0, 2]], -0.5 * np.pi**2 * out, atol=1e-2
    )


@both
def test_a_driver_leads_through_the_fold_but_does_not_start_there(coordinates):
    parallelogram = MACHINES["parallelogram"]
    sol = run(parallelogram.build(BEFORE, SPEED, driven=True), coordinates=coordinates)
    np.testing.assert_allclose(
        sol["right.end+.position"][:, [0, 2]], parallelogram.path(BEFORE + SPEED * sol.t), atol=1e-8
    )
    for angle in (0.0, 1e-8):
        with pytest.raises(kt.ModelError, match=r"change point.*'C'.*'A'"):
            run(parallelogram.build(angle, SPEED, driven=True), coordinates=coordinates)


@both
@pytest.mark.parametrize("excess", [1e-4, 1e-6, 1e-8])
def test_a_linkage_that_nearly_folds_turns_off_as_it_must(coordinates, excess):
    """Within sqrt(excess) rad of the fold the motion bends over into the antiparallelogram; another
    method resolves that.
    """
    model = MACHINES["parallelogram"].build(BEFORE, SPEED, excess=excess)
    sol = run(model, 0.4, coordinates=coordinates)
    fine = run(model, 0.4, integrator="dopri5", max_step=max(np.sqrt(excess) / 20, 1e-5))
    place = "right.end+.position"
    np.testing.assert_allclose(sol[place], fine[place], atol=1e-4)
    steady = MACHINES["parallelogram"].path(
        crank_angle(MACHINES["parallelogram"], BEFORE, SPEED, sol.t)
    )
    assert np.abs(sol[place][:, [0, 2]] - steady).max() > 0.1


@each
def test_assembling_on_the_fold_is_refused_in_words(machine):
    with pytest.raises(kt.ModelError) as caught:
        kt.assemble(machine.build(0.0, SPEED))
    assert "at a change point: the loop closed by 'C' (joints " + ", ".join(
        machine.loop
    ) + ")" in str(caught.value)
    assert (
        "loses 1 of 2 independent equations here, so it has 2 degrees of freedom instead of 1"
        in str(caught.value)
    )
    assert "Start it elsewhere, for instance with another start= of 'A'" in str(caught.value)


@each
def test_the_distance_to_the_fold_is_measured(machine):
    """In the norm of all joint coordinates, so between one and three times the angle of the crank."""
    found = [singularity(machine.build(10.0**-k, 0.0)).distance * 10.0**k for k in range(5, 14)]
    assert 1.0 < found[0] < 3.0
    np.testing.assert_allclose(found, found[0], rtol=0.02)  # 1e-13 against rounding 1e-15
    assert singularity(machine.build(0.5, 0.0)).distance > 1e3 * NEAREST


@pytest.mark.parametrize(
    "build",
    [
        lambda: four_bar(A=0.7),
        lambda: four_bar("spatial", A=0.7),
        lambda: door(2),
        lambda: door(2, joint=kt.Translational),
        lambda: bennett(0.9)[0],
        lambda: bennett(2.4)[0],
        bricard,
    ],
)
def test_equations_that_are_redundant_everywhere_are_no_change_point(build):
    assert not singularity(build()).singular and kt.assemble(build()).mobility == 1


def test_the_exact_path_is_not_the_other_branch():
    """The reference itself: cranks that turn past the fold, energy kept."""
    for machine in MACHINES.values():
        th = crank_angle(machine, BEFORE, SPEED, np.linspace(0.0, 0.3, 31)) - machine.fold
        assert th[0] < 0.0 < th[-1] and (np.diff(th) > 0.0).all()
