/** What must not outlive its reader at a device that is passed on: it is emptied, even if something still holds it. */

import type { Update, View } from "../api/messages";
import { isOnDevice } from "../api/transport";

export class Forgetting {
  readonly #isOnDevice: boolean;
  #told: Update[] = [];

  constructor(tableId: string) {
    this.#isOnDevice = isOnDevice(tableId);
  }

  /** Remember that this was told. */
  note(update: Update): void {
    if (this.#isOnDevice) this.#told.push(update);
  }

  /** Whether all that was told must go when the device no longer looks from this seat. */
  isDueAfter(seat: number | null, view: View | null): boolean {
    return this.#isOnDevice && seat !== null && view?.ruleset.options["hands_open"] !== true;
  }

  /**
   * Empty the views, wishes and happenings that were told, in place. A component that is gone, a timer or the
   * browser's own memory of what was pressed last may hold them for a while longer; then they hold nothing.
   */
  forget(): void {
    for (const { view, wishes, happened } of this.#told.splice(0)) [view, wishes, happened].forEach(empty);
  }
}

function empty(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.values(value).forEach(empty);
  if (Array.isArray(value)) value.length = 0;
  else for (const key of Object.keys(value)) Reflect.deleteProperty(value, key);
}
