"""A model given to others: files, reports, pages and pictures, and how it shows itself."""

from __future__ import annotations

from typing import Any

from ..core.display import parts_table
from ..errors import counted


class Presented:
    """What a model writes and draws of itself."""

    def save(self: Any, path, overwrite: bool = False):
        """Write the model as a file (YAML) that `kt.load` reads; see docs/files.md. Answers its
        path.
        """
        from .files.opening import save

        return save(self, path, overwrite)

    def topology(self: Any, method: str = "auto"):
        """The topology report: tree, cut joints, counts, mobility, redundancy, in words."""
        from ..analysis.topology import topology_report

        return topology_report(self, method)

    def show(self: Any, path=None, opened: bool | None = None):
        """The assembled machine as a page in the browser, or inline in a notebook; answers the
        page, written to `path`.
        """
        from ..viewer.show import show

        return show(self, path, opened)

    def draw(self: Any, path=None, **options):
        """The assembled machine with names, as a matplotlib figure; written where a path is given."""
        from ..viewer.picture import draw

        return draw(self, path, **options)

    def __repr__(self: Any) -> str:
        return (
            f"<model {self.name!r}: {counted(len(self.bodies), 'body', 'bodies')}, "
            f"{counted(len(self.joints), 'joint')}, "
            f"{counted(len(self.constraints), 'constraint')}, {counted(len(self.forces), 'force')}>"
        )

    def _repr_html_(self: Any) -> str:
        """In a notebook: what there is, by kind and name."""
        return parts_table(
            self.name,
            {
                "bodies": self.bodies,
                "joints": self.joints,
                "constraints": self.constraints,
                "forces": self.forces,
                "controllers": self.controllers,
            },
        )
