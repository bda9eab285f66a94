/** A game that is looked into: its lines, where the reader is in one of them, and what can be chosen there. */

import type { ReplayStep, StudyGame, StudyLineAnswer, StudyText, View, Wishes } from "../api/messages";
import { ask, ServiceRefusal } from "../api/service";
import { toDevice } from "../api/transport";
import type { Told } from "../board/moving";
import { momentsOf, type Moment, type Moments } from "../replay/replaying/moments";
import { Player } from "../replay/replaying/player.svelte";
import { branched, cut, lengthOf, linesIn, withLines, type Line } from "./lines";

/** What can be chosen after the first `at` actions of a line; null after the end. */
interface Now {
  line: Line;
  at: number;
  view: View;
  wishes: Wishes | null;
}

export class Study {
  lines: readonly Line[] = $state.raw([]);
  /** The line that is shown. */
  line: Line;
  isSending = $state(false);
  readonly player: Player;
  private now: Now | null = $state.raw(null);
  /** A place before the end of a turn, which is no moment of its own. */
  private held: { index: number; at: number } | null = $state.raw(null);
  private readonly steps = new WeakMap<Line, readonly ReplayStep[]>();

  constructor(
    readonly game: StudyGame,
    written = "",
  ) {
    const main = { name: "", step: game.steps.length, codes: [] };
    const lines = linesIn(written, game.steps.length);
    this.lines = lines.length > 0 ? lines : [main];
    this.line = $state.raw(this.lines[0] ?? main);
    this.player = new Player(this.momentsOf(main), 0);
  }

  /** Show what an address names; lines that the rules refuse are left out. */
  async begin(number: number, at: number | null): Promise<void> {
    try {
      await this.show(this.lines[number] ?? this.line, at);
    } catch (problem) {
      if (!(problem instanceof ServiceRefusal)) throw problem;
      this.lines = [{ name: "", step: this.game.steps.length, codes: [] }];
      await this.show(this.lines[0] ?? this.line, at);
    }
  }

  /** After how many actions of the line the reader is. */
  get at(): number {
    const { held, player } = this;
    return held?.index === player.index ? held.at : player.moment.step + 1;
  }

  get view(): View {
    return this.here?.view ?? this.player.moment.view;
  }

  get wishes(): Wishes | null {
    return this.here?.wishes ?? null;
  }

  /** What travels on the board. That something can be chosen comes later, and must not end a travel. */
  readonly told: readonly Told[] = $derived.by(() => {
    const { told } = this.player;
    const last = told.at(-1);
    return last === undefined || this.here === null
      ? told
      : [...told, { seq: last.seq + 0.5, happenings: [] }];
  });

  get isAtEnd(): boolean {
    return this.at === lengthOf(this.line);
  }

  /** The text of the game with its lines. */
  get text(): string {
    return withLines(this.game.text, this.lines, this.game.steps.length);
  }

  /** The line up to where the reader is, as requests name it. */
  get asked(): { text: string; step: number; codes: readonly number[] } {
    const { step, codes } = cut(this.line, this.at);
    return { text: this.game.text, step, codes };
  }

  /** Show a line, as far as the moment nearest to the one that is shown, or after `at` actions. */
  async show(line: Line, at: number | null = null): Promise<void> {
    const moments = await this.fetched(line);
    this.line = line;
    this.held = null;
    this.player.follow(moments, at === null ? this.player.index : indexAfter(moments, at));
  }

  /** Find out what can be chosen where the reader is. */
  async look(): Promise<void> {
    const { line, at } = this;
    if (this.here !== null) return;
    const { now: view, wishes } = await this.lineOf(this.asked);
    this.now = { line, at, view, wishes };
  }

  /** Do something: go on in the line if it says the same, make it longer at its end, else branch off. */
  async choose(code: number): Promise<void> {
    const { line, at, player } = this;
    if (this.isSending) return;
    this.isSending = true;
    try {
      const next = branched(line, at, code);
      const known = this.lineThrough(next);
      if (known !== null) {
        await this.show(known, at + 1);
        return;
      }
      const { steps, now: view, wishes } = await this.lineOf({ ...next, text: this.game.text });
      const isLonger = at === lengthOf(line);
      const named = isLonger ? { ...next, name: line.name } : next;
      this.steps.set(named, steps);
      this.lines = isLonger
        ? this.lines.map((other) => (other === line ? named : other))
        : [...this.lines, named];
      this.line = named;
      this.held = null;
      const moments = this.momentsOf(named);
      player.follow(moments, indexAfter(moments, at + 1));
      this.now = { line: named, at: at + 1, view, wishes };
    } finally {
      this.isSending = false;
    }
  }

