import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { readUnitRow } from '@/lib/view/unit-row';
import { STATE_COLUMNS, UNNAMED, UNREAD_FEED } from '@/lib/wire/fleet';
import type { LiveAnswer } from '@/lib/wire/live';
import { toLiveBytes } from '@/lib/wire/live-bytes';
import { LiveReader, NOTHING_READ, toNextPollMs, type FleetCopy, type LiveReading } from './live-reader';

const NO_NAMES: LiveAnswer['named'] = { rows: [], identities: [] };
const NO_CHANGE = { rows: [], by: [[], [], [], [], []] };

const answer = (fields: Partial<LiveAnswer>): LiveAnswer => ({
  usdot: '9000001',
  version: 'e.1',
  since: null,
  nowMs: 0,
  nextPollMs: 10_000,
  rows: 2,
  named: NO_NAMES,
  removed: [],
  motion: NO_CHANGE,
  state: { rows: [], by: STATE_COLUMNS.map(() => []) },
  feed: { ...UNREAD_FEED, fetchedAtMs: 0, activeUnits: 2 },
  account: null,
  ...fields,
});

const whole = answer({
  named: {
    rows: [0, 1],
    identities: [
      { ...UNNAMED, key: 'a', vin: 'a', truckNumber: '1', plateState: 'TX', year: 2022 },
      { ...UNNAMED, key: 'b', vin: 'b', truckNumber: '2' },
    ],
  },
  motion: {
    rows: [0, 1],
    by: [
      [10, 20],
      [30, 40],
      [5, 6],
      [-1, -1],
      [-1, -1],
    ],
  },
});
const moved = (version: string, since: string) =>
  answer({ version, since, motion: { rows: [1], by: [[7], [0], [1], [0], [0]] } });

const bytes = (content: LiveAnswer, init?: ResponseInit) =>
  new Response(toLiveBytes(content) as Uint8Array<ArrayBuffer>, init);
const json = (body: unknown, init?: ResponseInit) => new Response(JSON.stringify(body), init);

/** A reader whose server gives these responses in turn, and the URLs that were requested. */
const setUp = (
  answers: (Response | Error | (() => Promise<Response>))[],
  clock = { nowMs: 1000, online: true },
  copy: FleetCopy | null = null,
) => {
  const requested: string[] = [];
  const reader = new LiveReader({
    usdot: '9000001',
    fetch: async (url) => {
      requested.push(String(url));
      const next = answers.shift();
      if (next === undefined) throw new Error('Asked once too often.');
      if (next instanceof Error) throw next;
      return typeof next === 'function' ? next() : next;
    },
    now: () => clock.nowMs,
    isOnline: () => clock.online,
    readCopy: async () => copy,
  });
  return { read: (signal?: AbortSignal) => reader.read(signal), requested, clock };
};

