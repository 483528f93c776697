"""Linear equations with a symmetric, positive definite matrix, such as an information matrix."""

import math
from collections.abc import Sequence
from operator import mul

Matrix = list[list[float]]


def cholesky(table: Matrix) -> Matrix:
    """Return the lower triangular Cholesky factor of a matrix."""
    rows: Matrix = []
    for i, line in enumerate(table):
        row: list[float] = []
        for j in range(i):
            row.append((line[j] - _product(row, rows[j])) / rows[j][j])
        row.append(math.sqrt(line[i] - _product(row, row)))
        rows.append(row)
    return rows


def solve(lower: Matrix, right: Sequence[float]) -> list[float]:
    """Solve the equations with a given right-hand side, using the matrix's lower triangular factor from `cholesky`."""
    found: list[float] = []
    for row, value in zip(lower, right, strict=True):
        found.append((value - _product(found, row)) / row[-1])
    for i in reversed(range(len(found))):
        found[i] /= lower[i][i]
        for j in range(i):
            found[j] -= lower[i][j] * found[i]
    return found


def inverse(lower: Matrix) -> Matrix:
    """Return the inverse of a matrix, given its lower triangular factor from `cholesky`."""
    size = len(lower)
    return [solve(lower, [float(i == j) for j in range(size)]) for i in range(size)]


def _product(left: Sequence[float], right: Sequence[float]) -> float:
    """Return the inner product of two vectors, up to the length of the shorter one."""
    return float(sum(map(mul, left, right)))
