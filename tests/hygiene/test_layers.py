"""Imports point one way: a room may import from the rooms below it, and from nowhere else."""

import ast
import sys
from pathlib import Path

from .sources import MODULES, PACKAGE, name, tree

ENGINE = (  # from the ground up; rooms of one line do not know each other
    {"other_names", "release"},
    {"errors", "annotations", "doors"},
    {"checks"},
    {"regular", "shown", "writing"},
    {"drawn"},
    {"figures"},
    {"options"},
    {"kernel"},
    {"num"},
    {"algebra"},
    {"frames"},
    {"tables"},
    {"usercode"},
    {"progress", "signals"},
    {"joints"},
    {"control", "roads", "tyres"},
    {"constraints", "forces", "flex"},
    {"dynamics"},
    {"plants"},
    {"saddle"},
    {"formulations", "integrators"},
)
DESCRIPTION = ({"model"}, {"files"}, {"topology"}, {"compile"})
MEETING = (
    {"assembly"},
    {"results"},
    {"events"},
    {"running"},
    {"slowness"},
    {"states"},
    {"simulation"},
    {"repeating"},
    {"analysis"},
    {"viewer"},
    {"symbolic"},
    {"reopening"},
    {"api"},
    {"__init__"},
    {"models"},
    {"papers"},
    {"cli"},
    {"building"},
    {"__main__"},
)
BY_NAME = {
    "__init__.py",
    "doors.py",
    "results/frame.py",
    "building/everything.py",
}  # names, rooms above, libraries, sources with kernels
LAYERS = (*ENGINE, *DESCRIPTION, *MEETING)
HEIGHT = {room: k for k, rooms in enumerate(LAYERS) for room in rooms}


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path: Path, node: ast.AST) -> list[str]:
    """Rooms an import statement reaches; `import kinetree` reaches the front door."""
    if isinstance(node, ast.Import):
        return ["__init__" for alias in node.names if alias.name.split(".")[0] == "kinetree"]
    if not isinstance(node, ast.ImportFrom) or not node.level:
        return []
    home = ("kinetree", *path.relative_to(PACKAGE).parts)[: -node.level]
    target = [part for part in (*home[1:], *(node.module or "").split(".")) if part]
    return [target[0]] if target else [alias.name for alias in node.names]


def upward(path: Path, found: list[ast.AST]) -> list[tuple[str, str]]:
    """Imports among the nodes found that do not point down."""
    own = room(path)
    return [
        (f"{name(path)}:{node.lineno}", other)
        for node in found
        for other in imported_rooms(path, node)
        if other != own and not HEIGHT.get(other, len(LAYERS)) < HEIGHT.get(own, -1)
    ]


def only_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def test_modules_import_only_from_rooms_below_their_own():
    at_import = {
        path: [node for node in tree(path).body if not only_for_types(node)] for path in MODULES
    }
    assert [bad for path, found in at_import.items() for bad in upward(path, found)] == []


def test_imports_inside_functions_do_not_evade_the_layers():
    def inside(path):
        functions = [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef)]
        return [inner for function in functions for inner in ast.walk(function)]

    assert [bad for path in MODULES for bad in upward(path, inside(path))] == []


def test_calls_that_go_up_stand_in_one_file():
    """Rooms named in texts would evade the layers as well."""
    assert {
        path.relative_to(PACKAGE).as_posix()
        for path in MODULES
        if "import_module" in path.read_text("utf-8")
    } == BY_NAME


def test_the_engine_knows_nothing_of_the_description():
    engine, description = set().union(*ENGINE), set().union(*DESCRIPTION, *MEETING)
    found = [
        (name(path), other)
        for path in MODULES
        if room(path) in engine
        for node in ast.walk(tree(path))
        for other in imported_rooms(path, node)
        if other in description
    ]
    assert found == []


def test_formulations_and_integrators_know_plants_by_their_contract():
    """But for algorithms of the tree itself (a formulation, steps that are solved over its
    structure), and for node coordinates, which no plant fills.
    """
    rooms, own = (
        {"saddle", "formulations", "integrators"},
        {"tree", "nodes", "structural", "body_equations", "direct_differences", "newton_structure"},
    )
    found = [
        name(path)
        for path in MODULES
        if room(path) in rooms and path.stem not in own
        for node in ast.walk(tree(path))
        for other in imported_rooms(path, node)
        if other in ("dynamics", "joints", "constraints", "forces")
    ]
    assert found == []


def test_every_room_has_its_place():
    assert {room(path) for path in MODULES} == set(HEIGHT)


def imported(path: Path) -> set[str]:
    """Packages that a file imports from outside."""
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").split(".")[0])
    return found


def test_compiled_primitives_stand_on_numpy_alone_and_their_compiler_on_llvmlite():
    standard = {*sys.stdlib_module_names, "numpy"}
    for room_, more in (("num", set()), ("kernel", {"llvmlite"})):
        used = set().union(*(imported(path) for path in (PACKAGE / room_).rglob("*.py")))
        assert used <= standard | more


def test_llvm_is_reached_through_two_files_and_numba_through_one():
    """So that a run from a library that was built ahead loads neither."""
    found = {
        package: {
            path.relative_to(PACKAGE).as_posix() for path in MODULES if package in imported(path)
        }
        for package in ("llvmlite", "numba")
    }
    assert found == {
        "llvmlite": {"kernel/machine.py", "kernel/on_demand.py"},
        "numba": {"usercode/by_numba.py"},
    }


def test_parts_of_the_package_are_imported_by_their_own_names():
    """`from .. import part` asks the package for a public name first, which loads the whole
    package, perhaps in a circle.
    """

    def from_the_package(path: Path) -> bool:
        depth = len(path.relative_to(PACKAGE).parts)
        imports = (node for node in ast.walk(tree(path)) if isinstance(node, ast.ImportFrom))
        return any(node.module is None and node.level == depth for node in imports)

    assert [path.name for path in MODULES if from_the_package(path)] == [
        "api.py"
    ]  # which offers two of them to the user