describe('the live reader', () => {
  it('requests everything first, then the changes since its version', async () => {
    const { read, requested } = setUp([bytes(whole), bytes(moved('e.2', 'e.1'))]);
    const first = await read();
    expect(first.fleet?.identities.map((unit) => unit?.truckNumber)).toEqual(['1', '2']);
    const second = await read();
    expect(requested).toEqual(['/api/fleets/9000001/live', '/api/fleets/9000001/live?since=e.1']);
    expect([...second.fleet!.columns.latE5]).toEqual([10, 27]);
    expect(second.fleet).not.toBe(first.fleet);
  });

  it('leaves a reading that React still renders unchanged when the next poll is applied', async () => {
    const joined = answer({
      version: 'e.3',
      since: 'e.2',
      rows: 3,
      named: { rows: [2], identities: [{ ...UNNAMED, key: 'c', truckNumber: '3' }] },
      removed: [0],
      motion: {
        rows: [1, 1],
        by: [
          [1, 50],
          [0, 60],
          [1, 7],
          [0, -1],
          [0, -1],
        ],
      },
    });
    const { read } = setUp([bytes(whole), bytes(moved('e.2', 'e.1')), bytes(joined)]);
    const Rows = ({ fleet }: LiveReading) =>
      Array.from({ length: fleet!.rows }, (_, row) => {
        const unit = readUnitRow(fleet!, row);
        return unit === null
          ? ''
          : `${unit.identity.truckNumber} ${unit.position!.lat.toFixed(5)} ${unit.fixAtMs}; `;
      }).join('');
    const readings = [await read()];
    const rendered = [renderToStaticMarkup(createElement(Rows, readings[0]))];
    for (let poll = 1; poll <= 2; poll++) {
      readings.push(await read());
      rendered.push(renderToStaticMarkup(createElement(Rows, readings[poll])));
      for (const [n, reading] of readings.entries())
        expect(renderToStaticMarkup(createElement(Rows, reading))).toBe(rendered[n]);
    }
    expect(rendered).toEqual([
      '1 0.00010 5000; 2 0.00020 6000; ',
      '1 0.00010 5000; 2 0.00027 7000; ',
      '2 0.00028 8000; 3 0.00050 7000; ',
    ]);
  });

  it('keeps the same fleet object when nothing is new, and records that the server answered', async () => {
    const { read, clock } = setUp([bytes(whole), new Response(null, { status: 304 })]);
    const first = await read();
    clock.nowMs = 9000;
    const second = await read();
    expect(second.fleet).toBe(first.fleet);
    expect(second.receivedAtMs).toBe(9000);
  });

  it('requests everything again when a change does not follow from the fleet it holds', async () => {
    const { read, requested } = setUp([
      bytes(whole),
      bytes(moved('e.9', 'e.8')),
      bytes({ ...whole, version: 'e.9' }),
    ]);
    await read();
    const reading = await read();
    expect(requested.at(-1)).toBe('/api/fleets/9000001/live');
    expect(reading).toMatchObject({ failure: null, fleet: { version: 'e.9' } });
    expect([...reading.fleet!.columns.latE5]).toEqual([10, 20]);
  });

  it('requests everything after a change that breaks off in the middle', async () => {
    const broken = answer({ version: 'e.2', since: 'e.1', motion: { rows: [1], by: [[7], []] } });
    const { read } = setUp([bytes(whole), bytes(broken), bytes({ ...whole, version: 'e.2' })]);
    await read();
    expect([...(await read()).fleet!.columns.latE5]).toEqual([10, 20]);
  });

  it('never applies a response twice when its caller aborted', async () => {
    const calledOff = new AbortController();
    const { read, requested } = setUp([bytes(whole), bytes(moved('e.2', 'e.1')), bytes(moved('e.3', 'e.2'))]);
    await read();
    const given = read(calledOff.signal);
    calledOff.abort();
    await given.catch(() => undefined);
    const reading = await read();
    expect(requested.at(-1)).toBe('/api/fleets/9000001/live?since=e.2');
    expect(reading.fleet!.columns.latE5[1]).toBe(34);
  });

  it('keeps the fleet while the server is away, and gives the start and the number of the failures', async () => {
    const { read, clock } = setUp([
      bytes(whole),
      new TypeError('no route'),
      new TypeError('no route'),
      bytes(whole),
    ]);
    const { fleet } = await read();
    clock.nowMs = 2000;
    await read();
    clock.nowMs = 5000;
    const failed = await read();
    expect(failed.fleet).toBe(fleet);
    expect(failed.receivedAtMs).toBe(1000);
    expect(failed.failure).toEqual({
      kind: 'unreachable',
      message: 'The Linehaul server does not answer.',
      status: null,
      code: null,
      sinceMs: 2000,
      times: 2,
    });
    expect((await read()).failure).toBeNull();
  });

  it('shows the stored copy when the server is away from the start, and continues from it', async () => {
    const { fleet } = await setUp([bytes(whole)]).read();
    const copy = { fleet: fleet!, skewMs: 70, receivedAtMs: 400 };
    const responses = [new TypeError('no network'), bytes(moved('e.2', 'e.1'))];
    const { read, requested } = setUp(responses, undefined, copy);
    expect(await read()).toMatchObject({ ...copy, failure: { kind: 'unreachable', times: 1 } });
    const live = await read();
    expect(requested.at(-1)).toBe('/api/fleets/9000001/live?since=e.1');
    expect([...live.fleet!.columns.latE5]).toEqual([10, 27]);
    expect(live.failure).toBeNull();
  });

  it.each([
    ['a proxy whose server is gone', new Response('', { status: 503 }), 'e.1'],
    [
      'no failure of our server',
      json({ title: 'Away', status: 503, code: 'accounts-unavailable' }, { status: 503 }),
      undefined,
    ],
    ['no refusal', new Response('', { status: 403 }), undefined],
  ])('shows the stored copy for %s', async (_, response, version) => {
    const { fleet } = await setUp([bytes(whole)]).read();
    const copy = { fleet: fleet!, skewMs: 0, receivedAtMs: 400 };
    const reading = await setUp([response], undefined, copy).read();
    expect(reading.fleet?.version).toBe(version);
  });

  it('distinguishes a computer without a network from a server that does not answer', async () => {
    const { read } = setUp([new TypeError('no network')], { nowMs: 1, online: false });
    expect((await read()).failure?.kind).toBe('offline');
  });

  it('passes on a refusal with the server’s message', async () => {
    const problem = {
      type: 'about:blank',
      title: 'No such fleet',
      status: 404,
      code: 'no-fleet',
      detail: 'Not yours.',
    };
    const { read } = setUp([json(problem, { status: 404 }), new Response('oops', { status: 502 })]);
    expect((await read()).failure).toMatchObject({
      kind: 'refused',
      status: 404,
      code: 'no-fleet',
      message: 'Not yours.',
    });
    expect((await read()).failure).toMatchObject({
      status: 502,
      code: null,
      message: 'The Linehaul server answered 502.',
    });
  });

  it.each([
    ['a page', new Response('<html>')],
    ['another shape', json({ units: [] })],
  ])('fails and keeps the fleet when the answer is %s', async (_, response) => {
    const { read } = setUp([bytes(whole), response]);
    await read();
    expect(await read()).toMatchObject({ failure: { kind: 'refused' }, fleet: { version: 'e.1' } });
  });

  it('takes the largest lower bound for the skew of the clocks', async () => {
    const { read, clock } = setUp([
      bytes({ ...whole, nowMs: 60_000 }),
      bytes({ ...moved('e.2', 'e.1'), nowMs: 64_000 }),
      new Response(null, { status: 304, headers: { date: new Date(67_000).toUTCString() } }),
    ]);
    expect((await read()).skewMs).toBe(59_000);
    clock.nowMs = 6000;
    expect((await read()).skewMs).toBe(59_000);
    clock.nowMs = 7000;
    expect((await read()).skewMs).toBe(60_000);
  });

  it.each([
    ["the browser's clock is put forward", 3_600_000, 0],
    ["the server's clock is put back", 0, -3_600_000],
    ["the browser's clock is put back", -3_600_000, 0],
    ["the server's clock is put forward", 0, 3_600_000],
  ])('estimates the skew of the clocks at once when %s', async (_, browserMs, serverMs) => {
    const start = Date.UTC(2026, 0, 1);
    const at = (ms: number) => ({ headers: { date: new Date(ms).toUTCString() } });
    const { read, clock } = setUp(
      [
        bytes({ ...whole, nowMs: start }, at(start)),
        new Response(null, { status: 304, ...at(start + 2000) }),
        // A version from before the clock was set.
        bytes({ ...moved('e.2', 'e.1'), nowMs: start + 2000 }, at(start + 4000 + serverMs)),
      ],
      { nowMs: start, online: true },
    );
    await read();
    clock.nowMs += 2000;
    expect((await read()).skewMs).toBe(0);
    clock.nowMs += 2000 + browserMs;
    expect((await read()).skewMs).toBe(serverMs - browserMs);
  });

  const build = (name: string) => ({ headers: { 'x-linehaul-build': name } });
  const nothingNew = (name: string) => new Response(null, { status: 304, ...build(name) });

  it('reports another build of the server once three answers in a row name it', async () => {
    const names = ['two', 'one', 'two', 'two', 'one', 'two', 'two', 'two'];
    const { read } = setUp([bytes(whole, build('one')), ...names.map(nothingNew), new TypeError('no route')]);
    const seen = [];
    for (let poll = 0; poll < 10; poll++) seen.push((await read()).serverBuild);
    expect(seen).toEqual([...Array<string>(8).fill('one'), 'two', 'two']);
  });

  it('keeps the fleet and asks again soon when servers of another live format answer in turns', async () => {
    const other = () => new Response('another format', build('two'));
    const { read } = setUp([
      bytes(whole, build('one')),
      other(),
      other(),
      nothingNew('one'),
      other(),
      other(),
      other(),
    ]);
    const { fleet } = await read();
    for (const _ of [1, 2])
      expect(await read()).toMatchObject({ failure: null, nextPollMs: 1000, serverBuild: 'one' });
    expect(await read()).toMatchObject({ failure: null, nextPollMs: 2000 });
    for (const _ of [1, 2]) expect(await read()).toMatchObject({ failure: null });
    const last = await read();
    // No server of its own build is left.
    expect(last).toMatchObject({ failure: { kind: 'refused', status: null }, serverBuild: 'two' });
    expect(last.fleet).toBe(fleet);
  });

  it('polls again when the server is due, however old its answer is', async () => {
    const made = (nowMs: number, nextPollMs: number, atMs: number) =>
      bytes({ ...whole, nowMs, nextPollMs }, { headers: { date: new Date(atMs).toUTCString() } });
    const { read, clock } = setUp([
      made(60_000, 11_000, 64_000),
      new Response(null, { status: 304 }),
      made(71_000, 0, 71_000),
      made(72_000, 1e9, 72_000),
    ]);
    expect(await read()).toMatchObject({ skewMs: 63_000, pollMs: 11_000, nextPollMs: 7000 });
    clock.nowMs = 8000;
    expect(await read()).toMatchObject({ pollMs: 11_000, nextPollMs: 2000 });
    expect((await read()).nextPollMs).toBe(1000);
    expect((await read()).nextPollMs).toBe(60_000);
  });

  it('polls again when the server is due although its clock was set back since the answer was made', async () => {
    const start = Date.UTC(2026, 0, 1);
    const at = (ms: number) => ({ headers: { date: new Date(ms).toUTCString() } });
    const { read, clock } = setUp(
      [
        bytes({ ...whole, nowMs: start }, at(start)),
        bytes({ ...moved('e.2', 'e.1'), nowMs: start + 9000 }, at(start + 10_000 - 3_600_000)),
      ],
      { nowMs: start, online: true },
    );
    await read();
    clock.nowMs += 10_000;
    expect(await read()).toMatchObject({ skewMs: -3_600_000, nextPollMs: 10_000 });
  });
});

describe('the delay before the next poll', () => {
  const failed = (times: number): LiveReading => ({
    ...NOTHING_READ,
    failure: { kind: 'unreachable', message: '', status: null, code: null, sinceMs: 0, times },
  });

  it('follows the server’s hint, and is longer while the page is hidden', () => {
    expect(toNextPollMs({ ...NOTHING_READ, nextPollMs: 4000 }, false)).toBe(4000);
    expect(toNextPollMs({ ...NOTHING_READ, nextPollMs: 4000 }, true)).toBe(30_000);
  });

  it('grows with every failure, up to 30 s', () => {
    expect([1, 2, 3, 4, 9].map((times) => toNextPollMs(failed(times), false))).toEqual([
      3000, 6000, 12_000, 24_000, 30_000,
    ]);
  });
});
