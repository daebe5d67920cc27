"""One profile for all property tests: fixed seed, printed, so that a failure can be repeated anywhere."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

SEED = int(os.environ.get("XLMODEL_TEST_SEED", "19991215"))  # the first payment date of CarMax 1999-1

settings.register_profile(
    "fixed",
    deadline=None,  # this kind of machine is noisy
    print_blob=True,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("fixed")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--hypothesis-seed", default=None) is None:
        config.option.hypothesis_seed = SEED


def pytest_report_header(config: pytest.Config) -> str:
    seed = config.getoption("--hypothesis-seed")
    return f"hypothesis: profile fixed, seed {seed} (XLMODEL_TEST_SEED or --hypothesis-seed sets another)"
