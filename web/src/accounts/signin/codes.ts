/** Codes in addresses. No browser here. */

/** The code that an address has behind its `#`; empty for other fragments, such as that of the skip link. */
export function broughtCode(hash: string): string {
  return /^#([0-9A-Z]+(?:-[0-9A-Z]+)+)$/.exec(hash)?.[1] ?? "";
}
