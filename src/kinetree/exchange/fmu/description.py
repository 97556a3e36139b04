"""What modelDescription.xml of an FMU (FMI 2.0 or 3.0) says: variables, states and kinds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

from ...errors import ModelError, no_such

KINDS = {"model-exchange": "ModelExchange", "co-simulation": "CoSimulation"}


@dataclass
class Variable:
    """A real variable."""

    name: str
    reference: int
    causality: str
    unit: str = "1"
    derivative: str = ""  # what it is the derivative of: an index (FMI 2) or a reference (FMI 3)


@dataclass
class Description:
    """Content of modelDescription.xml."""

    file: str
    version: int
    name: str
    token: str
    identifiers: dict[str, str]  # of the library, by the tag of the kind
    variables: dict[str, Variable] = field(default_factory=dict)
    states: list[str] = field(default_factory=list)
    event_indicators: int = 0

    def references(self, names: Any, what: str) -> list[int]:
        """Value references of variables with this causality; an error suggests the nearest name."""
        known = [v.name for v in self.variables.values() if what in ("", v.causality)]
        for name in names:
            if name not in known:
                raise no_such(what or "variable", name, known, f" in {self.file!r}")
        return [self.variables[name].reference for name in names]


def read_description(text: bytes, file: str) -> Description:
    """Read the XML text of an FMU."""
    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
        raise ModelError(f"{file}: modelDescription.xml must not declare entities.")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ModelError(f"{file}: modelDescription.xml is not valid XML: {error}.") from None
    version = (root.get("fmiVersion") or "?").partition(".")[0]
    if root.tag != "fmiModelDescription" or version not in ("2", "3"):
        raise ModelError(
            f"{file}: FMI {root.get('fmiVersion') or '?'} is not read; expected FMI 2.0 or 3.0."
        )
    kinds = {tag: root.find(tag) for tag in KINDS.values()}
    token = root.get("guid") if version == "2" else root.get("instantiationToken")
    found = Description(
        file,
        int(version),
        root.get("modelName") or file,
        token or "",
        {tag: e.get("modelIdentifier") or "" for tag, e in kinds.items() if e is not None},
        event_indicators=int(root.get("numberOfEventIndicators") or 0),
    )
    (_read_2 if version == "2" else _read_3)(root, found)
    return found


def _read_2(root: ElementTree.Element, found: Description) -> None:
    order: list[Variable | None] = []
    for e in root.iterfind("ModelVariables/ScalarVariable"):
        real = e.find("Real")
        order.append(None)
        if real is not None:
            order[-1] = one = Variable(
                e.get("name") or "",
                int(e.get("valueReference") or 0),
                e.get("causality") or "local",
                real.get("unit") or "1",
                real.get("derivative") or "",
            )
            found.variables[one.name] = one
    for e in root.iterfind("ModelStructure/Derivatives/Unknown"):
        rate = order[int(e.get("index") or 1) - 1]
        state = order[int(rate.derivative) - 1] if rate is not None and rate.derivative else None
        found.states.append(state.name if state is not None else f"state {len(found.states)}")


def _read_3(root: ElementTree.Element, found: Description) -> None:
    by_reference: dict[str, Variable] = {}
    for e in root.iterfind("ModelVariables/Float64"):
        if e.find("Dimension") is not None:
            continue
        reference = e.get("valueReference") or "0"
        one = Variable(
            e.get("name") or "",
            int(reference),
            e.get("causality") or "local",
            e.get("unit") or "1",
            e.get("derivative") or "",
        )
        found.variables[one.name] = by_reference[reference] = one
    for e in root.iterfind("ModelStructure/ContinuousStateDerivative"):
        rate = by_reference.get(e.get("valueReference") or "")
        state = by_reference.get(rate.derivative) if rate is not None else None
        found.states.append(state.name if state is not None else f"state {len(found.states)}")
    found.event_indicators = len(root.findall("ModelStructure/EventIndicator"))
