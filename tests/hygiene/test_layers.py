"""Imports follow the dependency order of the packages: a module imports only from packages to the
left of its own.
"""

import ast
import sys
from pathlib import Path

from .sources import MODULES, PACKAGE, name, tree

ORDER = (
    "release synonyms alternatives errors core options kernel elements engine description assembly results simulation "
    "{analysis symbolic viewer fe} studies exchange api __init__ models apps __main__"
)
DESCRIPTION = {
    "description",
    "assembly",
    "results",
    "simulation",
    "analysis",
    "symbolic",
    "viewer",
    "fe",
    "studies",
    "exchange",
}
LATE = {  # methods of models and solutions that call packages to the right, when they are called
    "description/arm.py": {"symbolic"},
    "description/presentation.py": {"analysis", "viewer"},
    "description/lowering/compiled.py": {"assembly"},
    "results/output.py": {"viewer"},
    "results/solution.py": {"simulation"},
}
BY_NAME = {  # modules that import by a name in a string: public names, optional libraries, kernels
    "__init__.py",
    "results/storage/frame.py",
    "apps/building/everything.py",
}


def ranks(order: str) -> dict[str, int]:
    """The position of each package; packages in one pair of braces have the same."""
    found, rank, inside = {}, 0, False
    for word in order.split():
        inside = inside or word.startswith("{")
        found[word.strip("{}")] = rank
        inside = inside and not word.endswith("}")
        rank += not inside
    return found


RANK = ranks(ORDER)


def package(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_packages(path: Path, node: ast.AST) -> list[str]:
    """Packages that an import statement names; `import kinetree` names the root."""
    if isinstance(node, ast.Import):
        return ["__init__" for alias in node.names if alias.name.split(".")[0] == "kinetree"]
    if not isinstance(node, ast.ImportFrom) or not node.level:
        return []
    home = ("kinetree", *path.relative_to(PACKAGE).parts)[: -node.level]
    target = [part for part in (*home[1:], *(node.module or "").split(".")) if part]
    return [target[0]] if target else [alias.name for alias in node.names]


def against_the_order(path: Path, nodes: list[ast.AST]) -> list[tuple[str, str]]:
    own = package(path)
    return [
        (f"{name(path)}:{node.lineno}", other)
        for node in nodes
        for other in imported_packages(path, node)
        if other != own and not RANK.get(other, len(RANK)) < RANK.get(own, -1)
    ]


def only_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def test_modules_import_only_from_packages_before_their_own():
    at_import = {
        path: [node for node in tree(path).body if not only_for_types(node)] for path in MODULES
    }
    assert [
        bad for path, found in at_import.items() for bad in against_the_order(path, found)
    ] == []


def test_imports_inside_functions_follow_the_order_except_those_listed_here():
    def inside(path):
        functions = [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef)]
        return [inner for function in functions for inner in ast.walk(function)]

    found: dict[str, set[str]] = {}
    for path in MODULES:
        for _, other in against_the_order(path, inside(path)):
            found.setdefault(path.relative_to(PACKAGE).as_posix(), set()).add(other)
    assert found == LATE


def test_imports_by_a_name_in_a_string_are_listed_here():
    assert {
        path.relative_to(PACKAGE).as_posix()
        for path in MODULES
        if "import_module" in path.read_text("utf-8")
    } == BY_NAME


def test_the_engine_imports_nothing_of_the_description():
    engine = {"core", "kernel", "elements", "engine"}
    found = [
        (name(path), other)
        for path in MODULES
        if package(path) in engine
        for node in ast.walk(tree(path))
        for other in imported_packages(path, node)
        if other in DESCRIPTION
    ]
    assert found == []


def test_formulations_and_integrators_use_the_interface_of_the_equations_only():
    """Exceptions are algorithms of the tree itself (one formulation, and Newton steps over the
    structure of the tree) and nodal coordinates, which do not come through the interface.
    """
    of_the_tree = {
        "tree",
        "nodal",
        "structural",
        "articulated_joints",
        "articulated_step",
        "body_direct",
        "body_equations",
        "body_rows",
        "direct_differences",
        "element_derivatives",
        "element_matrices",
        "load_derivatives",
        "pattern_lists",
        "structure",
    }
    parts = ("kkt", "formulations", "integrators")
    forbidden = ("engine.dynamics", "elements.")

    def target(path: Path, node: ast.ImportFrom) -> str:
        home = path.relative_to(PACKAGE).parts[: -node.level]
        return ".".join((*home, node.module or ""))

    found = [
        name(path)
        for part in parts
        for path in (PACKAGE / "engine" / part).rglob("*.py")
        if path.stem not in of_the_tree
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and node.level
        if target(path, node).startswith(forbidden)
    ]
    assert found == []


def test_every_package_has_its_place_in_the_order():
    assert {package(path) for path in MODULES} == set(RANK)


def imported(path: Path) -> set[str]:
    """Packages that a file imports from outside."""
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").split(".")[0])
    return found


def test_kernels_need_numpy_alone_and_their_compiler_llvmlite():
    standard = {*sys.stdlib_module_names, "numpy"}
    for part, more in (("algebra", set()), ("compiler", {"llvmlite"}), ("runtime", {"llvmlite"})):
        used = set().union(*(imported(path) for path in (PACKAGE / "kernel" / part).rglob("*.py")))
        assert used <= standard | more


def test_llvm_is_imported_by_two_files_and_numba_by_one():
    """A run from a library that was built ahead then loads neither."""
    found = {
        library: {
            path.relative_to(PACKAGE).as_posix() for path in MODULES if library in imported(path)
        }
        for library in ("llvmlite", "numba")
    }
    assert found == {
        "llvmlite": {"kernel/runtime/llvm.py", "kernel/runtime/on_demand.py"},
        "numba": {"kernel/usercode/by_numba.py"},
    }


def test_no_module_imports_from_the_root_package():
    """`from .. import part` of the root asks for a public name first, which loads the whole package,
    perhaps in a circle.
    """

    def from_the_root(path: Path) -> bool:
        depth = len(path.relative_to(PACKAGE).parts)
        imports = (node for node in ast.walk(tree(path)) if isinstance(node, ast.ImportFrom))
        return any(node.module is None and node.level == depth for node in imports)

    assert [path.name for path in MODULES if from_the_root(path)] == []
