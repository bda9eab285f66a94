/** Waiting for something to be heard. */

export class Arrivals {
  private waiting: (() => void)[] = [];

  /** Resolves with the next arrival, or when the milliseconds are over. */
  next(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Something was heard, or nothing will be any more. */
  tell(): void {
    for (const wake of this.waiting.splice(0)) wake();
  }
}
