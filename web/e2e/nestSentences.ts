/** What a listener hears in a turn of The Pirate's Nest, word for word in each language; see sentences.ts. */

import { capital, filled, type Language } from "./sentences";

/** The names of the signs, in the order in which hands are shown. */
export const NEST_SIGNS = {
  en: {
    parrot: "parrot",
    chest: "chest",
    telescope: "telescope",
    ducats: "ducats",
    map: "map",
    cannon: "cannon",
    compass: "compass",
  },
  nl: {
    parrot: "papegaai",
    chest: "schatkist",
    telescope: "verrekijker",
    ducats: "dukaten",
    map: "schatkaart",
    cannon: "kanon",
    compass: "kompas",
  },
  de: {
    parrot: "Papagei",
    chest: "Truhe",
    telescope: "Fernrohr",
    ducats: "Dukaten",
    map: "Schatzkarte",
    cannon: "Kanone",
    compass: "Kompass",
  },
  sv: {
    parrot: "papegoja",
    chest: "kista",
    telescope: "kikare",
    ducats: "dukater",
    map: "skattkarta",
    cannon: "kanon",
    compass: "kompass",
  },
} satisfies Record<Language, Record<string, string>>;

const EN = {
  board:
    "Landing, 14 spaces, sloop, 21 spaces, nest. Left and right walk the way, up and down change segment.",
  segment: "Segment {number}",
  landing: "Landing, start: {who}",
  sloop: "Sloop, at the small island: {who}",
  sloopAcross: "Sloop, at the large island: {who}",
  nest: "Nest, goal: {who}",
  space: "Space {number}, {sign}, {who}",
  empty: "empty",
  nobody: "nobody",
  onePirate: "1 pirate: {names}",
  morePirates: "{number} pirates: {names}",
  you: "you",
  several: "{number} of {name}",
  began: "The move began here",
  ended: "Last move ended here",
  hand: "Your hand, {number} cards",
  stack: "{Card}, {number} in hand",
  freebooter: "{sign} freebooter",
  turnBegins: "Your turn. 3 actions. You hold {number} cards.",
  turn: "Your turn",
  turnText: "3 of 3 actions left. Choose a pirate or a card.",
  chosen: "{Here}. {ways}.",
  spaceWord: "space {number}",
  theLanding: "the landing",
  theSloop: "the sloop",
  boarded: "{Card} played, {from} to the sloop. Your pirate is aboard. {number} of 3. 2 actions left.",
  pushChosen: "Push the pirate of Bart from {from} to {to}, 1 card.",
  pushText:
    "2 of 3 actions left. Push the pirate of Bart from {from} to {to}, take 1 card. No undo after a draw.",
  pushButton: "Push to {to}, +1",
  pushed: "You pushed Bart from {from} to {to}. Took {card}. 1 action left.",
  kinds: "What you can do",
  sail: "Sail the sloop to the other island, for one action",
  sailed: "The sloop is now at the large island. Aboard: {names}. 0 actions left.",
  nothingMore: "0 of 3 actions left. Nothing more can be done: end the turn.",
};

type Sentences = Record<keyof typeof EN, string>;

const NL: Sentences = {
  board:
    "Strand, 14 velden, sloep, 21 velden, nest. Links en rechts lopen over de weg, omhoog en omlaag gaan naar een ander bordstuk.",
  segment: "Bordstuk {number}",
  landing: "Strand, start: {who}",
  sloop: "Sloep, aan het kleine eiland: {who}",
  sloopAcross: "Sloep, aan het grote eiland: {who}",
  nest: "Nest, doel: {who}",
  space: "Veld {number}, {sign}, {who}",
  empty: "leeg",
  nobody: "niemand",
  onePirate: "1 piraat: {names}",
  morePirates: "{number} piraten: {names}",
  you: "jij",
  several: "{number}x {name}",
  began: "De zet begon hier",
  ended: "De laatste zet eindigde hier",
  hand: "Je hand, {number} kaarten",
  stack: "{Card}, {number} in de hand",
  freebooter: "{sign}-vrijbuiter",
  turnBegins: "Jouw beurt. 3 acties. Je hebt {number} kaarten.",
  turn: "Jouw beurt",
  turnText: "Nog 3 van 3 acties. Kies een piraat of een kaart.",
  chosen: "{Here}. {ways}.",
  spaceWord: "veld {number}",
  theLanding: "het strand",
  theSloop: "de sloep",
  boarded: "{Card} gespeeld, {from} naar de sloep. Je piraat is aan boord. {number} van 3. Nog 2 acties.",
  pushChosen: "Duw de piraat van Bart van {from} naar {to}, 1 kaart.",
  pushText:
    "Nog 2 van 3 acties. Duw de piraat van Bart: {from} naar {to}, pak 1 kaart. Na het pakken kun je niet terugnemen.",
  pushButton: "Duw naar {to}, +1",
  pushed: "Je duwde Bart van {from} naar {to}. Gepakt: {card}. Nog 1 actie.",
  kinds: "Wat je kunt doen",
  sail: "Vaar met de sloep naar het andere eiland, voor één actie",
  sailed: "De sloep ligt nu aan het grote eiland. Aan boord: {names}. Nog 0 acties.",
  nothingMore: "Nog 0 van 3 acties. Er kan niets meer: beëindig de beurt.",
};

