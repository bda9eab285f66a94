/** One table as this browser knows it: followed live, acted at, and shared with its other tabs. */

import type {
  ChatLine,
  Clock,
  News,
  Presence,
  Table,
  TableAnswer,
  Update,
  View,
  Wishes,
} from "../api/messages";
import { ask, codeOf, newKey, ServiceRefusal, type Patience } from "../api/service";
import { isOnDevice } from "../api/transport";
import { Arrivals } from "./arrivals";
import { withLine } from "./chat";
import { Forgetting } from "./forgetting";
import { follow, lookIn, type Connection, type Listener } from "./eventStream";
import type { Place, StreamEvent } from "./frames";
import { withUpdate, type Told } from "./history";
import { Tabs, withRoom, type Passed } from "./sharing";
import { hear, isLeftToStream, type Standing } from "./standing";
import { Story } from "./story.svelte";
import { witness, witnessChoice } from "./witness";

/** How many past events are requested, so that the log of a newly opened page is not empty. */
const BACKLOG = 60;
/** How long an early update or an answer waits for what is missing; then the whole state is requested. */
const GAP_MS = 2500;
const TELL_TABS_MS = 10_000;
/** News after which a player sits elsewhere, perhaps this one: then the audience may be another. */
const SEATING: readonly News["kind"][] = ["sat", "left", "kicked", "reordered"];

/** A table; `open` begins to follow it, `close` ends that. */
export class LiveTable implements Listener {
  /** How the stream is: followed, waiting to come back, or the machine is offline. */
  state: Connection = $state("waiting");
  /** Where this player sits, null for a spectator. */
  seat: number | null = $state(null);
  invite: string | null = $state(null);
  standing: Standing | null = $state.raw(null);
  chat: readonly ChatLine[] = $state.raw([]);
  private attendance: Presence | null = $state.raw(null);
  /** The number of the last line, even if it only removed another. */
  private lastLine = 0;
  /** What happened, oldest first, each seq once. */
  history: readonly Told[] = $state.raw([]);
  /** The part of all this that is shown by now. */
  readonly story: Story;
  /** Why this table cannot be shown any more: a code of the service. */
  closed: string | null = $state(null);
  /** Whether the device has left a seat with a hidden hand: then this table is to be forgotten, and opened anew. */
  isPassedOn = $state(false);

  private readonly leaving = new AbortController();
  private restart = new AbortController();
  private readonly tabs: Tabs<Passed>;
  private isLeading = false;
  /** The seq at which a choice was made that has no answer yet. */
  private chosenAt: number | null = $state(null);
  private gap: ReturnType<typeof setTimeout> | undefined;
  private readonly arrivals = new Arrivals();
  private readonly forgetting: Forgetting;

  constructor(
    readonly id: string,
    /** The player whose tabs share the stream; null before they came in. */
    player: string | null,
    /** The invitation code that the address brought. */
    private readonly brought: string | null = null,
    /** How many times the usual time the deeds of others take; 0 is at once. */
    tempo: () => number = () => 0,
  ) {
    this.story = new Story(tempo);
    this.forgetting = new Forgetting(id);
    // At a table on this device a tab tells others nothing: what it has seen may be covered by now.
    const name = `cartagena.table.${id}.${isOnDevice(id) ? newKey() : (player ?? "watching")}`;
    this.tabs = new Tabs<Passed>(name, (passed) => this.hearTab(passed), this.leaving.signal);
  }

  get table(): Table | null {
    return this.standing?.table ?? null;
  }
  get view(): View | null {
    return this.standing?.view ?? null;
  }
  get wishes(): Wishes | null {
    return this.standing?.wishes ?? null;
  }
  get mayUndo(): boolean {
    return this.standing?.mayUndo ?? false;
  }
  get clock(): Clock | null {
    return this.standing?.clock ?? null;
  }
  /** What happened, as far as it has been shown. */
  get shownHistory(): readonly Told[] {
    const { isLate, latest } = this.story;
    return isLate ? this.history.filter(({ seq }) => seq <= (latest?.seq ?? 0)) : this.history;
  }
  get seq(): number {
    return this.standing?.seq ?? 0;
  }
  /** Whether a choice is on its way: until the answer comes, or the stream reports its effect first. */
  get isSending(): boolean {
    return this.chosenAt === this.seq;
  }
  /** Whether this player is to choose now, and not a bot in their place. */
  get mayChoose(): boolean {
    const { seat, table, view } = this;
    if (seat === null || table?.stage !== "running" || view?.to_act !== seat) return false;
    return table.chairs[seat]?.minder == null;
  }
  /** Who is at the table; null while unknown, such as while the stream is broken. */
  get presence(): Presence | null {
    return this.state === "live" ? this.attendance : null;
  }
  /** The code that lets others in: ours if we sit here, else the one we came with. */
  get code(): string | null {
    return this.invite ?? this.brought;
  }

