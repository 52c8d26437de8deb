/*
 * What a browser keeps for this site. It may be forbidden by a setting, full, or damaged, and none of that may break a
 * page: a read then gives nothing, and a write holds in this page alone. Lint refuses other uses of these stores.
 */

interface Unwritten {
  value: string;
  /** The store's value when it refused this one: once that changes, another tab has written. */
  over: string | null;
}

/** The texts of a store of the browser, by key. */
export class GuardedStore {
  readonly #open: () => Storage;
  readonly #unwritten = new Map<string, Unwritten>();

  /** @param open gives the browser's store, which may throw */
  constructor(open: () => Storage) {
    this.#open = open;
  }

  /** The text under a key, also one that could not be stored; null where there is none. */
  get(key: string): string | null {
    const stored = this.#try((store) => store.getItem(key)) ?? null;
    const unwritten = this.#unwritten.get(key);
    return unwritten !== undefined && unwritten.over === stored ? unwritten.value : stored;
  }

  /** False where the text holds in this page alone. */
  set(key: string, value: string): boolean {
    this.#unwritten.delete(key);
    const isStored = this.#try((store) => (store.setItem(key, value), true)) ?? false;
    if (!isStored) this.#unwritten.set(key, { value, over: this.get(key) });
    return isStored;
  }

  remove(key: string): void {
    this.#unwritten.delete(key);
    this.#try((store) => store.removeItem(key));
  }

  #try<T>(work: (store: Storage) => T): T | undefined {
    try {
      return work(this.#open());
    } catch {
      // Forbidden by a setting of the browser, without room, or damaged on its disk.
      return undefined;
    }
  }
}

/** Shared by the tabs of this browser, and kept when it is closed. */
export const browserStore = new GuardedStore(() => window.localStorage);
/** The store of this tab, until it is closed. */
export const tabStore = new GuardedStore(() => window.sessionStorage);

/**
 * The result of `work` on Cache Storage; undefined on a server, without TLS, and where it is forbidden, full or
 * damaged.
 */
export const withCaches = async <T>(work: (caches: CacheStorage) => Promise<T>): Promise<T | undefined> => {
  try {
    return 'caches' in globalThis ? await work(globalThis.caches) : undefined;
  } catch {
    // As above: what was to be kept is not, and what was kept is not found.
    return undefined;
  }
};
