import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '@/lib/base/time';
import { createLog, createSecretRedactor } from '@/lib/base/log';
import type { Fetch } from '@/lib/base/http/public-fetch';
import { clockOf } from '@/testing/clock';
import { startEngine, type RouteBehavior } from '@/testing/routing/routing-engine';
import { toEngine, type Engine, type EngineName } from './engine';
import { Routing, type RouteQuery } from './routing';

/** About 550 km apart. */
const FROM = { lat: 35.222, lng: -101.8313 };
const TO = { lat: 32.7767, lng: -96.797 };
const WAY = { meters: 600_000, seconds: 21_600 };
const FOUND = { distM: 600_000, driveMs: 21_600_000 };

let lastCell = 0;
/** From a cell of its own, so that no answer is known. */
const query = (more: Partial<RouteQuery> = {}): RouteQuery => ({
  cell: (lastCell += 1),
  from: FROM,
  to: TO,
  ...more,
});

let engine: Awaited<ReturnType<typeof startEngine>>;
let nowMs = 1_772_366_400_000;
let lines: string[] = [];
let delaysMs: number[] = [];
/** After how long a request is given up, ms; shorter where the engine is silent. */
let limitMs = 5000;
const opened: Routing[] = [];

const open = (url = engine.url, fetchWith: Fetch = fetch): Routing => {
  const log = createLog(createSecretRedactor(), 'debug', { write: (line) => void lines.push(line) });
  // Requests need not wait for each other here.
  const setTimer = (run: () => void, delayMs: number): (() => void) => {
    delaysMs.push(delayMs);
    const timer = setTimeout(run, delayMs >= SECOND_MS ? limitMs : 0);
    return () => clearTimeout(timer);
  };
  const routing = new Routing({
    ...{ engine: toEngine(url) as Engine, fetch: fetchWith, clock: clockOf(() => nowMs, setTimer), log },
  });
  opened.push(routing);
  return routing;
};

const start = async (name: EngineName): Promise<void> => {
  engine = await startEngine(name);
};

beforeEach(() => {
  delaysMs = [];
  lines = [];
  limitMs = 5000;
});
afterEach(async () => {
  for (const routing of opened.splice(0)) routing.close();
  await engine.close();
});

describe.each(['osrm', 'valhalla'] as const)('Routing by %s', (name) => {
  beforeEach(() => start(name));
  const noRoute: RouteBehavior = { fault: name === 'osrm' ? 'NoRoute' : 442 };

  it('gives way and time, and keeps them by cell and stop for an hour', async () => {
    engine.behave({ way: WAY });
    const routing = open();
    const wanted = query();
    expect(routing.read()).toMatchObject({ engine: name, state: 'unknown' });
    expect(await Promise.all([routing.find(wanted), routing.find(wanted)])).toEqual([FOUND, FOUND]);
    expect(await routing.find({ ...wanted, from: { lat: 35.2221, lng: -101.8314 } })).toEqual(FOUND);
    expect(engine.received).toHaveLength(1);
    await routing.find({ ...wanted, to: { lat: 32.7, lng: -96.797 } });
    nowMs += 61 * MINUTE_MS;
    await routing.find(wanted);
    expect(engine.received).toHaveLength(3);
    expect(routing.read()).toMatchObject({ state: 'ok', found: 3, none: 0, failed: 0, skipped: 0 });
  });

  it('has no way where the engine says so, which is an answer', async () => {
    engine.behave(noRoute);
    const routing = open();
    const wanted = query();
    expect([await routing.find(wanted), await routing.find(wanted)]).toEqual([null, null]);
    expect(engine.received).toHaveLength(1);
    expect(routing.read()).toMatchObject({ state: 'ok', none: 1, failed: 0 });
  });

  it('has failed where the engine refuses the request', async () => {
    engine.behave({ fault: name === 'osrm' ? 'InvalidQuery' : 125 });
    const routing = open();
    expect(await routing.find(query())).toBeNull();
    expect(routing.read()).toMatchObject({ none: 0, failed: 1 });
  });

  it('has no way where the map of the engine ends between the two positions', async () => {
    engine.behave({ way: { meters: 300_000, seconds: 10_000 } });
    const routing = open();
    expect(await routing.find(query())).toBeNull();
    expect(routing.read()).toMatchObject({ state: 'ok', none: 1 });
  });
});

