"""Options are declared once, by the methods that have them, and nothing else is taken."""

import inspect
import re
from dataclasses import replace

import numpy as np
import pytest

import kinetree as kt
from kinetree.engine.formulations.catalogue import FORMULATIONS
from kinetree.engine.integrators.catalogue import INTEGRATORS
from kinetree.errors import ModelError
from kinetree.kernel.tables.records import SETTINGS
from kinetree.models.four_bar import four_bar
from kinetree.models.pendulum import pendulum
from kinetree.options import OPTIONS, STABILISATION, Choice, has, values

GIVEN = {
    "rtol": 1e-6,
    "atol": 1e-6,
    "max_step": 0.1,
    "first_step": 1e-3,
    "step": 0.01,
    "order": 2,
    "threshold": 100.0,
    "calibrate": False,
    "stabilisation": 5.0,
    "sparse": True,
    "breakpoints": 0.5,
    "max_steps": 100,
    "time_limit": 5.0,
    "spectral_radius": 0.5,
    "planar": False,
    "closure": 1e-6,
    "linearize_every": 0.05,
    "printed": True,
    "history": True,
    "convected": True,
    "exact_friction": True,
}
NEEDED = {entry.name: {} if entry.adaptive else {"step": 0.01} for entry in INTEGRATORS}
FOREIGN = [
    (entry, o.name)
    for entry in (*FORMULATIONS, *INTEGRATORS)
    for o in OPTIONS
    if not has(entry, o.name)
]


def chosen(entry) -> Choice:
    kind, catalogue = (
        ("formulation", FORMULATIONS) if entry in FORMULATIONS else ("integrator", INTEGRATORS)
    )
    return Choice(kind, entry, catalogue)


def test_every_option_is_had_by_some_method_and_every_method_declares_known_ones():
    declared = {option.name for entry in (*FORMULATIONS, *INTEGRATORS) for option in entry.options}
    assert declared == {option.name for option in OPTIONS} == set(GIVEN)
    assert all(option.help and option.allowed for option in OPTIONS)


def test_an_option_of_a_formulation_has_its_place_in_the_settings():
    for entry in FORMULATIONS:
        assert {option.name for option in entry.options} <= set(SETTINGS.names)


@pytest.mark.parametrize("entry, name", FOREIGN, ids=lambda x: getattr(x, "name", x))
def test_an_option_that_a_method_does_not_have_is_refused_by_name(entry, name):
    choice = chosen(entry)
    with pytest.raises(ModelError) as refusal:
        values({name: GIVEN[name]}, choice)
    owners = [method.name for method in choice.catalogue if has(method, name)]
    if owners:  # else it belongs to the other kind of methods, and the list of options is given
        assert f"{choice.kind} {entry.name!r} has no option {name!r}" in str(refusal.value)
        assert f"with {name!r}: {', '.join(owners)}." in str(refusal.value)
    assert all(option.name in str(refusal.value) for option in entry.options)


@pytest.mark.parametrize("entry", (*FORMULATIONS, *INTEGRATORS), ids=lambda e: e.name)
def test_a_method_takes_the_options_it_declares_and_fills_in_the_rest(entry):
    given = {option.name: GIVEN[option.name] for option in entry.options}
    assert values(given, chosen(entry)) == given
    found = values(NEEDED.get(entry.name, {}), chosen(entry))
    assert found == {option.name: option.default for option in entry.options} | NEEDED.get(
        entry.name, {}
    )


@pytest.mark.parametrize(
    "options, words",
    [
        (
            {"step": 0.01},
            "integrator 'adams' has no option 'step'; its options: rtol=1e-08, atol, max_step, "
            "first_step,",
        ),
        ({"integrator": "rk4", "step": 0.01, "max_step": 0.1}, "'rk4' has no option 'max_step'"),
        ({"integrator": "rk4", "step": 0.01, "rtol": 1e-6}, "'rk4' has no option 'rtol'"),
        ({"integrator": "rk4"}, "'rk4' needs step="),
        (
            {"stabilisation": 1.0},
            "formulation 'tree' has no option 'stabilisation'; its options: none. Formulations "
            "with "
            "'stabilisation': baumgarte.",
        ),
        (
            {"formulation": "augmented", "stabilisation": 1.0},
            "'augmented' has no option 'stabilisation'",
        ),
        ({"threshold": 10.0}, "Integrators with 'threshold': switching"),
        ({"calibrate": 1, "integrator": "switching"}, "calibrate must be True or False"),
        ({"atol": [1e-8, 1e-8]}, "atol must be a number"),
        (
            {"coordinate": "relative"},
            "no argument named 'coordinate' of simulate. Did you mean 'coordinates'?",
        ),
        ({"dt": 0.1}, "'dt' is called 'step' or 'max_step' or 'output_interval' here."),
        ({"rtoll": 1e-6}, "Did you mean 'rtol'?"),
    ],
)
def test_simulate_refuses_what_the_chosen_methods_do_not_have(options, words):
    with pytest.raises(ModelError) as refusal:
        kt.simulate(pendulum(), 0.1, progress=False, **options)
    assert words in str(refusal.value)


# one number: the components of a model have units, so only solve_ode takes one per component
ONE_NUMBER = {"atol": "float | None"}


def parameters(function):
    """Type and description of every parameter in a docstring, on one line each."""
    text = inspect.getdoc(function).partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    parts = re.split(r"^(\w+) : (.*)$", text, flags=re.MULTILINE)[1:]
    return {
        name: (kind, " ".join(about.split()))
        for name, kind, about in zip(parts[::3], parts[1::3], parts[2::3])
    }


