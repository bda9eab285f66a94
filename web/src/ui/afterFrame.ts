/** A hidden page has no frames; what waits for one waits no longer than this. */
const LONGEST_MS = 200;
/** The drawing threads are still at work when ours is done; they go first. */
const DRAWING_MS = 40;

/** Run `work` after the picture is drawn, so as not to delay it; returns a function that cancels it. */
export function afterFrame(work: () => void): () => void {
  const timers = [setTimeout(done, LONGEST_MS)];
  const frame = requestAnimationFrame(() => timers.push(setTimeout(done, DRAWING_MS)));

  function stop(): void {
    timers.forEach(clearTimeout);
    cancelAnimationFrame(frame);
  }
  function done(): void {
    stop();
    work();
  }
  return stop;
}
