"""Settings for every test; this folder is importable from all of them (`import oracle`)."""

from hypothesis import HealthCheck, settings

# The same examples on every machine and no stopwatch: a test fails for what it found, never for how long it took.
settings.register_profile(
    "gridlock", derandomize=True, deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("gridlock")
