/** The story of a table: the deeds of others are shown one by one, the reader's own at once. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Happening, Table, Update, View } from "../../src/api/messages";
import { hear, type Standing } from "../../src/connection/standing";
import { Story } from "../../src/connection/story.svelte";
import { position } from "../board/around";

const YOU = 0;
const INES = 1;
const ROOK = 2;
const TABLE = {
  stage: "running",
  ending: null,
  winner: null,
  chairs: [YOU, INES, ROOK].map((seat) => ({ seat, kind: seat === YOU ? "person" : "bot", minder: null })),
} as unknown as Table;
/** A short move takes 260 ms, and stays for 500 more. */
const DEED_MS = 760;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A game of three, in which each deed brings the next update. */
class Game {
  tempo = 1;
  readonly story = new Story(() => this.tempo);
  standing: Standing | null = null;
  private view: View = {
    ...position("tortuga").view,
    seat: YOU,
    turn: 7,
    turn_seat: YOU,
    actions_used: 0,
    pirates: [
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ],
  };

  constructor(private seq = 40) {
    this.tell({ table: TABLE, view: this.view, happened: [] });
  }

  tell(update: Omit<Update, "seq">): void {
    this.hear({ ...update, seq: this.seq });
  }

  hear(update: Update): void {
    const step = hear(this.standing, update, 0);
    this.standing = step.standing;
    this.seq = step.standing.seq + 1;
    this.story.hear(step);
  }

  /** A seat goes from one space to the next; returns the update that tells it. */
  moves(seat: number, from: number, to = from + 1): Update {
    const pirates = this.view.pirates.map((places, crew) =>
      crew === seat ? places.with(places.indexOf(from), to) : places,
    );
    const used = this.view.actions_used + 1;
    return this.change({ pirates, turn_seat: seat, actions_used: used }, [
      { happening: "moved", seat, crew: seat, start: from, target: to },
    ]);
  }

  endsTurn(seat: number): Update {
    const next = (seat + 1) % 3;
    return this.change({ turn: this.view.turn + 1, turn_seat: next, actions_used: 0 }, [
      { happening: "turn_ended", seat, next_seat: next },
    ]);
  }

  takesBack(seat: number, pirates: readonly number[][]): Update {
    const used = this.view.actions_used - 1;
    const update = this.change({ pirates: [...pirates], actions_used: used }, []);
    return { ...update, news: { kind: "undone", seat } };
  }

  /** The last turn of the reader, then those of both bots, all at once. */
  playRound(): void {
    for (const deed of [
      () => this.moves(YOU, 0),
      () => this.endsTurn(YOU),
      () => this.moves(INES, 0),
      () => this.moves(INES, 0, 2),
      () => this.endsTurn(INES),
      () => this.moves(ROOK, 0),
      () => this.endsTurn(ROOK),
    ])
      this.hear(deed());
  }

  private change(changed: Partial<View>, happened: Happening[]): Update {
    this.view = { ...this.view, ...changed };
    return { seq: this.seq, view: this.view, happened };
  }
}

/** Where the pirates that have left the fort are shown, crew by crew. */
function out(story: Story): number[][] | undefined {
  return story.shown?.view?.pirates.map((places) => places.filter((place) => place > 0));
}

