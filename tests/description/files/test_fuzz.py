"""Randomly changed files give a model or a ModelError, and no word in them is ignored.

KINETREE_FUZZ is the number of files (20,000 were run); the suite takes a few hundred, always the
same.
"""

import json
import os
import random
import re
from pathlib import Path

import pytest

import kinetree as kt
from description.files.machines import MACHINES
from description.files.test_broken import SOUND
from kinetree.description.files.document import parse
from kinetree.description.files.load import load_text
from kinetree.description.files.opening import model_text

COUNT = int(os.environ.get("KINETREE_FUZZ", "400"))
WORDS = [
    "null",
    "true",
    "-1",
    "0",
    "1e308",
    ".nan",
    "1e-400",
    "''",
    "'${L}'",
    "${1/0}",
    "[",
    "]",
    "{",
    "}",
    ": ",
    "- ",
    "#",
    "'",
    '"',
    "\n",
    "  ",
    "\t",
    "*a",
    "&a",
    "!!int",
    "|",
    ">",
    "10 mm",
    "ground",
    "type",
    "mass",
    "\x00",
    "\ud7ff",
    "é",
    "%",
    "@",
    "`",
    "? ",
    "---\n",
    "[[[[",
    "{a: {b: ",
    "99999999999999999999",
    "-",
    "inf",
    "Revolute",
    "rod",
    "${",
    "}",
    "x" * 300,
    "include: [m.yaml]\n",
    "0x",
    "1:2",
    "5 Nm",
    "5 N/m s",
    "3 KN",
    "${L} mm",
    "${T}",
    "0x" + "f" * 298,
    "1 " + "m " * 40,
    "Hinge",
    "Motor",
    "'${L ** 1e9}'",
    "'${a}${a}'",
]
NUMBERS = [
    "0",
    "-1",
    "1",
    "1e-300",
    "1e300",
    "1e5",
    "-0.0",
    "3.7",
    "1e18",
    "7 mm",
    "'${pi}'",
    "9e99",
    "2",
]


def sources() -> list[str]:
    names = ("four-bar", "elements", "joints", "flexible four-bar", "arm", "tracked-vehicle")
    return [SOUND, *(model_text(MACHINES[name]()) for name in names)]


def changed(rng: random.Random, text: str) -> str:
    """One to four changes: words inserted or replaced, lines dropped, doubled, exchanged or cut,
    numbers made extreme.
    """
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        k = rng.randrange(len(text) + 1)
        how = rng.randrange(8)
        if how == 0:
            text = text[:k] + rng.choice(WORDS) + text[k:]
        elif how == 1:
            text = text[:k] + rng.choice(WORDS) + text[k + rng.randint(1, 12) :]
        elif how == 2:
            text = text[:k] + text[k + rng.randint(1, 40) :]
        elif how == 3:
            lines = text.split("\n")
            i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[i], lines[j] = lines[j], rng.choice([lines[i], lines[j]])
            text = "\n".join(lines)
        elif how == 4:
            parts = text.split(" ")
            i, j = rng.randrange(len(parts)), rng.randrange(len(parts))
            parts[i] = parts[j]
            text = " ".join(parts)
        elif how >= 6:
            number = rng.choice(
                list(re.finditer(r"(?<![\w.])-?[0-9.]+(e-?[0-9]+)?", text)) or [None]
            )
            if number is not None:
                text = text[: number.start()] + rng.choice(NUMBERS) + text[number.end() :]
        else:
            text = (
                text[:k]
                + chr(rng.choice([rng.randrange(32, 127), rng.randrange(0xD000)]))
                + text[k + 1 :]
            )
    return text


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # overflow of wild numbers within NumPy
def test_changed_files_load_or_are_refused_with_a_model_error(tmp_path):
    rng, texts, loaded = random.Random(15), sources(), 0
    for k in range(COUNT):
        text = changed(rng, rng.choice(texts))
        try:
            load_text(text, Path(tmp_path / "m.yaml"), {}, False)
            loaded += 1
        except kt.ModelError as error:
            assert str(error), text
        except Exception as error:
            (tmp_path / "fuzz.yaml").write_text(text, errors="surrogatepass")
            raise AssertionError(
                f"input {k}: {type(error).__name__}: {error} ({tmp_path / 'fuzz.yaml'})"
            ) from error
    assert 0.02 < loaded / COUNT < 0.9  # neither only refusals nor only harmless changes


