/** How the crews look: colour, outline of the token and of the pirate, by number of the crew. */

export interface Look {
  /** The crew's word in the catalogue: `crew.red`. */
  word: string;
  /** The crew's name among the design's colours: `--p-coral`. */
  hue: string;
  /** The outline of the pirate's body, in a box of 24 by 30. */
  body: string;
  /** The outline of the flat token, in a box of 20 by 20. */
  token: string;
}

/** The head under the hat; all crews share it. */
export const HAT = "M3.6 6.3C7 7 8.3 1.3 12 1.3s5 5.7 8.4 5c-.9 2.7-4.3 3.1-8.4 3.1s-7.5-.4-8.4-3.1Z";

export const LOOKS: readonly Look[] = [
  {
    word: "red",
    hue: "coral",
    body: "M12 11.4c5.9 0 10 4 10 9 0 5.2-4.2 8.6-10 8.6S2 25.6 2 20.4c0-5 4.1-9 10-9Z",
    token: "M10 2a8 8 0 1 0 0 16a8 8 0 1 0 0-16Z",
  },
  {
    word: "blue",
    hue: "blue",
    body: "M4.5 12.5h15a2 2 0 0 1 2 2V27a2 2 0 0 1-2 2h-15a2 2 0 0 1-2-2V14.5a2 2 0 0 1 2-2Z",
    token:
      "M4 2.5h12a1.5 1.5 0 0 1 1.5 1.5v12a1.5 1.5 0 0 1-1.5 1.5H4A1.5 1.5 0 0 1 2.5 16V4A1.5 1.5 0 0 1 4 2.5Z",
  },
  {
    word: "yellow",
    hue: "saffron",
    body: "M10.4 11.6a1.9 1.9 0 0 1 3.2 0l8.9 14.5c.8 1.3-.1 2.9-1.6 2.9H3.1c-1.5 0-2.4-1.6-1.6-2.9Z",
    token: "M10 1.8 18.8 17.5H1.2Z",
  },
  {
    word: "green",
    hue: "sea",
    body: "M10.7 10.6a1.9 1.9 0 0 1 2.6 0l8.6 8.3a1.9 1.9 0 0 1 0 2.7l-8.6 7.3a1.9 1.9 0 0 1-2.6 0l-8.6-7.3a1.9 1.9 0 0 1 0-2.7Z",
    token: "M10 .8 19 10 10 19.2 1 10Z",
  },
  {
    word: "violet",
    hue: "plum",
    body: "M3.6 12h16.8c1.4 0 2 1.6 1.1 2.6L16.7 20l4.9 6.4c.8 1.1.1 2.6-1.2 2.6H3.6c-1.3 0-2-1.5-1.2-2.6L7.3 20l-4.8-5.4C1.6 13.6 2.2 12 3.6 12Z",
    token: "M2.5 2h15l-5 8 5 8h-15l5-8Z",
  },
];
