/** Why a text is no game to look into, and why a table cannot be as it was laid out, in words. */

import type { FaultMessage, TextTrouble } from "../api/messages";
import { cardName } from "../replay/replaying/telling";
import { ruleText } from "../shell/problems";
import { LOOKS } from "../ui/crews";
import { isSaid, say } from "../words/words.svelte";

export function troubleText(trouble: TextTrouble | "cut" | "long"): string {
  if (typeof trouble === "string") return say(`web.analysis.trouble.${trouble}`);
  const { code, line = 0, column = 0, fault, refusal } = trouble;
  const where = line === 0 ? "" : `${say("web.analysis.trouble.where", { line, column })} `;
  if (fault != null) return where + faultText(fault);
  if (code === "refused" && refusal != null) return where + ruleText(refusal.code);
  if (code === "unreadable") return where + expectedText(trouble);
  const key = `web.analysis.trouble.${code}`;
  return where + say(isSaid(key) ? key : "web.analysis.trouble.impossible", { message: trouble.message });
}

/** What the notation expects is written in its own words, and in English. */
function expectedText({ expected = "", found = "", meant = "" }: TextTrouble): string {
  const said = say(`web.analysis.trouble.${found === "" ? "missing" : "unreadable"}`, {
    expected,
    found: found.length > 40 ? `${found.slice(0, 40)}...` : found,
  });
  return meant === "" ? said : `${said} ${say("web.analysis.trouble.meant", { word: meant })}`;
}

/** What is wrong with a table that was laid out. */
export function faultText({ code, values = {}, card, place }: FaultMessage): string {
  const key = `web.analysis.fault.${code}`;
  return say(isSaid(key) ? key : "web.problem", {
    ...values,
    crew: say(`crew.${LOOKS[values["crew"] ?? 0]?.word ?? "red"}`),
    card: cardName(card ?? null),
    place: place ?? "",
  });
}
