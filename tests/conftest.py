"""Settings of the suite: `support` is importable everywhere, and Hypothesis draws the same examples
every time.
"""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "kinetree",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("kinetree")
