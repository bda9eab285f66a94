/** Sharing a link: copied to the clipboard and confirmed in place, since a toast would cover the bar. */

/** Copy a link; returns whether it worked: plain http and readers may forbid it. */
export async function copyLink(link: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    return false;
  }
}
