"""The examples in the docstrings of the public names run and print what they say."""

import doctest
import inspect
import types
from functools import cached_property

import pytest

import kinetree as kt

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
MEMBERS = (types.FunctionType, classmethod, staticmethod, property, cached_property)


def documented(name: str, thing: object) -> dict[str, object]:
    """A public name with its public members, which may have docstrings of their own."""
    found = {name: thing}
    if isinstance(thing, types.ModuleType):
        names = [n for n in vars(thing) if not n.startswith("_")]
        for member in (n for n in names if callable(getattr(thing, n))):
            found.update(documented(f"{name}.{member}", getattr(thing, member)))
    elif isinstance(thing, type):
        for base in thing.__mro__:
            if base.__module__.partition(".")[0] == "kinetree":
                found.update(
                    (f"{name}.{member}", value)
                    for member, value in vars(base).items()
                    if isinstance(value, MEMBERS) and not member.startswith("_")
                )
    return found


def examples(name: str) -> list[doctest.DocTest]:
    parser = doctest.DocTestParser()
    texts = {n: inspect.getdoc(x) or "" for n, x in documented(name, getattr(kt, name)).items()}
    return [
        parser.get_doctest(text, {"__name__": "example"}, n, None, None)
        for n, text in texts.items()
    ]


@pytest.mark.parametrize("name", kt.__all__)
def test_examples_in_docstrings_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runner, printed = doctest.DocTestRunner(optionflags=FLAGS), []
    for example in examples(name):
        runner.run(example, out=printed.append)
    assert "".join(printed) == ""


@pytest.mark.parametrize("cls", [kt.Model, kt.Arm, kt.Solution], ids=lambda c: c.__name__)
def test_every_method_of_the_main_classes_has_parameters_returns_and_an_example(cls):
    lacking = {}
    for name, member in documented(cls.__name__, cls).items():
        if not isinstance(member, types.FunctionType):
            continue
        text, signature = inspect.getdoc(member) or "", inspect.signature(member)
        takes = [p for p in signature.parameters if p != "self"]
        gives = signature.return_annotation not in ("None", None)
        parts = {"Parameters": takes, "Returns": gives, "Examples": True}
        missing = [part for part, wanted in parts.items() if wanted and f"\n{part}\n--" not in text]
        if missing:
            lacking[name] = missing
    assert lacking == {}


def test_the_test_of_examples_sees_a_wrong_one():
    runner, printed = doctest.DocTestRunner(optionflags=FLAGS), []
    runner.run(
        doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, None),
        out=printed.append,
    )
    assert "Expected" in "".join(printed)
