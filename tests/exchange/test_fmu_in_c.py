"""FMUs in a program without Python: the host is C, compiled and run here."""

import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import numpy as np
import pytest

import kinetree as kt
from kinetree.models.excavator import excavator
from kinetree.models.four_bar import four_bar

CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
pytestmark = pytest.mark.skipif(
    CC is None or sys.platform != "linux", reason="there is no C compiler, or this is not Linux"
)
SOURCE = Path(__file__).parent / "fmu_host.c"


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    program = tmp_path_factory.mktemp("host") / "host"
    flags = ["-std=c99", "-O1", "-Wall", "-Werror", "-D_DEFAULT_SOURCE"]
    subprocess.run([CC, *flags, "-o", program, SOURCE, "-ldl"], check=True)
    return program


def outputs_of(host, fmu, names, stop, steps, pushed="", slope=0.0):
    """Rows of time and outputs, at the communication points."""
    with ZipFile(fmu) as archive:
        about = ElementTree.fromstring(archive.read("modelDescription.xml"))
        library = next(one for one in archive.namelist() if one.endswith(".so"))
        archive.extract(library, fmu.parent)
    of = {
        e.get("name"): e.get("valueReference")
        for e in about.find("ModelVariables")
        if e.get("causality") in ("input", "output")
    }
    version, token = ("2", about.get("guid")) if about.get("guid") else ("3", None)
    given = [version, fmu.parent / library, token or about.get("instantiationToken"), stop, steps]
    given += [of.get(pushed, 0), slope, *(of[name] for name in names)]
    done = subprocess.run(
        [host, *map(str, given)], check=True, capture_output=True, text=True, env={}
    )
    assert done.stderr == ""
    return np.loadtxt(done.stdout.splitlines(), delimiter=",")


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize(
    ("make", "outputs", "columns"),
    [
        (four_bar, ["A.angle", "rocker.position"], ["A.angle", "rocker.position.z"]),
        (excavator, ["bucket.position"], ["bucket.position.x", "bucket.position.z"]),
    ],
)
def test_a_program_in_c_gets_the_samples_of_simulate(
    host, tmp_path, version, make, outputs, columns
):
    """The integrator takes the same steps; outputs differ by rounding, in another order of sums."""
    fmu = kt.export_fmu(make(), tmp_path / "x.fmu", outputs=outputs, version=version, until=1.0)
    rows = outputs_of(host, fmu, columns, 1.0, 20)
    sol = kt.simulate(make(), 1.0, output_interval=0.05)
    expected = np.column_stack([sol.t, *(sol[name] for name in columns)])
    np.testing.assert_allclose(rows, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("version", [2, 3])
def test_ramps_of_a_program_in_c_are_exact(host, tmp_path, version):
    """m x'' = s t  gives  x = s t^3 / (6 m)."""
    m = kt.Model("cart", gravity=(0, 0, 0))
    body = m.body("cart", kt.box(mass=2.0, sides=(0.1, 0.1, 0.1)))
    m.joint("rail", kt.Translational("x"), m.ground, body)
    m.force("push", kt.PointForce((kt.Input("push", unit="N"), 0.0, 0.0)), body)
    fmu = kt.export_fmu(m, tmp_path / "x.fmu", outputs=["rail.displacement"], version=version)
    rows = outputs_of(host, fmu, ["rail.displacement"], 1.0, 10, "push", 3.0)
    np.testing.assert_allclose(rows[:, 1], 0.25 * rows[:, 0] ** 3, rtol=1e-8, atol=1e-9)
