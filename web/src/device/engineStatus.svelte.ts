/** The engine on this device, for a page that needs it: what there is to download, and how far it is. */

import { theDevice, type Device } from "./device";
import { fetchParts, isFetched, type Parts } from "./parts";
import type { State } from "./wire";

export class EngineStatus {
  /** What there is to download; null while unknown. */
  parts: Parts | null = $state.raw(null);
  private device: Device | null = $state.raw(null);

  /** Null before the reader wanted anything of it. */
  get state(): State | null {
    return isSecureContext ? (this.device?.state ?? null) : { kind: "failed", reason: "unsafe" };
  }

  get isReady(): boolean {
    return this.state?.kind === "ready";
  }

  /** What was downloaded before is there at once. */
  async look(): Promise<void> {
    try {
      this.parts = await fetchParts();
      if (await isFetched(this.parts)) this.start();
    } catch {
      // Without a network nothing can be told of the download; the button is there anyway.
    }
  }

  readonly start = (): void => {
    if (isSecureContext) this.device = theDevice();
  };

  readonly again = (): void => {
    this.device?.again();
  };
}
