/** A coach beside the turn box. */

export interface Coach {
  /** What is said now; null where the turn box says enough. */
  text: string | null;
  /** The reader wants no more coaching. */
  stop: () => void;
}
