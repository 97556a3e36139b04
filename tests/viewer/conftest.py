"""One browser for all tests of a file."""

import pytest

from .browser import Browser


@pytest.fixture(scope="module")
def browser():
    pytest.importorskip("websockets", reason="the package websockets is not installed")
    made = Browser()
    yield made
    made.close()
