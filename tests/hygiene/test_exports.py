"""What `import kinetree` offers exists and is documented."""

import inspect

import pytest

import kinetree as kt
import kinetree.api


def test_public_names_exist_and_are_documented():
    texts = {name: inspect.getdoc(getattr(kt, name)) or "" for name in kt.__all__}
    assert [name for name, text in texts.items() if not text or text.startswith(f"{name}(")] == []


def test_public_names_are_sorted_and_unique():
    assert list(kt.__all__) == sorted(set(kt.__all__))


def test_public_names_stay_few_enough_to_know():
    assert len(kt.__all__) - len(kinetree.api.RESULTS) <= 135


@pytest.mark.parametrize(
    "room, catalogue", [("joints", "JOINTS"), ("forces", "FORCES"), ("signals", "SIGNALS")]
)
def test_every_class_of_a_catalogue_is_public(room, catalogue):
    module = __import__(f"kinetree.elements.{room}.catalogue", fromlist=[catalogue])
    for entry in getattr(module, catalogue):
        assert getattr(kt, entry[0].__name__) is entry[0]


def loaded(code, slow):
    """Those of the slow packages that a fresh process has loaded after some code."""
    import subprocess
    import sys

    code += f"\nimport sys; print([m for m in {slow} if m in sys.modules])"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_what_reads_files_is_loaded_when_a_file_is_read():
    slow = ("pydantic", "ruamel", "h5py", "h5netcdf", "xarray", "pandas")
    assert loaded("import kinetree as kt; kt.load, kt.open_solution, kt.Model", slow) == "[]"


def test_a_run_does_not_load_what_it_does_not_use():
    slow = (
        "scipy.linalg",
        "scipy.integrate",
        "scipy.interpolate",
        "scipy.optimize",
        "sympy",
        "matplotlib",
        "rich",
        "typer",
        "pydantic",
        "h5py",
        "numba",
    )
    run = "import kinetree as kt\nfrom kinetree.models.catalogue import model_entry\n"
    run += "kt.simulate(model_entry('rssr').build(), 0.1)"
    assert loaded(run, slow) == "[]"
