/** Lines of chat, put together from what a stream tells. */

import type { ChatLine } from "../api/messages";

/** The lines with one more; one that takes another away is none itself, and leaves the other without words. */
export function withLine(chat: readonly ChatLine[], line: ChatLine): readonly ChatLine[] {
  if (line.removes == null) return [...chat, line];
  return chat.map((each) => (each.number === line.removes ? { ...each, text: "", removed: true } : each));
}
