/** Words that only some pages bring: said in the language of the reader, whatever arrives first. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { alsoSay, language, say, speak } from "../../src/words/words.svelte";

const GERMAN = { "test.apart": "Seil" };

beforeEach(() => vi.stubGlobal("document", { documentElement: { lang: "en" } }));
afterEach(async () => {
  await speak("en");
  vi.unstubAllGlobals();
});

test("they are said in the language that is spoken, and change with it", async () => {
  await speak("de");
  await alsoSay({ "test.apart": "rope" }, { "apart.de.json": () => Promise.resolve({ default: GERMAN }) });
  expect(say("test.apart")).toBe("Seil");
  await speak("nl");
  expect(say("test.apart")).toBe("rope");
});

test("English does where they cannot be fetched", async () => {
  await speak("de");
  const fetching = alsoSay(
    { "test.lost": "rope" },
    { "lost.de.json": () => Promise.reject(new Error("no network")) },
  );
  expect(say("test.lost")).toBe("rope");
  await fetching;
  expect(say("test.lost")).toBe("rope");
  expect(language()).toBe("de");
});

test("of two changes of language the later one counts, and takes nothing away", async () => {
  let arrive: (file: { default: typeof GERMAN }) => void = () => undefined;
  const late = new Promise<{ default: typeof GERMAN }>((resolve) => (arrive = resolve));
  await alsoSay({ "test.late": "rope" }, { "late.de.json": () => late });
  const german = speak("de");
  const bringing = alsoSay({ "test.more": "sail" }, {});
  await speak("sv");
  arrive({ default: GERMAN });
  await Promise.all([german, bringing]);
  expect(language()).toBe("sv");
  expect([say("test.late"), say("test.more")]).toEqual(["rope", "sail"]);
});
