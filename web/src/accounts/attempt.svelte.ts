/** An attempt of the player that may be refused: whether it is under way, and why it did not work. */

import { ServiceRefusal } from "../api/service";
import { answer } from "../shell/announce.svelte";
import { problemText } from "../shell/problems";
import { say } from "../words/words.svelte";

/** What browsers throw about passkeys and notices, by what the player should know. */
const OF_BROWSERS: Readonly<Record<string, string>> = {
  NotAllowedError: "given_up",
  AbortError: "given_up",
  TimeoutError: "given_up",
  InvalidStateError: "already_there",
  SecurityError: "wrong_address",
};

export class Attempt {
  isBusy = $state(false);
  /** A sentence, or empty. */
  problem = $state("");
  /** Mirrors `isBusy` without reactivity: an effect that runs this must not depend on it. */
  #isRunning = false;

  /** Run `deed`, unless one is already under way; returns whether it worked. */
  async run(deed: () => Promise<unknown>): Promise<boolean> {
    if (this.#isRunning) return false;
    this.#isRunning = this.isBusy = true;
    this.problem = "";
    try {
      await deed();
      return true;
    } catch (problem) {
      this.problem = troubleText(problem);
      answer(this.problem);
      return false;
    } finally {
      this.#isRunning = this.isBusy = false;
    }
  }
}

/** A sentence for any refusal of the service or the browser about accounts. */
export function troubleText(problem: unknown): string {
  if (problem instanceof DOMException)
    return say(`web.people.problem.${OF_BROWSERS[problem.name] ?? "browser"}`);
  if (problem instanceof ServiceRefusal && problem.code === "wrong_proof")
    return say("web.people.problem.wrong_proof");
  return problemText(problem);
}