  /** Look at the table and follow it; returns when it is closed. */
  async open(): Promise<void> {
    try {
      await this.look();
      this.tabs.post({ kind: "hello" });
      await this.tabs.lead((signal) => this.lead(signal));
    } catch (problem) {
      if (!this.leaving.signal.aborted) this.closed = codeOf(problem);
    }
  }

  close(): void {
    clearTimeout(this.gap);
    this.arrivals.tell();
    this.story.finish();
    this.leaving.abort();
  }

  /** Drop all that was told, once it is closed and no longer shown. */
  forget(): void {
    this.close();
    this.story.forget();
    this.standing = null;
    this.history = [];
    this.forgetting.forget();
  }

  /** Request the whole state, and our seat. */
  async look(): Promise<void> {
    const asked = this.code === null ? "" : `?invite=${encodeURIComponent(this.code)}`;
    const patience = { tries: Infinity, signal: this.leaving.signal };
    this.take(await ask<TableAnswer>("GET", `/api/tables/${this.id}${asked}`, undefined, patience));
  }

  /** On a device that several people share: the one whose turn it is has come, and sees their hand. */
  async uncover(): Promise<void> {
    this.take(await ask<TableAnswer>("POST", `/api/tables/${this.id}/uncover`));
  }

  private take({ seat, invite, current }: TableAnswer): void {
    this.invite = invite;
    this.hear(current, seat);
  }

  /** Send a choice until it is answered; throws if it was refused. */
  async act(code: number): Promise<void> {
    const { seq, view } = this;
    const isGranted = await this.choose("actions", { seq, code });
    // A choice that was sent twice is answered with the current table: the answer does not number it.
    if (isGranted && view !== null) witnessChoice(this.id, seq + 1, view.turn, code);
  }

  /** Take back the last choice of the running turn. */
  async undo(): Promise<void> {
    await this.choose("undo", { seq: this.seq });
  }

  /** Take back everything of the running turn that can be taken back. */
  async undoTurn(): Promise<void> {
    // The first one is always requested: if it is refused, the service says why.
    do await this.undo();
    while (this.mayUndo && !this.isSending);
  }

  /** Send a command that has a key: sit, kick, start, resign ... */
  async command(name: string, body: object = {}, patience: Patience = {}): Promise<void> {
    // A tab that is told by another one cannot rely on it.
    const isFollowed = this.isLeading && this.state === "live";
    const update = await ask<Update>(
      "POST",
      `/api/tables/${this.id}/${name}`,
      { ...body, key: newKey() },
      isFollowed ? { ...patience, prefer: "return=minimal" } : patience,
    );
    if (name === "sit" || name === "leave") await this.look();
    else if (isLeftToStream(update)) await this.reach(update.seq);
    else this.hear(update, this.seat);
  }

  /** Wait until the stream has told an event; what it does not tell in time is requested. */
  private async reach(seq: number): Promise<void> {
    const late = Date.now() + GAP_MS;
    while (this.seq < seq && Date.now() < late) {
      await this.arrivals.next(late - Date.now());
      this.leaving.signal.throwIfAborted();
    }
    if (this.seq < seq) await this.look();
  }

  /** Say something to everybody at the table. */
  async speak(text: string): Promise<void> {
    const body = { text, key: newKey(), ...(this.code === null ? {} : { invite: this.code }) };
    await ask("POST", `/api/tables/${this.id}/chat`, body);
  }

  // The stream

  place(): Place | null {
    if (this.standing === null) return null;
    // Who has just sat down, or uncovered a hand, has not seen the past from that seat yet.
    const last = this.story.hasPast ? this.history.at(-1)?.seq : undefined;
    const seq = last ?? Math.max(0, this.seq - BACKLOG);
    return { seq, chat: this.lastLine };
  }

  tell(event: StreamEvent): void {
    this.hearEvent(event);
    this.tabs.post({ kind: "event", event });
  }

  connection(now: Connection): void {
    this.state = now;
    this.tabs.post({ kind: "state", connection: now });
  }

  beat(): void {
    this.tabs.post({ kind: "state", connection: this.state });
  }

