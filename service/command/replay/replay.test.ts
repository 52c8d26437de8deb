import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveService, type RunningService } from '../../serve';
import { createService } from '../../service';
import { NOW_MS, createTestStore } from '../../../testing/service/store';
import { runCommand } from '../main';
import type { CommandContext } from '../command';
import type { ReplaySummary } from './run';
import { DAY_MS } from '@/lib/base/time';

const TRACES = process.env.LINEHAUL_TRACES;

const test = createTestStore();
let running: RunningService;
let folder = '';

beforeAll(async () => {
  // A day, so that every unit of a recording counts as active, whenever it last reported.
  const service = createService({ store: test.store, now: test.now, activeWindowMs: DAY_MS });
  running = await serveService({ service, port: 0, hostname: '127.0.0.1' });
  folder = await mkdtemp(join(tmpdir(), 'linehaul-replay-'));
});
afterAll(async () => {
  await running.close();
  await rm(folder, { recursive: true });
});

const run = async (argv: string[], changed: Partial<CommandContext> = {}) => {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommand(['replay', ...argv, '--url', running.url], {
    databaseUrl: test.databaseUrl,
    now: test.now,
    stdout: (line) => out.push(line),
    stderr: (line) => err.push(line),
    signal: new AbortController().signal,
    env: {},
    ...changed,
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
};

const ask = async <T>(usdot: string, path: string): Promise<T> => {
  const { apiKey, providerToken } = await test.store.keys.create({ usdot, name: 'test' });
  const headers = { 'x-api-key': apiKey, 'provider-token': providerToken };
  const response = await fetch(`${running.url}/api/${path}`, { headers });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
};

interface Unit {
  deviceId: string;
  coordinates: { lat: number; lng: number };
  timestamp: string;
}
const readUnits = async (usdot: string): Promise<Unit[]> =>
  (await ask<{ units: Unit[] }>(usdot, `units/${usdot}`)).units;

const recording = [
  'id,timestamp,lat,lon,speed_kph',
  'a,2026-01-01T00:10:00Z,35.2,-101.2,80',
  'a,2026-01-01T00:00:00Z,35.1,-101.1,80',
  'b,2026-01-01T00:05:00Z,36.1,-102.1,',
  'b,2026-01-01T00:06:00Z,0,0,',
  'b,2026-01-01T00:07:00Z,95,-102.1,',
  'b,later,36.1,-102.1,',
];

describe('replay', () => {
  it.each(['osmand', 'overland'])(
    'sends a recording by %s, goes on after bad rows and names their lines',
    async (protocol) => {
      const usdot = protocol === 'osmand' ? '9000401' : '9000402';
      const file = join(folder, `${protocol}.csv`);
      await writeFile(file, recording.join('\n'));
      const { code, out } = await run([file, '--usdot', usdot, '--register', '--protocol', protocol]);
      expect(code).toBe(0);
      expect(out).toContain('6 rows of 2 devices replayed');
      expect(out).toContain('2 vehicles added to the roster');
      expect(out).toContain('3 fixes accepted');
      expect(out).toContain('1 report without a position, line 5: at 0,0');
      expect(out).toMatch(
        /1 fix refused with 400 invalid_input, line 6: .*a latitude from -90 to 90 degrees, got 95/,
      );
      expect(out).toContain('1 row unreadable, line 7: timestamp: expected a time');
      const units = await readUnits(usdot);
      expect(
        units.map(({ deviceId, coordinates, timestamp }) => ({ deviceId, ...coordinates, timestamp })),
      ).toEqual([
        { deviceId: 'a', lat: 35.2, lng: -101.2, timestamp: new Date(NOW_MS).toISOString() },
        { deviceId: 'b', lat: 36.1, lng: -102.1, timestamp: new Date(NOW_MS - 300_000).toISOString() },
      ]);
    },
  );

  it('registers a recording again without adding anything, and leaves no token behind', async () => {
    const file = join(folder, 'osmand.csv');
    const { out } = await run([file, '--usdot', '9000401', '--register', '--json']);
    expect(JSON.parse(out)).toMatchObject({ vehiclesAdded: 0, accepted: 3, unsent: 0 });
    const tokens = await test.store.ingestTokens.list('9000401');
    expect(tokens.map(({ revokedAtMs }) => revokedAtMs)).toEqual([NOW_MS, NOW_MS]);
  });

  it('counts the devices that the roster does not know as refused', async () => {
    await test.store.carriers.upsert({ usdot: '9000403', companyName: 'Empty', companyId: 'e' });
    const { code, out } = await run([
      join(folder, 'osmand.csv'),
      '--usdot',
      '9000403',
      '--protocol',
      'osmand',
    ]);
    expect(code).toBe(0);
    expect(out).toContain('4 fixes refused with 404 unknown_device, lines 2, 3, 4, 5');
  });

  it('fails when the token is wrong, and does not show it', async () => {
    const { code, err } = await run([join(folder, 'osmand.csv'), '--token', 'lh_ingest_planted']);
    expect(code).toBe(1);
    expect(err).toContain(`${running.url} refuses the ingest token`);
    expect(err).not.toContain('planted');
  });

  it('stops on abort, and prints how much was not sent', async () => {
    const stop = new AbortController();
    // The body is read before the timer fires, so the first report counts as taken.
    const takeOneAndStop = (): Promise<Response> => {
      setTimeout(() => stop.abort(), 0);
      return Promise.resolve(new Response(''));
    };
    const argv = [join(folder, 'osmand.csv'), '--token', 't', '--pace', '1'];
    const { code, out } = await run(argv, { signal: stop.signal, fetch: takeOneAndStop });
    expect(code).toBe(1);
    expect(out).toContain('1 fix accepted');
    expect(out).toContain('4 fixes not sent: the replay was stopped');
  });

  it('fails for a file of no known recording', async () => {
    const file = join(folder, 'unknown.csv');
    await writeFile(file, 'name,place\n');
    const { code, err } = await run([file, '--token', 't']);
    expect(code).toBe(1);
    expect(err).toContain('belongs to no known recording');
  });
});

interface AustinRow {
  vehicle_id: string;
  timestamp: string;
  latitude: string;
  longitude: string;
}

/** Read without any of the code under test: the newest fix of each bus that is not at 0,0. */
const readNewestValid = async (file: string): Promise<Map<string, AustinRow>> => {
  const rows = parse(await readFile(file), { columns: true }) as unknown as AustinRow[];
  const newest = new Map<string, AustinRow>();
  for (const row of rows) {
    const held = newest.get(row.vehicle_id);
    const isValid = Number(row.latitude) !== 0 || Number(row.longitude) !== 0;
    const isNewer = held === undefined || Date.parse(row.timestamp) > Date.parse(held.timestamp);
    if (isValid && isNewer) newest.set(row.vehicle_id, row);
  }
  return newest;
};

describe.skipIf(!TRACES)(
  `replay of recorded traces${TRACES ? '' : ' (skipped: LINEHAUL_TRACES is not set)'}`,
  () => {
    it(
      'puts 329 buses on the roster, each at its own newest valid fix, and none at 0,0',
      { timeout: 180_000 },
      async () => {
        const usdot = '9000410';
        const file = join(TRACES!, 'austin-buses-2017-03-21.csv');
        const { code, out } = await run([file, '--usdot', usdot, '--register', '--json']);
        expect(code).toBe(0);
        const summary = JSON.parse(out) as ReplaySummary;
        expect(summary).toMatchObject({
          rows: 45_386,
          devices: 329,
          vehiclesAdded: 329,
          accepted: 45_383,
          unsent: 0,
        });
        expect(summary.refused).toEqual([]);
        expect(summary.withoutPosition.sort((a, b) => a - b)).toEqual([4479, 4480, 38140]);
        expect(summary.withoutSpeed).toHaveLength(7);

        expect(new Set(await ask<string[]>(usdot, `vin-numbers/${usdot}`)).size).toBe(329);
        const expected = await readNewestValid(file);
        const newestMs = Math.max(...[...expected.values()].map(({ timestamp }) => Date.parse(timestamp)));
        const units = await readUnits(usdot);
        expect(units).toHaveLength(329);
        for (const { deviceId, coordinates, timestamp } of units) {
          const row = expected.get(deviceId)!;
          expect({ deviceId, ...coordinates, timestamp }).toEqual({
            deviceId,
            lat: Number(row.latitude),
            lng: Number(row.longitude),
            timestamp: new Date(Date.parse(row.timestamp) - newestMs + NOW_MS).toISOString(),
          });
        }
      },
    );

    it('puts the truck at its newest fix', { timeout: 60_000 }, async () => {
      const usdot = '9000411';
      const { code } = await run([join(TRACES!, 'us-truck-2016-02.csv'), '--usdot', usdot, '--register']);
      expect(code).toBe(0);
      const units = await readUnits(usdot);
      expect(units).toHaveLength(1);
      expect(units[0]).toMatchObject({ deviceId: '1', timestamp: new Date(NOW_MS).toISOString() });
    });
  },
);
