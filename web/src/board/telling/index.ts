/** Everything a board says: names of places, live sentences, the turn box, the log. */

export { primaryWords, tellPreview } from "./choices";
export { coachWords, isCoachedOut } from "./coaching";
export { tellDeeds } from "./deeds";
export { tellChosen, tellHappened, tellTurn, actionsLeft } from "./live";
export { logLinesOf, type LogLine } from "./log";
export { houseWord, nameOfPlace } from "./naming";
export { adviceWords, endTurnWords, leftWords, turnWords, whatIsMissing, type TurnWords } from "./turnBox";
export { capital, endOfWay, houseKey, Teller, type People, type Words } from "./words";
