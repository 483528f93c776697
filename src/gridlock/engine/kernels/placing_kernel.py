from gridlock.engine.kernels.exact_kernel import ExactSearch
from gridlock.shape import Follow, Shape

CODES = {
    Shape(follows=Follow.AWAY): 0,
    Shape(follows=Follow.NEAR): 1,
    Shape(closes_own=True): 2,
    Shape(follows=Follow.NEAR, pawn=True): 3,
    Shape(closes_other=True): 4,
}


def make(shape, grid, memory):
    return ExactSearch(CODES[shape], grid.rows, grid.cols, grid.adjacency == "king", memory)


PlacingDistances = WalkingDistances = make
