/** Focus is never lost: when the button that had it goes away, something near takes it. */

/**
 * Watch over the focus inside an element, for use while a component is made.
 *
 * Whenever `changes` changes, focus that was inside and fell out goes to `refuge`.
 */
export function keepFocus(
  changes: () => unknown,
  inside: () => HTMLElement | undefined,
  refuge: () => HTMLElement | null | undefined,
): void {
  let had = false;
  const has = (): boolean => inside()?.contains(document.activeElement) === true;
  $effect.pre(() => {
    changes();
    had = has();
  });
  $effect(() => {
    changes();
    if (had && !has()) refuge()?.focus();
  });
}
