/*
 * Browsers refuse pages that change their address too often: Safari 100 times in 10 s (in 30 s before), Firefox 200
 * times in 10 s. A refusal would break the page within the router, so that all changes pass through here.
 */

/** Changes that pass at once, and then as many per second: at most 90 in any 30 s. */
const BURST = 30;
const PER_S = 2;

type How = 'pushState' | 'replaceState';
interface Change {
  how: How;
  state: unknown;
  url: string;
}

interface LimiterDeps {
  /** The browser's own call, which may be refused. */
  write: (change: Change) => void;
  /** Monotonic time in ms. */
  nowMs: () => number;
  wait: (run: () => void, ms: number) => unknown;
}

/** Passes changes of the address on, at most as often as browsers allow; of those that have to wait, the last one. */
export class HistoryLimiter {
  readonly #deps: LimiterDeps;
  #left = BURST;
  #countedAtMs: number;
  #pending: Change | null = null;
  #isWaiting = false;

  constructor(deps: LimiterDeps) {
    this.#deps = deps;
    this.#countedAtMs = deps.nowMs();
  }

  /** The change that waits; null where the browser has the last one. */
  get pending(): Change | null {
    return this.#pending;
  }

  /** Never throws for what a browser refuses: the change is tried again. @throws DataCloneError, or a SecurityError for another site's address */
  change(change: Change): void {
    // An entry that is still to be made is made, with the newest address.
    const how = this.#pending?.how === 'pushState' ? 'pushState' : change.how;
    this.#pending = { ...change, how };
    this.#passOn();
  }

  /** The user went to another entry, to which what waits does not belong. */
  forget(): void {
    this.#pending = null;
  }

  /** The page is left: what waits is written now, if the browser allows it. */
  flush(): void {
    this.#left = Math.max(this.#left, 1);
    this.#passOn();
  }

  #passOn(): void {
    const nowMs = this.#deps.nowMs();
    this.#left = Math.min(BURST, this.#left + ((nowMs - this.#countedAtMs) / 1000) * PER_S);
    this.#countedAtMs = nowMs;
    const change = this.#pending;
    if (change === null) return;
    if (this.#left >= 1) {
      this.#pending = null;
      this.#left -= 1;
      try {
        return this.#deps.write(change);
      } catch (error) {
        if ((error as Error).name !== 'SecurityError' || isElsewhere(change.url)) throw error;
        // Another script, or the page before this one in the tab, has used up what the browser allows.
        this.#pending = change;
        this.#left = Math.min(this.#left, -PER_S);
      }
    }
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#deps.wait(
      () => {
        this.#isWaiting = false;
        this.#passOn();
      },
      Math.ceil(((1 - this.#left) / PER_S) * 1000),
    );
  }
}

const isElsewhere = (url: string): boolean => new URL(url).origin !== window.location.origin;

let limiter: HistoryLimiter | null = null;

/** The address of the page, also while the browser has an older one. */
export const readLocation = (): Pick<URL, 'pathname' | 'search'> => {
  const waiting = limiter?.pending;
  return waiting == null ? window.location : new URL(waiting.url);
};

/** Limits every later change of the address, the router's too: it is called before that is started. */
export const limitHistory = (): void => {
  if (limiter !== null) return;
  const { history } = window;
  const calls = { pushState: history.pushState, replaceState: history.replaceState };
  const made = new HistoryLimiter({
    write: ({ how, state, url }) => calls[how].call(history, state, '', url),
    nowMs: () => performance.now(),
    wait: (run, ms) => setTimeout(run, ms),
  });
  limiter = made;
  for (const how of ['pushState', 'replaceState'] as const)
    history[how] = (state: unknown, _title: string, url?: string | URL | null) =>
      made.change({
        how,
        state,
        url: new URL(url ?? '', made.pending?.url ?? window.location.href).href,
      });
  const { get } = Object.getOwnPropertyDescriptor(History.prototype, 'state')!;
  // The router reads back what it has written.
  Object.defineProperty(history, 'state', {
    configurable: true,
    get: () => (made.pending === null ? get!.call(history) : made.pending.state),
  });
  // Before the router's own listeners.
  window.addEventListener('popstate', () => made.forget(), { capture: true });
  window.addEventListener('pagehide', () => made.flush());
};
