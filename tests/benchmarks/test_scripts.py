"""Benchmarks start: every script can be imported where its peers are installed, and vehicles are
built for the other program.
"""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
SCRIPTS = sorted(p.stem for p in FOLDER.glob("*.py"))


@pytest.fixture
def script(monkeypatch):
    """Imports a script of the folder, and forgets it and its helpers afterwards."""
    monkeypatch.syspath_prepend(str(FOLDER))
    before = set(sys.modules)

    def load(name: str):
        try:
            spec = spec_from_file_location(
                f"benchmark_{name}", FOLDER / f"{name}.py"
            )  # folders of tests have the same names
            module = module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
        except ModuleNotFoundError as missing:
            if (missing.name or "").split(".")[0] in {
                "exudyn",
                "mujoco",
                "pinocchio",
                "opensim",
                "numba",
            }:
                pytest.skip(f"{missing.name} is not installed")
            raise

    yield load
    for name in {m.split(".")[0] for m in set(sys.modules) - before} & {*SCRIPTS, "peers"}:
        for loaded in [m for m in sys.modules if m == name or m.startswith(f"{name}.")]:
            sys.modules.pop(loaded)


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_can_be_imported(script, name):
    assert script(name).__doc__


@pytest.mark.parametrize("name", ["tracked-vehicle", "lane-change"])
def test_the_vehicles_are_built_for_the_other_program(script, name):
    model, vehicle = script("vehicles").built(name)
    assert set(vehicle.number) == {"ground", *model.bodies}


def test_the_rack_of_the_other_program_moves_as_ours(script):
    import numpy as np

    from kinetree.elements.roads.road import values
    from kinetree.models.car import SMOOTH

    t = np.linspace(0.0, 12.0, 49)
    there = np.array([script("vehicles").swing(SMOOTH, x) for x in t])
    np.testing.assert_allclose(there, np.column_stack(values(SMOOTH, t)), atol=1e-12)
