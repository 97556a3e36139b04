"""The theory pages: printed numbers are those of Kinetree, formulas are typeset, sources exist."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

import kinetree as kt
from kinetree.elements.constraints.catalogue import CONSTRAINTS
from kinetree.elements.forces.catalogue import FORCES
from kinetree.elements.joints.catalogue import JOINTS
from kinetree.models.four_bar import four_bar
from kinetree.models.pendulum import pendulum

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))

from workshop.run import FENCE, blocks_of  # noqa: E402

THEORY = ROOT / "docs" / "theory"
SECTIONS = sorted(THEORY.glob("[1-9]-*.md"))
PAGES = [THEORY / "index.md", *SECTIONS, THEORY / "papers.md"]
TYPESET = [*PAGES, ROOT / "docs" / "notation.md", ROOT / "docs" / "inside" / "methods.md"]
NUMBER = r"-?\d+\.\d+"
PLAIN_WORDS = 3500  # thirty minutes at 120 words a minute, with time for equations and figures


def text_of(name):
    return (THEORY / f"{name}.md").read_text(encoding="utf-8")


def row(text, label):
    """Numbers of the table row that starts with `label`, as printed."""
    line = re.search(rf"^\| {re.escape(label)} \|(.*)\|$", text, re.MULTILINE)
    assert line, f"no row {label!r}"
    return re.findall(NUMBER, re.sub(r"\$[^$]*\$", "", line[1]))


def prose(text, pattern):
    """Numbers printed where `pattern` stands; each # in it is one number."""
    found = re.search(re.escape(pattern).replace(r"\#", f"({NUMBER})"), text)
    assert found, f"{pattern!r} is not on the page"
    return found.groups()


def assert_printed(shown, computed):
    """Each printed number is the computed one, rounded to the digits printed."""
    computed = np.atleast_1d(computed)
    assert len(shown) == len(computed)
    for digits, value in zip(shown, computed):
        places = len(digits.partition(".")[2])
        assert digits.lstrip("-") == f"{abs(value):.{places}f}", (digits, value)
        assert float(digits) == 0.0 or (float(digits) > 0.0) == (value > 0.0), (digits, value)


@pytest.fixture(scope="module")
def four_bar_equations():
    return kt.equations(four_bar())


def test_numbers_of_the_pendulum_are_those_of_kinetree():
    text, model = text_of("3-pendulum"), pendulum(length=1.0, mass=1.0, angle=0.2)
    eq = kt.equations(model)
    force = kt.simulate(model, until=0.1)["hinge.force"][0]
    for label, value in {
        "$M$": eq.M[0, 0],
        "$f$": eq.f[0],
        r"$\dot v$": eq.vdot[0],
        "$F_x$": force[0],
        "$F_z$": force[2],
    }.items():
        assert_printed(row(text, label), value)
    assert_printed(prose(text, r"2 \pi / \omega = #$"), 2 * np.pi / np.sqrt(1.5 * 9.81))


def test_the_center_of_the_pendulum_moves_as_printed():
    text = text_of("2-joint")
    sol = kt.simulate(pendulum(angle=0.2), until=0.1)
    column = kt.equations(pendulum(angle=0.2)).jacobian("rod")[:, 0]
    assert_printed(prose(text, "$r = (#, 0, #)$"), sol["rod.position"][0][[0, 2]])
    assert_printed(prose(text, r"$e \times r = (#, 0, #)$"), column[[3, 5]])


def test_numbers_of_the_four_bar_are_those_of_kinetree(four_bar_equations):
    text, eq = text_of("5-four-bar"), four_bar_equations
    assert eq.freedoms == ("A.angle", "D.angle", "B.angle")
    for k, label in enumerate("ADB"):
        assert_printed(row(text, f"$M$, row {label}"), eq.M[k])
    assert_printed(row(text, "$f$"), eq.f)
    assert_printed(row(text, "$G$, row x"), eq.G[0])
    assert_printed(row(text, "$G$, row z"), eq.G[2])
    assert_printed(row(text, r"$\dot v$"), eq.vdot)
    assert_printed(prose(text, "$q_A = #$, $q_D = #$, $q_B = #$"), eq.q)
    assert_printed(prose(text, r"$\lambda = (#, #)$"), eq.lam[[0, 2]])


def test_three_rows_of_the_four_bar_are_zero(four_bar_equations):
    """The page takes x and z as the two independent rows."""
    assert np.abs(four_bar_equations.G[[1, 3, 4]]).max() < 1e-12
    assert np.linalg.matrix_rank(four_bar_equations.G, tol=1e-9) == 2


def test_the_force_in_the_pin_is_minus_lambda_on_the_child(four_bar_equations):
    force = kt.simulate(four_bar(), until=0.1)["C.force"][0]
    assert np.allclose(force[[0, 2]], -four_bar_equations.lam[[0, 2]], rtol=1e-9)


