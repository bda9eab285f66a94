/** The messages about people by their short names. */

import type { components } from "../api/schema";

type Messages = components["schemas"];

export type PlayerPageMessage = Messages["PlayerPageMessage"];
export type Player = Messages["PlayerMessage"];
export type Rating = Messages["RatingMessage"];
export type RatingCourse = Messages["RatingCourseMessage"];
export type Total = Messages["TotalMessage"];
export type Result = Messages["ResultMessage"];
export type Results = Messages["ResultsMessage"];
export type Ladder = Messages["LadderMessage"];
export type Rung = Messages["RungMessage"];
export type Rulesets = Messages["RulesetsMessage"];
export type SignedIn = Messages["SignedInMessage"];
export type WaysIn = Messages["WaysInMessage"];
export type Passkey = Messages["PasskeyMessage"];
export type Passkeys = Messages["PasskeysMessage"];
export type PasskeyMade = Messages["PasskeyMadeMessage"];
export type RecoveryCodes = Messages["RecoveryCodesMessage"];
export type DeviceCode = Messages["DeviceCodeMessage"];
export type Session = Messages["SessionMessage"];
export type OpenCode = Messages["OpenCodeMessage"];
export type Sessions = Messages["SessionsMessage"];
export type Bot = Messages["BotMessage"];
export type Bots = Messages["BotsMessage"];
export type BotToken = Messages["BotTokenMessage"];
export type Token = Messages["TokenMessage"];
export type Tokens = Messages["TokensMessage"];
export type TokenMade = Messages["TokenMadeMessage"];
export type Scope = Token["scopes"][number];
export type Webhook = Messages["WebhookMessage"];
export type Browser = Messages["PushMessage"];
export type Browsers = Messages["PushesMessage"];
export type PushKey = Messages["PushKeyMessage"];
export type Blocks = Messages["BlocksMessage"];
