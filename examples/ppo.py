"""Masked PPO in one file: a net learns Cartagena by playing all seats of many games against itself.

    python -m examples.ppo --checkpoint tortuga.pt                  an hour of Tortuga for two
    python -m examples.ppo --checkpoint tortuga.pt --resume         go on where it was stopped
    python -m examples.evaluate tortuga.pt                          how strong is it?

It needs `pip install '.[envs]' torch`; docs/how-to/train-a-bot.md tells how it works and what came out. The
same options give the same weights on the same machine, also if the run was stopped and resumed.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import log_softmax

from cartagena.envs.batch import Batch, BatchTable
from cartagena.envs.observation import Field, size_of
from cartagena.rules.codes import codes_of
from cartagena.rules.places import HOME, PLACES
from cartagena.rules.ruleset import CREW_SIZE, ESCAPE

Bytes = NDArray[np.uint8]

AHEAD: Final = 0.5
"""What the lead of a whole pirate's way is worth to a net without experience."""


def option(default: Any, told: str) -> Any:
    """An option of the command line: its default, and what --help says of it."""
    return field(default=default, metadata={"told": told})


@dataclass(frozen=True, kw_only=True)
class Options:
    """What decides a run."""

    ruleset: str = option("tortuga", "the game: tortuga or jamaica")
    seats: int = option(2, "how many seats play, 2 to 5")
    seed: int = option(1, "the seed of the games, the first weights and all choices")
    steps: int = option(10_000_000, "choices in all games together after which the run is over")
    rows: int = option(64, "games played side by side")
    length: int = option(128, "choices in each of them between two updates")
    passes: int = option(3, "how often an update goes through these choices")
    part: int = option(1024, "choices that the weights are changed by at once")
    rate: float = option(1e-3, "how fast the weights change at first; it falls evenly to a tenth")
    clip: float = option(0.2, "how far an update may push the chance of a choice: PPO's epsilon")
    trace: float = option(0.95, "how far back credit reaches: lambda of the advantages")
    entropy: float = option(0.01, "how much curiosity is worth at first; it falls evenly to a tenth")
    hidden: int = option(64, "the width of the net")
    threads: int = option(1, "cores that PyTorch may use")


# What the net is told.


class Sight:
    """Observations as the net gets them: unchanged, and behind them where each own pirate could go.

    Where a card takes a pirate follows from the signs and the crowd, but a small net would need most of its
    weights to find the next vacant space of a sign. A slot is a place with pirates of the observer's crew.
    """

    SLOTS: Final = CREW_SIZE

    def __init__(self, table: BatchTable) -> None:
        if table.rules.family != ESCAPE:
            raise ValueError(f"this net knows where pirates go in Cartagena, not in {table.rules.key}")
        self.shown = {each.name: each for each in table.fields}
        self.width = size_of(table.fields)
        self.kinds = self.shown["hands"].shape[1]
        self.slot = 5 + self.kinds
        """How many numbers tell of a slot: its place, own pirates, others, the way back and what it brings,
        and for each sign the way ahead."""
        self.told = self.width + table.seats
        """How many numbers tell of the whole table: the observation, and how far each crew is."""
        self.size = self.told + self.SLOTS * self.slot

    def look(self, observations: Bytes) -> Bytes:
        """What the net gets for these observations, a row for each."""
        rows = len(observations)
        observations = observations[:, : self.width]  # beside larger tables there are zeros behind
        pirates, signs = self._field(observations, "pirates"), self._field(observations, "signs")
        crowd = pirates.sum(1, dtype=np.uint8)
        place = np.arange(PLACES, dtype=np.uint8)
        # Ahead: for each place and sign the first vacant space beyond it that shows the sign, else the sloop.
        vacant = np.where((signs > 0) & (crowd == 0)[:, :, None], place[:, None], np.uint8(HOME))
        ahead = np.full_like(vacant, HOME)
        ahead[:, :-1] = np.minimum.accumulate(vacant[:, :0:-1], axis=1)[:, ::-1]
        # Back: the last space before it with one or two pirates, for a card each; 0 if there is none.
        company = np.where((crowd == 1) | (crowd == 2), place, np.uint8(0))  # noqa: PLR2004 - one or two
        company[:, HOME] = company[:, 0] = 0
        back = np.zeros_like(company)
        back[:, 1:] = np.maximum.accumulate(company[:, :-1], axis=1)
        found = np.where(back > 0, np.take_along_axis(crowd, back, 1), np.uint8(0))
        own = pirates[:, 0]
        others = crowd - own
        told = np.stack([np.broadcast_to(place, own.shape), own, others, place - back, found], axis=2)
        told = np.concatenate([told, ahead - place[:, None]], axis=2)
        slots = np.sort(np.where(own > 0, place, place + np.uint8(PLACES)), axis=1)[:, : self.SLOTS] % PLACES
        chosen = np.take_along_axis(told, slots[:, :, None].astype(np.intp), 1)
        gone = (pirates * place).sum(2, dtype=np.uint8)  # six pirates at home are 222 spaces
        return np.concatenate([observations, gone, chosen.reshape(rows, -1)], axis=1)

    def _field(self, observations: Bytes, name: str) -> Bytes:
        one: Field = self.shown[name]
        return observations[:, one.first : one.first + one.size].reshape(-1, *one.shape)


