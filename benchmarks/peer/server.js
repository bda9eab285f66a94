// A server of boardgame.io with one game for two, whose moves are as large as ours and cost it almost nothing.
//
//     node server.js PORT [FOLDER]
//
// Matches are kept in memory, or in files of FOLDER. It says "ready" once it takes requests.

import { createRequire } from "node:module";

const { FlatFile, Server } = createRequire(import.meta.url)("boardgame.io/server");

const SPACES = 36;
const PIRATES = 6;
const SYMBOLS = ["skull", "key", "hat", "pistol", "bottle", "dagger"];

/** As much as two players may see of a game of ours: a row, pirates, hands and a discard. */
function setup() {
  return {
    spaces: Array.from({ length: SPACES }, (_, space) => SYMBOLS[space % SYMBOLS.length]),
    pirates: [Array(PIRATES).fill(0), Array(PIRATES).fill(0)],
    hands: [SYMBOLS.slice(), SYMBOLS.slice()],
    discard: [],
    stock: 90,
  };
}

/** One move: a pirate goes on by a space, a card is laid aside and another one comes. No rule is asked. */
function move({ G, playerID }, number) {
  const seat = Number(playerID);
  const pirate = number % PIRATES;
  G.pirates[seat][pirate] = (G.pirates[seat][pirate] + 1) % SPACES;
  const card = G.hands[seat].shift();
  G.discard.push(card);
  if (G.discard.length > SPACES) G.discard.shift();
  G.hands[seat].push(SYMBOLS[number % SYMBOLS.length]);
}

const [port, folder] = process.argv.slice(2);
const escape = { name: "escape", setup, moves: { move }, turn: { minMoves: 1, maxMoves: 1 } };
const server = Server({
  games: [escape],
  origins: [/127\.0\.0\.1/],
  ...(folder ? { db: new FlatFile({ dir: folder }) } : {}),
});
await server.run(Number(port), () => console.log("ready"));
