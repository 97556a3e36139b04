"""An item: one figure, table or drawing of a paper, what the paper says it shows, and the verdict
on ours.

The verdict of an item is the one written down with it as long as all claims about the item hold; a
claim that fails turns it into "not reproduced". A claim belongs to the items that its text begins
with: "Fig. 5: ...", "Figs. 9 to 13: ...", "Table 4: ...".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .claim import Claim

REPRODUCED = "reproduced"
CORRECTED = "reproduced after a correction"
FAILED = "not reproduced"
UNDECIDED = "cannot be decided from the paper"
VERDICTS = (REPRODUCED, CORRECTED, FAILED, UNDECIDED)
KINDS = ("figure", "table", "drawing")

_LABEL = re.compile(r"(Fig|Table)s?\.? (\d+(?:(?:, | and | to )\d+)*)")


class Table(NamedTuple):
    """A table: names of its columns, and rows of plain values."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Item:
    """One figure, table or drawing of a paper."""

    paper: str  # its key in the list of references
    item: str  # as the paper numbers it: "Fig. 6", "Table 4"
    kind: str  # figure, table or drawing
    system: str  # the example of the catalogue whose claims it rests on
    caption: str  # what is shown, with the data
    says: str  # what the paper says it shows
    verdict: str  # as long as its claims hold
    reason: str  # one sentence
    draw: Callable[[Any], Any] | None = None  # writes a picture to a path
    tabulate: Callable[[], Table] | None = None

    def __post_init__(self) -> None:
        if (
            self.verdict not in VERDICTS
            or self.kind not in KINDS
            or (self.draw is None and self.tabulate is None)
        ):
            raise ValueError(
                f"{self.paper} {self.item}: a verdict, a kind, and a picture or a table are needed"
            )

    @property
    def name(self) -> str:
        """The name of its files and links: fig-06, table-04."""
        word, numbers = ("table" if self.kind == "table" else "fig"), re.findall(r"\d+", self.item)
        return "-".join([word, *(f"{int(n):02d}" for n in numbers)])


class Judged(NamedTuple):
    """An item with the claims about it."""

    item: Item
    claims: list[Claim]
    verdict: str
    reason: str

    def to_dict(self) -> dict[str, str]:
        """Return paper, item, verdict and reason as a dict for JSON."""
        return {
            "paper": self.item.paper,
            "item": self.item.item,
            "verdict": self.verdict,
            "reason": self.reason,
        }


def labels(text: str) -> set[str]:
    """Return the items that a text begins with: {"Fig. 9", "Fig. 10"} of "Figs. 9, 10: ..."."""
    found = _LABEL.match(text)
    if not found:
        return set()
    first, last = "Fig." if found[1] == "Fig" else "Table", re.findall(r"\d+", found[2])
    if " to " in found[2]:
        last = [str(n) for n in range(int(last[0]), int(last[-1]) + 1)]
    return {f"{first} {n}" for n in last}


def judged(item: Item, claims: Sequence[Claim]) -> Judged:
    """Return the item with the claims about it and its verdict."""
    own = [claim for claim in claims if labels(claim.claim) & labels(item.item)]
    broken = [claim.claim for claim in own if not claim.holds]
    if broken:
        return Judged(item, own, FAILED, f"This claim does not hold: {broken[0]}.")
    return Judged(item, own, item.verdict, item.reason)
