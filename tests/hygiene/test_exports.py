"""What `import kinetree` offers exists and is documented."""

import inspect

import pytest

import kinetree as kt


def test_public_names_exist_and_are_documented():
    texts = {name: inspect.getdoc(getattr(kt, name)) or "" for name in kt.__all__}
    assert [name for name, text in texts.items() if not text or text.startswith(f"{name}(")] == []


def test_public_names_are_sorted_and_unique():
    assert list(kt.__all__) == sorted(set(kt.__all__))


def test_public_names_stay_few_enough_to_know():
    assert len(kt.__all__) <= 105


@pytest.mark.parametrize("room, catalogue", [("joints", "JOINTS"), ("forces", "FORCES"), ("signals", "SIGNALS")])
def test_every_class_of_a_catalogue_is_public(room, catalogue):
    module = __import__(f"kinetree.{room}.catalogue", fromlist=[catalogue])
    for entry in getattr(module, catalogue):
        assert getattr(kt, entry[0].__name__) is entry[0]


def test_what_reads_files_is_loaded_when_a_file_is_read():
    import subprocess
    import sys

    slow = ("pydantic", "ruamel", "h5py", "h5netcdf", "xarray", "pandas")
    code = f"import sys, kinetree as kt; kt.load, kt.open_solution, kt.Model; print([m for m in {slow} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
