/** Playing on a surface: what is chosen, asked and told while a seat makes a choice. */

import type { Legal, View, Wishes } from "../api/messages";
import {
  choose,
  NOTHING,
  previewOf,
  reaching,
  shown,
  type Chosen,
  type Intent,
  type Manner,
  type Question,
} from "../board/choosing";
import { CAPTAIN_SAIL, END_TURN, SAIL } from "../board/codes";
import { lightOf, lastMoveOf, type Lit } from "../board/lighting";
import type { Told } from "../board/moving";
import { countAt, familyOf, stacksOf, type Place } from "../board/places";
import { tellChosen, Teller } from "../board/telling";
import { choiceOfKind, legalWith, playOf, refusalOf } from "../board/wishing";
import { answer } from "../shell/announce.svelte";
import { settings } from "../shell/settings.svelte";
import { count, language, say } from "../words/words.svelte";
import { noticeOf, refusalNotice, waitingNotice, type Notice } from "./notice";
import type { Press } from "./pressing";

/** What a surface is given, read again whenever it is needed. */
export interface Given {
  view: View;
  /** The wishes to choose from; null while there is nothing to choose. */
  wishes: Wishes | null;
  /** A choice is on its way. */
  isPending: boolean;
  /** Another player is to choose. */
  isWaiting: boolean;
  you: number | null;
  names: readonly string[];
  happened: readonly Told[];
  send: (code: number) => unknown;
}

export class Playing {
  chosen: Chosen = $state.raw(NOTHING);
  question: Question | null = $state.raw(null);
  notice: Notice | null = $state.raw(null);
  /** The place under the mouse. */
  hovered: Place | null = $state.raw(null);
  private suggested: Chosen | null = $state.raw(null);
  private renewedFor: Wishes | View | null = null;

  constructor(private readonly given: () => Given) {}

  teller = $derived.by(() => {
    const { names, you, view } = this.given();
    return new Teller({ say, count, language }, { names, you }, view);
  });

  /** What is chosen, together with what the mouse points at. */
  private readonly looked: Chosen = $derived.by(() => {
    const { wishes, you } = this.given();
    const choice = wishes === null || you === null ? null : this.pointed(wishes, you);
    return choice === null || you === null ? this.chosen : shown(choice, you);
  });

  preview: Legal | null = $derived.by(() => previewOf(this.given().wishes, this.chosen));

  lit: Lit = $derived.by(() => {
    const { happened, view } = this.given();
    const told = happened.findLast(({ happenings }) => lastMoveOf(happenings) !== null);
    const last = told === undefined ? null : lastMoveOf(told.happenings);
    // After an undo no pirate stands where the undone move ended.
    const isThere = last !== null && countAt(view.pirates, last.crew, last.to) > 0;
    return lightOf(this.given(), this.looked, isThere ? last : null);
  });

  /** Do what was wished, or say why not. */
  wish(intent: Intent): void {
    const { view, wishes, you, isPending, isWaiting } = this.given();
    if (isWaiting) this.notify(waitingNotice());
    if (wishes === null || you === null || isPending) return;
    const before = this.chosen;
    const outcome = choose({ view, wishes, you }, before, intent);
    if (outcome.send !== null) {
      this.send(outcome.send);
      return;
    }
    this.chosen = outcome.chosen;
    this.question = outcome.question;
    const notice = noticeOf(outcome, this.teller, wishes);
    this.notify(notice);
    if (notice === null && outcome.chosen !== before) answer(this.spoken(wishes, outcome.chosen));
  }

  onPlace(place: Place, press: Press): void {
    const manner: Manner = press === "touch" || settings.confirmMoves ? "look_first" : "at_once";
    this.wish({ kind: "place", place, manner });
  }

  onRetreat(): void {
    this.wish({ kind: "retreat" });
  }

  /** Choose the card at a position of the hand, counted from 0. */
  onCardAt(index: number): void {
    const { view, you } = this.given();
    const stack = stacksOf(view.hands[you ?? -1] ?? [], familyOf(view))[index];
    if (stack !== undefined) this.wish({ kind: "card", card: stack.card });
  }

  onEnd(): void {
    this.sendOrTell(END_TURN);
  }

  onSail(): void {
    const { wishes } = this.given();
    if (wishes === null) return;
    this.sendOrTell(choiceOfKind(wishes, "captain_sail") === null ? SAIL : CAPTAIN_SAIL);
  }

  /** Forget the choice; true if there was one. */
  clear(): boolean {
    const had = this.chosen !== NOTHING || this.question !== null || this.notice !== null;
    this.chosen = NOTHING;
    this.question = null;
    this.notice = null;
    if (had) answer(this.teller.say("told.cleared"));
    return had;
  }

  /** New wishes start a new choice: the old one belonged to the old wishes. So does a view without wishes. */
  renewFor(given: Wishes | View): void {
    if (given === this.renewedFor) return;
    this.renewedFor = given;
    this.renew();
  }

  private renew(): void {
    this.chosen = NOTHING;
    this.question = null;
    this.notice = null;
  }

  /** Whether what was suggested is still chosen. */
  get isSuggested(): boolean {
    return this.suggested === this.chosen;
  }

  /** Select a whole choice, for a hint or a lesson; the reader still has to make it. */
  suggest(code: number): void {
    const { wishes, you } = this.given();
    const choice = wishes === null ? null : legalWith(wishes, code);
    if (choice === null || you === null) return;
    this.chosen = shown(choice, you);
    this.suggested = this.chosen;
  }

  private notify(notice: Notice | null): void {
    this.notice = notice;
    if (notice !== null) answer(notice.text);
  }

  private sendOrTell(code: number): void {
    const { wishes, isPending } = this.given();
    if (wishes === null || isPending) return;
    const refusal = refusalOf(wishes, code);
    if (refusal === null) this.send(code);
    else this.notify(refusalNotice(refusal, this.teller));
  }

  private send(code: number): void {
    this.question = null;
    this.notice = null;
    this.given().send(code);
    // A choice on its way stays on the screen, so that the answer is the next thing to draw.
    if (!this.given().isPending) this.renew();
  }

  /** The one choice that the mouse points at. */
  private pointed(wishes: Wishes, you: number): Legal | null {
    if (this.hovered === null) return null;
    const { view } = this.given();
    const { card, pirate } = this.chosen;
    const [only, ...others] = reaching({ view, wishes, you }, this.chosen, this.hovered);
    if (only !== undefined && others.length === 0) return only;
    const isOwn = countAt(view.pirates, you, this.hovered) > 0;
    return isOwn && card !== null && pirate === null ? playOf(wishes, card, this.hovered) : null;
  }

  private spoken(wishes: Wishes, chosen: Chosen): string {
    return tellChosen(this.teller, wishes, chosen) ?? this.teller.say("told.cleared");
  }
}
