"""FMUs as controllers: a mass on a spring in C, beside the same machine in one model."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import kinetree as kt

CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
pytestmark = pytest.mark.skipif(
    CC is None or sys.platform != "linux", reason="there is no C compiler, or this is not Linux"
)
SOURCE = Path(__file__).parent / "mass_on_spring.c"
NAMES = ("mass.x", "mass.v", "der(mass.x)", "der(mass.v)", "u", "w", "force", "k", "d", "m")
CAUSALITY = dict(zip(NAMES, ["local"] * 4 + ["input"] * 2 + ["output"] + ["parameter"] * 3))


def description(version: int) -> str:
    kinds = '<ModelExchange modelIdentifier="mass"/><CoSimulation modelIdentifier="mass"/>'
    variables, derivative = "", {2: "0", 3: "1"}
    for k, name in enumerate(NAMES):
        about = f'name="{name}" valueReference="{k}" causality="{CAUSALITY[name]}"'
        if version == 3:
            of = f' derivative="{derivative[k]}"' if k in derivative else ""
            variables += f"<Float64 {about}{of}/>"
        else:
            of = f' derivative="{int(derivative[k]) + 1}"' if k in derivative else ""
            variables += f"<ScalarVariable {about}><Real{of}/></ScalarVariable>"
    if version == 3:
        rates = "".join(f'<ContinuousStateDerivative valueReference="{k}"/>' for k in (2, 3))
        head = 'fmiVersion="3.0" instantiationToken="{mass}"'
    else:
        rates = '<Derivatives><Unknown index="3"/><Unknown index="4"/></Derivatives>'
        head = 'fmiVersion="2.0" guid="{mass}"'
    return (
        f'<fmiModelDescription {head} modelName="mass">{kinds}<ModelVariables>{variables}'
        f"</ModelVariables><ModelStructure>{rates}</ModelStructure></fmiModelDescription>"
    )


@pytest.fixture(scope="module", params=[2, 3])
def fmu(request, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp(f"fmi{request.param}")
    library = folder / "mass.so"
    command = [CC, "-shared", "-fPIC", "-O1", f"-DVERSION={request.param}", str(SOURCE)]
    subprocess.run([*command, "-o", str(library)], check=True, capture_output=True)
    place = "linux64" if request.param == 2 else f"{platform.machine()}-linux"
    with zipfile.ZipFile(folder / "mass.fmu", "w") as archive:
        archive.writestr("modelDescription.xml", description(request.param))
        archive.write(library, f"binaries/{place}/mass.so")
        archive.writestr("resources/about.txt", "nothing")
    return folder / "mass.fmu"


def cart(m: kt.Model, name: str, mass: float, start: float) -> None:
    body = m.body(f"{name} body", kt.box(mass=mass, sides=(0.1, 0.1, 0.1)))
    m.joint(name, kt.Translational("x"), m.ground, body, start={"displacement": start})


def driven(controller) -> kt.Model:
    """A cart on a spring to the ground, and on the spring of the FMU."""
    m = kt.Model("cart and FMU")
    cart(m, "cart", 1.0, 0.0)
    m.force("own", kt.TorsionSpring("cart.displacement", stiffness=30.0))
    m.controller("fmu", controller)
    m.force("pull", kt.TorsionSpring("cart.displacement", torque="fmu.force"))
    return m


def whole() -> kt.Model:
    """The same with both masses in one model."""
    m = kt.Model("both")
    cart(m, "cart", 1.0, 0.0)
    cart(m, "mass", 2.0, 0.3)
    m.force("own", kt.TorsionSpring("cart.displacement", stiffness=30.0))
    m.controller("spring", kt.Controller(spring, inputs=INPUTS, outputs=("a", "b")))
    m.force("pull a", kt.TorsionSpring("cart.displacement", torque="spring.a"))
    m.force("pull b", kt.TorsionSpring("mass.displacement", torque="spring.b"))
    return m


INPUTS = (
    "cart.displacement",
    "cart.displacement.rate",
    "mass.displacement",
    "mass.displacement.rate",
)


def spring(t, u, x, parameters, xdot, out):
    out[1] = 20.0 * (u[0] - u[2]) + 0.3 * (u[1] - u[3])
    out[0] = -out[1]


MEASURED = {"u": "cart.displacement", "w": "cart.displacement.rate"}


@pytest.fixture(scope="module")
def reference() -> np.ndarray:
    return kt.simulate(whole(), 2.0, rtol=1e-11, output_interval=0.05)["cart.displacement"]


def test_model_exchange_is_integrated_with_the_model(fmu, reference):
    model = driven(kt.load_fmu(fmu, MEASURED, ("force",)))
    sol = kt.simulate(model, 2.0, rtol=1e-9, output_interval=0.05)
    assert np.abs(sol["cart.displacement"] - reference).max() < 1e-7  # tolerance times steps
    assert sol["fmu.mass_x"][0] == 0.3


def test_co_simulation_converges_with_second_order(fmu, reference):
    errors = []
    for period in (0.02, 0.01, 0.005):
        controller = kt.load_fmu(fmu, MEASURED, ("force",), kind="co-simulation", period=period)
        sol = kt.simulate(driven(controller), 2.0, rtol=1e-8, output_interval=0.05)
        errors.append(np.abs(sol["cart.displacement"] - reference).max())
    ratios = np.array(errors[:-1]) / errors[1:]
    assert np.all((ratios > 3.0) & (ratios < 5.5)), errors  # order two: a quarter
    held = kt.load_fmu(fmu, MEASURED, ("force",), kind="co-simulation", period=0.005, hold=True)
    rough = kt.simulate(driven(held), 2.0, rtol=1e-8, output_interval=0.05)
    assert np.abs(rough["cart.displacement"] - reference).max() > 5.0 * errors[-1]


def test_parameters_are_set_before_the_start(fmu):
    """A mass without spring and damper stays where it is."""
    controller = kt.load_fmu(fmu, MEASURED, ("force",), parameters={"k": 0.0, "d": 0.0})
    sol = kt.simulate(driven(controller), 0.2)
    assert np.abs(sol["fmu.mass_x"] - 0.3).max() < 1e-12


def test_a_second_run_of_co_simulation_is_refused_in_words(fmu):
    controller = kt.load_fmu(fmu, MEASURED, ("force",), kind="co-simulation", period=0.01)
    model = driven(controller)
    kt.simulate(model, 0.1)
    with pytest.raises(kt.KinetreeError, match="Load it again for another run"):
        kt.simulate(model, 0.1)


def test_a_failing_call_ends_the_run(fmu):
    controller = kt.load_fmu(fmu, MEASURED, ("force",))
    with pytest.raises(kt.SimulationError, match="fmu"):
        kt.simulate(driven(controller), 1.0, t0=-1.0)  # this FMU refuses negative times


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"inputs": {"uu": "cart.displacement"}}, "uu"),
        ({"outputs": ("forse",)}, "forse"),
        ({"outputs": (True, False)}, "load_fmu: outputs"),
        ({"parameters": {"q": 1.0}}, "q"),
        ({"kind": "co-simulation"}, "needs period="),
        ({"period": 0.1}, "is for Co-Simulation"),
        ({"kind": "both"}, "kind must be one of"),
    ],
)
def test_wrong_arguments_are_refused_in_words(fmu, options, message):
    given = {"inputs": MEASURED, "outputs": ("force",), **options}
    with pytest.raises(kt.KinetreeError, match=message):
        kt.load_fmu(fmu, **given)


def changed(fmu: Path, path: Path, change) -> Path:
    """A copy of the FMU with another description, or without its library."""
    with zipfile.ZipFile(fmu) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            data = change(name, old.read(name))
            if data is not None:
                new.writestr(name, data)
    return path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda n, d: d.replace(b"{mass}", b"{other}") if n.endswith("xml") else d, "instantiated"),
        (lambda n, d: None if n.endswith(".so") else d, "no library for this computer"),
        (lambda n, d: b"x" if n.endswith(".so") else d, "cannot be opened"),
        (lambda n, d: None if n.endswith("xml") else d, "is not an FMU"),
        (lambda n, d: b"<x" if n.endswith("xml") else d, "not valid XML"),
        (lambda n, d: d.replace(b'fmiVersion="', b'fmiVersion="1') if n.endswith("xml") else d,
         "is not read; expected FMI 2.0 or 3.0"),
        (lambda n, d: d.replace(b"<fmiModelDescription",
                                b'<fmiModelDescription numberOfEventIndicators="1"')
         .replace(b"<ModelStructure>", b"<ModelStructure><EventIndicator/>")
         if n.endswith("xml") else d, "event indicators"),
    ],
)  # fmt: skip
def test_wrong_files_are_refused_in_words(fmu, tmp_path, change, message):
    with pytest.raises(kt.ModelError, match=message):
        kt.load_fmu(changed(fmu, tmp_path / "x.fmu", change), MEASURED, ("force",))
    (tmp_path / "y.fmu").write_text("no zip")
    with pytest.raises(kt.ModelError, match="is not an FMU"):
        kt.load_fmu(tmp_path / "y.fmu")


def swinging(m: kt.Model) -> None:
    """A pendulum with a torque, for both sides of the comparison."""
    rod = m.body("bob", kt.rod(mass=2.0, length=1.0, along="z"))
    m.joint("hinge", kt.Revolute("y"), m.ground, rod.end("+"), start={"angle": 0.3})
    m.force("soft", kt.TorsionSpring("hinge.angle", stiffness=3.0, damping=0.2))


@pytest.mark.parametrize("version", [2, 3])
def test_an_exported_model_is_loaded_back(tmp_path, version):
    """A cart is pulled by the angle of a pendulum, and twists it by its displacement."""
    part = kt.Model("part")
    swinging(part)
    part.force("twist", kt.TorsionSpring("hinge.angle", torque=kt.Input("tau", unit="N m")))
    path = kt.export_fmu(part, tmp_path / "x.fmu", outputs=["hinge.angle"], version=version)

    whole = kt.Model("whole")
    swinging(whole)
    cart(whole, "cart", 1.0, 0.1)

    def both(t, u, x, parameters, xdot, out):
        out[0], out[1] = u[0], u[1]

    names = ("cart.displacement", "hinge.angle")
    whole.controller("both", kt.Controller(both, inputs=names, outputs=("tau", "pull")))
    whole.force("twist", kt.TorsionSpring("hinge.angle", torque="both.tau"))
    whole.force("pull", kt.TorsionSpring("cart.displacement", torque="both.pull"))
    expected = kt.simulate(whole, 2.0, rtol=1e-11, output_interval=0.1)["cart.displacement"]

    errors = []
    kinds = [{}, *({"kind": "co-simulation", "period": T} for T in (0.02, 0.01))]
    for how in kinds:
        host = kt.Model("host")
        cart(host, "cart", 1.0, 0.1)
        measured = {"tau": "cart.displacement"}
        host.controller("fmu", kt.load_fmu(path, measured, ["hinge.angle"], **how))
        host.force("pull", kt.TorsionSpring("cart.displacement", torque="fmu.hinge_angle"))
        sol = kt.simulate(host, 2.0, rtol=1e-9, output_interval=0.1)
        errors.append(np.abs(sol["cart.displacement"] - expected).max())
    assert errors[0] < 1e-8  # tolerance times steps
    assert errors[1] < 1e-3 and 3.0 < errors[1] / errors[2] < 5.5  # order two: a quarter
