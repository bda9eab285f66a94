/** What a page may ask of the frame around it; a page that sets something resets it when it goes. */

class Frame {
  /** A short line beside the brand, such as the name of a table. */
  caption = $state("");
  /** The title of the browser tab; null for the page's usual title. */
  title: string | null = $state(null);
  /**
   * The page is a game: it fills the window where it can, and on a phone draws its own top instead of the top
   * bar. Its menu button calls `openMenu`.
   */
  bare = $state(false);
  menuOpen = $state(false);
}

export const frame = new Frame();

/** Open the site's menu; on a phone it holds everything that the top bar has on a desktop. */
export function openMenu(): void {
  frame.menuOpen = true;
}