describe('an engine that fails', () => {
  beforeEach(() => start('osrm'));

  const faults: [what: string, behavior: RouteBehavior, reason: RegExp][] = [
    [
      'answers 500',
      { status: 500, body: JSON.stringify({ code: 'NoRoute', error_code: 442 }) },
      /answered 500/,
    ],
    ['answers 404 with a page', { status: 404, body: '<h1>planted</h1>' }, /answered 404$/],
    ['refuses the request', { fault: 'InvalidQuery' }, /answered 400 \(InvalidQuery\)/],
    ['answers with a page', { status: 200, body: '<h1>planted</h1>' }, /is not JSON/],
    [
      'answers with another shape',
      { status: 200, body: '{"routes":"planted","trip":7}' },
      /no length and time/,
    ],
    ['answers null', { status: 200, body: 'null' }, /no length and time/],
    ['has a way in no time', { way: { meters: 600_000, seconds: 0 } }, /no length and time/],
    ['has a negative way', { way: { meters: -1, seconds: 1 } }, /no length and time/],
    ['is silent', 'silent', /no answer within 5 s/],
    ['breaks off', 'breaksOff', /cannot be reached/],
    ['sends too much', { status: 200, body: ' '.repeat(4 * 2 ** 20 + 1) }, /too long/],
  ];
  it.each(faults)(
    'is away once an engine that %s did so three times, and asks no more',
    async (_, behavior, reason) => {
      engine.behave(behavior);
      if (behavior === 'silent') limitMs = 50;
      const routing = open();
      for (let i = 0; i < 5; i += 1) expect(await routing.find(query())).toBeNull();
      expect(engine.received).toHaveLength(3);
      const state = routing.read();
      expect(state).toMatchObject({ state: 'away', sinceMs: nowMs, failed: 3, skipped: 2 });
      expect(state.reason).toMatch(reason);
      expect(JSON.stringify([state, lines])).not.toMatch(/planted|127\.0\.0\.1/);
      expect(lines.filter((line) => line.includes('does not answer'))).toHaveLength(1);
    },
  );

  it('does not follow a redirect', async () => {
    const elsewhere = await startEngine('osrm');
    engine.behave({ status: 302, headers: { location: elsewhere.url } });
    const routing = open(`${engine.url.replace('//', '//user:planted-password@')}`);
    for (let i = 0; i < 3; i += 1) expect(await routing.find(query())).toBeNull();
    expect(elsewhere.received).toEqual([]);
    expect(routing.read().reason).toContain('redirect');
    await elsewhere.close();
  });

  it('is left alone for as long as it asks with 429', async () => {
    engine.behave({ status: 429, headers: { 'retry-after': '120' } });
    const routing = open();
    await routing.find(query());
    expect(routing.read()).toMatchObject({ state: 'away', reason: 'it answered 429' });
    nowMs += 119 * SECOND_MS;
    await routing.find(query());
    expect(engine.received).toHaveLength(1);
    nowMs += 2 * SECOND_MS;
    engine.behave({ way: WAY });
    expect(await routing.find(query())).toEqual(FOUND);
    expect(routing.read()).toMatchObject({ state: 'ok', sinceMs: nowMs, reason: null });
    expect(lines.some((line) => line.includes('answers again'))).toBe(true);
  });

  it('is tried by one request after a rest that doubles, up to five minutes', async () => {
    engine.behave({ status: 503 });
    const routing = open();
    const findMany = () => Promise.all(Array.from({ length: 10 }, () => routing.find(query())));
    await findMany();
    const restsS: number[] = [];
    for (let tries = 0; tries < 7; tries += 1) {
      const [before, fromMs] = [engine.received.length, nowMs];
      while (engine.received.length === before) {
        nowMs += 15 * SECOND_MS;
        await findMany();
      }
      expect(engine.received).toHaveLength(before + 1);
      restsS.push((nowMs - fromMs) / SECOND_MS);
    }
    expect(restsS).toEqual([15, 30, 60, 120, 240, 300, 300]);
  });

  it('that is gone is named by the code of the system', async () => {
    await engine.close();
    const routing = open();
    for (let i = 0; i < 3; i += 1) await routing.find(query());
    expect(routing.read().reason).toBe('it cannot be reached (ECONNREFUSED)');
    await start('osrm');
  });

  it('gets at most four requests at once and 20 a second, and none after the end', async () => {
    const answers: (() => void)[] = [];
    let [running, most] = [0, 0];
    const routing = open(engine.url, async () => {
      most = Math.max(most, (running += 1));
      await new Promise<void>((resolve) => answers.push(resolve));
      running -= 1;
      return Response.json({ code: 'Ok', routes: [{ distance: 600_000, duration: 21_600 }] });
    });
    const found = Array.from({ length: 12 }, () => routing.find(query()));
    const isDone = Promise.all(found.slice(0, 8));
    for (let i = 0; i < 8; i += 1) {
      await expect.poll(() => answers.length).toBeGreaterThan(0);
      answers.shift()!();
    }
    expect(await isDone).toEqual(Array(8).fill(FOUND));
    expect(most).toBe(4);
    // One begins in 50 ms.
    expect(delaysMs.filter((ms) => ms < SECOND_MS).every((ms) => ms === 50)).toBe(true);
    routing.close();
    expect(await Promise.all(found.slice(8))).toEqual([null, null, null, null]);
    expect(await routing.find(query())).toBeNull();
    expect(routing.read().state).toBe('ok');
  });
});
