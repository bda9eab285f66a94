/** A page that nobody looks at has no frames; what waits for one waits no longer than this. */
const LONGEST_MS = 200;
/** The threads that draw are still at work when ours is done; they go first. */
const DRAWING_MS = 40;

/** Do what is not the picture once the picture is drawn; returns how to call it off. */
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
