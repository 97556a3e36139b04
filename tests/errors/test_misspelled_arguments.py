"""A misspelled keyword argument is answered with the nearest name, and signatures stay visible."""

import dataclasses
import inspect
import pickle

import pytest

import kinetree as kt
import kinetree.api
from kinetree.models.pendulum import pendulum


def keywords(thing) -> list[str]:
    found = inspect.signature(thing).parameters.values()
    return [p.name for p in found if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]


def takes_any(thing) -> bool:
    return any(p.kind is p.VAR_KEYWORD for p in inspect.signature(thing).parameters.values())


BUILT = [
    getattr(kt, name)
    for name in kt.__all__
    if isinstance(getattr(kt, name), type)
    and getattr(kt, name) not in kinetree.api.RESULTS
    and not issubclass(getattr(kt, name), Exception)
]
FUNCTIONS = [getattr(kt, name) for name in kt.__all__ if inspect.isfunction(getattr(kt, name))]
WITH_NAMES = [one for one in (*BUILT, *FUNCTIONS) if keywords(one) and not takes_any(one)]


@pytest.mark.parametrize("thing", WITH_NAMES, ids=lambda x: x.__name__)
def test_a_misspelled_argument_of_any_public_name_gets_the_nearest_one(thing):
    longest = max(keywords(thing), key=len)
    with pytest.raises(kt.UnknownArgument) as refusal:
        thing(**{f"{longest}q": 1.0})
    assert isinstance(refusal.value, TypeError) and isinstance(refusal.value, kt.NameNotFound)
    said = str(refusal.value)
    assert said.startswith(f"no argument named '{longest}q' of {thing.__name__}.")
    assert f"Did you mean '{longest}'?" in said and all(name in said for name in keywords(thing))


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda m: m.body("b", kt.rod(1.0, 1.0), positon=(0, 0, 0)), "'position'"),
        (lambda m: m.show(pth="a.html"), "'path'"),
        (lambda m: m.ground.at(0, 0, 0, rotatoin=None), "'rotation'"),
        (lambda m: kt.Section.circle(radius=0.1, E=1.0, densty=1.0), "'density'"),
        (lambda m: kt.Arm("a").link("l", "j", lenght=1.0), "'length'"),
        (lambda m: kt.simulate(pendulum(), 0.01).plot("hinge.angle", pth="a.png"), "'path'"),
        (lambda m: kt.simulate(m, 1.0, dt=0.1), "is called 'step' or 'max_step'"),
    ],
)
def test_methods_and_alternative_constructors_do_the_same(call, words):
    with pytest.raises(kt.UnknownArgument, match=words):
        call(kt.Model("m"))


def test_a_type_error_of_another_cause_stays_as_it_is():
    def broken(s):
        raise TypeError("no argument named 'x'")

    section = kt.Section.circle(radius=0.01, E=2e11, density=7850.0)
    with pytest.raises(kt.ModelError, match="raised TypeError"):
        kt.Model("m").beam("b", broken, section)
    with pytest.raises(TypeError, match="missing 1 required positional argument") as refusal:
        kt.Model("m").body(name="b")
    assert not isinstance(refusal.value, kt.KinetreeError)


def test_signatures_annotations_and_pickles_are_those_of_the_class():
    assert list(inspect.signature(kt.SpringDamper).parameters)[:2] == ["stiffness", "damping"]
    assert inspect.signature(kt.Model.joint).parameters["child"].kind.name == (
        "POSITIONAL_OR_KEYWORD"
    )
    assert pickle.loads(pickle.dumps(kt.simulate)) is kt.simulate
    assert pickle.loads(pickle.dumps(kt.Event("a"))) == kt.Event("a")
    with pytest.raises(TypeError, match="Did you mean 'level'"):
        dataclasses.replace(kt.Event("a"), levl=1.0)