describe("what others do", () => {
  it("is shown one deed after the other, turn by turn", () => {
    const game = new Game();
    game.playRound();
    const seen = [];
    for (let deed = 0; deed < 4; deed++) {
      seen.push([out(game.story), game.story.shown?.view?.turn_seat, game.story.isTelling]);
      vi.advanceTimersByTime(DEED_MS);
    }
    expect(seen).toEqual([
      [[[1], [], []], INES, true],
      [[[1], [1], []], INES, true],
      [[[1], [1, 2], []], INES, true],
      [[[1], [1, 2], [1]], ROOK, true],
    ]);
    expect([game.story.shown?.seq, game.story.isTelling, vi.getTimerCount()]).toEqual([47, false, 0]);
  });

  it("takes longer for a reader who wants it slow", () => {
    const game = new Game();
    game.hear(game.endsTurn(YOU));
    game.tempo = 2;
    game.hear(game.moves(INES, 0));
    game.hear(game.moves(INES, 0, 2));
    vi.advanceTimersByTime(2 * DEED_MS - 1);
    expect(out(game.story)?.[INES]).toEqual([1]);
    vi.advanceTimersByTime(1);
    expect(out(game.story)?.[INES]).toEqual([1, 2]);
    expect(game.story.told.at(-1)?.tempo).toBe(2);
  });

  it("is shown at once where nobody wants to wait, and is told in its order", () => {
    const game = new Game();
    game.tempo = 0;
    game.playRound();
    expect([game.story.isTelling, vi.getTimerCount()]).toEqual([false, 0]);
    expect(game.story.told.map(({ view }) => view?.turn)).toEqual([7, 8, 8, 8, 9, 9, 10]);
  });

  it("is shown at once from the moment at which the reader wants it so", () => {
    const game = new Game();
    game.playRound();
    game.tempo = 0;
    vi.advanceTimersByTime(DEED_MS);
    expect([game.story.shown?.seq, game.story.isTelling]).toEqual([47, false]);
  });

  it("waits while something lies over the board, and goes on from there", () => {
    const game = new Game();
    const release = game.story.hold();
    game.playRound();
    expect([out(game.story), vi.getTimerCount()]).toEqual([[[1], [], []], 0]);
    release();
    expect(out(game.story)).toEqual([[1], [1], []]);
  });

  it("ends at once when it is skipped, and each deed is told once", () => {
    const game = new Game();
    game.playRound();
    vi.advanceTimersByTime(DEED_MS);
    game.story.finish();
    expect([game.story.shown?.seq, game.story.latest?.seq, vi.getTimerCount()]).toEqual([47, 47, 0]);
    expect(game.story.told.map(({ seq, tempo }) => [seq, tempo])).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 0],
      [4, 0],
      [5, 0],
      [6, 0],
    ]);
  });

  it("ends at once when it grows too long", () => {
    const game = new Game();
    for (let deed = 0; deed < 60; deed++) game.hear(game.moves(INES, deed % 30, (deed + 1) % 30));
    expect(game.story.shown?.seq).toBeGreaterThanOrEqual(88);
  });

  it("is dropped for a whole state, as after a failover", () => {
    const game = new Game();
    game.playRound();
    const view = { ...position("tortuga").view, seat: YOU };
    game.hear({ seq: 44, table: TABLE, view, happened: [], anew: true });
    expect([game.story.shown?.view, game.story.isTelling, game.story.again()]).toEqual([view, false, false]);
  });

  it("goes on when an update comes too early", () => {
    const game = new Game();
    game.playRound();
    game.hear({ ...game.moves(YOU, 0), seq: 60 });
    expect([out(game.story), game.story.isTelling]).toEqual([[[1], [], []], true]);
  });
});

describe("what the reader does", () => {
  it("is shown at once, and everything before it", () => {
    const game = new Game();
    game.playRound();
    game.hear(game.moves(YOU, 0, 3));
    expect([out(game.story)?.[YOU], game.story.isTelling]).toEqual([[1, 3], false]);
    expect(game.story.told.at(-1)).toMatchObject({ tempo: 1 });
  });

  it("is waited for by the others until it has arrived", () => {
    const game = new Game();
    game.hear(game.moves(YOU, 0));
    game.hear(game.moves(INES, 0));
    expect(out(game.story)).toEqual([[1], [], []]);
    vi.advanceTimersByTime(DEED_MS);
    expect(out(game.story)).toEqual([[1], [1], []]);
  });

  it("is shown like another's while a bot plays on for them", () => {
    const game = new Game();
    const chairs = TABLE.chairs.map((chair) => ({ ...chair, minder: "deckhand" }));
    game.tell({ news: { kind: "expired", seat: YOU }, table: { ...TABLE, chairs }, happened: [] });
    game.hear(game.moves(YOU, 0));
    game.hear(game.moves(YOU, 0, 2));
    expect([out(game.story)?.[YOU], game.story.isTelling]).toEqual([[1], true]);
  });
});

