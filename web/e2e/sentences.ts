/**
 * What a listener hears in a turn of Tortuga, word for word in each language.
 *
 * The sentences are repeated here on purpose: the client takes its own from the catalogue, and a test that
 * did so too would agree with any mistake in it.
 */

import type { Dress } from "./dressing";

export type Language = Dress["language"];

/** The names of the signs, in the order of a hand. */
export const SIGNS: Record<Language, Record<string, string>> = {
  en: { skull: "skull", hat: "hat", dagger: "dagger", bottle: "bottle", key: "key", pistol: "pistol" },
  nl: { skull: "doodskop", hat: "hoed", dagger: "dolk", bottle: "fles", key: "sleutel", pistol: "pistool" },
  de: {
    skull: "Totenkopf",
    hat: "Hut",
    dagger: "Dolch",
    bottle: "Flasche",
    key: "Schlüssel",
    pistol: "Pistole",
  },
  sv: { skull: "dödsskalle", hat: "hatt", dagger: "dolk", bottle: "flaska", key: "nyckel", pistol: "pistol" },
};

const EN = {
  board: "The passage: fort, 36 spaces, sloop. Left and right walk the tunnel, up and down change segment.",
  segment: "Segment {number}",
  fortAtFirst: "Fort, start: 6 of you, 5 of Bart. Bart's action 1 began here",
  fortChosen: "Fort, start: 6 of you, 5 of Bart. Selected",
  sloop: "Sloop, goal: nobody",
  spaceEmpty: "Space {number}, {sign}, empty",
  spaceReachable: "Space {number}, {sign}, empty. Reachable with {sign}",
  spaceOfBart: "Space {number}, {sign}, 1 pirate: Bart. Bart's action 1 ended here",
  hand: "Your hand, {number} cards",
  stack: "{Sign}, {number} in hand",
  row: "The row, draw order left to right",
  bartPlayed: "Bart: {sign}, from the fort to {to}.",
  turnBegins: "Your turn. 3 actions. You hold 6 cards.",
  turn: "Your turn",
  turnText: "3 of 3 actions left. Choose a pirate or a card.",
  goalText: "3 of 3 actions left. Choose where the pirate goes, or a card.",
  undo: "Undo",
  end: "End turn",
  move: "Move",
  fort: "The fort. {ways}.",
  noRetreat: "A pirate in the fort has nothing behind it.",
  played2: "{Sign} played, from the fort to {to}. 2 actions left.",
  played1: "{Sign} played, from the fort to {to}. 1 action left.",
  space: "Space {number}. {ways}. Retreat to {to}, 1 card.",
  theSloop: "the sloop",
  back: "Back from {from} to {to}. Took {sign}. 0 actions left.",
  undone: "Undone. 1 action left.",
  nothingMore: "0 of 3 actions left. All done: end your turn.",
  bartMoves: "Bart is moving",
};

const NL: typeof EN = {
  board:
    "De tunnel: fort, 36 velden, sloep. Links en rechts lopen door de tunnel, omhoog en omlaag gaan naar een ander bordstuk.",
  segment: "Bordstuk {number}",
  fortAtFirst: "Het fort, start: 6x jij, 5x Bart. Actie 1 van Bart begon hier",
  fortChosen: "Het fort, start: 6x jij, 5x Bart. Gekozen",
  sloop: "Sloep, doel: niemand",
  spaceEmpty: "Veld {number}, {sign}, leeg",
  spaceReachable: "Veld {number}, {sign}, leeg. Bereikbaar met {sign}",
  spaceOfBart: "Veld {number}, {sign}, 1 piraat: Bart. Actie 1 van Bart eindigde hier",
  hand: "Je hand, {number} kaarten",
  stack: "{Sign}, {number} in je hand",
  row: "De rij, gepakt van links naar rechts",
  bartPlayed: "Bart: {sign}, uit het fort naar {to}.",
  turnBegins: "Jouw beurt. 3 acties. Je hebt 6 kaarten.",
  turn: "Jouw beurt",
  turnText: "Nog 3 van 3 acties. Kies een piraat of een kaart.",
  goalText: "Nog 3 van 3 acties. Kies waar de piraat heen gaat, of een kaart.",
  undo: "Terugnemen",
  end: "Beurt beëindigen",
  move: "Verzetten",
  fort: "Het fort. {ways}.",
  noRetreat: "Een piraat in het fort heeft niets achter zich.",
  played2: "{Sign} gespeeld, uit het fort naar {to}. Nog 2 acties.",
  played1: "{Sign} gespeeld, uit het fort naar {to}. Nog 1 actie.",
  space: "Veld {number}. {ways}. Terug naar {to}, 1 kaart.",
  theSloop: "de sloep",
  back: "Terug van {from} naar {to}. Gepakt: {sign}. Nog 0 acties.",
  undone: "Teruggenomen. Nog 1 actie.",
  nothingMore: "Nog 0 van 3 acties. Klaar: beëindig je beurt.",
  bartMoves: "Bart is aan zet",
};

