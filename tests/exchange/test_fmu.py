"""FMUs, read and run by FMPy and by loops of our own."""

import shutil
import subprocess
from zipfile import ZipFile

import numpy as np
import pytest

import kinetree as kt
from kinetree.exchange.fmi.units import base_units
from kinetree.models.excavator import excavator
from kinetree.models.four_bar import four_bar

fmpy = pytest.importorskip("fmpy", reason="FMPy is not installed (extra fmi)")
from fmpy import extract, read_model_description, simulate_fmu  # noqa: E402
from fmpy.fmi2 import FMU2Model, FMU2Slave, printLogMessage  # noqa: E402, F401
from fmpy.fmi3 import FMU3Slave  # noqa: E402
from fmpy.validation import validate_fmu  # noqa: E402

CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
pytestmark = pytest.mark.skipif(CC is None, reason="there is no C compiler")
OUTPUTS = ["A.angle", "C.angle.rate", "rocker.position", "A.force"]


@pytest.fixture(scope="module")
def fmus(tmp_path_factory):
    """The four-bar as FMI 2 and FMI 3."""
    folder = tmp_path_factory.mktemp("fmu")
    return {
        version: str(
            kt.export_fmu(
                four_bar(), folder / f"{version}.fmu", outputs=OUTPUTS, version=version, until=1.0
            )
        )
        for version in (2, 3)
    }


def cart():
    m = kt.Model("cart", gravity=(0, 0, 0))
    body = m.body("cart", kt.box(mass=2.0, sides=(0.1, 0.1, 0.1)))
    m.joint("rail", kt.Translational("x"), m.ground, body)
    m.force("push", kt.PointForce((kt.Input("push", unit="N"), 0.0, 0.0)), body)
    return m


@pytest.fixture(scope="module")
def carts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cart")
    outputs = ["rail.displacement", "rail.displacement.acceleration"]
    return {
        version: str(
            kt.export_fmu(cart(), folder / f"{version}.fmu", outputs=outputs, version=version)
        )
        for version in (2, 3)
    }


def opened(path, kind, log=None):
    """An instance in initialization mode, and the references of the variables by name."""
    about, folder = read_model_description(path), extract(path)
    interface = about.modelExchange if kind is FMU2Model else about.coSimulation
    identifier = interface.modelIdentifier
    unit = kind(
        guid=about.guid, unzipDirectory=folder, modelIdentifier=identifier, instanceName="unit"
    )
    unit.instantiate(loggingOn=True)
    if kind is not FMU3Slave:
        unit.setupExperiment(startTime=0.0)
    unit.enterInitializationMode()
    return unit, {one.name: one.valueReference for one in about.modelVariables}


@pytest.mark.parametrize("version", [2, 3])
def test_the_description_is_valid(fmus, carts, version):
    assert validate_fmu(fmus[version]) == []
    assert validate_fmu(carts[version]) == []


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("step", [0.1, 0.02])
def test_co_simulation_gives_the_samples_of_simulate(fmus, version, step):
    """The integrator takes its own steps, whatever the communication step is."""
    sol = kt.simulate(four_bar(), 1.0, rtol=1e-6, output_interval=0.1)
    names = ["A.angle", "C.angle.rate", "rocker.position.z", "A.force.x"]
    found = simulate_fmu(
        fmus[version],
        stop_time=1.0,
        output_interval=step,
        step_size=step,
        relative_tolerance=1e-6,
        output=names,
        fmi_type="CoSimulation",
    )
    rows = [int(np.argmin(np.abs(found["time"] - t))) for t in sol.t]
    for name in names:  # times of FMPy differ by rounding
        np.testing.assert_allclose(found[name][rows], sol[name], rtol=1e-9, atol=1e-9)


def test_model_exchange_follows_the_loop(fmus):
    """CVode at 1e-8; its own error over a second, measured, is some hundred tolerances."""
    sol = kt.simulate(four_bar(), 1.0, rtol=1e-10, output_interval=0.1)
    found = simulate_fmu(
        fmus[2],
        stop_time=1.0,
        output_interval=0.01,
        relative_tolerance=1e-8,
        output=["rocker.position.z"],
        fmi_type="ModelExchange",
    )
    rows = [len(found) - 1 - int(np.argmin(np.abs(found["time"][::-1] - t))) for t in sol.t]
    assert np.abs(found["rocker.position.z"][rows] - sol["rocker.position.z"]).max() < 1e-6


