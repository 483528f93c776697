"""The import path for the reference solver's helpers in tests/engine."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "engine"))
