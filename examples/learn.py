"""An agent that learns a game in about 15 seconds.

pip install '.[gymnasium]' sb3-contrib
python examples/learn.py
"""

import torch
from sb3_contrib import MaskablePPO

from gridlock.envs.gymnasium import Against


def won(model: MaskablePPO, env: Against, games: int = 200) -> float:
    """Play the given number of games, and return the share that a model wins."""
    wins = 0
    for seed in range(games):
        (seen, _), over, reward = env.reset(seed=seed), False, 0.0
        while not over:
            action, _ = model.predict(seen, action_masks=env.action_masks())
            seen, reward, over, _, _ = env.step(action)
        wins += reward > 0
    return wins / games


if __name__ == "__main__":
    torch.set_num_threads(1)  # the network is too small for more threads, which slow each other down on a busy machine
    env = Against("showdown", opponent="random")
    model = MaskablePPO("MlpPolicy", env, n_steps=512, batch_size=128, seed=1, device="cpu")
    print(f"before: wins {won(model, env):.0%} against random moves")
    model.learn(16_384)
    print(f"after:  wins {won(model, env):.0%}")
