import { describe, expect, it } from 'vitest';
import { NOTHING_READ, type LiveReading } from '../live-reader';
import { createColumns } from '@/lib/wire/live';
import { UNREAD_FEED } from '@/lib/wire/fleet';
import { CopyKeeper } from './copy-keeper';

const BUILD = 'one';

const live = (version: string, fields: Partial<LiveReading> = {}, rows = 0): LiveReading => ({
  ...NOTHING_READ,
  fleet: {
    usdot: '9000001',
    version,
    rows,
    identities: [],
    columns: createColumns(0),
    feed: { ...UNREAD_FEED, fetchedAtMs: 1 },
    account: null,
  },
  receivedAtMs: 1,
  serverBuild: BUILD,
  ...fields,
});

/** A keeper 10 s after its page was opened, and the versions that it wrote; `start` stands for its start. */
const setUp = (write = async () => {}) => {
  const clock = { nowMs: 0 };
  const wrote: string[] = [];
  const errors: unknown[] = [];
  const keeper = new CopyKeeper({
    build: BUILD,
    start: async () => void wrote.push('start'),
    write: async ({ fleet }) => {
      wrote.push(fleet.version);
      await write();
    },
    now: () => clock.nowMs,
    onError: (error) => void errors.push(error),
  });
  /** Offers a reading at a time, in s, and lets what it begins end. */
  const offerAt = async (atS: number, reading: LiveReading): Promise<void> => {
    clock.nowMs = atS * 1000;
    keeper.offer(reading);
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { keeper, clock, wrote, errors, offerAt };
};

describe('the keeper of the last known fleet', () => {
  it('writes the first reading, then once a minute, and starts once', async () => {
    const { wrote, offerAt } = setUp();
    for (const atS of [1, 4, 6, 16, 60, 65, 67, 130]) await offerAt(atS, live(`at ${atS} s`));
    expect(wrote).toEqual(['at 1 s', 'start', 'at 65 s', 'at 130 s']);
  });

  it('writes a large fleet less often', async () => {
    const { wrote, offerAt } = setUp();
    for (const atS of [6, 70, 600, 607]) await offerAt(atS, live(`at ${atS} s`, {}, 100_000));
    expect(wrote).toEqual(['at 6 s', 'start', 'at 607 s']);
  });

  it('writes when the page is hidden, but not for each switch between tabs, and never the same fleet again', async () => {
    const { keeper, wrote, offerAt } = setUp();
    const first = live('first');
    await offerAt(6, first);
    await offerAt(70, { ...first, receivedAtMs: 2 });
    await offerAt(72, live('second'));
    keeper.leave();
    await offerAt(75, live('third'));
    keeper.leave();
    expect(wrote).toEqual(['first', 'start', 'second']);
  });

  it.each([
    [
      'of a failure',
      { failure: { kind: 'offline', message: '', status: null, code: null, sinceMs: 0, times: 1 } },
    ],
    ['of a server of another build', { serverBuild: 'two' }],
    ['before the first answer', { fleet: null }],
  ] as [string, Partial<LiveReading>][])('writes no reading %s', async (_, fields) => {
    const { keeper, wrote, offerAt } = setUp();
    await offerAt(10, live('e.1', fields));
    keeper.leave();
    expect(wrote).toEqual([]);
  });

  it('never writes a moment of the past', async () => {
    const { offerAt, keeper, wrote } = setUp();
    await offerAt(10, live('a.1', { past: { atMs: 1, pace: 0 } }));
    keeper.leave();
    expect(wrote).toEqual([]);
  });

  it('reports storage that refuses a copy, and tries again when the next one is due', async () => {
    const full = new Error('full');
    const answers = [() => Promise.reject(full), () => Promise.resolve()];
    const { wrote, errors, offerAt } = setUp(() => answers.shift()!());
    for (const atS of [10, 20, 75]) await offerAt(atS, live(`at ${atS} s`));
    expect([wrote, errors]).toEqual([['at 10 s', 'at 75 s', 'start'], [full]]);
  });
});
