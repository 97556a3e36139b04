"""Files of the first format, which had a variable per channel and no checksums of texts, are read
with a warning.
"""

import json
from pathlib import Path

import h5py
import numpy as np
import pytest

import kinetree as kt
from kinetree.results.solution import Solution
from kinetree.results.storage.earlier import EarlierFormat
from kinetree.results.storage.reading import RunFile


def pendulum() -> kt.Model:
    m = kt.Model("p")
    rod = m.body("rod", kt.rod(1.0, 1.0, along="z"))
    m.joint("h", kt.Revolute(axis="y"), m.ground, rod.end("+"), start={"angle": 0.2})
    m.force("f", kt.TorsionSpring("h.angle", damping=0.1))
    return m


def write_as_before(sol: Solution, path: Path, model: bool = True) -> None:
    """The same run in the first format; a file without its model has its channels alone."""
    now = path.with_suffix(".now.nc")
    sol.save(now)
    held = RunFile(now)
    with h5py.File(path, "w") as file:
        file.attrs.update({**held.attributes, "format": [1], "complete": [1]})
        file["time"] = sol.t
        group = file.create_group("kinetree")
        for name, said in held.texts.items():
            told = json.loads(said) if name == "assembly" else said
            if name == "assembly":
                told = json.dumps(
                    {key: value for key, value in told.items() if key not in ("happened", "turned")}
                )
            group[name] = "" if name == "model" and not model else told
        for name in held.arrays - {"time", "channels", "step_channels"}:
            group[name] = held.read(name)
        for name, channel in held.channels.items():
            file[name] = sol[name]
            file[name].attrs.update(
                {
                    "channel": name,
                    "units": channel.unit,
                    "long_name": channel.about,
                    **({"components": " ".join(channel.components)} if channel.components else {}),
                }
            )


@pytest.fixture(scope="module")
def sol() -> Solution:
    return kt.simulate(pendulum(), 1.0, events=[kt.Event("h.angle", name="low")])


def test_a_file_of_the_first_format_opens_with_a_warning_and_has_the_same_run(sol, tmp_path):
    write_as_before(sol, tmp_path / "a.nc")
    with pytest.warns(EarlierFormat, match="earlier version of Kinetree, without checksums"):
        found = kt.open_solution(tmp_path / "a.nc")
    assert found.success and str(found) == str(sol) and list(found.model.bodies) == ["rod"]
    np.testing.assert_array_equal(found.y, sol.y)
    for name in ("h.angle", "rod.position", "f.torque", "step.size"):
        np.testing.assert_array_equal(found[name], sol[name])
    np.testing.assert_array_equal(found.events["low"].t, sol.events["low"].t)
    found.save(tmp_path / "again.nc")
    np.testing.assert_array_equal(kt.open_solution(tmp_path / "again.nc").y, sol.y)


def test_channels_are_read_from_a_file_that_has_no_model(sol, tmp_path):
    write_as_before(sol, tmp_path / "a.nc", model=False)
    with pytest.warns(EarlierFormat):
        found = kt.open_solution(tmp_path / "a.nc")
    for name in (
        "h.angle",
        "rod.position",
        "rod.position.z",
        "rod.quaternion",
        "step.size",
        "step.order",
    ):
        np.testing.assert_array_equal(found[name], sol[name])


def test_a_file_of_today_that_is_damaged_is_not_taken_for_an_earlier_one(sol, tmp_path):
    sol.save(tmp_path / "a.nc")
    data = bytearray((tmp_path / "a.nc").read_bytes())
    data[-3] ^= 1  # in the footer
    (tmp_path / "a.nc").write_bytes(data)
    with pytest.raises(kt.ResultError, match="damaged"):
        kt.open_solution(tmp_path / "a.nc")


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda file: file.attrs.__setitem__("format", "one"), "not a result of Kinetree"),
        (lambda file: file["kinetree"].__delitem__("result"), "damaged"),
        (lambda file: file["kinetree/model"].__setitem__((), b"\xff"), "damaged"),
        (
            lambda file: file["kinetree"].create_dataset(
                "log_more", (10**12,), "f8", chunks=(1024,)
            ),
            "damaged.*fits",
        ),
        (
            lambda file: file["kinetree"].create_dataset("more", data=np.array([1j])),
            "damaged.*fits",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::kinetree.results.storage.earlier.EarlierFormat")
def test_an_earlier_file_with_other_content_is_refused_in_one_sentence(sol, tmp_path, change, says):
    write_as_before(sol, tmp_path / "a.nc")
    with h5py.File(tmp_path / "a.nc", "r+") as file:
        change(file)
    with pytest.raises(kt.ResultError, match=says):
        kt.open_solution(tmp_path / "a.nc")
