/** Whose work is in the client. Names and licences are not translated. */

/** An icon of game-icons.net: our word for it, its title there, its author, what was changed. */
export interface IconCredit {
  picture: string;
  title: string;
  author: string;
}

const SET = "https://game-icons.net/1x1";

export const ICONS: readonly IconCredit[] = [
  { picture: "skull", title: "death-skull", author: "sbed" },
  { picture: "bottle", title: "brandy-bottle", author: "Lorc" },
  { picture: "key", title: "skeleton-key", author: "Lorc" },
  { picture: "parrot", title: "parrot-head", author: "Lorc" },
  { picture: "chest", title: "locked-chest", author: "Lorc" },
  { picture: "telescope", title: "spyglass", author: "Lorc" },
  { picture: "ducats", title: "two-coins", author: "Delapouite" },
  { picture: "map", title: "treasure-map", author: "Lorc" },
  { picture: "cannon", title: "cannon", author: "Lorc" },
  { picture: "compass", title: "compass", author: "Lorc" },
  { picture: "lantern", title: "lantern-flame", author: "Lorc" },
  { picture: "captain", title: "ship-wheel", author: "Delapouite" },
  { picture: "nest", title: "pirate-flag", author: "Delapouite" },
  { picture: "draw", title: "card-draw", author: "Faithtoken" },
  { picture: "anchor", title: "anchor", author: "Lorc" },
  { picture: "palm", title: "palm-tree", author: "Delapouite" },
];

/** The page of an icon. */
export function iconAddress({ author, title }: IconCredit): string {
  return `${SET}/${author.toLowerCase()}/${title}.html`;
}

/** A part made by others: what we use it for, who made it, its licence, and where that is written. */
export interface PartCredit {
  name: string;
  by: string;
  licence: string;
  file: string;
}

export const PARTS: readonly PartCredit[] = [
  {
    name: "IM Fell English",
    by: "© 2007 Igino Marini, Reserved Font Name IM FELL English Roman",
    licence: "OFL 1.1",
    file: "/licences/im-fell-english.txt",
  },
  {
    name: "Alegreya Sans",
    by: "© 2013 The Alegreya Sans Project Authors",
    licence: "OFL 1.1",
    file: "/licences/alegreya-sans.txt",
  },
  {
    name: "Lucide",
    by: "© Lucide Icons and Contributors; parts © Cole Bemis (Feather)",
    licence: "ISC, MIT",
    file: "/licences/lucide.txt",
  },
  { name: "Svelte", by: "© Svelte Contributors", licence: "MIT", file: "/licences/svelte.txt" },
  { name: "clsx", by: "© Luke Edwards", licence: "MIT", file: "/licences/clsx.txt" },
  { name: "uqr", by: "© Project Nayuki, Anthony Fu", licence: "MIT", file: "/licences/uqr.txt" },
  {
    name: "Pyodide",
    by: "© Pyodide contributors and Mozilla",
    licence: "MPL-2.0",
    file: "/licences/pyodide.txt",
  },
  {
    name: "Python",
    by: "© Python Software Foundation",
    licence: "PSF-2.0",
    file: "/licences/python.txt",
  },
  { name: "Emscripten", by: "© Emscripten authors", licence: "MIT", file: "/licences/emscripten.txt" },
  { name: "msgspec", by: "© Jim Crist-Harif", licence: "BSD-3-Clause", file: "/licences/msgspec.txt" },
  {
    name: "mypy_extensions",
    by: "© Jukka Lehtosalo and contributors",
    licence: "MIT",
    file: "/licences/mypy-extensions.txt",
  },
];