def test_ramps_of_inputs_are_exact_in_fmi_2(carts):
    """x'' = (3 t) / 2 held at ten communication points: x = t^3 / 4."""
    unit, of = opened(carts[2], FMU2Slave)
    unit.exitInitializationMode()
    for k in range(10):
        unit.setReal([of["push"]], [0.3 * k])
        unit.setRealInputDerivatives([of["push"]], [1], [3.0])
        unit.doStep(0.1 * k, 0.1)
    assert unit.getReal([of["rail.displacement"]])[0] == pytest.approx(0.25, rel=1e-9)
    unit.terminate(), unit.freeInstance()


def test_ramps_of_inputs_are_exact_in_fmi_3(carts):
    unit, of = opened(carts[3], FMU3Slave)
    unit.exitInitializationMode()
    unit.setFloat64([of["push.slope"]], [3.0])
    for k in range(10):
        unit.doStep(0.1 * k, 0.1)
    assert unit.getFloat64([of["rail.displacement"]])[0] == pytest.approx(0.25, rel=1e-9)
    assert unit.getFloat64([of["push"]])[0] == pytest.approx(3.0)
    unit.terminate(), unit.freeInstance()


def test_held_inputs_are_steps(carts):
    """The same ramp held at its left values: x = sum of 0.3 k / 2 (1 - (k + 1/2)/10 ..)."""
    unit, of = opened(carts[2], FMU2Slave)
    unit.exitInitializationMode()
    x = v = 0.0
    for k in range(10):
        unit.setReal([of["push"]], [0.3 * k])
        unit.doStep(0.1 * k, 0.1)
        a = 0.15 * k
        x, v = x + 0.1 * v + 0.005 * a, v + 0.1 * a
    assert unit.getReal([of["rail.displacement"]])[0] == pytest.approx(x, rel=1e-9)
    unit.terminate(), unit.freeInstance()


def test_states_are_kept_set_and_serialized(fmus):
    unit, of = opened(fmus[2], FMU2Slave)
    unit.exitInitializationMode()
    unit.doStep(0.0, 0.3)
    state = unit.getFMUState()
    content = unit.serializeFMUstate(state)
    unit.doStep(0.3, 0.4)
    first = unit.getReal([of["A.angle"], of["A.force.x"]])
    unit.setFMUState(state)
    unit.doStep(0.3, 0.4)
    assert unit.getReal([of["A.angle"], of["A.force.x"]]) == first
    other, _ = opened(fmus[2], FMU2Slave)
    other.setFMUState(other.deSerializeFMUstate(content))
    other.doStep(0.3, 0.4)
    assert other.getReal([of["A.angle"], of["A.force.x"]]) == first
    unit.freeFMUState(state)
    unit.freeInstance(), other.freeInstance()


def test_directional_derivatives_are_those_of_the_mechanics(carts):
    """x'' = push / m, so that its derivative by the push is 1/2; that of x' by the speed is 1."""
    unit, of = opened(carts[2], FMU2Model)
    unit.exitInitializationMode()
    rate = of["der(state.rail.displacement.rate)"]
    by_push = unit.getDirectionalDerivative([rate], [of["push"]], [1.0])
    assert by_push[0] == pytest.approx(0.5, rel=1e-9)
    speed = of["state.rail.displacement.rate"]
    by_speed = unit.getDirectionalDerivative([of["der(state.rail.displacement)"]], [speed], [1.0])
    assert by_speed[0] == pytest.approx(1.0, rel=1e-9)
    unit.freeInstance()


def test_breaks_of_time_functions_are_time_events(tmp_path):
    """A force that begins at 0.5 s:  x(1) = F (1/2)^2 / (2 m) = 1/16 F."""
    m = kt.Model("late", gravity=(0, 0, 0))
    body = m.body("cart", kt.box(mass=2.0, sides=(0.1, 0.1, 0.1)))
    m.joint("rail", kt.Translational("x"), m.ground, body)
    late = kt.Function(lambda t: 0.0 if t < 0.5 else 8.0, breakpoints=(0.5,))
    m.force("push", kt.PointForce((late, 0.0, 0.0)), body)
    path = kt.export_fmu(m, tmp_path / "late.fmu", outputs=["rail.displacement"])
    for kind in ("ModelExchange", "CoSimulation"):
        found = simulate_fmu(str(path), stop_time=1.0, output_interval=0.25, fmi_type=kind)
        # CVode: some hundred times its tolerance of 1e-5
        near = 1e-9 if kind == "CoSimulation" else 1e-4
        assert found["rail.displacement"][-1] == pytest.approx(0.5, rel=near)


