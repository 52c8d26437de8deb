import 'server-only';

export interface Memory<T> {
  /**
   * The cached value of the key, or else the result of `ask`; concurrent reads of one key share one fetch.
   */
  read: (key: string, ask: () => Promise<T>) => Promise<T>;
}

interface Entry<T> {
  answer: Promise<T>;
  /** On the monotonic clock, in ms; Infinity until the fetch ends. */
  untilMs: number;
}

/** Caches values for `ttlMs`, at most `max` of them, and evicts the oldest first. A failure is not cached. */
export const createMemory = <T>(options: {
  ttlMs: number;
  max: number;
  elapsed: () => number;
}): Memory<T> => {
  const { ttlMs, max, elapsed } = options;
  const entries = new Map<string, Entry<T>>();

  const ask = (key: string, asked: () => Promise<T>): Promise<T> => {
    const forget = () => {
      if (entries.get(key) === entry) entries.delete(key);
    };
    const answer = asked().then(
      (value) => {
        entry.untilMs = elapsed() + ttlMs;
        return value;
      },
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    const entry: Entry<T> = { answer, untilMs: Infinity };
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > max && oldest !== undefined) entries.delete(oldest);
    return answer;
  };

  return {
    read: (key, asked) => {
      const entry = entries.get(key);
      return entry !== undefined && elapsed() < entry.untilMs ? entry.answer : ask(key, asked);
    },
  };
};
