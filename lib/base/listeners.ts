/** Functions that are called with each event, in the order in which they were added. */
export class Listeners<Event extends unknown[] = []> {
  readonly #listeners = new Set<(...event: Event) => void>();

  get size(): number {
    return this.#listeners.size;
  }

  /** Calls the listener with each event until the returned function is called. */
  readonly add = (listener: (...event: Event) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  notify(...event: Event): void {
    for (const listener of this.#listeners) listener(...event);
  }
}
