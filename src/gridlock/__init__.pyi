# The public names and the modules that define them; __init__.py reads this list.

from gridlock.arena.match import MatchResult as MatchResult
from gridlock.arena.match import match as match
from gridlock.core.errors import BadBoard as BadBoard
from gridlock.core.errors import BadGame as BadGame
from gridlock.core.errors import BadPosition as BadPosition
from gridlock.core.errors import BadRecord as BadRecord
from gridlock.core.errors import GridLockError as GridLockError
from gridlock.core.errors import IllegalMove as IllegalMove
from gridlock.core.errors import UnreadableMove as UnreadableMove
from gridlock.core.game import SWAP as SWAP
from gridlock.core.game import Game as Game
from gridlock.core.game import Outcome as Outcome
from gridlock.core.game import Termination as Termination
from gridlock.core.grid import Adjacency as Adjacency
from gridlock.core.grid import Grid as Grid
from gridlock.core.grid import cells_of as cells_of
from gridlock.core.grid import set_of as set_of
from gridlock.core.moves import Moves as Moves
from gridlock.core.position import Position as Position
from gridlock.core.records import load as load
from gridlock.core.records import save as save
from gridlock.core.rulebook import Reason as Reason
from gridlock.core.rulebook import Refusal as Refusal
from gridlock.core.rulebook import RuleBook as RuleBook
from gridlock.core.rulebook import Variant as Variant
from gridlock.core.rules import RULE_BOOKS as RULE_BOOKS
from gridlock.core.rules import register as register
from gridlock.core.rules import rule_book as rule_book
from gridlock.core.rules import variant as variant
from gridlock.core.shape import Follow as Follow
from gridlock.core.shape import Shape as Shape
from gridlock.engine.answers import Answer as Answer
from gridlock.engine.answers import Grounds as Grounds
from gridlock.engine.answers import Solved as Solved
from gridlock.engine.answers import Step as Step
from gridlock.engine.answers import Value as Value
from gridlock.engine.answers import solve as solve
from gridlock.engine.regions import Region as Region
from gridlock.engine.regions import Regions as Regions
from gridlock.players import agents as agents

__version__: str
__all__: list[str]