def grown(rng: random.Random) -> str:
    """Deep, wide and self-referencing structures, behind parameters, in lists and as elements."""
    depth, width = rng.choice([3, 30, 50, 400]), rng.choice([2, 5, 40])
    inner = rng.choice(["xxxxx", "[1, 2]", "{a: 1}", "3 m", "7"])
    parameters = "".join(
        f"  a{k}: {joined(rng, f'${{a{k - 1}}}', width)}\n" for k in range(1, min(depth, 60))
    )
    nested = rng.choice(
        [
            "[" * depth + "]" * depth,
            "{a: " * depth + "}" * depth,
            "[" + "1, " * width * 100 + "]",
            f"'${{a{depth // 2}}}'",
        ]
    )
    section = rng.choice(
        [
            "bodies",
            "joints",
            "forces",
            "constraints",
            "cut",
            "gravity",
            "arm",
            "assemblies",
            "include",
            "weights",
        ]
    )
    said = rng.choice([nested, f"{{b: {nested}}}", f"{{b: {{type: {nested}}}}}"])
    return f"parameters:\n  a0: {inner}\n{parameters}{section}: {said}\n"


def joined(rng: random.Random, one: str, width: int) -> str:
    """A name repeated many times: in a text, a list, a mapping, a product."""
    mapping = ", ".join(f"k{k}: {one!r}" for k in range(width))
    return rng.choice(
        [
            f"'{one * width}'",
            f"[{', '.join([repr(one)] * width)}]",
            f"{{{mapping}}}",
            f"'${{{one[2:-1]} * 2}}'",
        ]
    )


def test_structures_that_grow_are_refused_with_a_model_error(tmp_path):
    rng = random.Random(23)
    for k in range(COUNT // 4):
        text = grown(rng)
        try:
            load_text(text, Path(tmp_path / "m.yaml"), {}, False)
        except kt.ModelError as error:
            assert len(str(error)) < 20_000, text  # a sentence, whatever it is about
        except Exception as error:
            raise AssertionError(
                f"input {k}: {type(error).__name__}: {error}\n{text[:2000]}"
            ) from error


def mappings(tree, path=()):
    """The mappings in a file whose keys are words of the file format, not names chosen by users."""
    if isinstance(tree, dict):
        if path[-1:] not in [("parameters",), ("points",), ("states",), ("scales",), ("units",)]:
            yield path
        for key, value in tree.items():
            yield from mappings(value, (*path, key))
    elif isinstance(tree, list):
        for k, value in enumerate(tree):
            yield from mappings(value, (*path, k))


@pytest.mark.parametrize("k", range(len(sources())))
def test_an_unknown_word_is_refused_at_any_place(k, tmp_path):
    text, rng = sources()[k], random.Random(k)
    where = list(mappings(parse(text, "m.yaml")))
    for path in where if len(where) <= COUNT // 8 else rng.sample(where, COUNT // 8):
        tree = json.loads(json.dumps(parse(text, "m.yaml")))
        place = tree
        for step in path:
            place = place[step]
        place["qwertz"] = rng.choice([1, 0.5, "1 m", "x", True, [1, 2, 3], {"a": 1}])
        with pytest.raises(kt.ModelError, match="qwertz"):
            load_text(json.dumps(tree), Path(tmp_path / "m.yaml"), {}, False)
            raise AssertionError(f"accepted at {path}")
