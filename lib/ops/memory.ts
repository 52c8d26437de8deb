import 'server-only';

export interface Memory<T> {
  /** What is remembered under the key, else what `ask` answers; callers that ask together share one asking. */
  read: (key: string, ask: () => Promise<T>) => Promise<T>;
}

interface Entry<T> {
  answer: Promise<T>;
  /** By `elapsed`; Infinity until it is answered. */
  untilMs: number;
}

/**
 * Remembers answers for `ttlMs`, at most `max` of them, the oldest going first. A failure is not remembered.
 */
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
