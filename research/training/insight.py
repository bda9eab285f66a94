"""Learning insight from games that were played to their end, by gradient descent (Adam)."""

import math
from collections.abc import Callable, Sequence
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from cartagena.bots.evaluation.network import HIDDEN, INPUTS, INSIGHTS, STRAIGHT, SUM, WORTH_AFTER, Insight
from cartagena.bots.random_games import Dice
from cartagena.bots.search.turn_candidates import Survey, pick
from cartagena.rules.position import OVER, Position
from research.training.self_play import follow

STEP: Final = 64
"""How many cases are considered before the weights change."""
FAINT: Final = 0.2
"""What each sum counts for at first, at most."""

Case = list[list[float]]
"""A table of a game whose end is known: what the net is told of each seat."""


class InsightNet(nn.Module):
    """The net of `cartagena.bots.evaluation.network`, as PyTorch trains it."""

    def __init__(self) -> None:
        super().__init__()
        self.sums = nn.Linear(INPUTS, HIDDEN, dtype=torch.float64)
        self.counts = nn.Linear(HIDDEN, 1, bias=False, dtype=torch.float64)
        self.straight = nn.Linear(INPUTS, 1, bias=False, dtype=torch.float64)

    def forward(self, inputs: Tensor) -> Tensor:
        """What the net makes of the inputs of each seat; the softmax over seats gives their chances."""
        answers: Tensor = self.straight(inputs) + self.counts(torch.relu(self.sums(inputs)))
        return answers.squeeze(-1)

    @staticmethod
    def begun(seed: int) -> "InsightNet":
        """Where studying begins: worth alone counts, and each sum looks at everything a little, by chance."""
        net, chance = InsightNet(), torch.Generator().manual_seed(seed)
        edge = math.sqrt(3.0 / INPUTS)
        with torch.no_grad():
            net.sums.weight.uniform_(-edge, edge, generator=chance)
            net.sums.bias.zero_()
            net.counts.weight.uniform_(-FAINT, FAINT, generator=chance)
            net.straight.weight.zero_()
            net.straight.weight[0, WORTH_AFTER] = 1.0
        return net

    @staticmethod
    def of_weights(weights: Sequence[float]) -> "InsightNet":
        """The net whose weights stand in this order in a file."""
        net, flat = InsightNet(), torch.tensor(weights, dtype=torch.float64)
        rows = flat[:STRAIGHT].reshape(HIDDEN, SUM)
        with torch.no_grad():
            net.sums.weight.copy_(rows[:, :INPUTS])
            net.sums.bias.copy_(rows[:, INPUTS])
            net.counts.weight[0] = rows[:, INPUTS + 1]
            net.straight.weight[0] = flat[STRAIGHT:]
        return net

    def weights(self) -> list[float]:
        """All weights in the order of a file."""
        rows = torch.cat([self.sums.weight, self.sums.bias[:, None], self.counts.weight.T], dim=1)
        flat: list[float] = torch.cat([rows.flatten(), self.straight.weight[0]]).tolist()
        assert len(flat) == INSIGHTS
        return flat


def observed_game(
    position: Position, survey: Survey, insight: Insight, temperature: float, dice: Dice
) -> list[Case]:
    """Play a game to its end and keep about every third turn."""
    cases: list[Case] = []
    turn = 0
    while position.phase != OVER:
        plans = survey.look(position)
        if position.turn != turn and dice.below(3) == 0:
            ahead = position.copy()
            follow(ahead, plans[0], dice)
            if ahead.phase != OVER:
                cases.append(insight.inputs(position, ahead))
        turn = position.turn
        follow(position, pick(plans, temperature, dice), dice)
    return cases


def study(  # noqa: PLR0913 - a lesson needs all of them
    net: InsightNet,
    inputs: Tensor,
    results: Tensor,
    *,
    readings: int,
    rate: float,
    seed: int,
    report: Callable[[float], None],
) -> None:
    """Read all cases several times, each time in another order; the rate falls evenly to zero.

    `report` hears the mean surprise of each reading at the results.
    """
    chance = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(net.parameters(), lr=rate)
    falling = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda reading: 1 - reading / readings)
    for _ in range(readings):
        surprises = []
        order = torch.randperm(len(inputs), generator=chance)
        # The few cases that are left over would move the weights as far as a whole step.
        for chosen in order[: len(order) // STEP * STEP].split(STEP):
            surprise = cross_entropy(net(inputs[chosen]), results[chosen])
            optimizer.zero_grad()
            surprise.backward()
            optimizer.step()
            surprises.append(surprise.item())
        falling.step()
        report(sum(surprises) / len(surprises))
