import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fromStored } from '@/lib/browser/from-stored';
import { GuardedStore, withCaches } from './stored';

const fail = (name: string) => (): never => {
  throw new DOMException('The operation is insecure.', name);
};

/** A browser's store over a map, which a test damages. */
const createStorage = (texts = new Map<string, string>()) => ({
  texts,
  getItem: (key: string): string | null => texts.get(key) ?? null,
  setItem: (key: string, value: string): void => void texts.set(key, value),
  removeItem: (key: string): void => void texts.delete(key),
});
const toStore = (storage: ReturnType<typeof createStorage>) =>
  new GuardedStore(() => storage as unknown as Storage);

describe('a guarded store', () => {
  it.each([
    ['forbidden', () => new GuardedStore(fail('SecurityError'))],
    ['absent', () => new GuardedStore(() => undefined as unknown as Storage)],
    ['full', () => toStore({ ...createStorage(), setItem: fail('QuotaExceededError') })],
    [
      'damaged on its disk',
      () =>
        toStore({
          ...createStorage(),
          getItem: fail('NS_ERROR_FILE_CORRUPTED'),
          setItem: fail('NS_ERROR_FILE_CORRUPTED'),
          removeItem: fail('NS_ERROR_FILE_CORRUPTED'),
        }),
    ],
  ])('never throws where storage is %s, and says that a value holds in this page alone', (_, create) => {
    const store = create();
    expect(store.get('clock')).toBeNull();
    expect(store.set('clock', '24')).toBe(false);
    expect(store.get('clock')).toBe('24');
    store.remove('clock');
    expect(store.get('clock')).toBeNull();
  });

  it('gives the value of another tab once that has written after a write that failed here', () => {
    const storage = createStorage(new Map([['clock', '12']]));
    const store = toStore({ ...storage, setItem: fail('QuotaExceededError') });
    store.set('clock', '24');
    expect(store.get('clock')).toBe('24');
    storage.texts.set('clock', 'other');
    expect(store.get('clock')).toBe('other');
  });

  it('is a map of texts, whichever writes fail', () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b'), value: fc.string(), isFull: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const storage = createStorage();
        let isFull = false;
        const store = toStore({
          ...storage,
          setItem: (key, value) => (isFull ? fail('QuotaExceededError')() : storage.setItem(key, value)),
        });
        const expected = new Map<string, string>();
        for (const { key, value, ...now } of steps) {
          ({ isFull } = now);
          expect(store.set(key, value)).toBe(!isFull);
          expected.set(key, value);
          for (const each of ['a', 'b']) expect(store.get(each)).toBe(expected.get(each) ?? null);
        }
      }),
    );
  });
});

it('reads a stored value whole, and the fallback for any part or change of its text', () => {
  const value = { sound: true, name: 'é' };
  const isValue = (read: unknown): read is typeof value =>
    (read as typeof value).sound === true && (read as typeof value).name === 'é';
  const text = JSON.stringify(value);
  expect(fromStored(text, isValue, value)).not.toBe(value);
  expect(fromStored(text, isValue, value)).toEqual(value);
  for (let end = 0; end < text.length; end += 1)
    expect(fromStored(text.slice(0, end), isValue, value)).toBe(value);
  for (const other of ['null', '1', '"x"', '[]', '{}', '\u0000', '{"sound":"loud"}'])
    expect(fromStored(other, isValue, value)).toBe(value);
  expect(fromStored(null, isValue, value)).toBe(value);
});

describe('Cache Storage', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('gives nothing where it is absent, and where it fails', async () => {
    expect(await withCaches((caches) => caches.has('copies'))).toBeUndefined();
    vi.stubGlobal('caches', { has: () => Promise.reject(new DOMException('', 'SecurityError')) });
    expect(await withCaches((caches) => caches.has('copies'))).toBeUndefined();
    vi.stubGlobal('caches', { has: fail('SecurityError') });
    expect(await withCaches((caches) => caches.has('copies'))).toBeUndefined();
    vi.stubGlobal('caches', { has: () => Promise.resolve(false) });
    expect(await withCaches((caches) => caches.has('copies'))).toBe(false);
  });
});
