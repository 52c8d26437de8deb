import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { createTrackingClient } from '@/lib/tracking/client';
import { DEFAULT_ANSWER_LIMITS } from '@/lib/tracking/limits';
import { parseRecording, type ReplayFix } from '@/service/command/replay/recording';
import { registerDevices, toMadeUpVin } from '@/service/command/replay/replay';
import { silentLog } from '@/service/log';
import { createService } from '@/service/service';
import { clockOf } from '@/testing/clock';
import { setUpRecording } from '@/testing/history/recording';
import { identityOf } from '@/testing/live/tracked-units';
import { IS_LONG } from '@/testing/long';
import { createTestStore } from '@/testing/service/store';
import { HOUR_MS } from '@/lib/base/time';

const traces = process.env.LINEHAUL_TRACES;
const held = setUpRecording();
const USDOT = '9000001';
const POLL_MS = 20_000;

type TestStore = ReturnType<typeof createTestStore>;

/** The fixes of a day in Austin in the order of time. */
const readReports = () =>
  parseRecording(readFileSync(join(traces!, 'austin-buses-2017-03-21.csv'), 'utf8'))
    .fixes.filter(({ lat, lng }) => lat !== 0 || lng !== 0)
    .sort((a, b) => a.fixAtMs - b.fixAtMs);

interface Provider {
  /** The key of the unit of a device. */
  keyOf: (deviceId: string) => string;
  /** Takes what devices report. */
  report: (fixes: readonly ReplayFix[]) => Promise<void>;
  /** The units that it lists at a moment. */
  readUnits: (atMs: number) => Promise<TrackedUnit[]>;
}

/** A provider that lists the newest fix of each device. */
const createProvider = (): Provider => {
  const units = new Map<string, TrackedUnit>();
  return {
    keyOf: (deviceId) => deviceId,
    report: async (fixes) => {
      for (const { deviceId, lat, lng, fixAtMs } of fixes) {
        const identity = identityOf(deviceId);
        units.set(deviceId, { identity, position: { lat, lng }, fixAtMs, otherAtMs: null, flags: [] });
      }
    },
    readUnits: async () => [...units.values()],
  };
};

/** The tracking service, with the devices registered; reports come over its ingest, and units over its API. */
const createServiceProvider = async (stored: TestStore, fixes: readonly ReplayFix[]): Promise<Provider> => {
  const { store, now } = stored;
  const service = createService({ store, now, log: silentLog, activeWindowMs: 24 * HOUR_MS });
  await registerDevices(store, USDOT, 'austin.csv', [...fixes]);
  const { token } = await store.ingestTokens.create({ usdot: USDOT, name: 'buses' });
  const client = createTrackingClient({
    fetch: service.fetch,
    baseUrl: 'http://service.test',
    credentials: await store.keys.create({ usdot: USDOT, name: 'linehaul' }),
    clock: clockOf(now),
    limits: DEFAULT_ANSWER_LIMITS,
  });
  return {
    keyOf: (deviceId) => toMadeUpVin(`${USDOT}/${deviceId}`),
    report: async (reported) => {
      for (const { deviceId, lat, lng, fixAtMs } of reported) {
        stored.nowMs = Math.max(stored.nowMs, fixAtMs + 500);
        const query = new URLSearchParams({
          id: deviceId,
          lat: String(lat),
          lon: String(lng),
          timestamp: String(fixAtMs),
        });
        const response = await service.fetch(
          new Request(`http://service.test/ingest/osmand?${query.toString()}`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}` },
          }),
        );
        expect(response.status).toBe(200);
      }
    },
    readUnits: async (atMs) => {
      stored.nowMs = atMs;
      return (await client.readUnits(USDOT)).units;
    },
  };
};

const stored = IS_LONG && traces ? createTestStore() : null;

test.skipIf(!traces)(
  'every fix of a day in Austin that was seen is archived once, in at most 7 bytes; before a release by way of ingest',
  async () => {
    const tracker = new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded: true }, USDOT);
    const reports = readReports();
    const provider = stored ? await createServiceProvider(stored, reports) : createProvider();
    /** The times of the fixes that polls have seen, by device. */
    const expected = new Map<string, Set<number>>();
    const newest = new Map<string, number>();
    let next = 0;
    let seenMs = reports[0]!.fixAtMs;
    if (stored) stored.nowMs = seenMs;
    while (next < reports.length) {
      // Polls are some milliseconds late.
      seenMs += POLL_MS + ((next * 7) % 30);
      const first = next;
      while (next < reports.length && reports[next]!.fixAtMs < seenMs - 2000) next++;
      const due = reports.slice(first, next);
      await provider.report(due);
      for (const { deviceId, fixAtMs } of due) newest.set(deviceId, fixAtMs);
      for (const [deviceId, fixAtMs] of newest)
        expected.set(deviceId, (expected.get(deviceId) ?? new Set()).add(fixAtMs));
      tracker.observe(await provider.readUnits(seenMs), null, seenMs);
      await held.write({ usdot: USDOT, seenMs, changes: tracker.takeChanges(tracker.copyRows()) });
    }
    expect(await held.archive(seenMs + 48 * HOUR_MS)).toEqual([]);
    const [size] = await held.database.query(
      `SELECT sum(rows)::int AS rows, (sum(bytes) / sum(rows))::float8 AS each FROM linehaul.archive_files
       WHERE state = 'listed' AND table_name = 'fixes'`,
    );
    expect(size!.rows).toBe([...expected.values()].reduce((sum, { size: fixes }) => sum + fixes, 0));
    expect(size!.each).toBeLessThanOrEqual(7);
    for (const [deviceId, times] of [...expected].slice(0, 40)) {
      const trail = await held.reader.readTrail(USDOT, provider.keyOf(deviceId), 0, seenMs * 2);
      expect(trail.map(({ fixAtMs }) => fixAtMs)).toEqual([...times].sort((a, b) => a - b));
    }
  },
  600_000,
);
