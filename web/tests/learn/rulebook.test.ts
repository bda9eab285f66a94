/** The rulebook's plan, its sentences in every language, and the search. */

import { expect, test } from "vitest";
import {
  chaptersOf,
  familyOfRule,
  fetchSentences,
  isAbout,
  isFamily,
  isOption,
  optionsOf,
  piecesOf,
  searched,
} from "../../src/learn/rulebook";
import { LANGUAGES } from "../../src/words/words.svelte";

const ALL = chaptersOf(null).flatMap(({ rules }) => rules);

test.each(LANGUAGES)("every sentence is there in %s", async (language) => {
  const sentences = await fetchSentences(language);
  expect(ALL.filter((rule) => !sentences[`rule.${rule}`])).toEqual([]);
  expect(chaptersOf(null).filter(({ number }) => !sentences[`chapter.${number}`])).toEqual([]);
});

test("both games together have each chapter once, by number", () => {
  expect(chaptersOf(null).map(({ number }) => number)).toEqual(
    Array.from({ length: 13 }, (_, index) => `R${index + 1}`),
  );
  expect(new Set(ALL).size).toBe(ALL.length);
});

test("the Nest begins with its own setting up and takes some sentences of Cartagena's", () => {
  const [first, second] = chaptersOf("nest");
  expect(first?.number).toBe("R9");
  expect(second?.rules).toContain("R1.3");
  expect(second?.rules).not.toContain("R1.5");
});

test("a sentence is found in its game", () => {
  expect(familyOfRule("R4.7")).toBe("escape");
  expect(familyOfRule("R12.2")).toBe("nest");
  expect(familyOfRule("R99.1")).toBeNull();
  expect([isFamily("nest"), isFamily("chess"), isFamily(undefined)]).toEqual([true, false, false]);
});

test("a sentence knows its options, and whether it only explains", () => {
  expect(optionsOf("R2.8")).toEqual(["pass_allowed"]);
  expect(optionsOf("R2.1")).toEqual([]);
  expect([isAbout("R1.1"), isAbout("R1.2")]).toEqual([true, false]);
  expect([isOption("pass_allowed"), isOption("end_turn")]).toEqual([true, false]);
});

test("numbers and words of the program are cut out of a sentence", () => {
  expect(piecesOf("As in R12.2 (`pass_allowed`).")).toEqual([
    { kind: "text", text: "As in " },
    { kind: "rule", text: "R12.2" },
    { kind: "text", text: " (" },
    { kind: "option", text: "option.pass_allowed" },
    { kind: "text", text: ")." },
  ]);
  expect(piecesOf("Only `end_turn` is true.").map(({ kind }) => kind)).toEqual([
    "text",
    "code",
    "text",
    "text",
    "text",
  ]);
  expect(piecesOf("Plain.")).toEqual([{ kind: "text", text: "Plain." }]);
});

test("the value of an option is told in words, whether it is written as a word of the program or not", () => {
  const values = (sentence: string): string[] =>
    piecesOf(sentence).flatMap(({ kind, text }) => (kind === "value" ? [text] : []));
  expect(values("It may (`retreat_from_sloop`, default true); if the option is false it stays.")).toEqual([
    "option.retreat_from_sloop.true",
    "option.retreat_from_sloop.false",
  ]);
  expect(values("`row_refill`, default `immediate`; with `on_demand` it waits.")).toEqual([
    "option.row_refill.immediate",
    "option.row_refill.on_demand",
  ]);
});

test.each(LANGUAGES)("no sentence in %s shows a word as a program writes it", async (language) => {
  const bare = Object.entries(await fetchSentences(language)).filter(([, sentence]) =>
    piecesOf(sentence).some(
      ({ kind, text }) => kind === "code" || (kind === "text" && /\b(true|false)\b/.test(text)),
    ),
  );
  expect(bare).toEqual([]);
});

test("the search wants all words, in any order, or a number", async () => {
  const sentences = await fetchSentences("en");
  const found = (wanted: string): string[] =>
    searched(chaptersOf("escape"), sentences, wanted).flatMap(({ rules }) => [...rules]);
  expect(found("SLOOP  retreat")).toContain("R4.8");
  expect(found("sloop retreat")).not.toContain("R4.1");
  expect(found("r4.7")).toEqual(["R4.7"]);
  expect(found("   ")).toHaveLength(chaptersOf("escape").flatMap(({ rules }) => rules).length);
  expect(found("xyzzy")).toEqual([]);
  expect(found("retreat_from_sloop")).toEqual([]);
});
