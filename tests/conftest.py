"""Settings of the suite: `support` and the `workshop` of the pages are importable everywhere, and
Hypothesis draws the same examples every time.
"""

import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs"))
settings.register_profile(
    "kinetree",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("kinetree")
