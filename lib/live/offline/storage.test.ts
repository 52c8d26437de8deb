import { afterEach, expect, it, vi } from 'vitest';
import type { Viewer } from '@/lib/base/viewer';
import { canCopy, findStoredMap, readFleetCopy, writePage } from './storage';
import { adoptOwner, forgetCopies, toOwner } from '@/lib/browser/owner';

const VIEWER: Viewer = {
  ...{ kind: 'user', id: 'dan', name: 'Dan', email: 'dan@carrier.test', role: 'dispatcher' },
  ...{ usdots: ['9000001'], tags: null },
};

it.each<[string, Partial<Viewer>]>([
  ['another role', { role: 'manager' }],
  ['other fleets', { usdots: null }],
  ['fewer units', { tags: ['flatbeds'] }],
])('the copies of a viewer are not those of the same one with %s', (_, change) => {
  expect(toOwner({ ...VIEWER, ...change })).not.toBe(toOwner(VIEWER));
});

afterEach(() => vi.unstubAllGlobals());

const refuse = () => Promise.reject(new DOMException('', 'SecurityError'));
const WRITER = { usdot: '9000001', build: 'b1', owner: toOwner(VIEWER) };
const fetchPage = () => Promise.resolve({ ok: true, redirected: false, blob: () => new Blob(), headers: {} });

it('where caches are forbidden, copies are neither kept nor found, and none of that throws', async () => {
  vi.stubGlobal('caches', { has: refuse, open: refuse, match: refuse, delete: refuse });
  vi.stubGlobal('fetch', vi.fn(fetchPage));
  expect(await canCopy()).toBe(false);
  await adoptOwner(WRITER.owner);
  await writePage(WRITER);
  await forgetCopies();
  expect(await readFleetCopy('9000001')).toBeNull();
  expect(await findStoredMap('/users')).toBeNull();
});

it('writes no copy whose owner could not be stored: it would not end when another tab signs out', async () => {
  const put = vi.fn();
  vi.stubGlobal('caches', {
    open: () => Promise.resolve({ put }),
    match: () => Promise.resolve(undefined),
    delete: () => Promise.resolve(true),
  });
  vi.stubGlobal('fetch', vi.fn(fetchPage));
  const texts = new Map<string, string>();
  const storage = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, value: string) => void texts.set(key, value),
    removeItem: (key: string) => void texts.delete(key),
  };
  vi.stubGlobal('window', {
    localStorage: {
      ...storage,
      setItem: () => {
        throw new DOMException('', 'QuotaExceededError');
      },
    },
  });
  await adoptOwner(WRITER.owner);
  await writePage(WRITER);
  expect(put).not.toHaveBeenCalled();
  vi.stubGlobal('window', { localStorage: storage });
  await adoptOwner(WRITER.owner);
  await writePage(WRITER);
  expect(put).toHaveBeenCalledOnce();
});
