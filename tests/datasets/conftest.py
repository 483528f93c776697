"""Access to the folder with the reference solver's helpers."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "engine"))
