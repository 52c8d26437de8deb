import { expect, it, vi } from 'vitest';
import { STATE_COLUMNS, UNREAD_FEED } from '@/lib/wire/fleet';
import { toLiveBytes } from '@/lib/wire/live-bytes';
import { PastReader } from './past-reader';

const NONE = { rows: [], by: [[], [], [], [], []] };
const toBody = (version: string, since: string | null): BodyInit =>
  toLiveBytes({
    usdot: '9000001',
    version,
    since,
    nowMs: 1,
    nextPollMs: 0,
    rows: 0,
    named: { rows: [], identities: [] },
    removed: [],
    motion: NONE,
    state: { rows: [], by: STATE_COLUMNS.map(() => []) },
    feed: UNREAD_FEED,
    account: null,
  }) as Uint8Array<ArrayBuffer>;

it('reads each moment as the changes to the one before, and whole where they do not follow, with the server’s clock', async () => {
  const send = vi.fn<typeof fetch>();
  const reader = new PastReader('9000001', send);
  const read = (atMs: number) => reader.read(atMs, new AbortController().signal);
  const urls = () => send.mock.calls.map(([url]) => String(url).replace('/api/fleets/9000001/past', ''));

  const date = new Date(Date.now() + 600_000).toUTCString();
  send.mockResolvedValueOnce(new Response(toBody('past.0.1', null), { headers: { date } }));
  expect((await read(1)).version).toBe('past.0.1');
  expect(Math.abs(reader.skewMs - 600_000)).toBeLessThan(5000);
  send.mockResolvedValueOnce(new Response(toBody('past.0.2', 'past.0.1')));
  expect((await read(2)).version).toBe('past.0.2');
  send.mockResolvedValueOnce(new Response(null, { status: 304 }));
  expect((await read(2)).version).toBe('past.0.2');
  send.mockResolvedValueOnce(new Response(toBody('past.0.3', 'past.0.9')));
  send.mockResolvedValueOnce(new Response(toBody('past.0.3', null)));
  expect((await read(3)).version).toBe('past.0.3');
  expect(urls()).toEqual([
    '?at=1',
    '?at=2&since=past.0.1',
    '?at=2&since=past.0.2',
    '?at=3&since=past.0.2',
    '?at=3',
  ]);
});
