"""Settings of the suite: `support` and the `workshop` of the pages are importable everywhere,
Hypothesis draws the same examples every time, and the pages are built once for all tests that read
them.
"""

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from support.built_site import build_once

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs"))
settings.register_profile(
    "kinetree",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("kinetree")


@pytest.fixture(scope="session")
def site(tmp_path_factory, worker_id):
    """All pages as a reader has them, built without warnings and without a network."""
    folder = tmp_path_factory.getbasetemp()
    return build_once(folder if worker_id == "master" else folder.parent)
