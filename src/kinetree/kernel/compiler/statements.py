"""Statements: one method for each kind of node, named after it."""

from __future__ import annotations

import ast

from .assignments import Assignments
from .text import NONE
from .values import Value


class Statements(Assignments):
    def body(self, statements: list[ast.stmt]) -> None:
        for node in statements:
            if self.ended:
                return
            method = getattr(self, "stmt_" + type(node).__name__, None)
            if method is None:
                raise self.error(
                    node,
                    f"{_NAMES.get(type(node), type(node).__name__)} is not in the kernel language",
                )
            method(node)

    def stmt_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # docstrings
            self.result_of(node.value)

    def stmt_Pass(self, node: ast.Pass) -> None:
        pass

    def stmt_Return(self, node: ast.Return) -> None:
        nothing = node.value is None or (
            isinstance(node.value, ast.Constant) and node.value.value is None
        )
        self.return_value(NONE if nothing else self.result_of(node.value), node)  # type: ignore[arg-type]

    def return_value(self, value: Value, node: ast.AST) -> None:
        """Return a value from the function."""
        raise NotImplementedError

    def stmt_Raise(self, node: ast.Raise) -> None:
        if not self.checked:
            raise self.error(
                node, "kernels raise nothing; return a status that Python turns into an error"
            )
        self.fail()

    def stmt_Assert(self, node: ast.Assert) -> None:
        if not self.checked:
            raise self.error(node, "kernels raise nothing, so they assert nothing; return a status")
        yes, no = self.label(), self.label()
        self.test(node.test, yes, no)
        self.at(no)
        self.fail()
        self.at(yes)

    def stmt_If(self, node: ast.If) -> None:
        call = isinstance(node.test, ast.Call)
        found = self.truth(self.value(node.test), node.test) if call else ""
        if found in ("true", "false"):  # known while compiling: `if carries_derivatives()`
            self.body(node.body if found == "true" else node.orelse)
            return
        yes, no, end = self.label(), self.label(), self.label()
        if call:
            self.branch(found, yes, no)
        else:
            self.test(node.test, yes, no)
        before, met = self.now, []
        for label, statements in ((yes, node.body), (no, node.orelse)):
            self.at(label)
            self.now = dict(before)
            self.body(statements)
            if not self.ended:
                met.append(self.now)
            self.jump(end)
        if met:
            self.at(end)
            self.now = self.merge(met)


_NAMES = {
    ast.Try: "try",
    ast.TryStar: "try",
    ast.With: "with",
    ast.FunctionDef: "a function inside a function",
    ast.ClassDef: "a class",
    ast.Delete: "del",
    ast.Global: "global",
    ast.Nonlocal: "nonlocal",
    ast.Import: "an import",
    ast.ImportFrom: "an import",
    ast.Match: "match",
    ast.AsyncFor: "async",
    ast.AsyncWith: "async",
    ast.AsyncFunctionDef: "async",
}
