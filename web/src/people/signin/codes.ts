/** Codes in addresses. No browser here. */

/** The code that an address brings behind its `#`; other fragments, such as that of the skip link, are none. */
export function broughtCode(hash: string): string {
  return /^#([0-9A-Z]+(?:-[0-9A-Z]+)+)$/.exec(hash)?.[1] ?? "";
}
