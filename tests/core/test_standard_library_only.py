"""Tests that the rules and exact values need only the standard library."""

import json
import re
import subprocess
import sys
from pathlib import Path

import gridlock

ASK = """
import json, sys
sys.path.insert(0, {source!r})
before = set(sys.modules)
import gridlock
from gridlock.core import game, notation, perft, records, rules
import gridlock.values
print(json.dumps(sorted(set(sys.modules) - before)))
"""

CYTHONS_OWN = re.compile("_cython_|_cyutility$|cython_runtime$")  # names that every compiled file registers


def test_the_core_and_values_import_nothing_but_the_standard_library():
    source = str(Path(gridlock.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-I", "-c", ASK.format(source=source)], capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in json.loads(done.stdout) if not CYTHONS_OWN.match(name)}
    assert "gridlock" in loaded
    assert loaded - set(sys.stdlib_module_names) == {"gridlock"}
