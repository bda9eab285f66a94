/** Sharing a link: into the clipboard, and said where it was asked for, since a toast would cover the bar. */

/** Copy a link; says whether that was possible: not on plain http, nor if the reader does not allow it. */
export async function copyLink(link: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    return false;
  }
}
