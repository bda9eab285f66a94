/** What a player does on their turn, from buttons and keys: sent, and if it is refused, shown and heard. */

import { END_TURN } from "../../board/codes";
import { refusalOf } from "../../board/wishing";
import type { LiveTable } from "../../connection/table.svelte";
import { toast } from "../../shell/announce.svelte";
import { ruleText } from "../../shell/problems";
import { settings } from "../../shell/settings.svelte";
import { play } from "../../sound/playing";
import { say } from "../../words/words.svelte";
import { refusalText } from "../refusals";
import { codeToEnd } from "./ending";

export class Acting {
  constructor(private readonly live: LiveTable) {}

  /** Whether the reader is to choose now. */
  get isYourTurn(): boolean {
    return this.live.mayChoose && this.live.wishes !== null;
  }

  /** The code that will end the turn automatically in a moment, if the reader wants that; else null. */
  get toEnd(): number | null {
    const { view, wishes } = this.live;
    return settings.endTurnItself && this.isYourTurn && view !== null ? codeToEnd(view, wishes) : null;
  }

  readonly send = (code: number): void => {
    void this.doing(() => this.live.act(code));
  };

  readonly undo = (): void => {
    this.undoing(() => this.live.undo());
  };

  readonly undoTurn = (): void => {
    this.undoing(() => this.live.undoTurn());
  };

  readonly endTurn = (): void => {
    const { wishes } = this.live;
    const refusal = wishes === null ? null : refusalOf(wishes, END_TURN);
    if (refusal === null) this.send(END_TURN);
    else this.refuse(ruleText(refusal.code));
  };

  /** If nothing has been done yet, say so here; the service gives any other reason. */
  private undoing(deed: () => Promise<void>): void {
    const { mayUndo, view } = this.live;
    if (!mayUndo && view?.actions_used === 0) this.refuse(say("refusal.nothing_to_undo"));
    else void this.doing(deed);
  }

  private async doing(deed: () => Promise<void>): Promise<void> {
    try {
      await deed();
    } catch (problem) {
      // Leaving the page aborts what is under way.
      if (!(problem instanceof DOMException)) this.refuse(refusalText(problem));
    }
  }

  private refuse(text: string): void {
    play("refused");
    toast(text, { kind: "problem" });
  }
}