def test_the_reduced_equation_of_the_four_bar_is_that_of_its_null_space(four_bar_equations):
    text, eq = text_of("7-formulations"), four_bar_equations
    N = np.linalg.svd(eq.G)[2][2]  # not P_T, which the page uses
    N = N / N[0]
    inertia, torque = N @ eq.M @ N, N @ eq.f
    assert_printed(row(text, "$N$"), N)
    assert_printed(prose(text, "$N^T M N = #$"), inertia)
    assert_printed(prose(text, "$N^T f = #$"), torque)
    assert_printed(prose(text, "$# / # = #$"), [torque, inertia, torque / inertia])


def test_the_supports_carry_what_the_page_says():
    text = text_of("9-results")
    sol = kt.simulate(four_bar(), until=0.1)
    total = (sol["A.force"] + sol["D.force"])[0, 2]
    assert_printed(prose(text, "carry # N"), total)
    assert_printed(prose(text, "weight of # N"), 9.81 * 2.25)


@pytest.mark.parametrize("page", TYPESET, ids=lambda p: p.name)
def test_no_formula_is_in_a_code_block(page):
    text = page.read_text(encoding="utf-8")
    blocks = blocks_of(text)
    assert {b.language for b in blocks} <= {"python", "text", "console"}
    for before, block in zip([None, *blocks], blocks):
        if block.language == "text":  # only what a program printed
            assert block.follows and before is not None and before.language == "python"
    outside = FENCE.sub("", text)
    assert re.findall(r"(?:^|\n)\n(?:    |\t)\S.*", outside) == []


@pytest.mark.parametrize("page", [*SECTIONS, THEORY / "papers.md"], ids=lambda p: p.name)
def test_every_page_has_a_figure_and_a_typeset_equation(page):
    from workshop import figures

    text = page.read_text(encoding="utf-8")
    shown = re.findall(r"!\[[^\]]+\]\(\.\./_generated/figures/([\w-]+)\.svg\)", text)
    assert shown and set(shown) <= set(figures.figures())
    assert len(re.findall(r"^\$\$$", text, re.MULTILINE)) % 2 == 0
    assert re.search(r"^\$\$\n.+?\n\$\$$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", TYPESET, ids=lambda p: p.name)
def test_every_cited_source_is_in_the_bibliography(page):
    bibliography = (ROOT / "src" / "kinetree" / "references.bib").read_text(encoding="utf-8")
    known = set(re.findall(r"^@\w+\{(\w+),", bibliography, re.MULTILINE))
    outside = re.sub(
        r"\$\$.*?\$\$", "", FENCE.sub("", page.read_text(encoding="utf-8")), flags=re.S
    )
    cited = [
        key
        for group in re.findall(r"(?<!!)\[([^\]\n]+)\](?!\()", outside)
        for key in re.findall(r"\b[A-Z][A-Za-z]+\d{4}\b|\bLeeJoo\b", group)
    ]
    assert cited or page.name not in {"index.md", "papers.md", "7-formulations.md"}
    assert [key for key in cited if key not in known] == []


def test_nine_pages_can_be_read_in_half_an_hour():
    words = 0
    for page in SECTIONS:
        text = FENCE.sub("", page.read_text(encoding="utf-8"))
        text = re.sub(r"\$\$.*?\$\$|!\[.*?\]\(.*?\)|^\|[^\n]*$", "", text, flags=re.S | re.M)
        words += len(re.sub(r"\]\([^)]*\)", "]", text).split())
    assert len(SECTIONS) == 9
    assert words <= PLAIN_WORDS


def test_minutes_of_the_sections_add_up_to_thirty():
    minutes = re.findall(r"^\| \[\d\. [^|]*\| (\d+) \|", text_of("index"), re.MULTILINE)
    assert len(minutes) == 9 and sum(map(int, minutes)) == 30


def test_the_notation_lists_every_joint_force_and_constraint():
    text = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
    first = re.findall(r"^\| ([a-z][a-z, -]*) \|", text, re.MULTILINE)
    listed = {name for cell in first for name in cell.split(", ")}
    elements = [e.joint for e in JOINTS] + [e.force for e in FORCES] + list(CONSTRAINTS)
    assert [e.kind for e in elements if e.kind not in listed] == []


@pytest.mark.parametrize("entry", JOINTS, ids=lambda e: e.joint.kind)
def test_the_notation_has_the_coordinates_of_every_joint(entry):
    text = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z][a-z, -]*) \| ([^|]*) \| [^|]* \|$", text, re.MULTILINE)
    shown = [cell for names, cell in rows if entry.joint.kind in names.split(", ")]
    assert shown[0] == (", ".join(entry.joint.labels) or "none")
