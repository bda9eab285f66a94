/** A side line: the better turn of a decision, shown on the board instead of the game, action by action. */

import type { Line } from "../../api/messages";
import { ask } from "../../api/service";
import { lastMoveOf, lightOfMoves, type Lit } from "../../board/lighting";
import type { Told } from "../../board/moving";
import type { Judged } from "./chances";
import { momentsOf, type Moment, type Moments } from "./moments";

export class SideLine {
  /** The decision whose better turn is shown. */
  judged: Judged | null = $state.raw(null);
  index = $state(0);
  #moments: Moments | null = $state.raw(null);
  #told = 0;

  constructor(
    private readonly tableId: string,
    /** The query that every request about a private game has to carry. */
    private readonly query: string,
  ) {}

  /** What the board shows; null while it shows the game. */
  get moment(): Moment | null {
    return this.#moments?.[this.index] ?? null;
  }

  get isAtEnd(): boolean {
    return this.index === (this.#moments?.length ?? 1) - 1;
  }

  /** Before the first action all moves of the turn are drawn, then the move of each action. */
  get lit(): Lit {
    const shown = this.index === 0 ? (this.#moments ?? []) : this.moment === null ? [] : [this.moment];
    return lightOfMoves(shown.map(({ happened }) => lastMoveOf(happened)).filter((move) => move !== null));
  }

  /** What travels on the board: only a step forward. */
  told: readonly Told[] = $state.raw([]);

  async open(judged: Judged): Promise<void> {
    const codes = judged.decision.alternatives[0]?.codes ?? [];
    const rest = this.query === "" ? "" : `&${this.query.slice(1)}`;
    const asked = `step=${judged.step}&codes=${codes.join(",")}${rest}`;
    const line = await ask<Line>("GET", `/api/tables/${this.tableId}/line?${asked}`);
    this.#moments = momentsOf(line);
    this.judged = judged;
    this.told = [];
    this.index = 0;
  }

  close(): void {
    this.judged = null;
    this.#moments = null;
    this.told = [];
  }

  forward(): void {
    const next = this.#moments?.[this.index + 1];
    if (next === undefined) return;
    this.index++;
    this.told = [{ seq: ++this.#told, happenings: next.happened }];
  }

  back(): void {
    this.told = [];
    this.index = Math.max(0, this.index - 1);
  }
}
