/** This browser's settings; kept in localStorage, never sent anywhere. */

import { speak, type Language } from "../words/words.svelte";
import { completed, firstKnown, USUAL, type Pace, type Settings } from "./settingValues";

export { USUAL, type Settings };

export const SETTINGS_KEY = "cartagena.settings";

/** The settings; change a field and everything that reads it follows. */
export const settings: Settings = $state(stored());

const darkness = matchMedia("(prefers-color-scheme: dark)");
const stillness = matchMedia("(prefers-reduced-motion: reduce)");

/** What the reader's system wants, for settings that say "auto". */
const system = $state({ dark: darkness.matches, still: stillness.matches });

/** Whether the night theme is on now, chosen or by the system. */
export function isNight(): boolean {
  return settings.theme === "auto" ? system.dark : settings.theme === "night";
}

/** Whether things should appear in place instead of travelling. */
export function isStill(): boolean {
  return settings.motion === "less" || system.still;
}

/** How fast the moves of others are shown: as chosen, otherwise at once with reduced motion. */
export function rivalsPace(): Pace {
  if (settings.rivals !== "auto") return settings.rivals;
  return isStill() ? "none" : "normal";
}

/** The language to speak: the chosen one, or the first of the browser's that we have. */
export function wantedLanguage(): Language {
  return settings.language === "auto" ? (firstKnown(navigator.languages) ?? "en") : settings.language;
}

/** Apply the settings and keep them; resolves when the reader's language is loaded. */
export async function startSettings(): Promise<void> {
  followSystem();
  $effect.root(() => {
    $effect(() => kept(JSON.stringify(settings)));
    $effect(() => {
      document.documentElement.dataset["theme"] = isNight() ? "night" : "plan";
      document.documentElement.dataset["motion"] = isStill() ? "less" : "full";
    });
    $effect(() => void speak(wantedLanguage()));
  });
  // English is already loaded: a language that cannot be fetched must not hold the page back.
  await speak(wantedLanguage()).catch(() => undefined);
}

function followSystem(): void {
  darkness.addEventListener("change", (event) => (system.dark = event.matches));
  stillness.addEventListener("change", (event) => (system.still = event.matches));
  // Another tab changed them.
  addEventListener("storage", (event) => {
    if (event.key === SETTINGS_KEY) Object.assign(settings, stored());
  });
}

function kept(text: string): void {
  try {
    localStorage.setItem(SETTINGS_KEY, text);
  } catch {
    // Without storage settings last as long as the page.
  }
}

function stored(): Settings {
  try {
    return completed(JSON.parse(localStorage.getItem(SETTINGS_KEY) ?? "{}"));
  } catch {
    // Forbidden or damaged storage counts as empty.
    return { ...USUAL };
  }
}
