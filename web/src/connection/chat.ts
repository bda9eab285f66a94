/** Lines of chat, assembled from the stream. */

import type { ChatLine } from "../api/messages";

/** The lines after one more; a line that removes another is not added, but empties the other. */
export function withLine(chat: readonly ChatLine[], line: ChatLine): readonly ChatLine[] {
  if (line.removes == null) return [...chat, line];
  return chat.map((each) => (each.number === line.removes ? { ...each, text: "", removed: true } : each));
}