class Net(nn.Module):
    """Logits for each code, and a value: what the seat to act may hope for, from -1 to 1.

    Every slot is judged by the same weights, beside a summary of the whole table. A code is 38 x line +
    place (docs/notation.md), so what a slot says is as many logits as there are lines.
    """

    def __init__(self, sight: Sight, lines: int, hidden: int) -> None:
        super().__init__()
        self.sight, self.lines = sight, lines
        self.table = nn.Sequential(layer(sight.told, hidden), nn.ReLU(), layer(hidden, hidden), nn.ReLU())
        self.of_table = layer(hidden, hidden)
        self.of_slot = layer(sight.slot, hidden)
        self.deeper = layer(hidden, hidden)
        self.says = layer(hidden, lines, gain=0.01)
        self.ends_turn = layer(2 * hidden, 1, gain=0.01)
        self.hopes = nn.Sequential(layer(2 * hidden, hidden), nn.ReLU(), layer(hidden, 1, gain=0.01))
        # A net without experience hopes for the crew that is ahead: else nothing but the end of a game, which
        # is hundreds of choices away at first, would tell it anything.
        self.ahead = nn.Parameter(torch.tensor(AHEAD))

    def forward(self, seen: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """The logarithm of the chance of each code, and the value."""
        width, told, rows = self.sight.width, self.sight.told, len(seen)
        slots = seen[:, told:].reshape(rows, self.sight.SLOTS, self.sight.slot)
        # What is counted in tens and hundreds must not drown what is counted in ones: the way gone, too.
        gone = seen[:, width:told] / 37
        table = self.table(torch.cat([torch.log1p(seen[:, :width].float()), gone], dim=1))
        lead = gone[:, 0] - gone[:, 1:].mean(1)
        judged = torch.relu(self.of_slot(slots.float() / 10) + self.of_table(table)[:, None])
        judged = torch.relu(self.deeper(judged))
        summary = torch.cat([table, judged.mean(1)], dim=1)
        logits = torch.zeros(rows, self.lines, PLACES)
        where = slots[:, :, :1].long().expand(-1, -1, self.lines).transpose(1, 2)
        logits = logits.scatter(2, where, self.says(judged).transpose(1, 2)).flatten(1)
        logits = torch.cat([self.ends_turn(summary), logits[:, 1:]], dim=1)
        logits = logits.masked_fill(~masks, -1e9)
        return log_softmax(logits, dim=1), torch.tanh(self.hopes(summary).squeeze(1) + self.ahead * lead)


def layer(inputs: int, outputs: int, gain: float = 2**0.5) -> Any:
    """A linear layer with orthogonal weights."""
    made = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(made.weight, gain)
    nn.init.zeros_(made.bias)
    return made


def net_of(table: BatchTable, hidden: int) -> Net:
    """A net without any experience for a table."""
    return Net(Sight(table), codes_of(table.rules) // PLACES, hidden)


# Playing: what happened between two updates.


class Rollout:
    """What the seats saw, chose and got in some choices of each row; arrays are length x rows."""

    def __init__(self, length: int, batch: Batch, sight: Sight) -> None:
        rows, codes = batch.shown.masks.shape
        self.seen = torch.zeros(length, rows, sight.size, dtype=torch.uint8)
        self.masks = torch.zeros(length, rows, codes, dtype=torch.bool)
        self.codes = torch.zeros(length, rows, dtype=torch.long)
        self.chances = torch.zeros(length, rows)
        self.values = torch.zeros(length, rows)
        self.seats = np.zeros((length, rows), np.int64)
        self.rewards = np.zeros((length, *batch.shown.rewards.shape), np.float32)
        self.over = np.zeros((length, rows), np.bool_)

    def play(self, batch: Batch, net: Net) -> Tensor:
        """Let the net choose for every seat; return its values of what is shown at the end."""
        shown = batch.shown
        for step in range(len(self.seen)):
            self.seen[step] = torch.from_numpy(net.sight.look(shown.observations))
            self.masks[step] = torch.from_numpy(shown.masks.view(np.bool_))
            self.seats[step] = shown.to_act
            with torch.no_grad():
                chances, self.values[step] = net(self.seen[step], self.masks[step])
            codes = torch.multinomial(chances.exp(), 1)
            self.chances[step] = chances.gather(1, codes).squeeze(1)
            self.codes[step] = codes.squeeze(1)
            shown = batch.step(self.codes[step].numpy())
            self.rewards[step] = shown.rewards
            self.over[step] = shown.terminated | shown.truncated
        with torch.no_grad():
            seen = torch.from_numpy(net.sight.look(shown.observations))
            values: Tensor = net(seen, torch.from_numpy(shown.masks.view(np.bool_)))[1]
        return values

    def advantages(
        self, last: NDArray[np.float32], to_act: NDArray[np.int64], trace: float
    ) -> tuple[Any, Any]:
        """How much better each choice was than hoped, and whether that can be known yet.

        Seats take turns, but what counts for a seat is what it hopes at its *own* next choice, and what it
        got until then. So we go back through time with a notebook for each seat of each row.
        """
        length, rows = self.seats.shape
        values, row = self.values.numpy(), np.arange(rows)
        advantages, known = np.zeros((length, rows), np.float32), np.zeros((length, rows), np.bool_)
        hope, better, got = (np.zeros((rows, self.rewards.shape[2]), np.float32) for _ in range(3))
        # A seat that is not to act after the last step has no next choice that we could ask about.
        told = np.zeros(hope.shape, np.bool_)
        hope[row, to_act], told[row, to_act] = last, True
        for step in reversed(range(length)):
            over, seat = self.over[step], self.seats[step]
            for notes, after_the_end in ((hope, 0), (better, 0), (got, 0), (told, True)):
                notes[over] = after_the_end
            got += self.rewards[step]
            surprise = got[row, seat] + hope[row, seat] - values[step]
            known[step] = told[row, seat]
            advantages[step] = np.where(known[step], surprise + trace * better[row, seat], 0)
            hope[row, seat], better[row, seat] = values[step], advantages[step]
            got[row, seat], told[row, seat] = 0, True
        return advantages, known


# Learning.

COUNTED: Final = ("steps", "games", "seconds", "processor_seconds")
"""What a run counts."""


class Training:
    """A run: the net, the games under way and all that is needed to go on after a stop."""

    def __init__(self, options: Options) -> None:
        torch.manual_seed(options.seed)
        self.options = options
        self.table = BatchTable(options.ruleset, options.seats)
        self.batch = Batch([self.table] * options.rows, seed=options.seed)
        self.net = net_of(self.table, options.hidden)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=options.rate, eps=1e-5)
        self.rollout = Rollout(options.length, self.batch, self.net.sight)
        self.steps = 0
        self.games = 0
        self.seconds = 0.0
        """How long it took, by a clock."""
        self.processor_seconds = 0.0
        """How long processors worked for it, which is less where other programs want them, too."""

    @property
    def left(self) -> float:
        """What rate and curiosity are multiplied by: from 1 down to a tenth."""
        return max(0.1, 1 - 0.9 * self.steps / self.options.steps)

    def update(self) -> dict[str, float]:
        """Play, and learn from it; return figures for the progress."""
        begun, worked = time.perf_counter(), time.process_time()
        last = self.rollout.play(self.batch, self.net).numpy()
        playing = time.process_time() - worked
        advantages, known = self.rollout.advantages(last, self.batch.shown.to_act, self.options.trace)
        figures = self._learn(torch.from_numpy(advantages).flatten(), torch.from_numpy(known).flatten())
        self.steps += known.size
        self.games += int(self.rollout.over.sum())
        self.seconds += time.perf_counter() - begun
        self.processor_seconds += (took := time.process_time() - worked)
        length = known.size / max(1, self.rollout.over.sum())
        speed = {"steps a processor's second": known.size / took, "share of playing": playing / took}
        return {**speed, "choices a game": length, **figures}

    def _learn(self, advantages: Tensor, known: Tensor) -> dict[str, float]:
        options, rollout = self.options, self.rollout
        seen, masks = rollout.seen.flatten(0, 1), rollout.masks.flatten(0, 1)
        codes, chances = rollout.codes.flatten(), rollout.chances.flatten()
        returns = rollout.values.flatten() + advantages
        for group in self.optimizer.param_groups:
            group["lr"] = options.rate * self.left
        sums = torch.zeros(4)
        parts = 0
        for _ in range(options.passes):
            order = torch.randperm(len(known))
            for chosen in order[known[order]].split(options.part):
                now, values = self.net(seen[chosen], masks[chosen])
                ratio = (now.gather(1, codes[chosen, None]).squeeze(1) - chances[chosen]).exp()
                wanted = advantages[chosen]
                wanted = (wanted - wanted.mean()) / (wanted.std() + 1e-8)
                clipped = ratio.clamp(1 - options.clip, 1 + options.clip)
                gain = torch.min(ratio * wanted, clipped * wanted).mean()
                entropy = -(now.exp() * now).sum(1).mean()
                error = (values - returns[chosen]).square().mean()
                loss = 0.5 * error - gain - options.entropy * self.left * entropy
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
                self.optimizer.step()
                with torch.no_grad():
                    changed = ((ratio - 1) - ratio.log()).mean()
                    outside = ((ratio - 1).abs() > options.clip).float().mean()
                    sums += torch.stack([entropy, error, changed, outside])
                parts += 1
        names = ("entropy", "value error", "change", "clipped")
        return dict(zip(names, (sums / parts).tolist(), strict=True))

    # Keeping.

    def save(self, file: Path) -> None:
        """Write everything down, so that no reader ever finds half a file."""
        state = {
            "options": asdict(self.options),
            "net": self.net.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "batch": self.batch.text(),
            "chance": torch.get_rng_state(),
            **{name: getattr(self, name) for name in COUNTED},
        }
        torch.save(state, file.with_suffix(".part"))
        file.with_suffix(".part").replace(file)

    @staticmethod
    def resumed(file: Path, steps: int | None = None) -> "Training":
        """The run that was written down, to its planned end or a new one."""
        state = torch.load(file, weights_only=True)
        options = Options(**state["options"])
        training = Training(options if steps is None else replace(options, steps=steps))
        training.net.load_state_dict(state["net"])
        training.optimizer.load_state_dict(state["optimizer"])
        training.batch = Batch.of_text(state["batch"])
        torch.set_rng_state(state["chance"])
        for name in COUNTED:
            setattr(training, name, state[name])
        return training


def run(training: Training, file: Path, every: float, minutes: float, tell: Callable[[str], None]) -> None:
    """Update until all steps are made or the time is over; write the run down now and then."""
    torch.set_num_threads(training.options.threads)
    begun = saved = time.perf_counter()
    try:
        while training.steps < training.options.steps and time.perf_counter() - begun < 60 * minutes:
            figures = training.update()
            words = ", ".join(f"{name} {figure:.3g}" for name, figure in figures.items())
            done = f"{training.steps:>11,} steps, {training.games:,} games, {training.seconds / 60:.1f} min"
            tell(f"{done}: {words}")
            if time.perf_counter() - saved > 60 * every:
                saved = time.perf_counter()
                training.save(file)
    except KeyboardInterrupt:
        tell("stopped; --resume goes on from the last time it was written down")
        return
    training.save(file)
    tell(f"written to {file}")


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checkpoint", type=Path, required=True, help="the file that the run is written to")
    parser.add_argument("--resume", action="store_true", help="go on with the run in that file")
    parser.add_argument("--every", type=float, default=2, help="minutes between two writings (2)")
    parser.add_argument("--minutes", type=float, default=60, help="stop after so long (60)")
    for one in fields(Options):
        told = f"{one.metadata['told']} ({one.default})"
        parser.add_argument(f"--{one.name}", type=type(one.default), help=told)
    asked = vars(parser.parse_args())
    chosen = {one.name: asked[one.name] for one in fields(Options) if asked[one.name] is not None}
    file = asked["checkpoint"]
    if asked["resume"]:
        if chosen.keys() - {"steps"}:
            parser.error("a run goes on by its own options; only --steps may change")
        training = Training.resumed(file, chosen.get("steps"))
    else:
        training = Training(Options(**chosen))
    run(training, file, asked["every"], asked["minutes"], lambda words: print(words, flush=True))


if __name__ == "__main__":
    main()