const DE: Sentences = {
  board:
    "Strand, 14 Felder, Schaluppe, 21 Felder, Nest. Links und rechts gehen den Weg entlang, auf und ab wechseln das Segment.",
  segment: "Segment {number}",
  landing: "Strand, Start: {who}",
  sloop: "Schaluppe, an der kleinen Insel: {who}",
  sloopAcross: "Schaluppe, an der großen Insel: {who}",
  nest: "Nest, Ziel: {who}",
  space: "Feld {number}, {sign}, {who}",
  empty: "leer",
  nobody: "niemand",
  onePirate: "1 Pirat: {names}",
  morePirates: "{number} Piraten: {names}",
  you: "du",
  several: "{number}x {name}",
  began: "Die Bewegung begann hier",
  ended: "Die letzte Bewegung endete hier",
  hand: "Deine Hand, {number} Karten",
  stack: "{Card}, {number} auf der Hand",
  freebooter: "{sign}-Freibeuter",
  turnBegins: "Du bist am Zug. 3 Aktionen. Du hast {number} Karten.",
  turn: "Du bist am Zug",
  turnText: "Noch 3 von 3 Aktionen. Wähle einen Piraten oder eine Karte.",
  chosen: "{Here}. {ways}.",
  spaceWord: "Feld {number}",
  theLanding: "Strand",
  theSloop: "Schaluppe",
  boarded: "{Card} gespielt, {from} bis Schaluppe. Dein Pirat ist an Bord. {number} von 3. Noch 2 Aktionen.",
  pushChosen: "Den Piraten von Bart schieben, {from} bis {to}, 1 Karte.",
  pushText:
    "Noch 2 von 3 Aktionen. Schiebe den Piraten von Bart: {from} bis {to}, nimm 1 Karte auf. Nach dem Aufnehmen kein Zurücknehmen.",
  pushButton: "Schieben bis {to}, +1",
  pushed: "Du hast Bart geschoben, {from} bis {to}. Aufgenommen: {card}. Noch 1 Aktion.",
  kinds: "Was du tun kannst",
  sail: "Mit der Schaluppe segeln zur anderen Insel, für eine Aktion",
  sailed: "Die Schaluppe liegt jetzt an der großen Insel. An Bord: {names}. Noch 0 Aktionen.",
  nothingMore: "Noch 0 von 3 Aktionen. Mehr geht nicht: Beende den Zug.",
};

const SV: Sentences = {
  board:
    "Stranden, 14 rutor, slupen, 21 rutor, nästet. Vänster och höger går längs vägen, upp och ned byter segment.",
  segment: "Segment {number}",
  landing: "Stranden, start: {who}",
  sloop: "Slupen, vid den lilla ön: {who}",
  sloopAcross: "Slupen, vid den stora ön: {who}",
  nest: "Nästet, mål: {who}",
  space: "Ruta {number}, {sign}, {who}",
  empty: "tom",
  nobody: "ingen",
  onePirate: "1 pirat: {names}",
  morePirates: "{number} pirater: {names}",
  you: "du",
  several: "{number}x {name}",
  began: "Flytten började här",
  ended: "Senaste flytten slutade här",
  hand: "Din hand, {number} kort",
  stack: "{Card}, {number} på handen",
  freebooter: "{sign}-fribytare",
  turnBegins: "Din tur. 3 drag. Du har {number} kort.",
  turn: "Din tur",
  turnText: "3 av 3 drag kvar. Välj en pirat eller ett kort.",
  chosen: "{Here}. {ways}.",
  spaceWord: "ruta {number}",
  theLanding: "stranden",
  theSloop: "slupen",
  boarded: "{Card}, {from} till slupen. Din pirat är ombord. {number} av 3. 2 drag kvar.",
  pushChosen: "Knuffa Bart från {from} till {to}, 1 kort.",
  pushText:
    "2 av 3 drag kvar. Knuffa Bart: {from} till {to}, plocka upp 1 kort. Går inte att ångra när kort har plockats upp.",
  pushButton: "Knuffa till {to}, +1",
  pushed: "Du knuffade Bart från {from} till {to}. Plockade upp {card}. 1 drag kvar.",
  kinds: "Vad du kan göra",
  sail: "Segla slupen till den andra ön, för ett drag",
  sailed: "Slupen ligger nu vid den stora ön. Ombord: {names}. 0 drag kvar.",
  nothingMore: "0 av 3 drag kvar. Inget mer går att göra: avsluta turen.",
};

const SENTENCES: Record<Language, Sentences> = { en: EN, nl: NL, de: DE, sv: SV };

/** A sentence with its values; `{Card}` is `{card}` with a capital, and so are the others. */
export function nestSentence(
  language: Language,
  name: keyof Sentences,
  values: Record<string, string | number> = {},
): string {
  const capitals = Object.entries(values).map(([key, value]) => [capital(key), capital(String(value))]);
  return filled(SENTENCES[language][name], { ...values, ...(Object.fromEntries(capitals) as typeof values) });
}
