/** The highlighted sign: chosen in the hand, or under the mouse in any hand. One for the whole page. */

class Looking {
  /** The sign of the chosen card: its column is outlined for all players at once. */
  chosen: string | null = $state(null);
  /** The sign under the mouse: its spaces are outlined on the board. */
  hovered: string | null = $state(null);
}

export const looking = new Looking();
