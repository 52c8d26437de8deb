import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GuardedStore } from '@/lib/base/stored';
import { performOnce } from './claim';

const KEY = 'heard';
const OPENED_MS = Date.UTC(2026, 10, 28, 12);

/** The tabs' common store and locks, as a browser has them. */
const createBrowser = (texts = new Map<string, string>()) => {
  let last = Promise.resolve<unknown>(undefined);
  const request = (_: string, work: () => Promise<unknown>): Promise<unknown> =>
    (last = last.catch(() => undefined).then(work));
  const storage = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, value: string) => void texts.set(key, value),
  };
  return { storage, locks: { request } as unknown as LockManager };
};

const FORBIDDEN = {
  storage: { getItem: () => null, setItem: () => fail() },
  locks: { request: () => Promise.reject(new DOMException('', 'SecurityError')) } as unknown as LockManager,
};
const fail = (): never => {
  throw new DOMException('', 'QuotaExceededError');
};

/** Has tabs make alerts heard at once; returns by which of them it was done. */
const hearIn = async (
  { storage, locks }: ReturnType<typeof createBrowser> | typeof FORBIDDEN,
  tabs: readonly boolean[],
  newestMs = OPENED_MS,
): Promise<number[]> => {
  const heardBy: number[] = [];
  await Promise.all(
    tabs.map((isAble, tab) =>
      performOnce(
        KEY,
        newestMs,
        async () => {
          await Promise.resolve();
          if (isAble) heardBy.push(tab);
          return isAble;
        },
        { store: new GuardedStore(() => storage as unknown as Storage), locks },
      ),
    ),
  );
  return heardBy;
};

it('a tab that may not play leaves the sound to one that may', async () => {
  expect(await hearIn(createBrowser(), [false, true])).toEqual([1]);
});

it('of any tabs, exactly one that can makes each alert heard, and none where none can', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 5 })), async (polls) => {
      const browser = createBrowser();
      for (const [poll, tabs] of polls.entries()) {
        const first = tabs.indexOf(true);
        expect(await hearIn(browser, tabs, OPENED_MS + poll)).toEqual(first < 0 ? [] : [first]);
        // Once it was heard, a tab that sees the same alert later is silent.
        expect(await hearIn(browser, [true], OPENED_MS + poll)).toEqual(first < 0 ? [0] : []);
      }
    }),
  );
});

it('a failure of one tab is its own, and leaves the claim to the next', async () => {
  const { storage, locks } = createBrowser();
  const deps = { store: new GuardedStore(() => storage as unknown as Storage), locks };
  const broken = performOnce(KEY, OPENED_MS, () => Promise.reject(new Error('no device')), deps);
  await expect(broken).rejects.toThrow('no device');
  expect(await hearIn({ storage, locks }, [true])).toEqual([0]);
});

it('a store that is full or forbidden mutes no alert: then each tab that can makes it heard', async () => {
  const full = { ...createBrowser(), storage: { getItem: () => null, setItem: fail } };
  for (const browser of [full, FORBIDDEN]) expect(await hearIn(browser, [true, false, true])).toEqual([0, 2]);
});

it.each(['', 'NaN', '{"at', '1e99', String(OPENED_MS + 86_400_000)])(
  'a damaged moment in the store (%j) mutes no alert',
  async (text) => {
    expect(await hearIn(createBrowser(new Map([[KEY, text]])), [true])).toEqual([0]);
  },
);