def test_errors_are_messages_of_the_log(fmus, capsys):
    unit, _ = opened(fmus[2], FMU2Slave)
    unit.exitInitializationMode()
    unit.doStep(0.0, 0.1)
    with pytest.raises(Exception, match="fmi2DoStep failed"):
        unit.doStep(0.5, 0.1)
    assert "a step from t = 0.5 s was asked for at t = 0.1 s" in capsys.readouterr().out
    with pytest.raises(Exception, match="fmi2GetReal failed"):
        unit.getReal([400099])
    assert "there is no such output (value reference 400099)" in capsys.readouterr().out
    unit.freeInstance()


@pytest.mark.skipif(shutil.which("nm") is None, reason="there is no nm")
@pytest.mark.parametrize("version", [2, 3])
def test_the_library_needs_the_c_library_only(fmus, version, tmp_path):
    with ZipFile(fmus[version]) as archive:
        name = next(one for one in archive.namelist() if one.endswith(".so"))
        archive.extract(name, tmp_path)
    about = ["nm", "-D", tmp_path / name]
    lines = subprocess.run(about, check=True, capture_output=True, text=True).stdout.splitlines()
    undefined = {line.split()[-1].split("@")[0] for line in lines if line.split()[-2] in "Uw"}
    assert undefined - OF_LIBC == set()
    defined = [line.split()[-1] for line in lines if line.split()[-2] in ("T", "D", "B", "R")]
    assert all(name.startswith(f"fmi{version}") for name in defined)


OF_LIBC = {
    "calloc",
    "free",
    "malloc",
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "strcmp",
    "snprintf",
} | {
    *("__snprintf_chk", "__memcpy_chk", "__stack_chk_fail", "__cxa_finalize", "__gmon_start__"),
    *("_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable", "nextafter", "fmax", "fabs"),
}


def test_equal_models_give_equal_files(tmp_path):
    first, second = (kt.export_fmu(cart(), tmp_path / f"{k}.fmu").read_bytes() for k in range(2))
    assert first == second


def test_parameters_are_those_of_the_function(tmp_path):
    def made(mass=2.0):
        other = kt.Model("weighed", gravity=(0, 0, 0))
        body = other.body("cart", kt.box(mass=mass, sides=(0.1, 0.1, 0.1)))
        other.joint("rail", kt.Translational("x"), other.ground, body)
        other.force("push", kt.PointForce((1.0, 0.0, 0.0)), body)
        return other

    path = str(
        kt.export_fmu(
            made, tmp_path / "x.fmu", outputs=["rail.displacement"], parameters={"mass": (1.0, 5.0)}
        )
    )
    assert validate_fmu(path) == []
    for kind in ("CoSimulation", "ModelExchange"):
        found = simulate_fmu(path, stop_time=1.0, start_values={"mass": 4.0}, fmi_type=kind)
        assert found["rail.displacement"][-1] == pytest.approx(0.125, rel=1e-4)  # CVode: 1e-5


def test_names_are_checked(tmp_path):
    path = tmp_path / "x.fmu"
    with pytest.raises(kt.NameNotFound, match=r"no input named 'pull'"):
        kt.export_fmu(cart(), path, inputs=["pull"])
    with pytest.raises(kt.ModelError, match=r"further inputs: 'push'"):
        kt.export_fmu(cart(), path, inputs=[])
    with pytest.raises(kt.ModelError, match=r"version must be 2 or 3"):
        kt.export_fmu(cart(), path, version=1)
    with pytest.raises(kt.NameNotFound, match=r"boom\.position"):
        kt.export_fmu(excavator(), path, outputs=["boom.positon"])
    assert not path.exists()


def test_units_are_products_of_base_units():
    assert base_units("N m") == {"kg": 1, "m": 2, "s": -2}
    assert base_units("kg m^2/s") == {"kg": 1, "m": 2, "s": -1}
    assert base_units("rad/s^2") == {"rad": 1, "s": -2}
    assert base_units("1") == {}
    assert base_units("furlong") is None
