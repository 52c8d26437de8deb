import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HistoryLimiter } from './history-limit';

const ORIGIN = 'https://linehaul.example.com';
beforeEach(() => void vi.stubGlobal('window', { location: { origin: ORIGIN } }));
afterEach(() => void vi.unstubAllGlobals());

/** A browser that refuses more than `most` calls within a time: counted from the first of them, as Safari does. */
const createBrowser = (most: number, withinMs: number) => {
  let nowMs = 0;
  let countedFromMs = 0;
  let count = 0;
  let timers: { atMs: number; run: () => void }[] = [];
  const entries: { url: string; state: unknown }[] = [{ url: `${ORIGIN}/`, state: null }];
  const browser = {
    refusals: 0,
    entries,
    limiter: new HistoryLimiter({
      write: ({ how, url, state }) => {
        if (nowMs - countedFromMs > withinMs) [countedFromMs, count] = [nowMs, 0];
        count += 1;
        if (count > most) {
          browser.refusals += 1;
          throw new DOMException('The operation is insecure.', 'SecurityError');
        }
        if (how === 'pushState') entries.push({ url, state });
        else entries[entries.length - 1] = { url, state };
      },
      nowMs: () => nowMs,
      wait: (run, ms) => void timers.push({ atMs: nowMs + ms, run }),
    }),
    pass: (ms: number): void => {
      const endMs = nowMs + ms;
      for (;;) {
        const next = timers.filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        nowMs = next.atMs;
        next.run();
      }
      nowMs = endMs;
    },
    shown: () => entries[entries.length - 1]!,
    use: (calls: number): void => void (count += calls),
  };
  return browser;
};

const LIMITS: [most: number, withinMs: number][] = [
  [100, 10_000],
  [100, 30_000],
  [200, 10_000],
];
const toChange = (at: number, how: 'pushState' | 'replaceState' = 'pushState') => ({
  how,
  state: { at },
  url: `${ORIGIN}/day?at=${at}`,
});

describe.each(LIMITS)('a browser that allows %i changes of the address in %i ms', (most, withinMs) => {
  it('refuses none while a key is held for a minute, and shows the last of them soon after', () => {
    const browser = createBrowser(most, withinMs);
    for (let press = 0; press < 60 * 30; press += 1) {
      browser.limiter.change(toChange(press));
      // The router writes each address once more.
      browser.limiter.change(toChange(press, 'replaceState'));
      browser.pass(33);
    }
    browser.pass(1000);
    expect(browser.refusals).toBe(0);
    expect(browser.shown()).toEqual({ url: toChange(1799).url, state: { at: 1799 } });
    expect(browser.limiter.pending).toBeNull();
  });

  it('refuses none of any changes, of which the last one lands', () => {
    const step = fc.record({
      how: fc.constantFrom('pushState' as const, 'replaceState' as const),
      afterMs: fc.oneof(fc.constant(0), fc.integer({ max: 40, min: 0 }), fc.integer({ max: 5000, min: 0 })),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 400, size: 'max' }), (steps) => {
        const browser = createBrowser(most, withinMs);
        for (const [at, { how, afterMs }] of steps.entries()) {
          browser.pass(afterMs);
          browser.limiter.change(toChange(at, how));
          expect((browser.limiter.pending ?? browser.shown()).url).toBe(toChange(at).url);
        }
        browser.pass(1000);
        expect(browser.refusals).toBe(0);
        expect(browser.shown().state).toEqual({ at: steps.length - 1 });
        const pushes = steps.filter(({ how }) => how === 'pushState').length;
        expect(browser.entries.length).toBeLessThanOrEqual(pushes + 1);
        expect(browser.entries.length > 1).toBe(pushes > 0);
      }),
      { numRuns: 10 },
    );
  });
});

describe('a change of the address', () => {
  it('is passed on at once, each as its own, by a person who clicks', () => {
    const browser = createBrowser(100, 30_000);
    for (let click = 0; click < 20; click += 1) {
      browser.limiter.change(toChange(click));
      expect(browser.shown().url).toBe(toChange(click).url);
      browser.pass(600);
    }
    expect(browser.entries).toHaveLength(21);
  });

  it('that a browser refuses all the same is tried again until it lands', () => {
    const browser = createBrowser(100, 10_000);
    browser.use(100);
    browser.limiter.change(toChange(7));
    expect(browser.limiter.pending?.url).toBe(toChange(7).url);
    browser.pass(15_000);
    expect(browser.shown().url).toBe(toChange(7).url);
    expect(browser.refusals).toBeLessThan(15);
  });

  it('that waits is dropped when the user goes back, and written when the page is left', () => {
    const browser = createBrowser(100, 10_000);
    for (let at = 0; at < 100; at += 1) browser.limiter.change(toChange(at));
    browser.limiter.forget();
    browser.pass(5000);
    expect(browser.shown().url).toBe(toChange(29).url);
    for (let at = 0; at < 100; at += 1) browser.limiter.change(toChange(at));
    browser.limiter.flush();
    expect(browser.shown().url).toBe(toChange(99).url);
  });

  it('to an address of another site is refused as before', () => {
    const limiter = new HistoryLimiter({
      write: () => {
        throw new DOMException('', 'SecurityError');
      },
      nowMs: () => 0,
      wait: () => undefined,
    });
    const change = { ...toChange(0), url: 'https://other.example.com/' };
    expect(() => limiter.change(change)).toThrow(DOMException);
    expect(limiter.pending).toBeNull();
  });
});
