/** The sounds themselves, made from noise and simple tones: short, dry, wooden, at most 400 ms long. */

import type { Cue } from "./cues";

/** Where a sound is made: its context, where it goes, and when it begins. */
interface Stage {
  context: BaseAudioContext;
  out: AudioNode;
  noise: AudioBuffer;
  at: number;
}

type Voice = (stage: Stage) => void;

/** A stretch of noise, made once and always alike, so that a sound is recognised. */
export function makeNoise(context: BaseAudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, Math.floor(context.sampleRate * 0.5), context.sampleRate);
  const samples = buffer.getChannelData(0);
  let seed = 1672;
  for (let index = 0; index < samples.length; index++) {
    seed = (seed * 16_807) % 2_147_483_647;
    samples[index] = (seed / 2_147_483_647) * 2 - 1;
  }
  return buffer;
}

/** Make the sound of a cue. */
export function voice(cue: Cue, stage: Stage): void {
  VOICES[cue](stage);
}

const VOICES: Readonly<Record<Cue, Voice>> = {
  your_turn: (stage) => {
    knock(later(stage, 0), 210, 0.9);
    knock(later(stage, 0.16), 180, 0.8);
  },
  forward: (stage) => knock(stage, 120, 0.5),
  back: (stage) => swell(stage, { from: 300, to: 700, length: 0.22, loudness: 0.8 }),
  card_played: (stage) => burst(stage, { frequency: 3800, length: 0.05, loudness: 0.35 }),
  card_taken: (stage) => swell(stage, { from: 2200, to: 4200, length: 0.1, loudness: 0.2 }),
  boarded: (stage) => {
    creak(stage);
    bell(later(stage, 0.06), 330, 0.34, 0.35);
  },
  new_row: (stage) => {
    for (let card = 0; card < 12; card++) {
      burst(later(stage, card * 0.026), { frequency: 3200 + card * 90, length: 0.03, loudness: 0.4 });
    }
  },
  freebooter: (stage) => {
    tone(later(stage, 0), { frequency: 2640, length: 0.12, loudness: 0.12 });
    tone(later(stage, 0.07), { frequency: 3520, length: 0.25, loudness: 0.12 });
  },
  captain: (stage) => bell(stage, 880, 0.38, 0.3),
  clock_30: (stage) => tick(stage),
  clock_10: (stage) => [0, 0.14, 0.28].forEach((delay) => tick(later(stage, delay))),
  refused: (stage) => knock(stage, 75, 0.45),
  win: (stage) => whistle(stage, [784, 988, 1175, 1568]),
  loss: (stage) => whistle(stage, [587, 523, 440, 392]),
};

function later(stage: Stage, seconds: number): Stage {
  return { ...stage, at: stage.at + seconds };
}

/** Loudness that rises at once and fades away. */
function decay({ context, out, at }: Stage, loudness: number, length: number): GainNode {
  const gain = context.createGain();
  gain.gain.setValueAtTime(loudness, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  gain.connect(out);
  return gain;
}

interface Sounding {
  frequency: number;
  length: number;
  loudness: number;
}

function tone(stage: Stage, { frequency, length, loudness }: Sounding, shape: OscillatorType = "sine"): void {
  const oscillator = stage.context.createOscillator();
  oscillator.type = shape;
  oscillator.frequency.value = frequency;
  oscillator.connect(decay(stage, loudness, length));
  oscillator.start(stage.at);
  oscillator.stop(stage.at + length);
}

/** Noise around a frequency. */
function burst(stage: Stage, { frequency, length, loudness }: Sounding): void {
  filtered(stage, decay(stage, loudness, length), frequency, length);
}

/** Noise that grows louder and higher: something dragged over paper or wood. */
function swell(stage: Stage, sound: { from: number; to: number; length: number; loudness: number }): void {
  const { context, out, at } = stage;
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.001, at);
  gain.gain.exponentialRampToValueAtTime(sound.loudness, at + sound.length * 0.8);
  gain.gain.linearRampToValueAtTime(0, at + sound.length);
  gain.connect(out);
  const filter = filtered(stage, gain, sound.from, sound.length);
  filter.frequency.exponentialRampToValueAtTime(sound.to, at + sound.length);
}

function filtered(
  { context, noise, at }: Stage,
  to: AudioNode,
  frequency: number,
  length: number,
): BiquadFilterNode {
  const source = context.createBufferSource();
  const filter = context.createBiquadFilter();
  source.buffer = noise;
  filter.type = "bandpass";
  filter.Q.value = 1.2;
  filter.frequency.setValueAtTime(frequency, at);
  source.connect(filter).connect(to);
  source.start(at, 0, length);
  return filter;
}

/** A knuckle on timber: a low thud and the noise of the touch. */
function knock(stage: Stage, frequency: number, loudness: number): void {
  tone(stage, { frequency, length: 0.12, loudness: loudness * 0.6 });
  tone(stage, { frequency: frequency * 2.3, length: 0.06, loudness: loudness * 0.25 });
  burst(stage, { frequency: frequency * 8, length: 0.03, loudness: loudness * 0.5 });
}

function tick(stage: Stage): void {
  burst(stage, { frequency: 2600, length: 0.025, loudness: 0.3 });
}

/** A bell has partials that are not whole multiples. */
function bell(stage: Stage, frequency: number, length: number, loudness: number): void {
  [1, 2.76, 5.4].forEach((partial, index) => {
    tone(stage, {
      frequency: frequency * partial,
      length: length / (index + 1),
      loudness: loudness / (index + 1) ** 2,
    });
  });
}

/** A rope under load: short rough pulses, close together. */
function creak(stage: Stage): void {
  for (let pulse = 0; pulse < 7; pulse++) {
    burst(later(stage, pulse * 0.022 + pulse * pulse * 0.001), {
      frequency: 480 + pulse * 25,
      length: 0.02,
      loudness: 0.25,
    });
  }
}

function whistle(stage: Stage, notes: readonly number[]): void {
  notes.forEach((frequency, index) => {
    const length = index === notes.length - 1 ? 0.16 : 0.09;
    tone(later(stage, index * 0.08), { frequency, length, loudness: 0.22 }, "triangle");
  });
}
