"""The examples of learning: what the net is told is true, credit goes to the right seat, and runs go on."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from cartagena.envs.batch import Batch, BatchTable, any_legal
from cartagena.rules.families.escape import target_of_play
from cartagena.rules.families.retreat import target_of_retreat
from cartagena.rules.places import HOME, place_of
from examples.evaluate import GAMES, results
from examples.ppo import Net, Options, Rollout, Sight, Training, net_of, run

SMALL = Options(steps=1600, rows=8, length=50, passes=1, part=128, hidden=16)


@pytest.fixture(autouse=True)
def own_threads() -> Iterator[None]:
    """One core, as a run has it, and then again what other tests have."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def learned(training: Training) -> torch.Tensor:
    return torch.nn.utils.parameters_to_vector(training.net.parameters())


@pytest.mark.parametrize(("ruleset", "seats"), [("tortuga", 2), ("jamaica", 3)])
def test_a_slot_tells_where_the_rules_let_its_pirates_go(ruleset: str, seats: int) -> None:
    table = BatchTable(ruleset, seats)
    batch, sight, chance = Batch([table] * 8, seed=3), Sight(table), np.random.default_rng(3)
    backs = 0
    for _ in range(150):
        seen = sight.look(batch.shown.observations)
        slots = seen[:, sight.told :].reshape(8, sight.SLOTS, sight.slot).astype(int)
        for row in range(8):
            position = batch.position(row)
            own = position.crews[position.to_act].places()
            told = [slot for slot in slots[row] if slot[1]]
            assert [slot[0] for slot in told for _ in range(slot[1])] == sorted(own)
            assert seen[row, sight.width] == sum(own)
            for place, _, _, back, found, *ahead in told:
                for sign, way in enumerate(ahead):
                    ends = place_of(target_of_play(position, sign, place)) if place < HOME else HOME
                    assert place + way == ends
                target = target_of_retreat(position, place) if place else 0
                assert found == (position.crowd.count(target) if target else 0)
                assert not target or place - back == place_of(target)
                backs += bool(target)
        batch.step(any_legal(batch.shown.masks, chance))
    assert backs > 100


def test_the_net_of_a_game_with_other_ways_is_refused() -> None:
    with pytest.raises(ValueError, match="not in nest"):
        Sight(BatchTable("nest", 2))


def test_credit_goes_back_along_the_choices_of_each_seat() -> None:
    # One game of seats 0, 1, 0, 1: the last choice wins it for seat 1; then seat 0 chooses in the next game.
    table = BatchTable("tortuga", 2)
    batch = Batch([table], seed=1)
    rollout = Rollout(5, batch, Sight(table))
    rollout.seats[:, 0] = [0, 1, 0, 1, 0]
    rollout.over[3, 0] = True
    rollout.rewards[3, 0] = [-1, 1]
    rollout.values[:, 0] = torch.tensor([0.5, 0.25, 0.125, 0.75, 0.0])
    advantages, known = rollout.advantages(np.array([0.3], np.float32), np.array([1]), trace=0.5)
    third, fourth = -1 - 0.125, 1 - 0.75
    first, second = (0.125 - 0.5) + 0.5 * third, (0.75 - 0.25) + 0.5 * fourth
    # What the last choice is worth shows only when its seat is to act again.
    assert advantages[:, 0].tolist() == pytest.approx([first, second, third, fourth, 0])
    assert known[:, 0].tolist() == [True, True, True, True, False]


def test_a_seat_that_is_to_act_again_knows_what_its_last_choice_was_worth() -> None:
    table = BatchTable("tortuga", 2)
    rollout = Rollout(1, Batch([table], seed=1), Sight(table))
    rollout.values[:] = 0.25
    advantages, known = rollout.advantages(np.array([0.75], np.float32), np.array([0]), trace=0.5)
    assert (advantages.item(), known.item()) == (0.5, True)


def test_a_net_chooses_only_what_is_legal_and_hopes_for_the_crew_that_is_ahead() -> None:
    table = BatchTable("tortuga", 2)
    batch, chance = Batch([table] * 16, seed=5), np.random.default_rng(5)
    net: Net = net_of(table, 16)
    for _ in range(60):
        batch.step(any_legal(batch.shown.masks, chance))
    seen = torch.from_numpy(net.sight.look(batch.shown.observations))
    masks = torch.from_numpy(batch.shown.masks == 1)
    chances, hopes = net(seen, masks)
    assert chances.exp().sum(1).tolist() == pytest.approx([1] * 16)
    assert (chances.exp() > 0).equal(masks)
    lead = seen[:, net.sight.width].float() - seen[:, net.sight.width + 1].float()
    assert torch.corrcoef(torch.stack([lead, hopes]))[0, 1] > 0.5


def test_a_run_that_was_stopped_goes_on_to_the_same_weights(tmp_path: Path) -> None:
    whole, heard = tmp_path / "whole.pt", list[str]()
    run(Training(SMALL), whole, every=0, minutes=5, tell=heard.append)
    assert len(heard) == 5
    stopped = Training(SMALL)
    for _ in range(2):
        stopped.update()
    stopped.save(tmp_path / "stopped.pt")
    again = Training.resumed(tmp_path / "stopped.pt")
    assert again.steps == 800
    run(again, tmp_path / "again.pt", every=5, minutes=5, tell=heard.append)
    assert again.steps == 1600
    weights = learned(Training.resumed(whole))
    assert weights.equal(learned(again))
    assert weights.equal(learned(Training.resumed(tmp_path / "again.pt")))
    assert not weights.equal(learned(stopped))


def test_a_checkpoint_is_measured_against_a_level(tmp_path: Path) -> None:
    training = Training(SMALL)
    training.update()
    training.save(tmp_path / "short.pt")
    (result,) = results(tmp_path / "short.pt", {"sailor": 3}, seed="1", workers=1)
    assert (result.level, result.rate.games, result.par) == ("sailor", 4, 0.5)
    assert result.rate.share <= 0.5
    assert set(GAMES) >= {"random", "deckhand", "sailor", "bosun", "captain"}
