/** A way to ask for a hint beside the buttons of a turn. */

export interface Hints {
  /** Whether one is being worked out. */
  isThinking: boolean;
  ask: () => void;
}
