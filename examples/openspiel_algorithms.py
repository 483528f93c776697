"""OpenSpiel's own algorithms on GridLock's games.

pip install '.[openspiel]'
python examples/openspiel_algorithms.py
"""

import numpy as np
import pyspiel
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import mcts, minimax, tabular_qlearner

import gridlock as gl
import gridlock.envs.openspiel


def who_wins(name: str) -> str:
    """Solve a small board with OpenSpiel's minimax, and with GridLock for comparison."""
    value, action = minimax.alpha_beta_search(pyspiel.load_game(f"gridlock_{name}(rows=3,cols=3)"))
    ours = gl.solve(name, "3x3").winner
    return f"{name} 3x3: minimax {1 if value > 0 else 2}, GridLock {ours}, minimax begins with {action}"


def against_chance(games: int = 10) -> float:
    """Return the share of games that Monte Carlo tree search wins as the second player against a random player."""
    game, rng = pyspiel.load_game("gridlock_showdown"), np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2.0, 50, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    won = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(bot.step(state) if state.current_player() == 1 else rng.choice(state.legal_actions()))
        won += state.returns()[1] > 0
    return won / games


def learned(episodes: int) -> float:
    """Train a Q-learner by self-play; return its share of wins as the first player against a random player."""
    env, rng = rl_environment.Environment("gridlock_trails"), np.random.RandomState(1)
    agents = [tabular_qlearner.QLearner(player, env.action_spec()["num_actions"]) for player in range(2)]
    for _ in range(episodes):
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
    won = 0
    for _ in range(100):
        step = env.reset()
        while not step.last():
            player = step.observations["current_player"]
            chance = rng.choice(step.observations["legal_actions"][player])
            step = env.step([chance if player else agents[0].step(step, is_evaluation=True).action])
        won += step.rewards[0] > 0
    return won / 100


if __name__ == "__main__":
    for each in ("keepaway", "chain", "scatter", "trails", "showdown"):
        print(who_wins(each))
    print(f"MCTS wins {against_chance():.0%} as second player against random moves")
    print(f"Q-learning wins {learned(0):.0%} of trails as first player before learning, {learned(2000):.0%} after")
