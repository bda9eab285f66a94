/** Everything a board says: names of places, live sentences, the turn box, the log. */

export { tellChosen, tellHappened, tellPreview, tellTurn, actionsLeft } from "./live";
export { logLinesOf, type LogLine } from "./log";
export { houseWord, nameOfPlace } from "./naming";
export { endTurnWords, leftWords, primaryWords, turnWords, type TurnWords } from "./turnBox";
export { capital, houseKey, Teller, type People, type Words } from "./words";