const DE: typeof EN = {
  board:
    "Der Tunnel: Festung, 36 Felder, Schaluppe. Links und rechts gehen durch den Tunnel, auf und ab wechseln das Segment.",
  segment: "Segment {number}",
  fortAtFirst: "Festung, Start: 6x du, 5x Bart. Aktion 1 von Bart begann hier",
  fortChosen: "Festung, Start: 6x du, 5x Bart. Ausgewählt",
  sloop: "Schaluppe, Ziel: niemand",
  spaceEmpty: "Feld {number}, {sign}, leer",
  spaceReachable: "Feld {number}, {sign}, leer. Erreichbar mit {sign}",
  spaceOfBart: "Feld {number}, {sign}, 1 Pirat: Bart. Aktion 1 von Bart endete hier",
  hand: "Deine Hand, {number} Karten",
  stack: "{Sign}, {number} auf der Hand",
  row: "Die Reihe, aufgenommen von links nach rechts",
  bartPlayed: "Bart: {sign}, aus der Festung auf {to}.",
  turnBegins: "Du bist am Zug. 3 Aktionen. Du hast 6 Karten.",
  turn: "Du bist am Zug",
  turnText: "3 von 3 Aktionen übrig. Wähle einen Piraten oder eine Karte.",
  goalText: "3 von 3 Aktionen übrig. Wähle, wohin der Pirat zieht, oder eine Karte.",
  undo: "Zurücknehmen",
  end: "Zug beenden",
  move: "Ziehen",
  fort: "Festung. {ways}.",
  noRetreat: "Ein Pirat in der Festung hat nichts hinter sich.",
  played2: "{Sign} gespielt, aus der Festung auf {to}. Noch 2 Aktionen.",
  played1: "{Sign} gespielt, aus der Festung auf {to}. Noch 1 Aktion.",
  space: "Feld {number}. {ways}. Zurück auf {to}, 1 Karte.",
  theSloop: "Schaluppe",
  back: "Zurück von {from} auf {to}. Aufgenommen: {sign}. Noch 0 Aktionen.",
  undone: "Zurückgenommen. Noch 1 Aktion.",
  nothingMore: "0 von 3 Aktionen übrig. Fertig: Beende deinen Zug.",
  bartMoves: "Bart ist am Zug",
};

const SV: typeof EN = {
  board:
    "Gången: fästningen, 36 rutor, slupen. Vänster och höger går genom gången, upp och ned byter segment.",
  segment: "Segment {number}",
  fortAtFirst: "Fästningen, start: 6x du, 5x Bart. Drag 1 av Bart började här",
  fortChosen: "Fästningen, start: 6x du, 5x Bart. Vald",
  sloop: "Slupen, mål: ingen",
  spaceEmpty: "Ruta {number}, {sign}, tom",
  spaceReachable: "Ruta {number}, {sign}, tom. Går att nå med {sign}",
  spaceOfBart: "Ruta {number}, {sign}, 1 pirat: Bart. Drag 1 av Bart slutade här",
  hand: "Din hand, {number} kort",
  stack: "{Sign}, {number} på handen",
  row: "Raden, plockas upp från vänster till höger",
  bartPlayed: "Bart: {sign}, från fästningen till {to}.",
  turnBegins: "Din tur. 3 drag. Du har 6 kort.",
  turn: "Din tur",
  turnText: "3 av 3 drag kvar. Välj en pirat eller ett kort.",
  goalText: "3 av 3 drag kvar. Välj vart piraten ska gå, eller ett kort.",
  undo: "Ångra",
  end: "Avsluta turen",
  move: "Flytta",
  fort: "Fästningen. {ways}.",
  noRetreat: "En pirat i fästningen har ingenting bakom sig.",
  played2: "{Sign}, från fästningen till {to}. 2 drag kvar.",
  played1: "{Sign}, från fästningen till {to}. 1 drag kvar.",
  space: "Ruta {number}. {ways}. Bakåt till {to}, 1 kort.",
  theSloop: "slupen",
  back: "Bakåt från {from} till {to}. Plockade upp {sign}. 0 drag kvar.",
  undone: "Ångrat. 1 drag kvar.",
  nothingMore: "0 av 3 drag kvar. Klart: avsluta din tur.",
  bartMoves: "Nu spelar Bart",
};

const SENTENCES: Record<Language, typeof EN> = { en: EN, nl: NL, de: DE, sv: SV };

/** A sentence with its values; `{Sign}` is `{sign}` with a capital. */
export function sentence(
  language: Language,
  name: keyof typeof EN,
  values: Record<string, string | number> = {},
): string {
  const sign = SIGNS[language][String(values["sign"])] ?? "";
  return filled(SENTENCES[language][name], { ...values, sign, Sign: capital(sign) });
}

/** A sentence with its values filled in. */
export function filled(sentence: string, values: Record<string, string | number>): string {
  return sentence.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key]));
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