describe("marks", () => {
  it("stay for all turns of the others, numbered as the actions of each", () => {
    const game = new Game();
    game.tempo = 0;
    game.playRound();
    expect(game.story.marks).toEqual([
      { seat: INES, number: 1, from: 0, to: 1 },
      { seat: INES, number: 2, from: 0, to: 2 },
      { seat: ROOK, number: 1, from: 0, to: 1 },
    ]);
  });

  it("come with what is shown, and not before", () => {
    const game = new Game();
    game.playRound();
    vi.advanceTimersByTime(DEED_MS);
    expect(game.story.marks).toEqual([{ seat: INES, number: 1, from: 0, to: 1 }]);
  });

  it("are gone with the reader's next action", () => {
    const game = new Game();
    game.tempo = 0;
    game.playRound();
    game.hear(game.moves(YOU, 1));
    expect(game.story.marks).toEqual([]);
  });

  it("are taken back with the action", () => {
    const game = new Game();
    game.tempo = 0;
    game.hear(game.endsTurn(YOU));
    game.hear(game.moves(INES, 0));
    game.hear(game.moves(INES, 0, 2));
    game.hear(
      game.takesBack(INES, [
        [0, 0, 0],
        [1, 0, 0],
        [0, 0, 0],
      ]),
    );
    expect(game.story.marks).toEqual([{ seat: INES, number: 1, from: 0, to: 1 }]);
  });

  it("are there for a reader who comes back to the table", () => {
    const before = new Game(10);
    const updates = [before.endsTurn(YOU), before.moves(INES, 0), before.endsTurn(INES)];
    const game = new Game(12);
    updates.forEach((update, index) => game.story.recall({ ...update, seq: 10 + index }));
    expect(game.story.marks).toEqual([{ seat: INES, number: 1, from: 0, to: 1 }]);
    expect(game.story.again()).toBe(true);
  });
});

describe("the last turns, shown again", () => {
  function replayed(): Game {
    const game = new Game();
    game.tempo = 0;
    game.playRound();
    game.tempo = 1;
    game.hear(game.moves(YOU, 0, 3));
    expect(game.story.again()).toBe(true);
    return game;
  }

  it("begin where they began, and end with how the table stands", () => {
    const { story } = replayed();
    const seen = [];
    for (let deed = 0; deed < 5; deed++) {
      seen.push(out(story));
      vi.advanceTimersByTime(deed === 0 ? 600 : DEED_MS);
    }
    expect(seen).toEqual([
      [[1], [], []],
      [[1], [1], []],
      [[1], [1, 2], []],
      [[1], [1, 2], [1]],
      [[1, 3], [1, 2], [1]],
    ]);
  });

  it("leave the log where it is", () => {
    const { story } = replayed();
    expect([story.isTelling, story.isLate, story.latest?.seq]).toEqual([true, false, 48]);
  });

  it("are told again, and marked again as they come", () => {
    const { story } = replayed();
    vi.advanceTimersByTime(600);
    expect(story.marks).toEqual([{ seat: INES, number: 1, from: 0, to: 1 }]);
    expect(story.told.at(-1)?.seq).toBe(8);
  });

  it("can be skipped, and are not told once more then", () => {
    const { story } = replayed();
    story.finish();
    expect([story.isTelling, story.told.at(-1)?.seq, vi.getTimerCount()]).toEqual([false, 7, 0]);
  });

  it("are seen also by a reader who is usually shown everything at once", () => {
    const game = replayed();
    game.tempo = 0;
    vi.advanceTimersByTime(600);
    expect(game.story.told.at(-1)?.tempo).toBe(1);
  });

  it("do not exist before somebody else has moved", () => {
    const game = new Game();
    game.hear(game.moves(YOU, 0));
    expect(game.story.again()).toBe(false);
  });
});
