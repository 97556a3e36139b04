"""How commands end where the world is not as it should be: full devices, narrow terminals, files
that are there already.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kinetree.apps.cli import main as entry
from kinetree.apps.cli.streams import plain

from .test_commands import kinetree

__all__ = ["kinetree"]  # the fixture


def process(
    *arguments, encoding: str | None = None, out=subprocess.PIPE
) -> subprocess.CompletedProcess:
    environment = {
        **os.environ,
        **({"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"} if encoding else {}),
    }
    return subprocess.run(
        [sys.executable, "-m", "kinetree.apps.cli.main", *arguments],
        env=environment,
        stdout=out,
        stderr=subprocess.PIPE,
        check=False,
    )


@pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="the system has no device that is always full"
)
@pytest.mark.parametrize("arguments", [("list", "models"), ("version",), ("--help",)])
def test_a_full_device_ends_in_one_sentence(arguments):
    with open("/dev/full", "wb") as full:
        done = process(*arguments, out=full)
    assert done.returncode == entry.NO_OUTPUT
    assert b"cannot be written: No space left" in done.stderr and b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("list", "units"),
        ("check", "four-bar"),
        ("topology", "four-bar"),
        ("derive", "double-pendulum"),
        ("schema",),
        ("--help",),
        ("version",),
    ],
)
def test_a_reader_that_has_gone_ends_every_command_with_141(arguments):
    """Also where the output is longer than the buffers, so that it fails within the command and not
    at its end.
    """
    for buffering in ("", "1"):
        environment = {**os.environ, "PYTHONUNBUFFERED": buffering}
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run(
            [sys.executable, "-m", "kinetree.apps.cli.main", *arguments],
            env=environment,
            stdout=write,
            stderr=subprocess.PIPE,
            check=False,
        )
        os.close(write)
        assert done.returncode == entry.NO_READER
        assert (
            b"Traceback" not in done.stderr and b"Error" not in done.stderr
        )  # a cold cache says that it compiles


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_a_narrow_terminal_gets_plain_letters(encoding):
    """The same report, letter by letter: what the encoding lacks is replaced, nothing else."""
    wide, narrow = (
        process("topology", "four-bar", encoding="utf-8"),
        process("topology", "four-bar", encoding=encoding),
    )
    assert narrow.returncode == 0 and narrow.stderr == b""
    text = narrow.stdout.decode(encoding)
    assert "`- coupler" in text and "-x C x-" in text
    letters = zip(wide.stdout.decode(), text, strict=True)
    assert {a for a, b in letters if a != b} <= set("└├│─╳")


def test_letters_without_a_plain_shape_become_question_marks():
    for text, expected in (("é", "e"), ("曲", "?"), ("└─", "`-"), ("m²", "^2")):
        error = UnicodeEncodeError(
            "ascii", text, len(text) - 1 if text == "m²" else 0, len(text), ""
        )
        assert plain(error)[0] == expected


@pytest.mark.parametrize(
    "error, code, sentence",
    [
        (MemoryError("1 TiB"), entry.NO_MEMORY, "not enough memory"),
        (KeyboardInterrupt(), entry.INTERRUPTED, "Interrupted"),
        (OSError(28, "No space left on device"), entry.NO_OUTPUT, "No space left"),
        (BrokenPipeError(), entry.NO_READER, ""),
        (ZeroDivisionError("oops"), entry.FAULT, "defect of Kinetree"),
    ],
)
def test_what_is_no_error_of_a_request_has_codes_of_its_own(
    kinetree, monkeypatch, error, code, sentence
):
    def fails():
        raise error

    monkeypatch.setattr(entry, "app", fails)
    monkeypatch.setattr(entry, "drop_output", lambda: None)
    found, _, err = kinetree("version")
    assert found == code and sentence in err


def test_no_two_causes_share_a_code():
    kinds = [code for _, code in entry.EXIT_CODES]
    codes = [
        0,
        1,
        2,
        *dict.fromkeys(kinds),
        entry.NO_OUTPUT,
        entry.NO_MEMORY,
        entry.FAULT,
        entry.INTERRUPTED,
        entry.NO_READER,
    ]
    assert len(set(codes)) == len(codes)
    assert all(f" {code} " in entry.__doc__ and f" {code} " in entry.EPILOG for code in codes)


RUN = ("run", "pendulum", "--until", "0.1", "--output-interval", "0.05", "--out", "results")


def test_the_same_run_may_be_written_again_and_another_one_only_by_force(kinetree, tmp_path):
    assert kinetree(*RUN)[0] == 0
    before = (tmp_path / "results/samples.csv").read_bytes()
    assert kinetree(*RUN)[0] == 0  # the same run again
    for other in (
        ("run", "four-bar", *RUN[2:]),
        (*RUN, "--rtol", "1e-5"),
        (*RUN, "--integrator", "dopri5"),
    ):
        code, out, err = kinetree(*other)
        assert code == 5 and out == "" and "holds other results" in err and "--force" in err
    assert (tmp_path / "results/samples.csv").read_bytes() == before
    assert kinetree(*RUN, "--rtol", "1e-5", "--force")[0] == 0
    assert (
        json.loads((tmp_path / "results/solution.json").read_text())["provenance"]["options"][
            "rtol"
        ]
        == 1e-5
    )


def test_a_folder_with_files_of_unknown_origin_is_left_alone(kinetree, tmp_path):
    (tmp_path / "results").mkdir()
    (tmp_path / "results/samples.csv").write_text("precious")
    assert kinetree(*RUN)[0] == 5
    assert (tmp_path / "results/samples.csv").read_text() == "precious"
    assert [p.name for p in (tmp_path / "results").iterdir()] == ["samples.csv"]


def test_a_link_in_the_folder_is_not_followed(kinetree, tmp_path):
    (tmp_path / "results").mkdir()
    (tmp_path / "elsewhere").write_text("precious")
    (tmp_path / "results/solution.json").symlink_to(tmp_path / "elsewhere")
    assert kinetree(*RUN)[0] == 5
    assert kinetree(*RUN, "--force")[0] == 0
    assert (tmp_path / "elsewhere").read_text() == "precious"
    assert not (tmp_path / "results/solution.json").is_symlink()


def test_demo_does_not_write_over_results_of_a_user(kinetree, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/samples.csv").write_text("precious")
    assert kinetree("demo", "--out", "mine")[0] == 5
    assert (tmp_path / "mine/samples.csv").read_text() == "precious"


FILE = ("run", "pendulum", "--until", "0.1", "--output-interval", "0.05", "--out")


@pytest.mark.parametrize("name", ["r.nc", "R.H5", "deep/r.nc"])
def test_out_with_the_ending_of_a_file_writes_that_file(kinetree, tmp_path, name):
    import kinetree as kt

    code, out, _ = kinetree(*FILE, name)
    assert code == 0 and name in out and (tmp_path / name).is_file()
    assert kt.open_solution(tmp_path / name).t.tolist() == pytest.approx([0.0, 0.05, 0.1])


def test_out_writes_csv_and_json_with_all_samples(kinetree, tmp_path):
    assert kinetree(*FILE, "r.csv")[0] == 0 == kinetree(*FILE, "r.json")[0]
    lines = (tmp_path / "r.csv").read_text().splitlines()
    assert lines[0].startswith("t [s],") and len(lines) == 4
    assert json.loads((tmp_path / "r.json").read_text())["t"] == pytest.approx([0.0, 0.05, 0.1])


def test_a_file_that_exists_is_replaced_only_by_force(kinetree, tmp_path):
    (tmp_path / "r.csv").write_text("precious")
    code, out, err = kinetree(*FILE, "r.csv")
    assert code == 5 and out == "" and "the file r.csv exists" in err and "--force" in err
    assert (tmp_path / "r.csv").read_text() == "precious"
    assert kinetree(*FILE, "r.csv", "--force")[0] == 0
    assert (tmp_path / "r.csv").read_text().startswith("t [s]")


@pytest.mark.parametrize(
    "arguments",
    [
        (*FILE, "r.png"),
        ("view", "pendulum", "--no-open", "--out", "r.png"),
        ("compare", "pendulum", "--out", "r.csv"),
        ("demo", "--out", "r.html"),
        ("papers", "rssr", "--plot", "r.png"),
    ],
)
def test_no_folder_is_made_with_the_name_of_a_file(kinetree, tmp_path, arguments):
    code, out, err = kinetree(*arguments)
    assert code == 3 and out == "" and "is the name of a file" in err and "such as 'r'" in err
    assert list(tmp_path.iterdir()) == []


def test_names_with_a_dot_that_end_like_no_file_are_folders(kinetree, tmp_path):
    assert kinetree(*FILE, "run.v2")[0] == 0
    assert (tmp_path / "run.v2" / "samples.csv").is_file()


def test_a_page_goes_to_the_file_that_out_names(kinetree, tmp_path):
    code, out, _ = kinetree("view", "pendulum", "--no-open", "--out", "deep/page.html")
    assert code == 0 and out.strip() == str((tmp_path / "deep/page.html").resolve())
    assert (tmp_path / "deep/page.html").is_file()
