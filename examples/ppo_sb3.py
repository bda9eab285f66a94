"""MaskablePPO of sb3-contrib in about twenty lines: one seat learns, a deckhand plays the other.

It needs `pip install '.[envs]' sb3-contrib`. Run it with `python -m examples.ppo_sb3 200000`.
"""

import sys
from typing import Any

import gymnasium
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy


class Masked(gymnasium.ObservationWrapper[Any, Any, Any]):
    """Shows the observation alone, and the mask to those who ask for it, as MaskablePPO does."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        self.observation_space = env.observation_space["observation"]  # type: ignore[index]  # it is a Dict

    def observation(self, observation: Any) -> Any:
        """Keep the mask, and show the rest."""
        self.mask = observation["action_mask"]
        return observation["observation"]

    def action_masks(self) -> Any:
        """What may be chosen now."""
        return self.mask.astype(bool)


def main(steps: int) -> None:
    """Learn for some steps, then tell how often the learner wins."""
    env = Masked(gymnasium.make("cartagena.envs.single:cartagena/Cartagena-v0", opponents="deckhand"))
    model = MaskablePPO("MlpPolicy", env, n_steps=1024, batch_size=256, seed=1, device="cpu", verbose=1)
    model.learn(steps)
    model.save("ppo_sb3.zip")
    points, _ = evaluate_policy(model, env, n_eval_episodes=100, warn=False, return_episode_rewards=True)
    print(f"{sum(each > 0 for each in points)} of {len(points)} games won")


if __name__ == "__main__":
    main(int(sys.argv[1]))
