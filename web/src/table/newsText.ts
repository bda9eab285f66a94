/** News of a table as a sentence. */

import type { News, Table, View } from "../api/messages";
import { count, say } from "../words/words.svelte";
import { levelWord } from "../connection/names";

const ACTIONS = 3;

/** The sentence for each kind of news; null for news about numbers only, which needs none. */
const SENTENCES: Readonly<Record<News["kind"], string | null>> = {
  opened: null,
  sat: "web.news.sat",
  left: "web.news.left",
  kicked: "web.news.kicked",
  bot_added: "web.news.bot_added",
  bot_removed: "web.news.bot_removed",
  settings_changed: "web.news.settings_changed",
  reordered: "web.news.reordered",
  promised: null,
  started: "web.news.started",
  nonce_shown: null,
  called_off: "web.news.called_off",
  began: "web.news.began",
  undone: "web.news.undone",
  resigned: "web.news.resigned",
  expired: "web.news.expired",
  taken_back: "web.news.taken_back",
  abandon_asked: "web.news.abandon_asked",
  abandon_withdrawn: "web.news.abandon_withdrawn",
  abandoned: "web.news.abandoned",
  rematch: "web.news.rematch",
  muted: "web.news.muted",
  unmuted: "web.news.unmuted",
  closed: "web.news.closed",
  renamed: null,
  hurried: "web.news.hurried",
};

/** One sentence, or null for news that needs none. */
export function newsText(news: News, names: readonly string[]): string | null {
  const { kind, seat, name } = news;
  const sentence = sentenceOf(news);
  if (sentence === null) return null;
  const who = name ?? (seat == null ? "" : (names[seat] ?? ""));
  return say(sentence, { name: kind.startsWith("bot") ? levelWord(who) : who });
}

/** Sentences that depend on the text of the news. */
const BY_TEXT: ReadonlyMap<string, string> = new Map([
  ["settings_changed hints_on", "web.news.hints_on"],
  ["settings_changed hints_off", "web.news.hints_off"],
  ["abandon_withdrawn declined", "web.news.abandon_declined"],
]);

function sentenceOf({ kind, seat, text }: News): string | null {
  // A spectator has no name at the table.
  if (kind === "muted" && seat == null) return "web.news.muted_watcher";
  if (kind === "unmuted" && seat == null) return "web.news.unmuted_watcher";
  const special = BY_TEXT.get(`${kind} ${text ?? ""}`);
  if (special !== undefined) return special;
  // A newer service may have kinds that this table lacks.
  return SENTENCES[kind] ?? null;
}

/** What is known of a table when its news is spoken; `you` is the reader's seat. */
export interface Hearing {
  table: Table | null;
  view: View | null;
  names: readonly string[];
  you: number | null;
}

/** News for screen readers: the player's own undo says what is left, some other news what follows from it. */
export function spokenNews(news: News, hearing: Hearing): string | null {
  if (news.kind === "undone" && news.seat === hearing.you) return ownUndoText(hearing);
  const text = newsText(news, hearing.names);
  if (text === null) return null;
  return [text, ...furtherText(news.kind, hearing)].join(" ");
}

/** What follows from some news without being part of it. */
function furtherText(kind: News["kind"], hearing: Hearing): string[] {
  if (kind === "resigned") return resultOf(hearing);
  return kind === "began" && hearing.table?.hints === true ? [say("web.news.hints_on")] : [];
}

function ownUndoText({ view }: Hearing): string {
  const left = Math.max(0, ACTIONS - (view?.actions_used ?? 0));
  return `${say("web.board.told.undone")} ${count("web.board.told.left", left)}`;
}

/** Who won a finished game; empty while it goes on. */
function resultOf({ table, names, you }: Hearing): string[] {
  const winner = table?.stage === "over" ? table.winner : null;
  if (winner === null) return [];
  if (winner === you) return [say("web.board.turn.you_won")];
  return [say("web.board.turn.won", { name: names[winner] ?? "" })];
}