@pytest.mark.parametrize("option", OPTIONS, ids=lambda o: o.name)
def test_signature_and_docstring_of_simulate_agree_with_the_declaration(option):
    found = inspect.signature(kt.simulate).parameters[option.name]
    assert found.kind is found.KEYWORD_ONLY and found.default is None
    assert found.annotation == ONE_NUMBER.get(option.name, option.annotation)
    kind, about = parameters(kt.simulate)[option.name]
    many = option.several and option.name not in ONE_NUMBER
    assert kind == option.type.__name__ + " or sequence of float" * many + ", optional"
    assert about.startswith(option.description)


def test_simulate_has_no_option_that_is_not_declared():
    names = list(inspect.signature(kt.simulate).parameters)
    assert list(parameters(kt.simulate)) == names
    assert names[names.index("out") + 1 :] == [option.name for option in OPTIONS]


@pytest.mark.parametrize("command", ["run", "compare"])
def test_flags_of_the_command_line_agree_with_the_declarations(command):
    import typer

    from kinetree.apps.cli.main import app

    flags = {flag.name: flag for flag in typer.main.get_command(app).commands[command].params}
    for option in OPTIONS:
        flag = flags[option.name]
        assert flag.help == option.description and flag.default is None
        assert f"--{option.name.replace('_', '-')}" in flag.opts


def test_the_list_of_options_agrees_with_the_declarations():
    from kinetree.apps.cli.listing import LISTS

    rows = {name: (about, default) for name, about, default, *_ in LISTS["options"]()[1]}
    assert rows == {o.name: (o.help, str(o).partition("=")[2] or "-") for o in OPTIONS}


def test_the_literal_projections_stay_the_methods_they_are_named_after():
    """A number that once chose the variant and the stabilisation at the same time."""
    for entry in FORMULATIONS:
        with_option = "stabilisation" in [option.name for option in entry.options]
        assert with_option == (entry.name == "baumgarte")
    model = four_bar()
    with pytest.raises(ModelError, match="'projection-literal' has no option 'stabilisation'"):
        kt.simulate(model, 0.01, formulation="projection-literal", stabilisation=1.0)


def test_stabilisation_sets_how_fast_violations_decay():
    """g'' + 2 a g' + a^2 g = 0: from rest at g0, g = g0 (1 + a t) exp(-a t); a = 0 lets it stay."""
    from kinetree.assembly.prepare import prepare

    assembly = prepare(four_bar())
    method = next(f for f in FORMULATIONS if f.name == "baumgarte")
    gammas = []
    for alpha in (0.0, 3.0):
        tables, work = (
            method.configure(assembly.compiled.tables, {"stabilisation": alpha}),
            assembly.compiled.workspace(),
        )
        y = assembly.y.copy()
        y[0] += 1e-3  # off the constraints by far more than rounding
        method.rhs(tables, work, 0.0, y, np.zeros_like(y))
        gammas.append(work.G @ work.vdot)
        g = work.g.copy()
    assert np.abs(g).max() == 0.0  # at rest: the rates of violation, which the kernel leaves in g
    from kinetree.engine.dynamics.constraint import constraint_values

    constraint_values(tables, work, 0.0, y[:3], y[6:])
    active = work.selected[: int(work.report[0]["rank"])]
    np.testing.assert_allclose(
        (gammas[1] - gammas[0])[active], -9.0 * work.g[active], rtol=1e-6, atol=1e-12
    )


def test_options_kept_with_a_solution_are_all_those_of_its_methods():
    sol = kt.simulate(pendulum(), 0.1, integrator="adams-fixed", step=0.01, progress=False)
    assert sol.options == {
        "until": 0.1,
        "coordinates": "relative",
        "formulation": "tree",
        "integrator": "adams-fixed",
        "output_interval": None,
        "topology": "auto",
        "slack": 1e-5,
        "step": 0.01,
        "order": 4,
        "breakpoints": None,
        "max_steps": None,
        "time_limit": None,
        "state": None,
        "t0": 0.0,
        "events": [],
    }


def test_a_range_of_its_own_belongs_to_the_method_alone():
    entry = replace(INTEGRATORS[0], options=(replace(STABILISATION, default=1.0, most=2.0),))
    with pytest.raises(ModelError, match="stabilisation must be 0 to 2, got 3"):
        values({"stabilisation": 3.0}, Choice("integrator", entry, (entry,)))


def test_compare_gives_options_to_those_who_have_them_and_refuses_the_rest():
    found = kt.compare(
        four_bar(),
        until=0.05,
        coordinates=["relative"],
        formulations=["augmented", "baumgarte"],
        integrators=["adams", "rk4"],
        rtol=1e-6,
        step=0.005,
        stabilisation=7.0,
        repeats=1,
        progress=False,
    )
    assert [(r.integrator, r.rtol, r.step) for r in found.rows[:2]] == [
        ("adams", 1e-6, None),
        ("rk4", None, 0.005),
    ]
    assert [run.solution.options.get("stabilisation") for run in found.runs] == [
        None,
        None,
        7.0,
        7.0,
    ]
    with pytest.raises(ModelError, match="no option named 'threshold' of the methods compared"):
        kt.compare(four_bar(), until=0.05, integrators=["adams"], threshold=1.0)
