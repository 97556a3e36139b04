"""Two hundred broken files, in families: each is refused with one sentence that names the file and
the line.

A family takes a valid file and breaks it at a place; the expected line is that of the place.
"""

import re

import pytest

import kinetree as kt

SOUND = """\
kinetree: 1
model: machine
gravity: [0, 0, -9.81]
parameters:
  L: 0.5
bodies:
  crank: {type: rod, mass: 0.5, length: 0.5, along: x}
  block:
    type: mass
    mass: 2
    inertia: [1, 1, 1]
    com: [0.1, 0, 0]
    position: [1, 0, 0]
    points: {pin: [0, 0.1, 0]}
  blade: {type: beam, line: [[0, 0, 1], [1, 0, 1]], section: {type: Section.circle, radius: 0.01, E: 2e11, density: 7850}}
joints:
  A: {type: Revolute, axis: y, parent: ground, child: crank.-, start: {angle: 0.3}}
  B: {type: Translational, axis: x, parent: ground, child: block}
  C: {type: Fixed, parent: ground, child: blade.-}
constraints:
  drive: {type: Driver, coordinate: A.angle, motion: {type: Sine, amplitude: 0.1, frequency: 2}}
forces:
  spring: {type: SpringDamper, stiffness: 100, damping: 1, length: 0.2, markers: [crank.+, block.pin]}
  tyre:
    type: Tyre
    radius: 0.3
    stiffness: 2e5
    law: {type: Fiala, cornering: 5e4, longitudinal: 8e4, friction: 0.9}
    markers: [block]
  push: {type: PointForce, components: [1, 0, 0], frame: world, markers: [block]}
"""
LINES = SOUND.splitlines()


def swapped(old: str, new: str) -> tuple[str, int]:
    """The file with a text replaced, and the line of the change."""
    assert SOUND.count(old) == 1, old
    return SOUND.replace(old, new), SOUND[: SOUND.index(old)].count("\n") + 1


def on_line(start: str, old: str, new: str) -> tuple[str, int]:
    """The same within the line that begins with a given text."""
    k = next(k for k, line in enumerate(LINES) if line.strip().startswith(start))
    assert old in LINES[k], (start, old)
    return "\n".join([*LINES[:k], LINES[k].replace(old, new, 1), *LINES[k + 1 :]]), k + 1


NUMBERS = {
    "crank:": "mass: 0.5",
    "spring:": "stiffness: 100",
    "drive:": "amplitude: 0.1",
    "A:": "angle: 0.3",
    "law:": "cornering: 5e4",
    "radius:": "radius: 0.3",
    "blade:": "radius: 0.01",
}
NOT_NUMBERS = [
    ".nan",
    "-.inf",
    "1e999",
    "true",
    "null",
    "abc",
    "'1e-3'",
    "[1]",
    "{a: 1}",
    "10 parsnips",
    "'${X}'",
    "'${L'",
    "''",
]
CASES: dict[str, tuple[str, int]] = {}


def family(name: str, cases) -> None:
    CASES.update({f"{name}-{k}": case for k, case in enumerate(cases)})


