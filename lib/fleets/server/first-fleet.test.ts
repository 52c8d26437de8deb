import { describe, expect, it, vi } from 'vitest';
import { AppError } from '@/lib/base/http/problems';
import { STATE_COLUMNS, UNREAD_FEED } from '@/lib/wire/fleet';
import { toLiveBytes } from '@/lib/wire/live-bytes';
import { readFirstFleet } from './first-fleet';

const NOW_MS = 1_800_000_000_000;
const VIEWER = {
  kind: 'demo',
  id: 'demo',
  name: 'Demo',
  email: null,
  role: 'manager',
  usdots: null,
} as const;
let versions = 0;

const toAnswer = (feed: Partial<typeof UNREAD_FEED>) => {
  const empty = { rows: [], by: [[], [], [], [], []] };
  const version = `epoch.${(versions += 1)}`;
  const body = toLiveBytes({
    usdot: '123',
    version,
    since: null,
    nowMs: NOW_MS,
    nextPollMs: 1000,
    rows: 0,
    named: { rows: [], identities: [] },
    removed: [],
    motion: empty,
    state: { rows: [], by: STATE_COLUMNS.map(() => []) },
    feed: { ...UNREAD_FEED, fetchedAtMs: NOW_MS - 1000, ...feed },
    account: null,
  });
  return { status: 200 as const, body, encoding: null, version };
};

const read = async (answer: () => Promise<unknown>) => {
  const warn = vi.fn();
  const runtime = {
    clock: { nowMs: () => NOW_MS },
    fleets: { feed: () => ({ answer }) },
    log: { warn },
  };
  return { first: await readFirstFleet(runtime as never, VIEWER as never, '123'), warn };
};

describe('the first fleet', () => {
  it('is the newest snapshot, with the time', async () => {
    const { first } = await read(async () => toAnswer({ activeUnits: 7 }));
    expect(first).toMatchObject({ nowMs: NOW_MS, fleet: { usdot: '123', feed: { activeUnits: 7 } } });
  });

  it('is not there while the provider fails or has not answered, and where the data is old', async () => {
    for (const feed of [
      { fetchedAtMs: null },
      { staleSinceMs: NOW_MS - 1 },
      { fetchedAtMs: NOW_MS - 60_000 },
      { problem: { kind: 'drop' as const, message: '', detail: '', sinceMs: NOW_MS } },
    ])
      expect((await read(async () => toAnswer(feed))).first).toBeNull();
  });

  it('is not waited for', async () => {
    expect((await read(() => new Promise(() => undefined))).first).toBeNull();
  });

  it('leaves a refusal to the live answer, and logs a fault', async () => {
    const refused = await read(() => Promise.reject(new AppError('too-many-fleets')));
    expect([refused.first, refused.warn.mock.calls.length]).toEqual([null, 0]);
    const broken = await read(() => Promise.reject(new Error('the thread ended')));
    expect([broken.first, broken.warn.mock.calls.length]).toEqual([null, 1]);
  });
});
