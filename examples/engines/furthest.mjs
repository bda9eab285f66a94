#!/usr/bin/env node
// An engine for Cartagena that takes whatever brings its crew furthest; it needs Node.js alone.
//
// Play against it with `cartagena play --level engine:examples/engines/furthest.mjs`. What it reads and writes is told
// in `docs/engine-protocol.md`.

import { createInterface } from "node:readline";

/** How many spaces a card is worth. */
const CARD = 3;
/** With more cards than this, one more is worth nothing. */
const FULL_HAND = 7;

/** What a choice is worth, in spaces, to a crew that holds `held` cards. */
function worth({ kind, wins, start = 0, target = 0, gains = 0 }, held) {
  if (wins) return 1000;
  const way = target - start;
  const cards = CARD * Math.min(gains, Math.max(0, FULL_HAND - held));
  switch (kind) {
    case "play":
      return way - (held <= FULL_HAND ? CARD : 0);
    case "retreat":
      return way + cards;
    case "push":
      return cards + 0.5;
    case "decline":
      return way;
    case "sail":
    case "captain_sail":
      return 2;
    default:
      return 0;
  }
}

/** Chance that follows from a seed, so that a game can be played again (a linear congruential generator). */
function chanceOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Write one line. */
function say(word, told) {
  process.stdout.write(`${word} ${JSON.stringify(told)}\n`);
}

let chance = Math.random;
let view;
let choices;

/** The choice of the most worth; among equals, chance decides. */
function best() {
  const held = view.hand_sizes[view.seat];
  const most = Math.max(...choices.map((choice) => worth(choice, held)));
  const equals = choices.filter((choice) => worth(choice, held) === most);
  return equals[Math.floor(chance() * equals.length)];
}

const answers = {
  cartagena: () => say("engine", { protocol: 1, name: "Furthest.js", version: "1.0" }),
  rules: ({ seed }) => (chance = chanceOf(seed)),
  view: (told) => (view = told),
  choices: (told) => (choices = told),
  go: () => say("choice", best().code),
  quit: () => process.exit(0),
};

// When the input ends, nothing is left to wait for, and the program ends too.
for await (const line of createInterface({ input: process.stdin })) {
  const [word] = line.split(" ", 1);
  const rest = line.slice(word.length).trim();
  answers[word]?.(rest ? JSON.parse(rest) : undefined);
}