family(
    "no-number",
    [
        on_line(start, said, f"{said.split(':')[0]}: {bad}")
        for start, said in NUMBERS.items()
        for bad in NOT_NUMBERS
    ],
)
family(
    "misspelt-option",
    [
        on_line(start, old, new)
        for start, old, new in (
            ("crank:", "mass", "masss"),
            ("crank:", "length", "lenght"),
            ("inertia:", "inertia", "inertai"),
            ("com:", "com", "comm"),
            ("position:", "position", "postion"),
            ("A:", "axis", "axsi"),
            ("A:", "parent", "parnt"),
            ("A:", "child", "chidl"),
            ("A:", "start", "strat"),
            ("spring:", "stiffness", "stifness"),
            ("spring:", "markers", "marker"),
            ("drive:", "coordinate", "cordinate"),
            ("drive:", "frequency", "freqency"),
            ("law:", "friction", "frction"),
            ("blade:", "density", "desity"),
            ("push:", "frame", "fram"),
            ("gravity:", "gravity", "gravty"),
            ("bodies:", "bodies", "bodys"),
            ("forces:", "forces", "force"),
            ("constraints:", "constraints", "constraint"),
        )
    ],
)
family(
    "misspelt-type",
    [
        on_line(start, old, new)
        for start, old, new in (
            ("crank:", "rod", "rodd"),
            ("A:", "Revolute", "revolute"),
            ("B:", "Translational", "Slider"),
            ("drive:", "Driver", "Motor"),
            ("drive:", "Sine", "Sinus"),
            ("spring:", "SpringDamper", "Spring"),
            ("law:", "Fiala", "Fila"),
            ("blade:", "Section.circle", "circle"),
            ("push:", "PointForce", "Push"),
            ("blade:", "beam", "Beam"),
        )
    ],
)
family(
    "no-type",
    [
        on_line(start, f"type: {old}, ", "")
        for start, old in (
            ("crank:", "rod"),
            ("A:", "Revolute"),
            ("drive:", "Driver"),
            ("spring:", "SpringDamper"),
            ("drive:", "Sine"),
            ("law:", "Fiala"),
        )
    ],
)
family(
    "missing-option",
    [
        on_line(start, old, "")
        for start, old in (
            ("crank:", "mass: 0.5, "),
            ("A:", ", parent: ground"),
            ("drive:", "coordinate: A.angle, "),
            ("drive:", "amplitude: 0.1, "),
            ("law:", ", friction: 0.9"),
            ("blade:", "E: 2e11, "),
            ("push:", "components: [1, 0, 0], "),
            ("spring:", ", markers: [crank.+, block.pin]"),
        )
    ],
)
family(
    "wrong-count",
    [
        on_line(start, old, new)
        for start, old, new in (
            ("gravity:", "[0, 0, -9.81]", "[0, -9.81]"),
            ("inertia:", "[1, 1, 1]", "[1, 1]"),
            ("com:", "[0.1, 0, 0]", "[0.1, 0, 0, 0]"),
            ("position:", "[1, 0, 0]", "1"),
            ("points:", "[0, 0.1, 0]", "[0, 0.1]"),
            ("blade:", "[[0, 0, 1], [1, 0, 1]]", "[[0, 0, 1]]"),
            ("blade:", "[1, 0, 1]]", "[1, 0]]"),
            ("push:", "[1, 0, 0]", "[1, 0]"),
            ("push:", "[1, 0, 0]", "5"),
            ("spring:", "[crank.+, block.pin]", "[crank.+]"),
            ("spring:", "[crank.+, block.pin]", "[crank.+, block, ground]"),
        )
    ],
)
family(
    "no-such-name",
    [
        on_line(start, old, new)
        for start, old, new in (
            ("A:", "crank.-", "krank.-"),
            ("A:", "crank.-", "crank.end"),
            ("B:", "child: block", "child: blok"),
            ("spring:", "block.pin", "block.pinn"),
            ("A:", "{angle: 0.3}", "{angel: 0.3}"),
            ("push:", "world", "wrld"),
            ("A:", "axis: y", "axis: w"),
            ("crank:", "along: x", "along: q"),
            ("push:", "[block]", "[ground.x]"),
            ("push:", "[block]", "[{body: nobody}]"),
            ("push:", "[block]", "[{body: block, node: 1}]"),
            ("push:", "[block]", "[{body: block, point: pim}]"),
        )
    ],
)
family(
    "physics",
    [
        on_line(start, old, new)
        for start, old, new in (
            ("crank:", "mass: 0.5", "mass: -1"),
            ("crank:", "length: 0.5", "length: 0"),
            ("inertia:", "[1, 1, 1]", "[1, 1, 9]"),
            ("inertia:", "[1, 1, 1]", "[-1, 1, 1]"),
            ("A:", "axis: y", "axis: [0, 0, 0]"),
            ("blade:", "radius: 0.01", "radius: -1"),
            ("blade:", "[1, 0, 1]]", "[0, 0, 1]]"),
            ("A:", "child: crank.-", "child: ground"),
            ("radius:", "0.3", "0"),
            ("law:", "friction: 0.9", "friction: -1"),
            ("spring:", "[crank.+, block.pin]", "[block, block.pin]"),
            ("position:", "position: [1, 0, 0]", "rotation: [[1, 0, 0], [0, 2, 0], [0, 0, 1]]"),
            ("spring:", "length: 0.2", "length: -1"),
            ("drive:", "frequency: 2", "frequency: 2, begin: 3, end: 1"),
            ("model:", "machine", "'a.b'"),
            ("mass:", "mass: 2", "mass: 1e200"),
        )
    ],
)
family(
    "names",
    [
        on_line(start, old, new)
        for start, old, new in (
            ("B:", "B:", "A:"),
            ("block:", "block:", "crank:"),
            ("B:", "B:", "crank:"),
            ("B:", "B:", "'B.x':"),
            ("B:", "B:", "' B':"),
            ("B:", "B:", "ground:"),
            ("L:", "L:", "2L:"),
            ("spring:", "damping: 1", "stiffness: 1"),
            ("L:", "L: 0.5", "L: 0.5\n  L: 0.6"),
        )
    ],
)
family(
    "no-yaml",
    [
        on_line(start, old, new)
        for start, old, new in (
            ("crank:", "}", ""),
            ("crank:", "{", ""),
            ("B:", "B:", "B"),
            ("B:", "B:", "\tB:"),
            ("gravity:", "[", "[["),
            ("model:", "machine", "'machine"),
            ("model:", "machine", "*alias"),
            ("model:", "machine", "&anchor machine"),
            ("model:", "machine", "!!python/object:os.system x"),
            ("model:", "machine", "!tag x"),
            ("gravity:", "gravity: ", "? [a, b]\n: "),
            ("bodies:", "bodies:", "---\nbodies:"),
            ("model:", "machine", "\x07"),
        )
    ],
)
family(
    "wrong-shape",
    [
        on_line(start, old, new)
        for start, old, new in (
            ("crank:", "{type: rod, mass: 0.5, length: 0.5, along: x}", "5"),
            ("crank:", "{type: rod, mass: 0.5, length: 0.5, along: x}", "[rod]"),
            ("points:", "{pin: [0, 0.1, 0]}", "[0, 0.1, 0]"),
            ("A:", "{angle: 0.3}", "0.3"),
            ("model:", "machine", "[a]"),
            ("kinetree:", "1", "2"),
            ("drive:", "A.angle", "7"),
            ("A:", "crank.-", "7"),
            ("spring:", "[crank.+, block.pin]", "crank.+"),
            ("kinetree:", "kinetree: 1", "kinetree: 1\ncut: [Z]"),
            ("kinetree:", "kinetree: 1", "kinetree: 1\nweights: {hinge: 2}"),
            ("kinetree:", "kinetree: 1", "kinetree: 1\ninclude: [nowhere.yaml]"),
            ("kinetree:", "kinetree: 1", "kinetree: 1\ninclude: [5]"),
            ("kinetree:", "kinetree: 1", "kinetree: 1\nassemblies: {a: {file: nowhere.yaml}}"),
            ("kinetree:", "kinetree: 1", "kinetree: 1\nassemblies: {a: {fil: m.yaml}}"),
            ("L:", "L: 0.5", "L: '${M}'"),
            ("kinetree:", "kinetree: 1", "kinetree: 1\nsurroundings: [{type: Ball}]"),
            ("push:", "[1, 0, 0]", "['laws:f', 0, 0]"),
            ("kinetree:", "kinetree: 1", "kinetree: 1\narm: {links: {a: {joint: A, on: b}}}"),
            ("kinetree:", "kinetree: 1", "kinetree: 1\narm: {links: {a: {joint: A, lenght: 1}}}"),
        )
    ],
)


