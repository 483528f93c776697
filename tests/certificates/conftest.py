"""Fixtures for the certificate tests."""

import shutil

import pytest
from claims import CChecker


@pytest.fixture(scope="session")
def in_c(tmp_path_factory):
    """The C checker."""
    if shutil.which("cc") is None:
        pytest.skip("needs a C compiler")
    return CChecker(tmp_path_factory.mktemp("checker"))
