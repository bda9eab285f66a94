/** Playing sounds, as loud as the reader wants. Nothing sounds before the first touch of the page. */

import { settings } from "../shell/settings.svelte";
import { afterFrame } from "../ui/afterFrame";
import { heardOf, type Cue, type Cued } from "./cues";
import { makeNoise, voice } from "./voices";

interface Instrument {
  context: AudioContext;
  noise: AudioBuffer;
}

let instrument: Instrument | null = null;

/** Get ready on the first touch or key; browsers allow no sound before. Returns a function that stops. */
export function listenForTouch(): () => void {
  const prepare = (): void => {
    if (instrument === null && "AudioContext" in window) {
      const context = new AudioContext();
      instrument = { context, noise: makeNoise(context) };
    }
    void instrument?.context.resume().catch(() => undefined);
  };
  // Making an instrument can take longer than all the rest of a touch, so it is made afterwards.
  const touched = (): void => {
    if (instrument?.context.state !== "running") afterFrame(prepare);
  };
  addEventListener("pointerdown", touched);
  addEventListener("keydown", touched);
  return () => {
    removeEventListener("pointerdown", touched);
    removeEventListener("keydown", touched);
  };
}

/** Play one sound now. */
export function play(cue: Cue): void {
  playAll([{ cue, after: 0 }]);
}

/** Play sounds one after another. A sound may be a frame late; the picture may not. */
export function playAll(cued: readonly Cued[]): void {
  if (cued.length > 0) afterFrame(() => sound(cued));
}

function sound(cued: readonly Cued[]): void {
  if (!settings.sound || settings.volume <= 0 || instrument?.context.state !== "running") return;
  const { context, noise } = instrument;
  const out = context.createGain();
  out.gain.value = settings.volume;
  out.connect(context.destination);
  for (const { cue, after } of heardOf(cued, (group) => settings[`hear_${group}`]))
    voice(cue, { context, out, noise, at: context.currentTime + after / 1000 });
}
