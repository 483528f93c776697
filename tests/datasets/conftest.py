"""The packages that datasets need, and the folder of the reference solver's helpers."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("numpy")
pytest.importorskip("pyarrow")
sys.path.append(str(Path(__file__).parents[1] / "engine"))
