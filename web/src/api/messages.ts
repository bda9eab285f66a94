/** The messages of the service by their short names; `schema.ts` is generated from its document. */

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
export type TableAnswer = Messages["TableAnswer"];
export type Listing = Messages["ListingMessage"];
export type Me = Messages["MeMessage"];
export type Problem = Messages["ProblemMessage"];
