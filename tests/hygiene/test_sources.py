"""Rules of the house that a reader of the sources can check; each test answers with the places that
break one.
"""

import ast
import re

from .sources import MODULES, PACKAGE, TEXTS, name, tree

KEY = re.compile(r"\b([A-Z][a-z]+(?:19|20)[0-9]{2}|LeeJoo)\b")  # the one paper without a year
BRACKETS = re.compile(r"\[([^\]\[]*)\]")
KNOWN = set(
    re.findall(
        r"^@\w+\{(\w+),", (PACKAGE / "references.bib").read_text(encoding="utf-8"), re.MULTILINE
    )
)
PLACES = (
    "/" + "tmp/",
    "/" + "work/",
    "/" + "home/",
    "/" + "root/",
    "../" + "shared",
    "C:" + "\\Users",
)


def nodes(kind):
    """(place, node) of every node of a kind in the package."""
    return [
        (f"{name(path)}:{node.lineno}", node)
        for path in MODULES
        for node in ast.walk(tree(path))
        if isinstance(node, kind)
    ]


def test_citation_keys_are_in_the_bibliography():
    cited = {
        (name(path), key)
        for path in TEXTS
        for text in BRACKETS.findall(path.read_text(encoding="utf-8"))
        for key in KEY.findall(text)
    }
    assert cited, "the pattern finds nothing"
    assert sorted((where, key) for where, key in cited if key not in KNOWN) == []


def test_sources_named_in_the_catalogues_are_in_the_bibliography():
    from kinetree.apps.papers.catalogue import PAPERS
    from kinetree.engine.formulations.catalogue import FORMULATIONS
    from kinetree.engine.integrators.catalogue import INTEGRATORS

    texts = (
        [f.source for f in FORMULATIONS]
        + [i.reference for i in INTEGRATORS]
        + [p.source for p in PAPERS]
    )
    assert [
        text for text in texts if not KEY.findall(text) or not set(KEY.findall(text)) <= KNOWN
    ] == []


def test_no_file_mentions_a_place_on_somebodys_machine():
    texts = {name(path): path.read_text(encoding="utf-8") for path in TEXTS}
    assert [
        (where, place) for where, text in texts.items() for place in PLACES if place in text
    ] == []


def test_every_module_says_what_it_is():
    assert [
        name(path) for path in MODULES if tree(path).body and not ast.get_docstring(tree(path))
    ] == []


def test_no_exception_is_built_but_not_raised():
    called = [
        (place, ast.unparse(node.value.func).rpartition(".")[2])
        for place, node in nodes(ast.Expr)
        if isinstance(node.value, ast.Call)
    ]
    assert [
        (place, what)
        for place, what in called
        if what.endswith(("Error", "NotFound")) or what == "no_such"
    ] == []


def test_nothing_is_caught_and_passed_over():
    caught = nodes(ast.ExceptHandler)
    assert [
        place for place, node in caught if node.type is None or isinstance(node.body[0], ast.Pass)
    ] == []


def test_only_the_file_of_a_joint_knows_its_kind():
    """Whoever else names a kind knows something of a joint that its own file should say."""
    from kinetree.elements.joints.catalogue import KIND

    at_home = ("elements/joints", "models", "apps/papers", "symbolic")  # the others are users
    words = {
        ("description/topology/report.py", "planar"),
        ("options.py", "planar"),
        ("engine/heaps/records.py", "free"),  # velocities without contacts
        ("apps/cli/listing.py", "fixed"),  # loops, runs, steps
        ("description/files/opening.py", "fixed"),
        # values of all cases
        *((f"studies/{part}.py", "fixed") for part in ("files", "study", "design/evaluator")),
        *(
            (f"description/files/robots/{part}.py", kind)
            for part in (
                "build",
                "joints",
                "mjcf",
                "mjcf_elements",
                "sdf",
                "tree",
                "urdf",
                "write_urdf",
            )
            for kind in (
                "revolute",
                "fixed",
                "planar",
                "screw",
                "universal",
                "translational",
                "free",
            )
        ),
        *(("description/arm.py", kind) for kind in ("revolute", "translational", "fixed")),
    }  # what a planar arm may have; the words of robot files
    found = {
        (path.relative_to(PACKAGE).as_posix(), node.value, node.lineno)
        for path in MODULES
        if not path.relative_to(PACKAGE).as_posix().startswith(at_home)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and node.value in KIND
    }
    assert (
        sorted((where, kind, line) for where, kind, line in found if (where, kind) not in words)
        == []
    )


def test_other_packages_take_joints_from_their_catalogue():
    shared = {"catalogue", "contract", "sensors"}
    users = (
        "elements/joints",
        "models",
        "apps/papers",
        "symbolic",
        "api.py",
        "description/files/robots",
    )
    # they build models
    taken = [
        (name(path), node.module)
        for path in MODULES
        if not path.relative_to(PACKAGE).as_posix().startswith(users)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom)
        and node.module
        and node.level
        and "joints" in node.module.split(".")
        and node.module.split(".")[-1] not in shared
    ]
    assert taken == []
