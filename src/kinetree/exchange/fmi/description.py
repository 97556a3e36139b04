"""modelDescription.xml of an FMU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ...release import VERSION
from ..image.image import Image
from .units import base_units

STATE, RATE, INPUT, SLOPE, OUTPUT, PARAMETER = 1, 100001, 200001, 300001, 400001, 500001
_ABOUT = "A multibody model exported by Kinetree"


class Variable:
    """One variable of an FMU, in the words of FMI 2."""

    def __init__(
        self,
        name: str,
        reference: int,
        causality: str,
        variability: str,
        initial: str = "",
        **more: Any,
    ) -> None:
        self.name, self.reference, self.causality = name, reference, causality
        self.variability, self.initial = variability, initial
        self.more = {key: value for key, value in more.items() if value is not None}


def variables_of(image: Image, version: int) -> list[Variable]:
    """All variables, in the order of the file."""
    header = image.header
    y = image.start_state()
    found = [Variable("time", 0, "independent", "continuous", unit="s")]
    states = [f"state.{name}" for name in header["states"]]
    for k, name in enumerate(states):
        nominal = header["nominals"][k]
        more: dict[str, Any] = {"start": float(y[k]), "nominal": nominal if nominal > 0.0 else None}
        found.append(Variable(name, STATE + k, "local", "continuous", "exact", **more))
    for k, name in enumerate(states):
        more = {"derivative": k}
        found.append(
            Variable(f"der({name})", RATE + k, "local", "continuous", "calculated", **more)
        )
    for k, one in enumerate(header["inputs"]):
        more = {"start": one["start"], "unit": one["unit"]}
        found.append(Variable(one["name"], INPUT + k, "input", "continuous", **more))
        if version == 3:
            more = {"start": 0.0, "description": "slope of the input in Co-Simulation"}
            found.append(Variable(f"{one['name']}.slope", SLOPE + k, "input", "continuous", **more))
    for k, one in enumerate(header["outputs"]):
        more = {"unit": one["unit"]}
        found.append(
            Variable(one["name"], OUTPUT + k, "output", "continuous", "calculated", **more)
        )
    for k, one in enumerate(header["parameters"]):
        more = {"start": one["start"], "min": one["low"], "max": one["high"]}
        found.append(Variable(one["name"], PARAMETER + k, "parameter", "tunable", "exact", **more))
    return found


def description(image: Image, identifier: str, token: str, version: int) -> bytes:
    """The text of modelDescription.xml."""
    root, header = Element("fmiModelDescription"), image.header
    variables = variables_of(image, version)
    guid = {2: "guid", 3: "instantiationToken"}[version]
    root.attrib = {
        "fmiVersion": f"{version}.0",
        "modelName": image.name,
        guid: token,
        "description": _ABOUT,
        "generationTool": f"Kinetree {VERSION}",
        "variableNamingConvention": "flat",
    }
    if version == 2:
        root.set("numberOfEventIndicators", "0")
    _interfaces(root, image, identifier, version)
    _units(root, variables)
    log = SubElement(SubElement(root, "LogCategories"), "Category", name="logStatusError")
    log.set("description", "why a function did not succeed")
    SubElement(
        root,
        "DefaultExperiment",
        startTime=_text(header["t0"]),
        stopTime=_text(header["until"]),
        tolerance=_text(header["rtol"]),
    )
    listed = SubElement(root, "ModelVariables")
    for one in variables:
        (_variable2 if version == 2 else _variable3)(listed, one)
    structure = SubElement(root, "ModelStructure")
    (_structure2 if version == 2 else _structure3)(structure, variables)
    indent(root, "")
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="utf-8")


def exchangeable(image: Image) -> bool:
    """Whether another integrator can run the model: not with sampled controllers, and not if inputs
    prescribe positions, whose rates it would not know.
    """
    kinds: Mapping[str, bool] = image.header["kinds"]
    return not (kinds["sampled"] or kinds["input drives"])


def _interfaces(root: Element, image: Image, identifier: str, version: int) -> None:
    spelled = {2: "FMU", 3: "FMU"}[version]
    states = "state" if version == 2 else "State"
    common = {
        "modelIdentifier": identifier,
        f"canGetAndSet{spelled}{states}": "true",
        f"canSerialize{spelled}{states}": "true",
    }
    directional = "providesDirectionalDerivative" + ("s" if version == 3 else "")
    if version == 2:
        common["canNotUseMemoryManagementFunctions"] = "true"
    if exchangeable(image):
        more = {directional: "true"}
        if version == 3:
            more["needsCompletedIntegratorStep"] = "true"
        SubElement(root, "ModelExchange", {**common, **more})
    more = {"canHandleVariableCommunicationStepSize": "true", directional: "true"}
    if version == 2:
        more["canInterpolateInputs"] = "true"
    SubElement(root, "CoSimulation", {**common, **more})


def _units(root: Element, variables: list[Variable]) -> None:
    names = sorted({one.more["unit"] for one in variables if one.more.get("unit")})
    definitions = SubElement(root, "UnitDefinitions")
    for name in names:
        unit, base = SubElement(definitions, "Unit", name=name), base_units(name)
        if base is not None:
            SubElement(unit, "BaseUnit", {key: str(value) for key, value in base.items()})


def _variable2(listed: Element, one: Variable) -> None:
    scalar = SubElement(
        listed,
        "ScalarVariable",
        name=one.name,
        valueReference=str(one.reference),
        causality=one.causality,
        variability=one.variability,
    )
    more = dict(one.more)
    if one.initial:
        scalar.set("initial", one.initial)
    if "description" in more:
        scalar.set("description", more.pop("description"))
    if "derivative" in more:
        more["derivative"] += 2  # the number of the state in the file
    SubElement(scalar, "Real", {key: _text(value) for key, value in more.items()})


def _variable3(listed: Element, one: Variable) -> None:
    more = dict(one.more)
    if "derivative" in more:
        more["derivative"] += STATE
    scalar = SubElement(
        listed,
        "Float64",
        name=one.name,
        valueReference=str(one.reference),
        causality=one.causality,
        variability=one.variability,
    )
    if one.initial:
        scalar.set("initial", one.initial)
    for key, value in more.items():
        scalar.set(key, _text(value))


def _structure2(structure: Element, variables: list[Variable]) -> None:
    number = {one.reference: k for k, one in enumerate(variables, 1)}
    groups = {"Outputs": OUTPUT, "Derivatives": RATE}
    of = {name: _references(variables, first) for name, first in groups.items()}
    of["InitialUnknowns"] = sorted([*of["Outputs"], *of["Derivatives"]], key=number.__getitem__)
    for name, references in of.items():
        group = SubElement(structure, name) if references else None
        for reference in references:
            assert group is not None
            SubElement(group, "Unknown", index=str(number[reference]))


def _structure3(structure: Element, variables: list[Variable]) -> None:
    outputs, rates = _references(variables, OUTPUT), _references(variables, RATE)
    for name, references in (
        ("Output", outputs),
        ("ContinuousStateDerivative", rates),
        ("InitialUnknown", [*outputs, *rates]),
    ):
        for reference in references:
            SubElement(structure, name, valueReference=str(reference))


def _references(variables: list[Variable], first: int) -> list[int]:
    """References of the group of variables that begins at a number."""
    return [one.reference for one in variables if first <= one.reference < first + 100000]


def _text(value: Any) -> str:
    return (
        value
        if isinstance(value, str)
        else repr(float(value))
        if isinstance(value, float)
        else str(value)
    )