  get canUndo(): boolean {
    return this.at > 0;
  }

  /** Take back the last action: what was tried out at the end of a line is gone, all else stays to go back to. */
  undo(): void {
    const { line, at, player } = this;
    if (at === 0) return;
    if (at === lengthOf(line) && line.codes.length > 0) {
      const shorter = cut(line, at - 1);
      const isTried = shorter.codes.length === 0 && this.lines[0] !== line;
      this.lines = isTried
        ? this.lines.filter((other) => other !== line)
        : this.lines.map((other) => (other === line ? shorter : other));
      this.line = isTried ? (this.lineThrough(shorter) ?? shorter) : shorter;
      this.steps.set(this.line, this.steps.get(line)?.slice(0, this.line.codes.length) ?? []);
      const moments = this.momentsOf(this.line);
      const index = indexAfter(moments, at - 1);
      this.held = { index, at: at - 1 };
      player.follow(moments, index);
      return;
    }
    const index = indexAfter(player.moments, at - 1);
    player.show(index);
    this.held = { index, at: at - 1 };
  }

  name(line: Line, name: string): void {
    this.change(line, { ...line, name });
  }

  /** Make a line the main one. */
  promote(line: Line): void {
    this.lines = [line, ...this.lines.filter((other) => other !== line)];
  }

  remove(line: Line): void {
    this.lines = this.lines.filter((other) => other !== line);
    const [main] = this.lines;
    if (this.line === line && main !== undefined) void this.show(main);
  }

  /** The line up to where the reader is, as a record and as a position. */
  written(): Promise<StudyText> {
    return asked<StudyText>("text", this.asked);
  }

  /** The whole game, as a record and as the position at its end. */
  whole(): Promise<StudyText> {
    return asked<StudyText>("text", { text: this.game.text, step: this.game.steps.length, codes: [] });
  }

  private get here(): Now | null {
    const { now, line, at } = this;
    return now?.line === line && now.at === at ? now : null;
  }

  /** A line that begins like another one, the shown line rather than others; null if none does. */
  private lineThrough(part: Line): Line | null {
    const wanted = this.codesOf(part);
    const doesBegin = (line: Line): boolean =>
      this.codesOf(cut(line, wanted.length)).join() === wanted.join();
    return [this.line, ...this.lines].find((line) => this.lines.includes(line) && doesBegin(line)) ?? null;
  }

  private codesOf({ step, codes }: Line): (number | null)[] {
    return [...this.game.steps.slice(0, step).map(({ code }) => code), ...codes];
  }

  private change(line: Line, changed: Line): void {
    const steps = this.steps.get(line);
    if (steps !== undefined) this.steps.set(changed, steps);
    this.lines = this.lines.map((other) => (other === line ? changed : other));
    if (this.now?.line === line) this.now = { ...this.now, line: changed };
    if (this.line === line) this.line = changed;
  }

  private async fetched(line: Line): Promise<Moments> {
    if (line.codes.length > 0 && !this.steps.has(line)) {
      const { steps } = await this.lineOf({ ...line, text: this.game.text });
      this.steps.set(line, steps);
    }
    return this.momentsOf(line);
  }

  private momentsOf(line: Line): Moments {
    const { first, steps } = this.game;
    return momentsOf({ first, steps: [...steps.slice(0, line.step), ...(this.steps.get(line) ?? [])] });
  }

  private lineOf({ text, step, codes }: { text: string; step: number; codes: readonly number[] }) {
    return asked<StudyLineAnswer>("line", { text, step, codes });
  }
}

/** Ask the engine on this device about a game. */
export function asked<T>(what: string, body: object, signal?: AbortSignal): Promise<T> {
  const patience = signal === undefined ? {} : { signal };
  return ask<T>("POST", `/api/studies${what === "" ? "" : `/${what}`}`, body, {
    ...patience,
    by: toDevice(),
  });
}

/** The moment that shows the table after `at` actions. */
function indexAfter(moments: readonly Moment[], at: number): number {
  const index = moments.findIndex(({ step }) => step >= at - 1);
  return index < 0 ? moments.length - 1 : index;
}
