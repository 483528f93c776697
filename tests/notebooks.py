"""Helpers that run the example notebooks cell by cell."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[1] / "examples"


def run_cells(name: str) -> Iterator[tuple[Any, dict[str, str]]]:
    """Run a notebook's code cells; for each cell that ends in an expression, yield its value and its stored output."""
    names: dict[str, Any] = {}
    for cell in json.loads((EXAMPLES / name).read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        *statements, last = ast.parse("".join(cell["source"])).body
        exec(compile(ast.Module(statements, []), "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            found = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            yield found, {kind: "".join(text) for kind, text in cell["outputs"][0]["data"].items()}
        else:
            exec(compile(ast.Module([last], []), "cell", "exec"), names)
            assert cell["outputs"] == []
