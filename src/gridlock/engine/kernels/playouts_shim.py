from gridlock.engine.kernels.placing_kernel import CODES
from gridlock.engine.kernels.playout_kernel import Playouts as P


def Playouts(shape, grid):
    return P(CODES[shape], grid.rows, grid.cols, grid.adjacency == "king")
