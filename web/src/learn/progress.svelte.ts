/** Which lessons are done; kept in this browser and nowhere else. */

const KEY = "cartagena.lessons";

class Progress {
  /** The names of the lessons that are done. */
  done: readonly string[] = $state.raw(stored());

  /** Note a lesson as done. */
  finish(name: string): void {
    if (this.done.includes(name)) return;
    // Another tab may have finished others meanwhile.
    this.done = [...new Set([...stored(), ...this.done, name])];
    try {
      localStorage.setItem(KEY, JSON.stringify(this.done));
    } catch {
      // Without storage progress lasts as long as the page.
    }
  }
}

export const progress = new Progress();

function stored(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((name) => typeof name === "string") : [];
  } catch {
    // Forbidden or damaged storage counts as empty.
    return [];
  }
}
