/** Focus is never lost: when the button that had it goes away, something near takes it. */

/**
 * Watch the focus inside an element; call it while a component is created.
 *
 * Whenever `changes` changes, focus that was inside and got lost goes to `refuge`.
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
