/** What a page may ask of the frame around it; a page that sets something puts it back when it goes. */

class Frame {
  /** A short line beside the brand, such as the name of a table. */
  caption = $state("");
  /** What the tab of the browser shows; null for the usual words of the page. */
  title: string | null = $state(null);
  /**
   * The page is a game: it fills the window where it can, and draws its own top on a phone, where there is no top bar
   * then. Its menu button calls `openMenu`.
   */
  bare = $state(false);
  menuOpen = $state(false);
}

export const frame = new Frame();

/** Open the site's menu; on a phone it holds everything that the top bar has on a desk. */
export function openMenu(): void {
  frame.menuOpen = true;
}
