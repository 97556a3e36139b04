"""Attributes of the package's objects that the code on a page uses, found without running it.

Types follow from calls of the public functions and from the annotations of what they return.
"""

import ast
import dataclasses
import inspect
import re
import sys
import types
import typing
from functools import cached_property

import kinetree as kt

ITEMS = {  # classes of the values of containers
    "Reactions": "Reaction",
    "Events": "EventRecord",
    "Modes": "Mode",
}


class Uses:
    """Reads blocks of code in order; `found` holds pairs (class, attribute)."""

    def __init__(self, classes: dict[str, type]) -> None:
        self.classes = classes
        self.names: dict[str, object] = {"kt": kt}
        self.found: set[tuple[type, str]] = set()

    def read(self, code: str) -> None:
        for statement in ast.parse(code).body:
            self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith(
            "kinetree"
        ):
            module = __import__(statement.module, fromlist=["_"])
            for one in statement.names:
                self.names[one.asname or one.name] = getattr(module, one.name)
        for node in ast.walk(statement):
            if isinstance(node, ast.Attribute):
                owner = self.type_of(node.value)
                if isinstance(owner, type) and owner.__module__.startswith("kinetree"):
                    self.found.add((owner, node.attr))
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            self.names[statement.targets[0].id] = Made(self.type_of(statement.value))

    def type_of(self, node: ast.expr):
        """The class of the value of an expression, "items of CLASS", or None."""
        if isinstance(node, ast.Name):
            known = self.names.get(node.id)
            return known.type if isinstance(known, Made) else None
        if isinstance(node, ast.Call):
            return self._made_by(self._function(node.func))
        if isinstance(node, ast.Attribute):
            return self._attribute(self.type_of(node.value), node.attr)
        if isinstance(node, ast.Subscript):
            owner = self.type_of(node.value)
            if isinstance(owner, str):
                return self.classes.get(owner)
            return self.classes.get(ITEMS.get(getattr(owner, "__name__", ""), ""))
        return None

    def _function(self, node: ast.expr):
        """The function or class that an expression names, or None."""
        if isinstance(node, ast.Name):
            known = self.names.get(node.id)
            return None if isinstance(known, Made) else known
        if isinstance(node, ast.Attribute):
            owner = self._function(node.value)
            if isinstance(owner, types.ModuleType | type):
                return getattr(owner, node.attr, None)
            made = self.type_of(node.value)
            return getattr(made, node.attr, None) if isinstance(made, type) else None
        return None

    def _made_by(self, function):
        if isinstance(function, type):
            return function
        if function is None or not callable(function):
            return None
        note = inspect.get_annotations(inspect.unwrap(function)).get("return", "")
        return self._noted(note, sys.modules.get(function.__module__))

    def _attribute(self, owner, name: str):
        if not isinstance(owner, type):
            return None
        member = inspect.getattr_static(owner, name, None)
        if isinstance(member, property | cached_property):
            function = member.fget if isinstance(member, property) else member.func
            return self._made_by(function)
        if dataclasses.is_dataclass(owner):
            notes = {f.name: f.type for f in dataclasses.fields(owner)}
            return self._noted(notes.get(name, ""), sys.modules[owner.__module__])
        return None

    def _noted(self, note, module):
        """The class that an annotation names."""
        if isinstance(note, type):
            return note
        text = str(note).removesuffix(" | None")
        if inside := re.search(r"(?:dict\[str, |tuple\[|list\[|Mapping\[str, )(\w+)", text):
            return inside[1] if inside[1] in self.classes else None
        found = getattr(module, text, None) or self.classes.get(text)
        return found if isinstance(found, type) else None


class Made(typing.NamedTuple):
    """A variable of the page with the class of its value."""

    type: object
