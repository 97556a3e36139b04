"""The studio: its server, and its page in a real browser."""

import http.client
import json
import threading
from contextlib import contextmanager

import pytest
from tests.viewer.browser import found
from tests.viewer.conftest import browser  # noqa: F401

from kinetree.apps.studio.server import HOST, Server
from kinetree.apps.studio.session import Session
from kinetree.apps.studio.source import studio_file
from kinetree.errors import ModelError

MAKE = """\
import kinetree as kt

def make(length=0.5, label="rod"):
    m = kt.Model("pendulum", gravity=(0, 0, -9.81))
    rod = m.body(label, kt.rod(mass=1.0, length=length, along="x"))
    m.joint("hinge", kt.Revolute(axis="y"), m.ground, rod.end("-"), start={"angle": 1.0})
    return m
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "pendulum.py"
    path.write_text(MAKE)
    return path


@contextmanager
def serving(path):
    server = Server(Session(path, 0.5))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def asked(server, path, host=None, body=None):
    """Status and text of a reply."""
    connection = http.client.HTTPConnection(HOST, server.server_port, timeout=60)
    headers = {} if host is None else {"Host": host}
    connection.request("POST" if body else "GET", path, body, headers)
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply.status, text


def test_only_those_who_know_the_token_are_served(file):
    with serving(file) as server:
        assert server.server_address[0] == "127.0.0.1"
        good = f"/{server.token}/"
        assert asked(server, good)[0] == 200
        assert asked(server, "/")[0] == 404
        assert asked(server, f"/{server.token[:-1]}x/")[0] == 404
        assert asked(server, "/../../etc/passwd")[0] == 404
        assert asked(server, f"{good}page/../../secret")[0] == 404
        assert asked(server, good, host=f"evil.example:{server.server_port}")[0] == 403
        assert asked(server, f"{good}run", body="not JSON")[0] == 400
        assert asked(server, f"{good}run", body='{"values": {"length": "x"}, "until": 1}')[0] == 400


def test_a_run_uses_the_given_values_and_reports_errors_in_words(file):
    with serving(file) as server:

        def run(**values):
            body = json.dumps({"values": values, "until": 0.2, "compare": True})
            return json.loads(asked(server, f"/{server.token}/run", body=body)[1])

        first, second = run(length=0.5), run(length=0.8)
        assert (first["page"], second["page"]) == ("run-1", "run-2")
        assert asked(server, f"/{server.token}/page/run-1")[0] == 404  # only the last one is kept
        wrong = run(length=-1.0)
        assert wrong["page"] is None
        assert "length" in wrong["message"] and "Traceback" not in wrong["message"]


def test_a_model_file_has_its_numbers_as_parameters(tmp_path):
    path = tmp_path / "four-bar.yaml"
    from kinetree.models.four_bar import four_bar

    four_bar().save(path)
    text = path.read_text()
    path.write_text(text + ("" if "parameters:" in text else "parameters: {scale: 2.0}\n"))
    session = Session(path)
    assert session.message == "", session.message
    assert session.state(-1)["parameters"] == [
        {"name": "scale", "value": 2.0, "low": 0.4, "high": 4.0}
    ]
    assert "four-bar" in session.topology or "crank" in session.topology


def test_a_file_of_another_kind_is_refused(tmp_path):
    with pytest.raises(ModelError, match=r"must be a model file \(\.yaml\) or a Python file"):
        studio_file(tmp_path / "model.txt")
    with pytest.raises(ModelError, match="there is no file"):
        studio_file(tmp_path / "none.yaml")


def test_a_file_without_make_says_so(tmp_path):
    path = tmp_path / "empty.py"
    path.write_text("x = 1\n")
    assert "has no function make" in Session(path).message


@pytest.fixture
def blank(tmp_path):
    path = tmp_path / "blank.html"
    path.write_text("<!doctype html><title>blank</title>")
    return path


@pytest.mark.skipif(found() is None, reason="no Chromium is installed")
def test_the_page_follows_the_file_and_its_sliders(file, blank, browser):  # noqa: F811
    with serving(file) as server, browser.open(blank, ready="true", size=(1200, 800)) as tab:
        tab.call("Page.navigate", url=server.address)
        tab.wait("document.body?.dataset.page === 'run-1'")
        inside = "document.getElementById('view').contentWindow.viewer"
        assert tab.ask(f"{inside}.error") is None
        assert tab.ask("document.getElementById('topology').textContent.length") > 40
        # a slider: the new run is drawn with the last one behind it
        tab.ask(
            "(() => { const one = document.querySelector('#sliders input'); one.value = 0.8;"
            "one.dispatchEvent(new Event('input')); })()"
        )
        tab.wait("document.body.dataset.page === 'run-2'")
        assert tab.ask(f"{inside}.scene.data.ghosts.length") == 1
        # the file is saved with an error, then corrected
        file.write_text(MAKE.replace("mass=1.0", "mass=-1.0"))
        tab.wait("!document.getElementById('message').hidden")
        assert "mass" in tab.ask("document.getElementById('message').textContent")
        file.write_text(MAKE.replace("length=0.5", "length=0.6"))
        tab.wait("document.body.dataset.page === 'run-3'")
        assert tab.ask("document.querySelector('#sliders input').valueAsNumber") == 0.6
        assert tab.ask("document.getElementById('message').hidden")
        # the page that computes
        tab.ask("document.getElementById('live').click()")
        tab.wait(
            "document.body.dataset.page === 'live-1' || !document.getElementById('message').hidden"
        )
        assert tab.ask("document.getElementById('message').textContent") == ""
        tab.wait(f"{inside}?.ready")
        assert tab.ask(f"{inside}.engine.values[0]") == 0.6
        assert tab.complaints() == []
        assert all(url.startswith(server.address) for url in tab.requests())