  private async lead(signal: AbortSignal): Promise<void> {
    this.isLeading = true;
    const beating = setInterval(() => this.beat(), TELL_TABS_MS);
    try {
      while (this.closed === null) await this.leadAs(signal);
    } catch (problem) {
      signal.throwIfAborted();
      this.closed = codeOf(problem);
    } finally {
      this.isLeading = false;
      clearInterval(beating);
    }
  }

  /** Lead as one audience; a player who sits down or gets up becomes another one and starts again. */
  private async leadAs(signal: AbortSignal): Promise<void> {
    this.restart = new AbortController();
    const until = AbortSignal.any([signal, this.restart.signal]);
    const path = `/api/tables/${this.id}/stream${this.code === null ? "" : `?invite=${encodeURIComponent(this.code)}`}`;
    try {
      const code = await withRoom(
        (asked) => follow(path, this, asked),
        () => lookIn(path, this, until),
        until,
      );
      if (code !== "forbidden") this.closed = code;
      else await this.look();
    } catch (problem) {
      signal.throwIfAborted();
      if (!this.restart.signal.aborted) throw problem;
    }
  }

  // What was heard, from wherever

  private hearTab(passed: Passed): void {
    switch (passed.kind) {
      case "event":
        this.hearEvent(passed.event);
        return;
      case "state":
        this.state = passed.connection;
        return;
      case "so far":
        this.takeOver(passed.history, passed.chat);
        this.attendance = passed.presence ?? this.attendance;
        return;
      case "hello":
        if (this.isLeading) this.tellSoFar();
    }
  }

  private tellSoFar(): void {
    const { history, chat, attendance: presence } = this;
    this.tabs.post({ kind: "so far", history, chat, presence });
    this.beat();
  }

  private takeOver(history: readonly Told[], chat: readonly ChatLine[]): void {
    const first = this.history[0]?.seq ?? this.seq + 1;
    const earlier = history.filter(({ seq }) => seq < first).map((told) => ({ ...told, isPast: true }));
    this.history = [...earlier, ...this.history];
    for (const line of chat) this.hearLine(line);
  }

  private hearEvent({ name, data }: StreamEvent): void {
    if (name === "update") this.hear(JSON.parse(data) as Update, this.seat);
    else if (name === "chat") this.hearLine(JSON.parse(data) as ChatLine);
    else if (name === "presence") this.attendance = JSON.parse(data) as Presence;
  }

  private hearLine(line: ChatLine): void {
    if (line.number <= this.lastLine) return;
    this.lastLine = line.number;
    this.chat = withLine(this.chat, line);
  }

  private hear(update: Update, seat: number | null): void {
    // An answer that was under way when the table was closed.
    if (this.leaving.signal.aborted) return;
    this.forgetting.note(update);
    // A frame for another audience, from a stream that is about to change: ask for our own.
    if (update.view != null && update.view.seat !== seat) {
      this.waitForRest();
      return;
    }
    if (update.anew === true) this.history = this.history.filter(({ seq }) => seq <= update.seq);
    else if (this.standing !== null && update.seq <= this.standing.seq) {
      this.history = withUpdate(this.history, update, true);
      this.story.recall(update);
    }
    const step = hear(this.standing, update, performance.now());
    const { standing, told } = step;
    witness(this.id, this.standing, update, step);
    this.standing = standing;
    this.arrivals.tell();
    this.moveTo(seat);
    for (const each of told) this.history = withUpdate(this.history, each, false);
    this.story.hear(step);
    if (told.some(({ news }) => news != null && SEATING.includes(news.kind)))
      void this.look().catch(() => undefined);
    if (standing.ahead.length > 0) this.waitForRest();
  }

  private moveTo(seat: number | null): void {
    if (seat === this.seat) return;
    this.isPassedOn ||= this.forgetting.isDueAfter(this.seat, this.view);
    this.seat = seat;
    this.restart.abort();
  }

  private waitForRest(): void {
    clearTimeout(this.gap);
    this.gap = setTimeout(() => void this.look().catch(() => undefined), GAP_MS);
  }

  /** Send a choice, and return whether it was granted; false while another one is on its way. */
  private async choose(name: string, body: object): Promise<boolean> {
    if (this.isSending) return false;
    const { seq } = this;
    this.chosenAt = seq;
    try {
      await this.command(name, body, { tries: Infinity, signal: this.leaving.signal });
      return true;
    } catch (problem) {
      if (problem instanceof ServiceRefusal && problem.current !== null)
        this.hear(problem.current, this.seat);
      throw problem;
    } finally {
      // The next one may be on its way by then.
      if (this.chosenAt === seq) this.chosenAt = null;
    }
  }
}
