/** Short names for the messages of the service; `schema.ts` is generated from its OpenAPI document. */

import type { components } from "./schema";

type Messages = components["schemas"];

export type Update = Messages["Update"];
export type View = Messages["ViewMessage"];
export type Wishes = Messages["WishesMessage"];
/** One legal choice of the seat to act and what it would do. */
export type Legal = Messages["LegalMessage"];
/** Choices that the rules refuse for one reason. */
export type Refused = Messages["RefusedMessage"];
export type Table = Messages["TableMessage"];
export type Chair = Messages["ChairMessage"];
export type Clock = Messages["ClockMessage"];
export type ClockTerms = Messages["ClockSettings"];
export type Terms = Messages["TermsMessage"];
export type Ruleset = Messages["RulesetMessage"];
export type News = Messages["NewsMessage"];
export type Happening = NonNullable<Update["happened"]>[number];
export type Said = Messages["Said"];
/** A line of chat, as a stream tells it. */
export interface ChatLine {
  number: number;
  /** Null for a spectator. */
  seat: number | null;
  name: string;
  text: string;
  at: number;
  player?: string | null;
  /** It was removed: there is no text any more. */
  removed?: boolean;
  /** The number of the line that this one removes. */
  removes?: number | null;
}
/** Who is at a table, from its stream: seats whose player follows it or just did, and how many watch. */
export interface Presence {
  here: readonly number[];
  away: readonly number[];
  watching: number;
}
export type Hint = Messages["HintMessage"];
export type Prospect = Messages["ProspectMessage"];
export type TableAnswer = Messages["TableAnswer"];
export type Listing = Messages["ListingMessage"];
export type Me = Messages["MeMessage"];
/** Whose session a browser has, if any. */
export type Who = Messages["WhoMessage"];
export type Problem = Messages["ProblemMessage"];
/** What a page tells the service when a part of it fails. */
export type FailureReport = Messages["ReportFailure"];
export type PagePart = FailureReport["where"];
/** A game from the deal to its current position, step by step. */
export type Replay = Messages["ReplayMessage"];
export type ReplayStep = Messages["ReplayStep"];
/** Actions other than those of a finished game. */
export type Line = Messages["LineMessage"];
export type Analysis = Messages["AnalysisMessage"];
export type AnalysisFound = Messages["AnalysisFound"];
/** What an analysis says about a decision: its mark, its cost, and the alternatives. */
export type Decision = Messages["DecisionMessage"];
/** A game that is looked into on this device. */
export type StudyGame = Messages["StudyMessage"];
/** What came of reading a text: a game, or what is wrong with it. */
export type OpenedStudy = Messages["OpenedStudy"];
export type TextTrouble = Messages["TextTrouble"];
/** What is wrong with a table that was laid out by hand. */
export type FaultMessage = Messages["FaultMessage"];
/** What happens with other actions, and what can be chosen after them. */
export type StudyLineAnswer = Messages["StudyLineMessage"];
export type StudyText = Messages["StudyText"];
export type HintFound = Messages["HintFound"];
/** A position that is laid out by hand, and what the engine says of it. */
export type Draft = Messages["DraftMessage"];
export type Arranged = Messages["ArrangedMessage"];
