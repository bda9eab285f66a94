/** Giving one's games away: the service is told what the box says, and the box shows what the service knows. */

import type { Me } from "../api/messages";
import { ask } from "../api/service";
import { become } from "../shell/me.svelte";
import { Attempt } from "./attempt.svelte";

export class Giving extends Attempt {
  /** Tell the service what the reader chose; the box goes back where that did not work or had to wait. */
  async choose(box: { checked: boolean }, standing: () => boolean): Promise<void> {
    const wanted = box.checked;
    await this.run(async () => become(await ask<Me>("PATCH", "/api/me", { open_data: wanted })));
    // The browser has turned the box already, and nothing else turns it back if the answer was no.
    box.checked = standing();
  }
}
