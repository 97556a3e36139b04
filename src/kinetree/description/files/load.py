"""Load models from files, with the assemblies that they name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ...errors import ModelError
from ..model import Model
from .build import Builder
from .document import Mapping as Tree
from .document import parse
from .moving import Moving, moving
from .places import explained, where
from .python_code import PythonCode
from .schema import model_file
from .sources import Sources, check_given, given_values

DEEPEST = 10  # assemblies within assemblies
MAIN_ONLY = ("arm", "surroundings", "weights")
NAMED = ("bodies", "joints", "constraints", "controllers", "forces", "contacts")


def load_text(text: str, path: Path, parameters: Mapping[str, Any], allow_python: bool) -> Model:
    """Build a model from the text of a file at a path."""
    sources, given = Sources(path.parent), given_values(parameters)
    tree = sources.with_includes(parse(text, sources.shown(path), sources.count), path, given)
    check_given(given, tree, sources.shown(path))
    return Loading(sources, PythonCode(path.parent, allow_python)).model(tree, path)


class Loading:
    """Build the model of a file and of the assemblies in it."""

    def __init__(self, sources: Sources, code: PythonCode) -> None:
        self.sources, self.code = sources, code

    def model(self, tree: Tree, path: Path) -> Model:
        contents = checked(tree)
        name = contents.model or path.stem
        try:
            model = Model(
                name, **({} if contents.gravity is None else {"gravity": contents.gravity})
            )
        except ModelError as error:
            raise ModelError(f"{where(tree, ('model',))}: {error}") from None
        if contents.arm is not None:
            model = self._builder(model, tree, path).arm(contents.arm, name)
        self._add(self._builder(model, tree, path), contents, path, 0)
        return model

    def _builder(
        self,
        model: Model,
        tree: Tree,
        path: Path,
        moved: Moving | None = None,
        ground: str | None = None,
    ) -> Builder:
        return Builder(
            model, tree, self.code, lambda name: self.sources.data(name, path), moved, ground
        )

    def _add(self, builder: Builder, contents: Any, path: Path, depth: int) -> set[str]:
        """Add bodies, then the assemblies attached to them, then everything that connects them;
        return the names of the assemblies' parts.
        """
        builder.bodies(contents)
        names = set[str]()
        for name, one in contents.assemblies.items():
            names |= self._assembly(builder, name, one, path, depth + 1)
        if builder.moving:
            builder.moving.names = {*builder.moving.names, *names}
        builder.rest(contents)
        return names

    def _assembly(self, outer: Builder, name: str, one: Any, path: Path, depth: int) -> set[str]:
        """Add one assembly; return the names of its parts as used in the including file."""

        def located(key: str, error: ModelError) -> ModelError:
            return ModelError(
                f"{where(outer.tree, ('assemblies', name, key))}: {str(error).rstrip('.')}."
            )

        if depth > DEEPEST:
            raise located(
                "file", ModelError(f"assemblies are nested more than {DEEPEST} levels deep")
            )
        try:
            file = self.sources.beside(one.file, path)
        except ModelError as error:
            raise located("file", error) from None
        try:
            given = given_values(one.parameters)
        except ModelError as error:
            raise located("parameters", error) from None
        tree = self.sources.tree(file, given)
        try:
            check_given(given, tree, one.file)
        except ModelError as error:
            raise located("parameters", error) from None
        contents = checked(tree)
        for key in MAIN_ONLY:
            if getattr(contents, key):
                raise ModelError(
                    f"{where(tree, (key,))}: this belongs into the main file, not into that of an "
                    "assembly."
                )
        own = {part for section in NAMED for part in getattr(contents, section)}
        prefix = f"{name} " if one.prefix is None else one.prefix
        try:
            moved = moving(prefix, own, one.mirror, one.position, one.rotation, outer.moving)
        except ModelError as error:
            raise located("rotation", error) from None
        ground = (
            one.ground
            if outer.moving is None or one.ground is None
            else outer.moving.name(one.ground)
        )
        if ground is not None and ground not in outer.model.bodies:
            raise located(
                "ground", ModelError(f"there is no body {one.ground!r} before this assembly")
            )
        inner = self._add(
            self._builder(outer.model, tree, file, moved, ground), contents, file, depth
        )
        return {f"{prefix}{part}" for part in own | inner}


def checked(tree: Tree) -> Any:
    """Check a tree against the declaration."""
    try:
        return model_file().model_validate(tree)
    except ValidationError as error:
        raise explained(error, tree) from None