def test_the_sound_file_is_sound(tmp_path):
    (tmp_path / "m.yaml").write_text(SOUND)
    model = kt.load(tmp_path / "m.yaml")
    assert (len(model.bodies), len(model.joints), len(model.forces)) == (3, 3, 3)


def test_there_are_two_hundred_of_them():
    assert len(CASES) >= 200 and len({text for text, _ in CASES.values()}) == len(CASES)


@pytest.mark.parametrize("name", CASES)
def test_a_broken_file_is_a_sentence_with_its_line(name, tmp_path):
    text, line = CASES[name]
    (tmp_path / "m.yaml").write_text(text)
    with pytest.raises(kt.ModelError) as refused:
        kt.load(tmp_path / "m.yaml")
    said = str(refused.value)
    found = re.match(r"(m|nowhere)\.yaml:?(\d*)", said) or re.match(
        r".*nowhere\.yaml: the file cannot be read", said
    )
    assert found, said
    # an error of syntax shows where the parser stumbles, often on the next line
    near = range(line - 1, line + 3)
    assert "nowhere" in said or int(found[2]) in near, said
    assert said.endswith(".") or said.endswith("?"), said


@pytest.mark.parametrize(
    "case, words",
    [
        (
            on_line("crank:", "length", "lenght"),
            (
                "m.yaml:7",
                "bodies.crank",
                "'lenght'",
                "Did you mean 'length'?",
                "Options: ",
                "axial",
            ),
        ),
        (
            on_line("A:", "Revolute", "Revolut"),
            ("m.yaml:17", "joints.A", "Did you mean 'Revolute'?", "Spherical"),
        ),
        (
            on_line("crank:", "mass: 0.5", "mass: '0.5'"),
            ("m.yaml:7: bodies.crank.mass", "'0.5'", "unit"),
        ),
        (on_line("crank:", "mass: 0.5, ", ""), ("m.yaml:7: bodies.crank", "'mass' is missing")),
        (
            on_line("mass:", "mass: 2", "mass: -2"),
            ("m.yaml:10: bodies.block.mass", "must not be negative, got -2"),
        ),
        (
            on_line("A:", "crank.-", "krank.-"),
            ("m.yaml:17: joints.A", "'krank'", "Did you mean 'crank'?", "block"),
        ),
        (
            on_line("law:", "friction: 0.9", "friction: x"),
            ("m.yaml:28: forces.tyre.law.friction", "'x'"),
        ),
        (on_line("B:", "B:", "A:"), ("m.yaml:18", "'A' is given twice", "line 17")),
        (
            on_line("com:", "[0.1, 0, 0]", "[0.1, 0]"),
            ("m.yaml:12: bodies.block.com", "must have 3 values, got 2"),
        ),
        (on_line("L:", "L: 0.5", "L: '${1 / 0}'"), ("m.yaml:5: parameters.L", "division by zero")),
    ],
)
def test_errors_name_the_problem_the_place_the_expectation_and_the_remedy(case, words, tmp_path):
    (tmp_path / "m.yaml").write_text(case[0])
    with pytest.raises(kt.ModelError) as refused:
        kt.load(tmp_path / "m.yaml")
    assert [word for word in words if word not in str(refused.value)] == [], str(refused.value)


@pytest.mark.parametrize(
    "text, words",
    [
        ("a: " + "[" * 100 + "]" * 100, "levels deep"),
        ("a: [" + "0, " * 100 + "]", "more than 50 values"),
        ("x: " + "9" * 5000, "more than 300 characters"),
        ("a" * 200, "200 characters"),
        ("", "is a mapping"),
        ("5", "is a mapping"),
        ("- a", "is a mapping"),
        ("a: &x [1]\nb: *x", "anchors"),
        ("<<: {a: 1}", "no option '<<'"),
    ],
)
def test_files_that_are_too_large_are_refused(text, words, tmp_path, monkeypatch):
    from kinetree.description.files import document

    monkeypatch.setattr(document, "MOST_VALUES", 50)
    if text.startswith("aaa"):
        monkeypatch.setattr(document, "MOST_BYTES", 100)
        words = "bytes"
    (tmp_path / "m.yaml").write_text(text)
    with pytest.raises(kt.ModelError, match=re.escape(words)):
        kt.load(tmp_path / "m.yaml")


def test_binary_data_and_missing_files_are_refused(tmp_path):
    (tmp_path / "m.yaml").write_bytes(b"\xff\xfe\x00a")
    for path in (tmp_path / "m.yaml", tmp_path, tmp_path / "none.yaml", 5, "a\0b"):
        with pytest.raises(kt.ModelError):
            kt.load(path)
